"""A request that the handoff names among what is open, in other words or in another language."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from hermes_sessions.audit.values import AuditMessage
from hermes_sessions.audit.words.concepts import read_terms
from hermes_sessions.audit.words.coverage import covered
from hermes_sessions.audit.words.headings import PartKind, read_items
from hermes_sessions.audit.words.joining_words import languages_of
from hermes_sessions.audit.words.sentence_ends import MAX_READ_CHARS, SENTENCE_ENDS
from hermes_sessions.handoff.frames import without_frame
from hermes_sessions.handoff.own_lines import without_own_lines

_OPEN_KINDS: Final = frozenset({PartKind.ACTIVE, PartKind.PENDING, PartKind.NEXT})
_LEFT = re.compile(
    r"\b(?:to[- ]?dos?|next(?: up| steps?)?|remaining|remains to|still (?:to|needs?|open|missing|owed)|(?:is|are) left|left to|outstanding|pending|waiting for|(?:is|are) being \w+|in progress|under ?way|the user (?:now )?(?:wants|asked|asks)|now:)\b"
    r"|\b(?:noch (?:zu|offen|aus|fehlt)|offen|steht (?:noch )?aus|ausstehend|fehlt noch|als nächstes|jetzt:|zu tun|wird (?:gerade|derzeit)|in arbeit)\b|\b(?:reste(?:nt)? à|à faire|en attente|il manque|prochaine? étape|ensuite|en cours|en train de)\b|\b(?:por hacer|pendientes?|falta[n]?|queda[n]? por|ahora toca|siguiente|en curso|se está \w+)\b"
    r"|\b(?:a fazer|por fazer|faltam?|pendentes?|próximo)\b|\b(?:da fare|resta(?:no)? da|manca(?:no)?|in sospeso|prossimo|in corso)\b|\b(?:осталось|предстоит|дальше|ещё нужно|нужно ещё|в работе|пишется)\b|\b(?:te doen|nog te|moet nog)\b|\b(?:do zrobienia|zostało|pozostało|następn\w+)\b|\b(?:yapılacak\w*|sırada|kalan|bekliyor)\b|下一步|待办|还[要需]|接下来|次は|残り|これから|다음|남은|할 일|المتبقي|التالي|بقي",
    re.I,
)
"""What a sentence says of that which is still to be done."""
_CODE = re.compile(r"\b(?=[\w./-]*\d)(?=[\w./-]*[^\W\d_])[\w-][\w./-]{3,60}\w\b")
_MAX_LINES: Final = 60
_MAX_REQUESTS: Final = 200
_MAX_CODES: Final = 8


def names_request(body: str, rows: Sequence[AuditMessage], request: AuditMessage) -> bool:
    """Return whether a line of *body* about open work may mean *request*, one of *rows*.

    It shares a word with it and no earlier request explains it better; or it is in another language, and none
    explains it at all. A code that only the request has names it anywhere.
    """
    wanted = _terms(request.text)
    if not wanted:
        return False
    if any(one in body for one in _own_codes(rows, request)):
        return True
    asked = [row for row in rows if row.is_request and row.id < request.id]
    earlier = [_terms(row.text) for row in asked[-_MAX_REQUESTS:]]
    spoken = languages_of(request.text)
    for line in _open_lines(body):
        named = read_terms(line[:1_000]).all
        own = covered(named, wanted)
        others = max((covered(named, one) for one in earlier), default=0.0)
        if own and own >= others:
            return True
        told = languages_of(line)
        if named and not others and not (spoken and told and not spoken.isdisjoint(told)):
            return True
    return False


def _own_codes(rows: Sequence[AuditMessage], request: AuditMessage) -> Iterator[str]:
    """Yield the codes of *request* that nobody said before it."""
    for code in list(dict.fromkeys(_CODE.findall(request.text[:2_000])))[:_MAX_CODES]:
        if not any(code in row.text for row in rows if row.id < request.id):
            yield code


def _terms(text: str) -> frozenset[str]:
    return read_terms(text[:2_000]).all


def _open_lines(body: str) -> Iterator[str]:
    """Yield the lines under headings of open work, and the sentences that tell what is left, with the next one."""
    bare = without_frame(without_own_lines(body))[:MAX_READ_CHARS]
    count = 0
    for item in read_items(bare):
        if item.kind in _OPEN_KINDS:
            count += 1
            yield item.text
        elif _LEFT.search(item.text):
            pieces = [one for one in SENTENCE_ENDS.split(item.text) if one.strip()]
            for piece in pieces:
                if _LEFT.search(piece):
                    count += 1
                    yield piece
        if count >= _MAX_LINES:
            return
