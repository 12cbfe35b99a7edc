"""Stand-ins for Marker's models: with them its real provider, builders, processors and renderers run."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

Region = tuple[str, tuple[float, float, float, float]]
"""Label, and the region's edges as shares of the page: left, top, right, bottom."""


class Layout:
    """Answers with given regions, page by page."""

    disable_tqdm = True

    def __init__(self, regions: Callable[[int], Sequence[Region]]) -> None:
        self._regions = regions
        self._page = 0

    def __call__(self, images: Sequence[Any], use_order: bool | None = None, **_: Any) -> list[Any]:
        from surya.layout.schema import LayoutBox, LayoutResult

        results: list[Any] = []
        for image in images:
            width, height = image.size
            boxes = [
                LayoutBox(
                    polygon=[
                        [x0 * width, y0 * height],
                        [x1 * width, y0 * height],
                        [x1 * width, y1 * height],
                        [x0 * width, y1 * height],
                    ],
                    label=label,
                    raw_label=label,
                    position=place,
                    count=0,
                    confidence=1.0,
                )
                for place, (label, (x0, y0, x1, y1)) in enumerate(self._regions(self._page))
            ]
            results.append(LayoutResult(bboxes=boxes, image_bbox=[0, 0, width, height]))
            self._page += 1
        return results


class GoodText:
    """Finds every text layer good."""

    disable_tqdm = True

    def __call__(self, texts: Sequence[str], batch_size: int | None = None) -> Any:
        from surya.ocr_error.schema import OCRErrorDetectionResult

        return OCRErrorDetectionResult(
            texts=list(texts), labels=["good"] * len(texts), scores=[0.0] * len(texts)
        )


class Refusing:
    """Must not be asked."""

    disable_tqdm = True

    def __call__(self, *_: Any, **__: Any) -> Any:
        raise AssertionError("recognition was asked for")


def models(regions: Callable[[int], Sequence[Region]]) -> dict[str, Any]:
    layout = Layout(regions)
    return {
        "inference_manager": None,
        "layout_model": layout,
        "fast_layout_model": layout,
        "recognition_model": Refusing(),
        "ocr_error_model": GoodText(),
    }


CONFIG = {"mode": "fast", "use_pdftext_reading_order": False}
"""Fast mode asks the layout model twice unless the order of the file is left alone."""
