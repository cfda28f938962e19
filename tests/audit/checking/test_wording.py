"""Most sentences are seen not to be open without the whole pattern."""

from bench.gold import FOLDER, load_gold
from hermes_sessions.audit.checking.sentences import cut_sentences
from hermes_sessions.audit.words.wording import NOT_YET, is_open


def test_what_is_open_has_one_of_its_words() -> None:
    texts = [str(text.message.get("content")) for text in load_gold(FOLDER)]
    sentences = sorted({one for text in texts for one in cut_sentences(text)})
    assert [one for one in sentences if is_open(one) != (NOT_YET.search(one) is not None)] == []
    assert any(map(is_open, sentences))
