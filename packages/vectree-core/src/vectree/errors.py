"""Every error VecTree raises, as one tree.

::

    VecTreeError
    ├── UsageError                 the caller asked for something that cannot be
    ├── ParseError                 a source file could not be read
    │   ├── EncryptedDocument      a password is needed, or the one given is wrong
    │   ├── CorruptDocument        the bytes are not a document of that format
    │   └── ParseLimit             a bound on time, memory or pages was reached
    ├── StoreError                 the corpus on disk
    │   ├── CorpusNotFound         there is no corpus where one was asked for
    │   ├── CorpusLocked           another process is writing
    │   ├── CorpusDamaged          a file of the corpus is missing, cut or altered
    │   └── FormatMismatch         written by another version of VecTree
    ├── IndexMismatch              built with another embedder or entry template
    ├── EmbedderError              the embedding model could not be loaded or used
    ├── VectorStoreError           the vector store of the index answered with a mistake
    │   └── VectorStoreUnavailable it cannot be reached or is too slow: may succeed later
    ├── ModelError
    │   ├── ModelRequestError      the call failed
    │   │   └── ModelUnavailable   unreachable, busy or limiting its rate: may succeed later
    │   └── ModelReplyError        the reply could not be used
    ├── ToolError                  spoken to the model; never ends a run
    │   ├── UnknownDocument
    │   ├── UnknownNode
    │   ├── UnknownFigure
    │   └── InvalidArguments
    ├── NoAnswer                   the loop ended without any assistant text
    ├── PromptError                unknown, missing or unused placeholder
    └── MissingExtra               an optional dependency is absent (also an ImportError)

Each message says what was seen and what is allowed; ``hint`` says what to do next. ``retryable``
is true where the same call may succeed later without any change.
"""

from __future__ import annotations

from typing import Any, ClassVar


class VecTreeError(Exception):
    """Root of every error this package raises on purpose.

    Args:
        message: What was seen and what is allowed.
        hint: What to do next, as one sentence; shown after the message.

    ``trajectory`` holds the steps of the agent run that the error ended (``evidence.Step``, in order), if any.
    """

    retryable: ClassVar[bool] = False
    trajectory: tuple[Any, ...] = ()

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message} {self.hint}".strip()


class UsageError(VecTreeError):
    """The caller asked for something that cannot be: a bad option, a missing path."""


class ParseError(VecTreeError):
    """A source file could not be read."""


class EncryptedDocument(ParseError):
    """The document needs a password, or the one given is wrong."""


class CorruptDocument(ParseError):
    """The bytes are not a readable document of their format."""


class ParseLimit(ParseError):
    """A bound on time, memory, pages or pixels was reached while reading a document."""


class StoreError(VecTreeError):
    """Something is wrong with the corpus on disk."""


class CorpusNotFound(StoreError):
    """There is no corpus where one was asked for."""


class CorpusLocked(StoreError):
    """Another process is writing to the corpus."""

    retryable: ClassVar[bool] = True


class CorpusDamaged(StoreError):
    """A file of the corpus is missing, cut short or altered."""


class FormatMismatch(StoreError):
    """The corpus was written by a version of VecTree with another format."""


class IndexMismatch(VecTreeError):
    """The index was built with another embedder or entry template."""


class EmbedderError(VecTreeError):
    """The embedding model could not be loaded or used."""


class VectorStoreError(VecTreeError):
    """The vector store that holds the vectors of an index answered with a mistake."""


class VectorStoreUnavailable(VectorStoreError):
    """The vector store cannot be reached or does not answer in time; the same call may succeed later."""

    retryable: ClassVar[bool] = True


class ModelError(VecTreeError):
    """A chat model failed."""


class ModelRequestError(ModelError):
    """The call to the model failed.

    Args:
        message: What happened.
        hint: What to do next.
        status: HTTP status, if the service answered.
    """

    def __init__(self, message: str, *, hint: str = "", status: int | None = None) -> None:
        super().__init__(message, hint=hint)
        self.status = status


class ModelUnavailable(ModelRequestError):
    """The service is unreachable, busy or limits its rate; the same call may succeed later."""

    retryable: ClassVar[bool] = True


class ModelReplyError(ModelError):
    """The model replied, but the reply could not be used within the allowed attempts.

    Args:
        message: What was wrong with the reply.
        hint: What to do next.
        attempts: How many replies were asked for.
        reply: The last reply, cut to an excerpt; empty if there was none.
    """

    def __init__(self, message: str, *, hint: str = "", attempts: int = 1, reply: str = "") -> None:
        super().__init__(message, hint=hint)
        self.attempts = attempts
        self.reply = reply


class ToolError(VecTreeError):
    """A mistake the model can correct: returned to it as text, never raised into an agent."""


class UnknownDocument(ToolError):
    """No document has this ``doc_id``."""


class UnknownNode(ToolError):
    """The document has no node with this id."""


class UnknownFigure(ToolError):
    """The document has no figure recorded under this name."""


class InvalidArguments(ToolError):
    """The arguments of a tool call do not fit its schema, or name pages that do not exist."""


class NoAnswer(VecTreeError):
    """The loop ended without any non-empty assistant text (Algorithm 1, line 28)."""


class PromptError(VecTreeError):
    """A prompt was filled with an unknown, missing or unused placeholder."""


class MissingExtra(VecTreeError, ImportError):
    """An optional dependency is absent.

    Args:
        module: The module that could not be imported.
        extra: The extra of ``vectree-core`` that installs it.
    """

    def __init__(self, module: str, *, extra: str) -> None:
        super().__init__(
            f"{module!r} is not installed.",
            hint=f'Install it with: pip install "vectree-core[{extra}]"',
        )
        self.extra = extra
