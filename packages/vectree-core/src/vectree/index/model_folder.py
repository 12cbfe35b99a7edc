"""Where the files of an embedding model lie, and what identifies them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path

from vectree._extras import require
from vectree.errors import EmbedderError, UsageError

_NOT_NEEDED = ("*.h5", "*.msgpack", "*.ot", "*.onnx", "onnx/*", "openvino/*", "*.gguf", "*.png", "*.md")
_CONFIGURATION = (".json", ".txt", ".model")


def find_model(source: str, *, offline: bool, extra: str) -> Path:
    """Find the folder of a model.

    Args:
        source: A folder, or a name on the Hugging Face hub such as ``org/model``.
        offline: Take a model of the hub from the local cache only.
        extra: The extra of ``vectree-core`` that brings the loader.

    Returns:
        The folder.

    Raises:
        UsageError: If ``source`` is neither.
        EmbedderError: If the model is not in the cache and may not be downloaded, or cannot be.
    """
    folder = Path(source).expanduser()
    if folder.is_dir():
        if not (folder / "config.json").is_file() and not (folder / "modules.json").is_file():
            raise UsageError(
                f"The folder {source!r} holds no embedding model: it has neither config.json nor modules.json.",
                hint="Name the folder that a model was saved to.",
            )
        return folder
    if not _is_hub_name(source):
        raise UsageError(
            f"There is no folder {source!r}, and it is no name of the Hugging Face hub.",
            hint="Name a folder that holds a model, or write ORG/MODEL.",
        )
    return _from_hub(source, offline=offline, extra=extra)


def _is_hub_name(source: str) -> bool:
    parts = source.split("/")
    plain = all(part and part[0].isalnum() and part.replace("-", "").replace(".", "").replace("_", "").isalnum()
                for part in parts)  # fmt: skip
    return len(parts) <= 2 and plain and source.isascii()


def _from_hub(name: str, *, offline: bool, extra: str) -> Path:
    hub = require("huggingface_hub", extra=extra)
    try:
        return Path(hub.snapshot_download(name, local_files_only=offline, ignore_patterns=_NOT_NEEDED))
    except Exception as error:  # the hub's client raises its own classes, requests' and the system's
        if offline:
            raise EmbedderError(
                f"The model {name!r} is not in the local cache, and nothing is downloaded unless asked for.",
                hint="Allow it once with --online (Corpus.open(…, offline=False)), fetch it with "
                f"'hf download {name}', or say in which folder its files are: VECTREE_EMBEDDER=st:FOLDER, "
                "or specter2:FOLDER.",
            ) from error
        reason = str(error).strip().splitlines()[0][:200] if str(error).strip() else type(error).__name__
        raise EmbedderError(
            f"The model {name!r} could not be downloaded: {reason}",
            hint="Check the name and the connection, or copy its files to a folder and name that folder.",
        ) from error


def files_hash(folder: Path) -> str:
    """Identify a model by what is in its files: weights, vocabulary and configuration.

    The same model from the hub and from a copied folder has the same hash; other weights, another pooling or
    other prompts have another one.

    Args:
        folder: The folder of the model.

    Returns:
        The first 16 hexadecimal digits of a SHA-256.

    Raises:
        EmbedderError: If a file cannot be read, or there are no weights.
    """
    digest = hashlib.sha256()
    try:
        for path in _identifying(folder):
            digest.update(path.relative_to(folder).as_posix().encode() + b"\0")
            with path.open("rb") as file:
                digest.update(hashlib.file_digest(file, "sha256").digest())
    except OSError as error:
        raise EmbedderError(f"A file of the model in {folder} cannot be read: {error}") from error
    return digest.hexdigest()[:16]


def _identifying(folder: Path) -> Iterator[Path]:
    """Weights (``safetensors`` where both forms are there) and configuration, in a stable order."""
    files = sorted(path for path in folder.rglob("*") if path.is_file() and not _hidden(path, folder))
    weights = [path for path in files if path.suffix == ".safetensors"] or [
        path for path in files if path.suffix == ".bin"
    ]
    if not weights:
        raise EmbedderError(
            f"The folder {str(folder)!r} holds no weights (*.safetensors or *.bin).",
            hint="Name the folder that a model was saved to.",
        )
    yield from weights
    yield from (path for path in files if path.suffix in _CONFIGURATION)


def _hidden(path: Path, folder: Path) -> bool:
    return any(part.startswith(".") for part in path.relative_to(folder).parts)
