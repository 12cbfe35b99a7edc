from __future__ import annotations

import pytest

from vectree.document import DocumentStatus, Page, TextStatus
from vectree.ingest.report import Stopwatch, page_list, text_status


def pages(*statuses: TextStatus) -> list[Page]:
    return [Page(number=n, raw="", text="", status=status) for n, status in enumerate(statuses, start=1)]


def test_mostly_scanned_document_needs_ocr_and_is_told_what_to_do_C02():
    status, warnings = text_status(pages(*[TextStatus.TEXT] * 2, *[TextStatus.SCAN] * 8))
    assert status is DocumentStatus.NEEDS_OCR
    assert "pages 3-10" in warnings[0]
    assert "ocrmypdf" in warnings[0]


def test_document_with_some_scanned_pages_is_usable():
    assert text_status(pages(*[TextStatus.TEXT] * 8, *[TextStatus.SCAN] * 2)) == (DocumentStatus.OK, ())


def test_text_from_ocr_counts_as_text():
    assert text_status(pages(*[TextStatus.OCR_LAYER] * 5))[0] is DocumentStatus.OK


def test_blank_pages_do_not_count():
    assert text_status(pages(TextStatus.SCAN, *[TextStatus.BLANK] * 5))[0] is DocumentStatus.NEEDS_OCR
    assert text_status(pages(TextStatus.BLANK)) == (DocumentStatus.OK, ("Every page is blank.",))


@pytest.mark.parametrize(
    ("numbers", "written"),
    [
        ([3], "page 3"),
        ([3, 4, 5], "pages 3-5"),
        ([1, 3, 4, 9], "pages 1, 3-4, 9"),
        (list(range(1, 99, 2)), None),
    ],
)
def test_pages_are_written_for_a_reader(numbers, written):
    assert page_list(numbers) == (written or page_list(numbers[:12]) + ", …")


def test_stopwatch_times_and_announces_every_stage_even_a_failing_one():
    announced: list[str] = []
    watch = Stopwatch(announced.append)
    with watch.stage("one"):
        pass
    with pytest.raises(RuntimeError), watch.stage("two"):
        raise RuntimeError
    assert announced == ["one", "two"] == list(watch.seconds)
