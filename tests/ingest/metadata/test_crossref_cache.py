from __future__ import annotations

from vectree.ingest.crossref_cache import NEGATIVE_DAYS, AnswerCache


def test_a_missing_record_is_believed_for_a_while(tmp_path) -> None:
    now = 1_000_000.0
    cache = AnswerCache(tmp_path, now=lambda: now)
    cache.put("doi 10.1234/a", None)
    kept = cache.get("doi 10.1234/a")
    assert kept is not None
    assert kept.answer is None
    now += NEGATIVE_DAYS * 86_400 + 1
    assert cache.get("doi 10.1234/a") is None


def test_what_is_kept_stays_and_what_is_unknown_is_none(tmp_path) -> None:
    cache = AnswerCache(tmp_path / "new")
    assert cache.get("a") is None
    cache.put("a", {"x": "é\ud800"})
    assert cache.get("a").answer == {"x": "é\ud800"}
    assert [path.suffix for path in (tmp_path / "new").iterdir()] == [".json"]


def test_a_folder_that_cannot_be_written_to_costs_nothing_else(tmp_path) -> None:
    (tmp_path / "file").write_text("")
    AnswerCache(tmp_path / "file" / "below").put("a", 1)


def test_a_damaged_file_is_no_answer(tmp_path) -> None:
    cache = AnswerCache(tmp_path)
    cache.put("a", 1)
    (path,) = tmp_path.iterdir()
    for damage in ("", "[1]", "{", '{"question": "a"}'):
        path.write_text(damage)
        assert cache.get("a") is None
