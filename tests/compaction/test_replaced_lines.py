"""A value that somebody set anew, in whatever sentence: the old one goes, the new one stays."""

import pytest

from hermes_sessions.compaction.economy.ranking import Overheard, rank
from hermes_sessions.compaction.economy.span_facts import said_lines

PAIRS = [
    ("The deadline for tax-sync is 2027-03-01.", "Moved: the deadline for tax-sync is 2027-04-02 now."),
    ("fleet-cache is pinned to 3.10.7.", "fleet-cache is now pinned to 3.11.9."),
    ("Budget for cart-bridge: 64,552 USD.", "New budget for cart-bridge: 87,169 USD."),
    ("Der Termin für mail-relay ist der 2027-05-05.", "Der Termin für mail-relay ist nun der 2027-06-06."),
    ("badge-mailer 的端口是 35398。", "badge-mailer 的端口改为 34349。"),
    ("p95 of stock-api is 305.8 ms.", "After the fix p95 of stock-api is 12.2 ms."),
    ("Set the timeout of quota-cache to 34280 ms.", "Make the timeout of quota-cache 36452 ms instead."),
]  # fmt: skip


def listed(*told: tuple[str, str]) -> list[str]:
    span = [
        [line._replace(at=at) for line in said_lines((text,), speaker)]
        for at, (text, speaker) in enumerate(told)
    ]
    ranked = rank((), span, Overheard())
    return [line.text for line in (*ranked.rules, *(line for line, _ in ranked.scored))]


def stands(sentence: str, lines: list[str]) -> bool:
    return any(sentence.rstrip(".。") in line for line in lines)


@pytest.mark.parametrize(("old", "new"), PAIRS)
def test_the_old_value_goes_and_the_new_one_stays(old: str, new: str) -> None:
    lines = listed((old, "user"), (new, "user"))
    assert (stands(old, lines), stands(new, lines)) == (False, True)


REWORDED = [
    ("The codec of ingest-api is zstd.", "The codec of ingest-api is gzip now."),
    ("ingest-api codec: zstd", "Update: ingest-api codec: gzip"),
    ("The codec of ingest-api is zstd.", "Please switch the codec of ingest-api to gzip."),
    ("For ingest-api the codec is zstd.", "From now on, for ingest-api the codec is gzip."),
    (
        "ingest-api packs batches with zstd.",
        "ingest-api packs batches with gzip instead of zstd.",
    ),
    (
        "For prism-sweep we take retry_limit 52.",
        "Change of plan: prism-sweep uses retry_limit 14 instead of 52.",
    ),
    ("pool_size of cart-sync is 253.", "I moved pool_size of cart-sync from 253 to 120."),
    ("queue_depth de pay-snap vaut 338.", "queue_depth de pay-snap n'est plus 338 mais 641."),
    ("Der Codec von ingest-api ist zstd.", "Der Codec von ingest-api ist jetzt gzip."),
    ("Le codec de ingest-api est zstd.", "Le codec de ingest-api est désormais gzip."),
    ("El códec de ingest-api es zstd.", "El códec de ingest-api es ahora gzip."),
    ("ingest-api 的编码是 zstd。", "ingest-api 的编码改为 gzip。"),
]


@pytest.mark.parametrize(("old", "new"), REWORDED)
def test_a_word_of_no_known_kind_goes_when_its_attribute_has_another(old: str, new: str) -> None:
    lines = listed((old, "user"), (new, "user"))
    assert (stands(old, lines), stands(new, lines)) == (False, True)
    assert stands(old, listed((old, "user"), (new, "assistant"))), "who may not replace it"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("The codec of ingest-api is zstd.", "The codec of export-api is gzip."),
        ("The codec of ingest-api is zstd.", "The format of ingest-api is parquet."),
        ("One consumer of ingest-api is billing.", "Another consumer of ingest-api is search."),
        ("The codec of ingest-api is zstd.", "The codec of ingest-api is not the problem."),
        ("The codec is zstd.", "The codec is gzip."),
        ("ingest-api reads the orders.", "ingest-api reads the invoices."),
        ("ingest-api compresses with zstd.", "export-api compresses with gzip instead of zstd."),
    ],
)
def test_two_sentences_that_may_both_hold_stay(old: str, new: str) -> None:
    lines = listed((old, "user"), (new, "user"))
    assert stands(old, lines)
    assert stands(new, lines)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("The deadline for tax-sync is 2027-03-01.", "The deadline for tax-sync-eu is 2027-04-02."),
        ("The deadline for tax-sync is 2027-03-01.", "The freeze for tax-sync is 2027-04-02."),
        ("The timeout is 30 s.", "The timeout is 40 s."),
    ],
)
def test_where_the_subject_is_not_sure_both_stay(old: str, new: str) -> None:
    lines = listed((old, "user"), (new, "user"))
    assert stands(old, lines)
    assert stands(new, lines)


def test_an_assistant_does_not_replace_what_the_user_set() -> None:
    old, new = PAIRS[0]
    assert stands(old, listed((old, "user"), (new, "assistant")))


def test_said_values_outlive_pasted_rows_and_announced_steps() -> None:
    spoken = said_lines(("The base of invoice-api is commit d745094ff4.",), "user")
    pasted = said_lines(("2026-11-08T19:40:41.762Z INFO request 1e9fbc8248ca served in 26 ms",), "user")
    steps = said_lines(("I'll check where load_package is called from next.",), "assistant")
    scores = {line.text: score for line, score in rank((*steps, *spoken, *pasted), (), Overheard()).scored}
    best = max(score for text, score in scores.items() if "d745094ff4" in text)
    assert best >= 2 + max(score for text, score in scores.items() if "d745094ff4" not in text)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (
            "Measured twice: the Larne kiln comes out at 57711 euros.",
            "Correction on the Larne kiln: it is 98105, not 57711.",
        ),
        (
            "Nachgerechnet: Kühlhaus Viersen kostet 30013 Euro.",
            "Korrektur zu Kühlhaus Viersen: 64572 statt 30013.",
        ),
        ("算过了，南屏账本一年要36978元。", "南屏账本不是36978，是41200。"),
        ("Port of the gateway is 8123.", "The gateway's port is 9555 now, we moved it."),
    ],
)
def test_a_number_that_is_given_up_or_set_anew_is_out(old: str, new: str) -> None:
    texts = listed((old, "user"), (new, "user"))
    assert old not in texts
    assert new in texts


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("The Larne kiln comes out at 57711 euros.", "The Wick boat is 98105, not 57711."),
        ("The Larne kiln comes out at 57711 euros.", "The Larne kiln is insured for 98105 euros."),
        ("Port of the gateway is 8123.", "Port of the mailer is 9555 now."),
    ],
)
def test_a_number_of_something_else_stays(old: str, new: str) -> None:
    assert old in listed((old, "user"), (new, "user"))
