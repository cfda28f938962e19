"""Deeds left undone, refused offers, other fates and exceptions that nobody made: each with a clean twin."""

import pytest

from tests.audit.builders import assistant, call, tool, user
from tests.audit.spot_rules import spot_rules_of

CHOIR = (
    user(
        "Write the invitations to the jubilee of the choir. Don't send anything yet, Odile reads them first."
    ),
    assistant("The invitations are in jubilee.odt. Nothing was deleted."),
)


@pytest.mark.parametrize(
    ("body", "noted"),
    [
        ("The invitations may go out already.", True),
        ("The invitations were sent to the choir.", True),
        ("The older drafts were deleted.", True),
        ("The invitations are not to be sent yet.", False),
        ("Once Odile has read them, the invitations are sent.", False),
        ("The invitations are in jubilee.odt.", False),
    ],
)
def test_a_deed_that_was_only_denied_is_noted(body, noted):
    assert ("denied-deed" in spot_rules_of(CHOIR, body)) is noted


@pytest.mark.parametrize(
    ("told", "body"),
    [
        ("Proszę nie wysyłać, podpis ma Wanda.", "W razie jej nieobecności wysyłamy sami."),
        ("まだ送っていません。", "女将の了承を得て送信済み。"),
        ("A Evaristo no le quites la clave.", "Evaristo's login is withdrawn."),
        ("Bitte noch nichts bestellen.", "Die Platten sind bestellt."),
        ("Rien n'a été publié.", "La brochure a été publiée."),
    ],
)
def test_in_other_languages(told, body):
    assert "denied-deed" in spot_rules_of((user("Hello."), assistant(told)), body)


def test_what_is_done_later_or_to_something_else_is_done():
    later = (*CHOIR, user("Odile is content."), assistant("I sent the invitations."))
    assert "denied-deed" not in spot_rules_of(later, "The invitations were sent to the choir.")
    called = (*CHOIR, assistant("", call("send_mail", to="caterer@example.org")), tool("c1", "ok"))
    assert "denied-deed" not in spot_rules_of(called, "A mail was sent to caterer@example.org.")
    assert "denied-deed" in spot_rules_of(called, "A mail was sent to organist@example.org.")


HELD = (
    user("The update overwrote the configuration of dncd again."),
    assistant("I could pin the package dncd at its version (apt-mark hold)."),
    user("No hold, everybody forgets it. I write to the maker."),
)


@pytest.mark.parametrize(
    ("body", "noted"),
    [
        ("dncd is pinned with apt-mark hold.", True),
        ("dncd is not pinned with apt-mark hold.", False),
        ("I suggested to pin dncd with apt-mark hold.", False),
        ("Refused: dncd pinned with apt-mark hold.", False),
        ("The configuration of dncd was overwritten.", False),
    ],
)
def test_a_refused_offer_that_is_reported_is_noted(body, noted):
    assert ("refused-offer" in spot_rules_of(HELD, body)) is noted


def test_a_refused_offer_that_is_taken_up_again_is_none():
    talk = (*HELD, user("On second thought, pin dncd with apt-mark hold."))
    assert "refused-offer" not in spot_rules_of(talk, "dncd is pinned with apt-mark hold.")


CIDER = (
    user("36 litres were poured at the tasting."),
    assistant("Does the tasting count?"),
    user("Pugh says the tasting counts."),
    assistant("", call("probe")),
    tool("c1", "V6: ERROR no flow"),
    assistant("", call("probe", "c2")),
    tool("c2", "V6: OK 305 l/h"),
)


@pytest.mark.parametrize(
    ("body", "noted"),
    [
        ("The tasting is left out.", True),
        ("The tasting is counted in.", False),
        ("The tasting is not left out.", False),
        ("V6 had no flow. Replaced; still dead.", True),
        ("V6 had no flow. Replaced; works.", False),
        ("V6 failed at first.", False),
        ("V6 stays closed if the tasting is left out.", False),
    ],
)
def test_the_other_one_of_two_fates_is_noted(body, noted):
    assert ("other-side" in spot_rules_of(CIDER, body)) is noted


PHONES = (
    user("Please prepare the reminders for all owners, and leave the clinic's own phone out of it."),
    assistant("The reminders are prepared, and nothing has gone out to the owners so far."),
)


@pytest.mark.parametrize(
    ("body", "noted"),
    [
        ("Apart from one trial text to Tobias's tablet, nothing has gone out to the owners.", True),
        ("Apart from the clinic's own phone, the reminders are for all owners.", False),
        ("Nothing has gone out to the owners.", False),
    ],
)
def test_an_exception_that_nobody_made_is_noted(body, noted):
    assert ("unsaid-exception" in spot_rules_of(PHONES, body)) is noted


def test_an_exception_in_another_language_is_not_asked_about():
    talk = (user("Bitte bereite die Erinnerungen für alle Halter vor, und lass das Telefon der Praxis aus."),)
    assert "unsaid-exception" not in spot_rules_of(
        talk, "Apart from the practice's phone, they are for all owners."
    )


ENGLISH = "That is all that they said to me, and the ledger is on the shelf."
SPANISH = "Eso es todo lo que me ha dicho, y el libro está en la mesa de la casa."


@pytest.mark.parametrize(
    ("talk", "body", "noted"),
    [
        ("The irrigators open on Friday.", "They open on Friday and will raise the fee.", True),
        ("The irrigators will raise it.", "They open on Friday and will raise it.", False),
        ("The choir is on the wifi.", "They have requested the wifi to be off for the vigil.", True),
        ("They requested the wifi.", "They have requested the wifi to be off for the vigil.", False),
    ],
)
def test_what_nobody_announced_or_asked_is_noted(talk, body, noted):
    assert ("unheard-deed" in spot_rules_of((user(f"{talk} {ENGLISH}"),), body)) is noted


@pytest.mark.parametrize(("told", "noted"), [("no abre", True), ("no subirá la tarifa", False)])
def test_what_nobody_announced_in_another_language(told, noted):
    talk = (user(f"La comunidad {told} hasta el viernes. {SPANISH}"),)
    body = "La comunidad no abre hasta el viernes, y ese día subirá la tarifa de la casa."
    assert ("unheard-deed" in spot_rules_of(talk, body)) is noted
