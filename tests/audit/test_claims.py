import pytest

from hermes_sessions.audit.claims import claims_by_message, cut_claims, trace_claims
from tests.audit.builders import assistant, call, compacted, tool, user

TALK = (
    user("The invoices are rounded wrongly, please look into src/billing/round.py"),
    assistant("", call("read_file", path="src/billing/round.py")),
    tool("c1", "def rounded(amount): return int(amount)"),
    assistant("The function truncates the amount instead of rounding half up."),
    user("Then deploy it to the staging server."),
    assistant("Deployed to staging."),
)


def traced(body):
    return trace_claims(compacted(TALK, keep=[5], body=body).measured().case)


def sources(body):
    return [[one.message for one in claim.sources] for claim in traced(body)]


def test_claims_are_sentences_and_list_items_by_section():
    done = "## Done\n1. Read the file\n- [x] Fixed: e.g. this\n### Sub\n\n* last"
    body = f"## Goal\nFix it. Then ship it.\n\n{done}"
    assert list(cut_claims(body)) == [
        ("Goal", "Fix it."),
        ("Goal", "Then ship it."),
        ("Done", "Read the file"),
        ("Done", "Fixed: e.g. this"),
        ("Done", "last"),
    ]


@pytest.mark.parametrize(
    "nothing", ["None.", "- None", "* (none)", "_None yet._", "N/A", "- **none**", "无。", "keine."]
)
def test_what_says_nothing_is_no_claim(nothing):
    assert list(cut_claims(f"## Open\n{nothing}\n\n## Done\nNone of the tests failed.")) == [
        ("Done", "None of the tests failed.")
    ]


def test_common_words_count_for_likely_messages_and_make_none_likely():
    talk = [user(f"the parser reads tokens and the table {word}") for word in ("quickly", "slowly", "twice")]
    [claim] = trace_claims(
        compacted([*talk, *TALK], keep=[8], body="- the parser reads it slowly").measured().case
    )
    assert claim.sources[0].message == 2
    assert claim.sources[0].overlap == pytest.approx(1.0, abs=0.2)
    assert all(one.overlap >= 0.25 for one in claim.sources)


def test_shared_facts_weigh_more_than_words():
    [claim] = traced("- Read src/billing/round.py for the wrongly rounded invoices")
    assert [one.message for one in claim.sources][:2] == [1, 2]
    assert claim.sources[0].facts == ("src/billing/round.py",)
    assert claim.sources[0].overlap > claim.sources[1].overlap


def test_one_shared_fact_beats_many_shared_words():
    before = [user("src/only/here.py"), user("the scheduler retries uploads before invoices are written")]
    body = "- the scheduler retries uploads in src/only/here.py"
    [claim] = trace_claims(compacted([*before, *TALK], keep=[7], body=body).measured().case)
    assert [one.message for one in claim.sources] == [1, 2]


def test_words_find_what_shares_no_fact():
    assert sources("It truncates the amount instead of rounding half up.")[0][0] == 4


@pytest.mark.parametrize("claim", ["Purple elephants dance.", "请部署到服务器。"])
def test_what_nobody_said_has_no_source(claim):
    assert sources(claim) == [[]]


def test_scripts_without_spaces_are_matched_by_pairs_of_characters():
    told = compacted([user("请把发票模块部署到测试服务器"), *TALK], keep=[6], body="- 已经部署到测试服务器")
    assert trace_claims(told.measured().case)[0].sources[0].message == 1


@pytest.mark.parametrize(
    "word", ["q" * 50, "zażółć gęślą jaźń", "ЖЁЛТЫЙ ящик", "in der Übersicht", "mp3_файл"], ids=len
)
def test_words_of_any_length_and_script_are_found(word):
    talk = [user("nothing of it"), user(f"we met {word.upper()} there"), user("nor here")]
    [claim] = trace_claims(compacted([*talk, *TALK], keep=[8], body=f"- {word}").measured().case)
    assert claim.sources[0].message == 2
    assert claim.sources[0].overlap == pytest.approx(1.0, abs=0.01)


def test_a_message_knows_the_claims_it_became():
    claims = traced("- Read src/billing/round.py\n- Deploy it to the staging server")
    found = claims_by_message(claims)
    assert 0 in found[2]
    assert found[5] == (1,)
