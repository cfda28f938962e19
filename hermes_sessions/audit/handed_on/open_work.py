"""Whether a handoff names a request among its open work, in shorter words or in another language. Pure."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain, islice
from typing import Final, NamedTuple

from hermes_sessions.audit.handed_on.matter import (
    AskedMatter,
    matter_of,
    objects_of,
    shared_part,
    shared_with,
)
from hermes_sessions.audit.words.headings import PartKind, classify_heading, read_items
from hermes_sessions.audit.words.sentence_ends import MAX_READ_CHARS, SENTENCE_ENDS
from hermes_sessions.facts.polarity import is_negated
from hermes_sessions.facts.quantities.durations import read_durations
from hermes_sessions.late_patterns import late_pattern

_OPEN_KINDS: Final = frozenset({PartKind.ACTIVE, PartKind.PENDING, PartKind.NEXT})
_HEADING = late_pattern(
    r"\b(?:dalej|do zrobienia|pozostał\w*|otwarte|w toku|kolejn\w+|następn\w+|sırada\w*|yapılacak\w*|kalan\w*|sonraki|devam eden|volgende\w*|te doen|nog te|openstaand\w*|resterend\w*|vervolg\w*|nästa|återstår|att göra|kvar"
    r"|remaining|follow-?ups?|nog open|prossim\w+|resta(?:nte)?|rimane|por fazer|falta\w*|queda\w*|reste\w*|verbleibend\w*|bleibt|noch offen|als nächstes|^now$|jetzt|^nun$|maintenant|ahora|agora|adesso|teraz|şimdi|сейчас|теперь)\b"
    r"|现在|目前|这就|今|지금|التالي|المتبقي|القادم|قيد|بقي|التالية|待|次|残|他|남|다음|예정|할 일|अगला|बाकी|शेष",
    re.I,
)
_ASKED = late_pattern(
    r"\b(?:requests?|requested|asked|wish(?:es|ed)?|at hand|wunsch|wünsche|auftrag|bitten?|verlangt|gewünscht|gefragt|anliegen|demand(?:e|es|é|ée|ées|és)|souhait\w*|consignes?"
    r"|pid(?:e|en|ió|ieron)|petici\w+|solicit\w+|encarg\w+|ped(?:e|iu|id\w+)|richiest\w+|chied\w+|chiest\w+|verzoek\w*|gevraagd\w*|prośb\w*|prosi\w*|poleceni\w*|życzeni\w*|iste[kğ]\w*|talep\w*|istedi\w*)\b"
    r"|просьб|запрос|просит|попросил|поручени|要求|请求|請求|依頼|요청|طلب|अनुरोध",
    re.I,
)
_SAYS_OPEN = late_pattern(
    r"\b(?:(?:is|are|remains?) to be|zu \w{3,}(?:en|n) (?:ist|sind|wäre|bleibt|bleiben)|(?:ist|sind|bleibt|bleiben)(?: \w+){0,5} zu \w{3,}en|(?:reste|est|sont)(?: \w+){0,3} à \w+(?:er|ir|re)|(?:è|sono|resta)(?: \w+){0,3} da \w+(?:are|ere|ire)|por \w+[aei]r|tomorrow|morgen|demain|mañana|amanhã|domani|jutro|yarın|завтра|jetzt|maintenant|adesso|hay que|tiene que|il faut|bisogna|next|expects?|expected|erwart\w*|attend\w*|espera\w*|aspetta\w*|to[- ]?do|still|open|pending|remain\w*|left|outstanding|wants?|wanted|asked|asks|requested|should|shall|needs?|until then|in the meantime|meanwhile|is being \w+|now|must|due|await\w*|waiting|last request|current(?:ly)?"
    r"|noch|offen|als nächstes|nächst\w+|danach|soll\w*|will|möchte|wünscht|ausstehend|fehlt|steht aus|derzeit|zuletzt|bittet|aktuell|muss"
    r"|reste\w*|prochain\w*|ensuite|veut|souhaite|demand\w+|à faire|en cours|il faut|doit"
    r"|pendiente\w*|falta\w*|queda\w*|siguiente|luego|ahora|quiere|pid\w+|debe|por hacer|próxim\w+"
    r"|pendente\w*|próxim\w+|a seguir|agora|quer|pediu|deve|por fazer|resta"
    r"|da fare|prossim\w+|resta\w*|ora|poi|vuole|chied\w+|chiesto|deve|rimane"
    r"|volgende|nog|daarna|wil|gevraagd|moet|te doen|open|nu"
    r"|teraz|dalej|następn\w+|pozosta\w+|chce|prosi\w*|trzeba|do zrobienia"
    r"|sırada\w*|sonra\w*|şimdi|istiyor|istedi|kalan|bekl\w+|gerek\w*)\b"
    r"|\b(?:дальше|далее|следующ\w+|остал\w+|осталось|нужно|хочет|просит|ожида\w+|попросил\w*|предстоит|теперь|сейчас)\b"
    r"|明天|明日|내일|接下来|下一步|待|还需|需要|现在|要求|希望|尚|剩|次|残|これから|依頼|予定|まだ|다음|남은|이제|해야|예정|요청|التالي|بقي|يريد|طلب|الآن|يجب|अब|बाकी|चाहत",
    re.I,
)
_NONE = late_pattern(
    r"^\W*(?:nothing|none|no (?:open|pending|further|other)\b.*|nichts|keine?\b.*|rien|aucune?\b.*|nada|ningun[oa]\b.*|nessun\w*\b.*|niente|niets|geen\b.*|brak|yok|нет|ничего|无|没有|なし|특になし|없음|لا شيء)(?: (?:open|left|pending|else|offen|more|mehr))?\W*$",
    re.I,
)
_PIECES = late_pattern(
    r"[;；]\s|[;；]|\s[–—]\s|, (?:and|then|so|und|dann|et|puis|y|luego|e|poi|en|dan|i|ve|и|а) |[,，、]\s?(?=\S{12})"
)
_OVER = late_pattern(
    r"\b(?:finished|completed?|is done|are done|fertig|erledigt|abgeschlossen|terminée?s?|achevée?s?|terminad[oa]s?|completad[oa]s?|finit[oaie]|completat[oaie]|conclu[ií]d[oa]s?|afgerond|klaar|gotowe|tamamlandı|bitti)\W*(?:\(.{0,200}\)\W*)?$"
    r"|(?:已完成|完了|済み|완료|готово|завершен\w*|выполнен\w*)\W*$",
    re.I,
)
_NUMBER = late_pattern(r"\d+")
_LONG_LABEL: Final = 6
_ENOUGH: Final = 0.5
_FEW: Final = 2
_SHORT: Final = 2
"""Words of so few letters name no thing."""
_NEARLY: Final = 0.6
_UNEXPLAINED: Final = 0.34
_UNEXPLAINED_WHOLE: Final = 0.26
_NOTHING: Final = 0.01
_MAX_LINES: Final = 400
_MAX_SAID: Final = 2_000


class OpenWork:
    """The open work of a handoff, held against what was said before it."""

    def __init__(self, bodies: Sequence[str], said: Sequence[tuple[int, str]]) -> None:
        """Take the handoffs that are in sight, and every text of the context before with its message."""
        lines = [one for body in bodies for one in read_open_work(body)]
        self._lines = tuple(one.text for one in lines)
        self._listed = tuple(one.text for one in lines if one.is_listed)
        self._told = tuple(islice((one for body in bodies for one in _sentences(body)), _MAX_LINES))
        self._said = said

    def names(self, request: str, message: int, is_foreign: bool) -> bool:
        """Return whether a line of open work names *request*.

        It does where it has something of what the request is about and no other sentence that was said explains it
        better. In another language one that nothing explains, or only a name that the request has, too, is taken for it.
        """
        wanted, objects = matter_of(request), objects_of(request)
        if not wanted:
            return bool(self._lines) and is_foreign
        for line in self._lines:
            words = matter_of(line)
            if not words:
                continue
            own, shared = shared_part(words, wanted), shared_with(objects, line)
            if shared and shared_part(wanted, words) >= _ENOUGH:
                return True
            best = self._explained(words, message)
            if len(shared) >= _FEW and own >= best * _NEARLY:
                return True
            if shared and max(own, min(1.0, len(shared) / len(words))) >= best:
                return True
            if is_foreign and best <= _UNEXPLAINED and (own >= best or shared):
                return True
        return False

    def may_name(self, request: str) -> bool:
        """Return whether a line of open work has a thing of *request*, or a sentence of it nearly whole."""
        things = frozenset(one for one in objects_of(request) if len(one) > _SHORT or one > "\u2e7f")
        parts = [matter_of(part) for part in SENTENCE_ENDS.split(request[:MAX_READ_CHARS])]
        return any(
            len(shared_with(things, line)) >= min(_FEW, len(things))
            or (_lasts_alike(request, line) and bool(shared_with(things, line)))
            or any(len(part) >= _FEW and shared_part(part, matter_of(line)) >= _ENOUGH for part in parts)
            for line in self._lines
            if things
        )

    def may_tell(self, request: str, message: int) -> bool:
        """Return whether a sentence, of open work or not, has more of *request* than of what was said before it."""
        wanted, objects = matter_of(request), objects_of(request)
        for sentence in self._told:
            words = matter_of(sentence)
            if len(shared_with(objects, sentence)) >= _FEW and len(words & wanted) > len(
                words
            ) * self._explained(words, message):
                return True
        return False

    def may_stem(self, message: int, is_foreign: bool) -> bool:
        """Return whether a listed line of open work has hardly anything of what was said before *message*.

        Such a line may be what that message asks for, in words that nobody said; in another language any
        sentence may be that has nothing at all of what was said.
        """
        listed = any(self._is_apart(line, message, _UNEXPLAINED_WHOLE) for line in self._listed)
        return listed or (is_foreign and any(self._is_apart(line, message, _NOTHING) for line in self._told))

    def _is_apart(self, line: str, message: int, least: float) -> bool:
        words = matter_of(line).union(_NUMBER.findall(line))
        return len(words) >= _FEW and self._explained(words, message) < least

    def _explained(self, words: frozenset[str], before: int) -> float:
        """Return how much of a line the best sentence of an earlier message has."""
        counts = Counter(chain.from_iterable(self._sentences.by_word.get(word, ()) for word in words))
        messages = self._sentences.messages
        return max((count for at, count in counts.items() if messages[at] < before), default=0) / len(words)

    @cached_property
    def _sentences(self) -> "_SaidSentences":
        pieces = (
            (message, piece)
            for message, text in reversed(self._said)
            for piece in SENTENCE_ENDS.split(text[:MAX_READ_CHARS])
        )
        lines = (*self._lines, *self._told)
        asked = AskedMatter(frozenset[str]().union(*map(matter_of, lines)))
        numbers = frozenset[str]().union(*map(_NUMBER.findall, lines))
        messages: list[int] = []
        by_word: dict[str, list[int]] = {}
        for at, (message, piece) in enumerate(islice(pieces, _MAX_SAID)):
            messages.append(message)
            said = piece[:1_000]
            for word in asked.in_text(said) | numbers.intersection(_NUMBER.findall(said)):
                by_word.setdefault(word, []).append(at)
        return _SaidSentences(messages, by_word)


def _lasts_alike(one: str, other: str) -> bool:
    """Return whether both name one length of time: *a quarter of an hour*, *15 minutes*."""
    lengths = {each.seconds for each in read_durations(one)}
    return any(each.seconds in lengths for each in read_durations(other))


class _SaidSentences(NamedTuple):
    """The last sentences that were said: the message of each, and those that have each word of the handoff."""

    messages: Sequence[int]
    by_word: Mapping[str, Sequence[int]]


class WorkLine(NamedTuple):
    """A line of open work, or a part of one; *listed* as such, or only worded so."""

    text: str
    is_listed: bool


def read_open_work(body: str) -> Iterator[WorkLine]:
    """Yield the lines of a handoff's open work, and the parts of each."""
    count = 0
    for item in read_items(body):
        listed = item.kind in _OPEN_KINDS or (item.kind is PartKind.OTHER and _is_open(item.heading))
        listed = listed or (item.kind is PartKind.OTHER and _has_open_label(item.text))
        if item.kind is PartKind.DONE or _NONE.match(item.text):
            continue
        for sentence in SENTENCE_ENDS.split(item.text[:MAX_READ_CHARS]):
            labelled = _has_open_label(sentence)
            says_open = listed or labelled or _SAYS_OPEN.search(sentence)
            if not sentence.strip() or not says_open or _says_none(sentence) or _is_over(sentence):
                continue
            is_listed = listed or labelled or _ASKED.search(sentence) is not None
            for piece in dict.fromkeys((sentence, *_PIECES.split(sentence))):
                count += 1
                if count > _MAX_LINES:
                    return
                yield WorkLine(piece, is_listed)


def _sentences(body: str) -> Iterator[str]:
    for item in read_items(body):
        yield from filter(str.strip, SENTENCE_ENDS.split(item.text[:MAX_READ_CHARS]))


def _says_none(text: str) -> bool:
    """`None.`, `Next step: none`."""
    return _NONE.match(text) is not None or (
        _has_open_label(text) and _NONE.match(_labelled(text)[1]) is not None
    )


def _labelled(text: str) -> tuple[str, str]:
    label, _, rest = text.replace("：", ":").partition(":")
    return label, rest


def _has_open_label(text: str) -> bool:
    label, rest = _labelled(text)
    if not rest or len(label.split()) >= _LONG_LABEL:
        return False
    return classify_heading(label) in _OPEN_KINDS or _is_open(label)


def _is_open(heading: str) -> bool:
    """Whether what stands under *heading* is open, or was asked for."""
    return _HEADING.search(heading) is not None or _ASKED.search(heading) is not None


def _is_over(text: str) -> bool:
    """`Audit finished.` under a heading of current work names no open work."""
    return _OVER.search(text) is not None and not is_negated(text)
