"""What is masked in a store: kinds of secrets, and single secrets known only by a salted hash.

Of a single secret the store keeps its shape (which kinds of characters follow each other),
a salt and a slow hash. Text of that shape is hashed and compared, so that a secret that was
masked once is met again in a later import, without being kept.
"""

import hashlib
import json
import re
import secrets
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import Any, Final

from sqlalchemy import select
from sqlalchemy.orm import Session as DbSession

from hermes_sessions.agents.values import (
    CompactionRow,
    Family,
    MessageBatches,
    MessageRow,
    SessionRow,
    Verdict,
)
from hermes_sessions.errors import InvalidQueryError
from hermes_sessions.json_text import is_json
from hermes_sessions.operations.transcript import EXACT
from hermes_sessions.redact import KINDS, find_secrets
from hermes_sessions.store.schema.organising import Mask
from hermes_sessions.store.writes import add_rows

MIN_SECRET_CHARS: Final = 6
"""What is shorter would be found in ordinary words."""
MAX_SECRET_CHARS: Final = 20_000
_ROUNDS: Final = 2_000
_KEPT_ANSWERS: Final = 50_000
_LABEL: Final = "secret"


@dataclass(slots=True)
class SecretMask:
    """One secret: found by its text where that is known, else by shape and hash."""

    salt: str
    digest: str
    shape: re.Pattern[str]
    literal: str | None = None
    _answers: dict[str, bool] = field(default_factory=dict)

    def places(self, text: str) -> Iterable[tuple[int, int, str]]:
        """Yield where it stands; places may overlap."""
        if self.literal is not None:
            at = text.find(self.literal)
            while at >= 0:
                yield at, at + len(self.literal), _LABEL
                at = text.find(self.literal, at + len(self.literal))
            return
        for match in self.shape.finditer(text):
            if self._is_it(match[1]):
                yield match.start(1), match.end(1), _LABEL

    def _is_it(self, candidate: str) -> bool:
        known = self._answers.get(candidate)
        if known is None:
            if len(self._answers) > _KEPT_ANSWERS:
                self._answers.clear()
            known = self._answers[candidate] = secrets.compare_digest(
                slow_hash(self.salt, candidate), self.digest
            )
        return known


@dataclass(slots=True)
class StoreMasker:
    """Masks everything that is to be masked in values on their way into the store, or in it."""

    kinds: frozenset[str] = frozenset()
    singles: tuple[SecretMask, ...] = ()
    counted: int = 0
    """How many places it has masked so far."""
    witness: Callable[[str, Sequence[tuple[int, int, str]]], None] | None = None
    """Called with every text that has a secret, and with its places: start, end, kind."""

    def __bool__(self) -> bool:
        return bool(self.kinds or self.singles)

    def text(self, text: str | None) -> str | None:
        """Return *text* with a mark in place of each secret."""
        return text if not text else self.with_offsets(text, ())[0]

    def with_offsets(self, text: str, offsets: Sequence[int]) -> tuple[str, list[int]]:
        """Return the masked text, and where *offsets* of the text are in it."""
        places = self._places(text)
        if not places:
            return text, list(offsets)
        self.counted += len(places)
        if self.witness is not None:
            self.witness(text, places)
        pieces, at = [], 0
        for start, end, name in places:
            pieces += [text[at:start], f"[redacted:{name}]"]
            at = end
        moved = [self._moved(offset, places) for offset in offsets]
        return "".join(pieces) + text[at:], moved

    def json_text(self, text: str | None) -> str | None:
        """Return JSON as text, masked: valid afterwards if it was before."""
        masked = self.text(text)
        if not masked or text is None or text.lstrip()[:1] not in ("{", "["):
            return masked
        if masked == text and "\\" not in text:
            return masked
        written = masked if is_json(masked) else text
        try:
            value = json.loads(written)
        except (ValueError, RecursionError):
            return masked
        # What is spelled in another way than ours, and numbers, which a mark would break.
        inner = self.value(value)
        return written if inner == value else json.dumps(inner, ensure_ascii=False)

    def value(self, value: Any) -> Any:
        """Return a JSON value, masked: keys, texts, and numbers that are a secret."""
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, dict):
            return {self.text(name): self.value(inner) for name, inner in value.items()}
        if isinstance(value, list):
            return [self.value(inner) for inner in value]
        if isinstance(value, int | float) and not isinstance(value, bool):
            written = str(value)
            return value if not self._places(written) else self.text(written)
        return value

    def _places(self, text: str) -> list[tuple[int, int, str]]:
        found = list(find_secrets(text, self.kinds)) if self.kinds else []
        for one in self.singles:
            found += one.places(text)
        places: list[tuple[int, int, str]] = []
        for start, end, name in sorted(found, key=lambda place: (place[0], -place[1])):
            if places and start < places[-1][1]:
                places[-1] = (places[-1][0], max(end, places[-1][1]), places[-1][2])
            else:
                places.append((start, end, name))
        return places

    @staticmethod
    def _moved(offset: int, places: Sequence[tuple[int, int, str]]) -> int:
        moved = offset
        for start, end, name in places:
            if end <= offset:
                moved += len(f"[redacted:{name}]") - (end - start)
            elif start < offset:
                moved -= offset - start
        return moved


# -- what the store keeps --------------------------------------------------------------------------


def check_kinds(kinds: Collection[str]) -> frozenset[str]:
    """Return *kinds*; `all` means every one.

    Raises:
        InvalidQueryError: one is unknown.
    """
    for one in kinds:
        if one not in (*KINDS, "all"):
            raise InvalidQueryError(f"no kind of secret is called {one!r}; known: all, {', '.join(KINDS)}")
    return frozenset(KINDS) if "all" in kinds else frozenset(kinds)


def spellings(secret: str) -> list[str]:
    """Return a secret as it may stand in text: plain, and escaped in JSON, and that in JSON again.

    Raises:
        InvalidQueryError: it is too short or too long.
    """
    if not len(secret.strip()) >= MIN_SECRET_CHARS or len(secret) > MAX_SECRET_CHARS:
        raise InvalidQueryError(
            f"a secret has {MIN_SECRET_CHARS} to {MAX_SECRET_CHARS:,} characters;"
            " anything shorter occurs in ordinary words"
        )
    found = {secret: None}
    for ascii_only in (False, True):
        one = secret
        for _ in range(2):
            one = json.dumps(one, ensure_ascii=ascii_only)[1:-1]
            found[one] = None
    return list(found)


def slow_hash(salt: str, text: str) -> str:
    """Return a salted hash that takes about a millisecond."""
    given = text.encode("utf-8", "surrogatepass")
    return hashlib.pbkdf2_hmac("sha256", given, bytes.fromhex(salt), _ROUNDS).hex()


def shape_of(text: str) -> str:
    """Return a pattern of the kinds of characters in *text*, in order."""
    return "".join(f"{kind}{{{len(list(run))}}}" for kind, run in groupby(map(_kind, text)))


def _kind(character: str) -> str:
    if not character.isascii():
        return r"[^\x00-\x7f]"
    if character.isspace():
        return r"\s"
    for kind, holds in (("[a-z]", str.islower), ("[A-Z]", str.isupper), ("[0-9]", str.isdigit)):
        if holds(character):
            return kind
    return f"[{re.escape(character)}]"


def add_masks(
    db: DbSession, texts: Iterable[str], kinds: Iterable[str], now: float
) -> tuple[StoreMasker, list[int]]:
    """Note what is to be masked from now on; return a masker for it, and the keys of its rows."""
    stored = db.scalars(select(Mask).order_by(Mask.id)).all()
    following = max((row.id for row in stored), default=0) + 1
    known_kinds = {row.pattern: row.id for row in stored if row.pattern is not None}
    keys, rows, singles = [], [], []
    for name in sorted(kinds):
        keys.append(known_kinds.get(name, following))
        if name not in known_kinds:
            rows.append({"id": following, "pattern": name, "salt": None, "digest": None, "shape": None})
            following += 1
    for text in texts:
        shape = shape_of(text)
        same = next((row for row in stored if row.shape == shape and _is_of(row, text)), None)
        salt = same.salt if same is not None and same.salt else secrets.token_hex(16)
        digest = slow_hash(salt, text)
        singles.append(SecretMask(salt, digest, _compiled(shape), text))
        keys.append(same.id if same is not None else following)
        if same is None:
            rows.append({"id": following, "pattern": None, "salt": salt, "digest": digest, "shape": shape})
            following += 1
    add_rows(db, Mask, [{**row, "created_at": now, "applied_at": None} for row in rows])
    return StoreMasker(frozenset(kinds), tuple(singles)), keys


def known_secret(text: str) -> SecretMask:
    """Return what finds *text* itself; nothing is noted."""
    return SecretMask("", "", _compiled(shape_of(text)), text)


def load_masker(db: DbSession, *, unfinished: bool = False) -> StoreMasker:
    """Return what masks everything noted; or only what a run that was killed did not finish."""
    stmt = select(Mask).where(Mask.applied_at.is_(None)) if unfinished else select(Mask)
    rows = db.scalars(stmt).all()
    return StoreMasker(
        frozenset(row.pattern for row in rows if row.pattern is not None),
        tuple(
            SecretMask(row.salt, row.digest, _compiled(row.shape))
            for row in rows
            if row.salt is not None and row.digest is not None and row.shape is not None
        ),
    )


def _is_of(row: Mask, text: str) -> bool:
    return row.salt is not None and slow_hash(row.salt, text) == row.digest


def _compiled(shape: str) -> re.Pattern[str]:
    # Looking ahead finds places that overlap: each is a candidate of its own.
    return re.compile(f"(?=({shape}))")


# -- at the import ---------------------------------------------------------------------------------


def mask_family(family: Family, masker: StoreMasker) -> Family:
    """Return *family* with everything masked; what was concluded from its text stays."""
    if not masker:
        return family
    verdicts = dict(family.verdicts)
    return replace(
        family,
        sessions=[_session(row, masker) for row in family.sessions],
        compactions=[_compaction(row, masker) for row in family.compactions],
        verdicts=verdicts,
        batches=_batches(family, masker, verdicts),
    )


def _session(row: SessionRow, masker: StoreMasker) -> SessionRow:
    names = ("source", "model", "title", "cwd", "system_prompt", "end_reason")
    masked: dict[str, Any] = {name: masker.text(getattr(row, name)) for name in names}
    return replace(row, extra=masker.value(row.extra), **masked)


def _compaction(row: CompactionRow, masker: StoreMasker) -> CompactionRow:
    names = ("summary", "error", "trigger")
    masked: dict[str, Any] = {name: masker.text(getattr(row, name)) for name in names}
    return replace(row, claim=masker.value(row.claim), **masked)


def _batches(family: Family, masker: StoreMasker, verdicts: dict[int, Verdict]) -> MessageBatches:
    """Stream masked rows; the verdict of each has its offsets moved before the row is handed on."""

    def message(row: MessageRow) -> MessageRow:
        verdict: Verdict | None = family.verdicts.get(row.ref)
        offsets = verdict.reply if verdict is not None and verdict.reply is not None else ()
        text, moved = masker.with_offsets(row.text or "", offsets)
        if verdict is not None and len(moved) == 2:
            verdicts[row.ref] = verdict._replace(reply=(moved[0], moved[1]))
        return row._replace(
            text=text if row.text is not None else None, **masked_columns(row._asdict(), masker)
        )

    return lambda: ((session, [message(row) for row in rows]) for session, rows in family.batches())


def masked_columns(row: Mapping[str, Any], masker: StoreMasker) -> dict[str, Any]:
    """Return the masked columns of a message besides its text."""
    masked = {name: masker.json_text(row[name]) for name in ("blocks", "tool_calls")}
    plain = ("reasoning", "tool_name", "tool_call_id", "finish_reason")
    masked |= {name: masker.text(row[name]) for name in plain}
    extra = row["extra"]
    if extra and EXACT in extra:
        rest = {name: one for name, one in extra.items() if name != EXACT}
        return {**masked, "extra": {**masker.value(rest), EXACT: masker.json_text(extra[EXACT])}}
    return {**masked, "extra": masker.value(extra)}
