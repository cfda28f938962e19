"""How things stand to each other: order, choice, condition, holder, done; each with hits and near misses."""

import pytest

from hermes_sessions.audit.checking.deviation import Grade
from tests.audit.builders import assistant, compacted, tool, user


def accusations(body, *rows):
    """Return the rules and sources of what *body* says otherwise, other words left out."""
    told = compacted(rows, body=body).measured().deviations
    return [(one.rule, one.source) for one in told if one.grade is not Grade.NOT_VERBATIM]


def noticed(body, *rows):
    """Return the same with what is not certain enough to accuse anybody."""
    told = compacted(rows, body=body).measured().deviations
    return [(one.rule, one.source) for one in told if one.source]


def remarks(body, *rows):
    """Return the rules and sources of everything that *body* says otherwise, as an accusation or a note."""
    told = compacted(rows, body=body).measured().deviations
    return {(one.rule, one.source) for one in told}


FAIR = (
    user(
        "We plan the harbour fair. Ana decided to rent the north hall. Ben decided that the tickets cost 12"
        " euros. Ask Chloe about the parking permit, and assign the sound check to David."
    ),
    assistant(
        "Noted. Ana rents the north hall; Ben set the ticket price. Erik proposed a second stage, Farah"
        " rejected it."
    ),
    user(
        "Run the vote before the dinner. Use paper ballots instead of the app. Replace the red banner with"
        " the blue one. The old pier is cheaper than the new pier."
    ),
    assistant("The vote is before the dinner. Should I send the invitations now?"),
    user(
        "Not yet, don't send the invitations before Gina has approved the list."
        " Do not publish the programme without my ok. Never delete the guest archive."
        " Please restart the ticket server."
    ),
    assistant(
        "OK. I booked the north hall and migrated the guest list. The programme has not been published."
    ),
)
SHOP = (
    user(
        "Vor dem Umzug muss die Inventur fertig sein. Nimm Kartons statt Kisten. "
        "Kein Versand ohne Freigabe von mir."
    ),
    assistant("Verstanden. Frau Lindner bestellt die Kartons, Herr Okoye macht die Inventur im Lager."),
    user("不要删除 orders 表。先备份再迁移数据库。"),
    assistant("好的。"),
)

HITS = [
    ("The dinner is before the vote.", FAIR, "exchanged"),
    ("First dinner, then the vote.", FAIR, "exchanged"),
    ("The app is used instead of paper ballots.", FAIR, "exchanged"),
    ("The blue banner is replaced with the red one.", FAIR, "exchanged"),
    ("The new pier is cheaper than the old pier.", FAIR, "exchanged"),
    ("Kisten statt Kartons.", SHOP, "exchanged"),
    ("Der Umzug kommt vor der Inventur.", SHOP, "exchanged"),
    ("Ben decided to rent the north hall.", FAIR, "who"),
    ("David is asked about the parking permit.", FAIR, "who"),
    ("Sound check: Chloe", FAIR, "who"),
    ("Farah proposed a second stage.", FAIR, "who"),
    ("Frau Lindner macht die Inventur im Lager.", SHOP, "who"),
    ("The programme may be published without the user's ok.", FAIR, "condition-dropped"),
    ("The order may be dispatched; Versand ohne Freigabe ist erlaubt.", SHOP, "condition-dropped"),
    ("The invitations were sent.", FAIR, "held-back"),
    ("The guest list has not been migrated yet.", FAIR, "done"),
    ("The guest archive may be deleted.", FAIR, "negation"),
    ("The orders table can be deleted.", SHOP, "ban-dropped"),
    ("Never restart the ticket server.", FAIR, "ban-gained"),
]
NEAR = [
    ("The dinner follows the vote, paper ballots are used, not the app.", FAIR),
    ("The dinner is not before the vote.", FAIR),
    ("First the vote, then dinner.", FAIR),
    ("The red banner is replaced with the blue one; the new pier is the more expensive one.", FAIR),
    ("Kartons statt Kisten; erst die Inventur, dann der Umzug.", SHOP),
    ("North hall: Ana. Tickets at 12 euros: Ben's decision.", FAIR),
    ("Chloe is asked about the parking permit, David does the sound check.", FAIR),
    ("Erik proposed a second stage; Farah rejected it.", FAIR),
    ("Herr Okoye macht die Inventur im Lager, Frau Lindner die Bestellung.", SHOP),
    ("The programme must not be published without the user's ok.", FAIR),
    ("No dispatch without approval.", SHOP),
    ("Gina has to approve the list before invitations are sent.", FAIR),
    ("The invitations were not sent.", FAIR),
    ("The guest list has been migrated; the ticket server is to be restarted.", FAIR),
    ("Hands off: the guest archive. The orders table must not be deleted.", (*FAIR, *SHOP)),
    ("Forbidden: deleting the orders table.", SHOP),
]


@pytest.mark.parametrize(("body", "rows", "rule"), HITS)
def test_what_stands_otherwise_is_named_with_its_source(body, rows, rule):
    assert rule in [one for one, _ in noticed(body, *rows)]
    assert all(source for _, source in accusations(body, *rows))


@pytest.mark.parametrize(("body", "rows"), NEAR)
def test_the_same_relation_in_other_words_is_not_accused(body, rows):
    assert accusations(body, *rows) == []


LATER = (
    user("Don't push the branch. Use Redis instead of Kafka."),
    assistant("Shall I merge it?"),
    user("Yes, go ahead. And on second thought use Kafka instead of Redis. Push it after the review."),
    assistant("Merged and pushed."),
    tool("c1", "main -> main"),
)


@pytest.mark.parametrize(
    "body", ["Merged and pushed.", "Kafka is used instead of Redis.", "The branch was pushed."]
)
def test_what_was_changed_later_counts(body):
    assert accusations(body, *LATER) == []


BOUND = (
    user("We refuse crates 7 and 9, and we weigh barrels 12."),
    assistant("Understood."),
    user("Bitte die Rechnung noch nicht senden."),
    assistant("Ich sende die Rechnung nicht ab."),
    tool("c1", '{"rechnung": "R-7", "gesendet": false}'),
)


@pytest.mark.parametrize(
    ("body", "rule"),
    [
        ("Crates 12 are refused, barrels 7 and 9 are weighed.", "bound-otherwise"),
        ("Die Rechnung R-7 ist bereits gesendet.", "held-back"),
    ],
)
def test_what_goes_with_what_and_what_was_held_back_is_looked_at(body, rule):
    assert rule in [one for one, _ in noticed(body, *BOUND)]


@pytest.mark.parametrize(
    "body",
    [
        "Barrels 12 are weighed, crates 7 and 9 refused.",
        "Crates 7, 9 were refused, barrels 12 weighed.",
        "Die Rechnung R-7 wird noch nicht gesendet.",
    ],
)
def test_what_is_bound_alike_is_not_accused(body):
    assert accusations(body, *BOUND) == []


def test_a_thing_named_once_for_two_clauses_may_be_named_in_either():
    asked = tool("c1", "Umfrage: 8.6 % besitzen ein Segelboot, 27 % würden eines chartern.")
    body = "Umfrage im Hafen: 27 % würden ein Segelboot chartern, 8,6 % besitzen eines."
    assert accusations(body, user("Was sagt die Umfrage?"), asked) == []


KILN = (
    user("Which glaze was fired last? See the log."),
    tool("c1", "order 7: merged into batch B, translated label printed"),
    assistant("The merged batch B was fired last; its label is in Dutch."),
    user("Translate the label of batch C. The council hasn't decided about the price of the vase."),
    assistant("The label of batch C is drafted, not translated yet."),
)


@pytest.mark.parametrize(
    ("body", "accused"),
    [
        ("The label of batch C was drafted and translated.", True),
        ("The council has decided on the price of the vase.", True),
        ("The label of batch C is drafted; its translation is still open.", False),
        ("The merged batch B was fired last.", False),
        ("The council has yet to decide on the price of the vase.", False),
    ],
)
def test_what_was_done_before_to_something_else_shows_nothing(body: str, accused: bool) -> None:
    assert ("held-back" in [rule for rule, _ in accusations(body, *KILN)]) is accused


def test_what_a_later_call_shows_was_done() -> None:
    later = (*KILN, tool("c2", "translated: label of batch C (nl)"))
    assert accusations("The label of batch C was drafted and translated.", *later) == []


def test_nothing_of_the_kind_is_no_deed() -> None:
    rows = (assistant("The kiln ran for 30 minutes, it was not restarted."),)
    assert accusations("窑炉已运行 30 分钟,无重启。", *rows) == []


def test_behind_a_dash_another_clause_begins():
    rows = (user("Don't quote the draft, it shouldn't even be in our folder - tell Femke separately."),)
    faithful = "The draft must not be quoted, as it should not be here, and Femke is to be told separately."
    assert accusations(faithful, *rows) == []
    assert accusations("The draft must be quoted, and Femke is to be told separately.", *rows) != []


def test_what_somebody_is_to_be_asked_is_not_said():
    asked = user("Pregúntale a Ortiz si la encimera puede ser de 63 y si empiezan antes de Semana Santa.")
    told = assistant("Ortiz llega después de Semana Santa.")
    assert accusations("Ortiz no llega antes de Semana Santa.", asked, told) == []
    ask = user("Ask Ruben whether the paint comes before the floor.")
    assert accusations("The floor comes before the paint.", ask) == []
    said = user("The paint comes before the floor.")
    assert accusations("The floor comes before the paint.", said) != []
