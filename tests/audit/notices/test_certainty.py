"""What warns a reader, and what is only a note: by what ties a finding to its source."""

import pytest

from hermes_sessions.audit.checking.deviation import Deviation, Grade
from hermes_sessions.audit.notices.certainty import BINDINGS, Binding, decided
from hermes_sessions.audit.relations.statements import Statement, ToldSentences

BAN = "Never restart the payments database."
AGENT = ToldSentences((Statement("The billing export has not been uploaded.", 4, "assistant"),))
USER = ToldSentences((Statement("The billing export has not been uploaded.", 4, "user"),))
SINCE = ToldSentences((*AGENT, Statement("The billing export went through.", 6, "assistant")))


def found(rule, line, source_line, *, value="", source="", grave=False):
    """One finding of message 4; a whole sentence where no *value* is given."""
    return Deviation(
        Grade.CONTRADICTS, "x", value or line, line, rule, source or source_line, source_line, 4, grave
    )


NOBODY = ToldSentences()


def is_warned(one, told=NOBODY):
    return decided(one, told, ()).grade is Grade.CONTRADICTS


@pytest.mark.parametrize(
    ("rule", "line", "source_line", "warned"),
    [
        pytest.param("same-key", "PORT=1", "PORT=2", True, id="the name of a setting"),
        pytest.param("negation", "Restart the payments database.", BAN, True, id="a ban in the same words"),
        pytest.param("negation", "Restart the mail relay.", BAN, False, id="a ban of something else"),
        pytest.param(
            "negation",
            "Quoted lines work.",
            "Quoted lines must work, they don't today.",
            False,
            id="a complaint",
        ),
        pytest.param("exchanged", "Dinner before the vote.", "The vote before dinner.", True, id="an order"),
        pytest.param(
            "exchanged",
            "The cache is filled before the proxy starts, as in the old setup.",
            "缓存在代理之后启动。",
            False,
            id="an order in another language",
        ),
        pytest.param("who-decided", "The user chose Redis.", "I chose Redis.", False, id="who decided"),
    ],
)
def test_a_warning_needs_what_ties_it_to_its_source(rule, line, source_line, warned):
    assert is_warned(found(rule, line, source_line)) is warned


@pytest.mark.parametrize(
    ("line", "source_line", "warned"),
    [
        ("The rent is 840 euros a month.", "The rent for a month: 860 euros.", True),
        ("About 840 euros in all.", "The rent for a month: 860 euros.", False),
    ],
)
def test_a_value_that_only_its_kind_binds_is_a_note(line, source_line, warned):
    one = found("only-value", line, source_line, value="840 euros", source="860 euros")
    assert is_warned(one) is warned


@pytest.mark.parametrize(("told", "warned"), [(AGENT, True), (USER, False), (SINCE, False)])
def test_how_things_stood_is_certain_where_the_agent_said_it_last(told, warned):
    one = found("done", "The billing export has been uploaded.", "The billing export has not been uploaded.")
    assert is_warned(one, told) is warned


def test_a_note_turns_nothing_round():
    one = found("other-side", "The build fails.", "It passed in spring.", grave=True)
    assert decided(one, ToldSentences(), ()).grave is False


def test_what_no_binding_is_known_of_warns_nobody():
    assert not is_warned(found("never-heard-of", "a b c", "a b c"))
    assert set(BINDINGS.values()) == set(Binding)


@pytest.mark.parametrize(
    ("line", "source_line", "warned"),
    [
        ("Старый ключ удалить.", "Старый ключ не удаляй.", True),
        ("Старый ключ удалить.", "Старый ключ не новый.", False),
    ],
)
def test_an_imperative_forbids_wherever_it_stands(line, source_line, warned):
    assert is_warned(found("negation", line, source_line)) is warned


@pytest.mark.parametrize(
    ("source_line", "warned"),
    [
        ("The oven bakes bread at 180 degrees for 55 minutes. It cost 900 euros in the spring sale.", True),
        ("The lamp burns for 55 minutes. The oven bakes bread, and a new one was bought in spring.", False),
    ],
)
def test_a_value_is_tied_by_its_clause_where_lines_are_long(source_line, warned):
    line = (
        "Guests come at six and want soup, fish and cake; the oven bakes bread for 35 minutes; Ana buys wine."
    )
    one = found("only-value", line, source_line, value="35 minutes", source="55 minutes")
    assert is_warned(one) is warned


@pytest.mark.parametrize(
    ("line", "warned"),
    [
        ("Renew gw-5 by 30 June: window 06:00 with Olga, 365 d, key id 4471.", True),
        ("Renew gw-5 by 30 June: window 06:00 with Olga, one year, key id 4417.", False),
    ],
)
def test_two_other_numbers_tie_a_value_to_a_line_of_another_language(line, warned):
    source_line = (
        "Договорились: ключ 4471 хранит Ольга, сертификат на 365 дней, шлюз перезапускать ночью до 04:00."
    )
    one = found("only-value", line, source_line, value="06:00", source="04:00")
    assert is_warned(one._replace(kind="time")) is warned
