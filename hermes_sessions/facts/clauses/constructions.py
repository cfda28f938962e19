"""What a row of word classes says: the constructions of rules, for all languages at once.

A construction is a pattern over letters, each a class of words (`classes.py`): what is kept until a time,
what stays as it is, who decides above a sum, who looks at each thing, what is due first.
"""

from typing import Final

from hermes_sessions.late_patterns import late_pattern

_FROM: Final = r"(?:^|[,&])"
_SUBJECT: Final = r"[^,&PIr?mN0]"
"""A word of a subject: nobody who speaks, nothing that is over."""

_IN: Final = r"[^&PI?m]"

ANYBODY: Final = late_pattern(
    "|".join(
        (
            rf"{_FROM}{_SUBJECT}{{1,12}}S[^&m]{{0,8}}?[UL](?:[^I]|I.{{0,2}}[sDA]|$)",
            r"[UL][^&]{0,12}S[^&P]{0,8}T",
            rf"{_FROM}{_SUBJECT}{{1,10}}W.?U",
            rf"z{_IN}{{0,3}}#{_IN}{{0,10}}[DAgx]",
            rf"VE{_IN}{{0,8}}U|rVE",
            rf"E{_IN}{{0,8}}F{_IN}{{0,4}}[VDg]",
            rf"{_FROM}{_SUBJECT}{{1,8}}n{_IN}{{0,4}}A",
            rf"{_FROM}{_SUBJECT}{{1,8}}N{{1,2}}G{_IN}{{0,4}}h|G{_IN}{{0,3}}h{_IN}{{0,2}}N",
            rf"^{_SUBJECT}{{1,8}}R{_IN}{{0,3}}F|^{_SUBJECT}{{1,8}}F{_IN}{{0,3}}R",
            rf"V{_IN}{{0,4}}U0|E{_IN}{{0,6}}[Wg]|^q{_IN}{{1,10}}F|^{_SUBJECT}{{1,8}}R{_IN}{{0,7}}U|[,&]R{_IN}{{0,2}}U",
            r"b",
        )
    )
)
"""Constructions that say a rule whoever uses them."""

TOLD: Final = late_pattern(
    "|".join(
        (
            rf"{_FROM}[Kc][^,&P]{{0,14}}[ULT]|{_FROM}{_SUBJECT}{{1,6}}K[^,&P]{{0,3}}T|{_FROM}{_SUBJECT}{{1,8}}TK",
            rf"{_FROM}{_SUBJECT}{{1,12}}S[^&P]{{0,6}}?[Th]",
            rf"{_FROM}{_SUBJECT}{{0,6}}[D]{_IN}{{0,4}}z{_IN}{{0,3}}#",
            rf"{_FROM}{_IN}{{1,3}}qD|^q{_IN}{{1,8}}[DVAgR]",
            rf"{_FROM}z{_IN}{{0,3}}#{_IN}{{0,8}}0|E{_IN}{{0,6}}[Dg]|t{_IN}{{0,4}}V{_IN}{{0,3}}E|t{_IN}{{0,2}}E{_IN}{{0,4}}V|F{_IN}{{0,6}}V",
            rf"0{_IN}{{0,14}}[Xw]|{_FROM}N{_IN}{{0,8}}X|X{_IN}{{0,10}}[N0]",
            rf"^{_IN}{{0,4}}n{_IN}{{0,4}}A|A{_IN}{{0,3}}n",
            rf"{_FROM}{_IN}{{0,14}}B",
            rf"{_FROM}[^,&P]{{1,8}},?J",
            r"^H[^?]{2,20},[^?]{0,8}V[^?]{0,4}U",
            rf"{_FROM}{_SUBJECT}{{0,6}}N[^&P?mI]{{0,4}}z{_IN}{{0,2}}#",
            r"^L[^&I]{1,10},[^PI]{0,8}[NTB0x]",
            rf"{_FROM}[ea].|^0[^,&PI?m]{{1,6}}j.|^[?q][^&P]{{1,5}}S|E{_IN}{{0,5}}F|^{_IN}{{3,}}X$|^E{_IN}{{0,4}}z{_IN}{{0,3}}#{_IN}{{2,}}|K{_IN}{{0,5}}p",
            r"^H[^P?m]{2,20},[^,]{0,8}x",
            rf"^,?d[.u]?[N0]|^u?[N0]{_IN}{{0,8}}d",
            rf"O{_IN}{{0,2}}v(?!.?#)",
            r"^[^P?m]{0,8}#[^P?mI,]{0,5}Q|^[^P?m]{0,8}Q[^P?m]{0,2}#|^[^P?]{1,12}Q$",
        )
    )
)
"""Constructions that say a rule where they are said to somebody: by the user, the system, in a notice."""

TAKEN_UP: Final = late_pattern(
    "|".join(
        (
            rf"{_FROM}{_SUBJECT}{{1,10}}(?:W.|l[^&]{{0,3}}U)",
            r"U[^P?m]{0,8}[N0]|f",
            r"[N0][^&P?m]{0,14}[XULw]|X[^&P?m]{0,12}[N0]",
        )
    )
)
"""Constructions that say a rule where an agent takes up what it was told."""

UNSPACED: Final = late_pattern(
    "|".join(
        (
            rf"{_FROM}{_SUBJECT}{{1,10}}T.?$|[UT]{_IN}{{0,3}}K|U[^&PI?m]{{0,4}}[TS]|^[^P?m]*M$|E{_IN}{{0,4}}F{_IN}{{1,8}}U|nK",
            rf"{_FROM}{_SUBJECT}{{1,4}}L,?{_SUBJECT}{{0,4}}[TB]|L,?{_IN}{{0,3}}0N|w{_IN}{{0,3}}A,0N",
            rf"U{_IN}{{1,12}}U|^[^P?]*Nk.?$|o{_IN}{{0,3}}D|vO|{_FROM}{_IN}{{1,6}}NM",
        )
    )
)
"""Constructions of Japanese and Chinese, where an order comes last."""

DECREED: Final = late_pattern(r"^O(?!#)[^P?i#]{2,}$")
"""Only somebody does something: in instructions and notices."""
