from vectree.search.vocabulary import GROUPS, related_words
from vectree.words import content_words, stem


def test_a_question_about_the_corpus_also_looks_for_the_data():
    assert {stem("data"), stem("dataset")} <= set(related_words("Which corpora do they use?"))


def test_the_words_of_the_query_are_not_repeated():
    assert stem("baseline") not in related_words("Which baselines are compared?")


def test_other_words_have_no_relatives():
    assert related_words("Does rhenium slow the climb of dislocations?") == ()
    assert related_words("") == ()


def test_the_order_is_stable_and_every_word_is_one_that_search_looks_for():
    query = "How large is the annotated dataset and how do baselines perform?"
    assert list(related_words(query)) == sorted(related_words(query))
    for group in GROUPS:
        assert content_words(group) == group.split()
