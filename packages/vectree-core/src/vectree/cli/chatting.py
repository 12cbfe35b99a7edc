"""The command that holds a conversation: chat."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from typing import TextIO

import typer

from vectree.agent.conversation import Conversation
from vectree.cli import output, shapes
from vectree.cli.answers import step_line, usage_line, write_answer
from vectree.cli.app import EXIT_FAILED, app
from vectree.cli.asking_options import loop_settings
from vectree.cli.options import (
    DEFAULT_CORPUS,
    BaseUrlOption,
    CompactOption,
    CorpusOption,
    ImagesOption,
    IndexOption,
    JsonOption,
    ModelOption,
    NavigationModelOption,
)
from vectree.cli.prices import PriceOption, read_price
from vectree.corpus import Corpus
from vectree.corpus.models import DEFAULT_MODEL, resolve_model
from vectree.errors import VecTreeError
from vectree.evidence import Step

_HELP = "/papers lists the papers discussed, /forget begins anew, /quit ends, Ctrl-C cancels an answer"


@app.command()
def chat(
    corpus: CorpusOption = DEFAULT_CORPUS,
    index: IndexOption = None,
    model: ModelOption = DEFAULT_MODEL,
    navigation_model: NavigationModelOption = None,
    base_url: BaseUrlOption = None,
    price: PriceOption = None,
    images: ImagesOption = True,
    compact_above: CompactOption = None,
    as_json: JsonOption = False,
) -> None:
    """Ask question after question, a line each; follow-ups know the papers discussed before."""
    with output.results_only() as stdout:
        library = Corpus.open(corpus, index=index)
        library.stats()  # says at once where there is no corpus
        conversation = library.conversation(
            model=resolve_model(model, base_url=base_url, price=read_price(price)),
            navigation_model=resolve_model(navigation_model, base_url=base_url) if navigation_model else None,
            settings=loop_settings(model, images=images, compact_above=compact_above),
        )
        session = _Session(library, conversation, stdout, as_json=as_json)
        typed = sys.stdin.isatty()
        if typed:
            output.write(_HELP, sys.stderr)
        failed = [question for question in _questions(session, typed) if not session.answer(question)]
        if failed and not typed:
            raise typer.Exit(EXIT_FAILED)


class _Session:
    """A conversation and where its words go."""

    def __init__(self, library: Corpus, conversation: Conversation, stdout: TextIO, *, as_json: bool) -> None:
        self._library = library
        self._conversation = conversation
        self._stdout = stdout
        self._as_json = as_json

    def answer(self, question: str) -> bool:
        """Answer one question; whatever goes wrong ends this question and not the session."""
        if scope := self._conversation.scope_of(question):
            output.write(f"(asked about {', '.join(scope)})", sys.stderr)
        try:
            answer = self._conversation.ask(question, on_step=self._show)
        except VecTreeError as error:
            output.write_error(error)
            return False
        except KeyboardInterrupt:
            output.write("cancelled", sys.stderr)
            return False
        if self._as_json:
            output.write(json.dumps(shapes.answer_shape(answer)), self._stdout)
        else:
            output.write(usage_line(answer) + "\n", sys.stderr)
            write_answer(self._library, answer, self._stdout)
            output.write("", self._stdout)
        return True

    def command(self, line: str) -> None:
        """Obey a line that begins with a slash."""
        match line.split()[0]:
            case "/papers":
                for doc_id in self._conversation.papers:
                    title = self._library.record(doc_id).metadata.title
                    output.write(f"{doc_id}  {output.clip(title, 80)}", sys.stderr)
                if not self._conversation.papers:
                    output.write("no papers yet", sys.stderr)
            case "/forget":
                self._conversation.forget()
            case _:
                output.write(_HELP, sys.stderr)

    def _show(self, step: Step) -> None:
        if not self._as_json:
            output.write(step_line(step), sys.stderr)


def _questions(session: _Session, typed: bool) -> Iterator[str]:
    """Lines that are questions, until the end of the input or ``/quit``; commands are obeyed on the way."""
    while True:
        try:
            if typed:
                sys.stderr.write("> ")
                sys.stderr.flush()
            line = sys.stdin.readline()
        except KeyboardInterrupt:
            if not typed:
                raise
            output.write("", sys.stderr)
            continue
        asked = line.strip()
        if not line or asked == "/quit":
            return
        if asked.startswith("/"):
            session.command(asked)
        elif asked:
            yield asked
