"""Secrets known by their own form, wherever they stand: what a provider puts before them.

The table says kind, prefix, and what follows at least: `w20` is twenty of the letters, digits,
`-` and `_`; `a` leaves out the signs, `h` is hexadecimal, `b` base64, `d` has dots and base64 signs.
"""

import re
from collections import defaultdict
from typing import Final

from hermes_sessions.late_patterns import late_pattern
from hermes_sessions.redact.plain import is_random, is_to_fill_in, is_wordy
from hermes_sessions.redact.rules import SecretRule, rule

_CLASSES: Final = {
    "a": "A-Za-z0-9",
    "h": "A-Fa-f0-9",
    "w": r"\w-",
    "b": "A-Za-z0-9+/=",
    "d": r"\w.=+/-",
}
_TABLE: Final = """
anthropic sk-ant- w20
openai sk- w20
github ghp_ a30, gho_ a30, ghu_ a30, ghs_ a30, ghr_ a30, github_pat_ w22
gitlab glpat- d20, gldt- d20, glrt- d20, glcbt- d20, glptt- d20, glsoat- d20, glft- d20, glimt- d20,
gitlab glagent- d20, glffct- d20, gloas- d20, _gitlab_session= w20, GR1348941 w20
slack xoxb- w10, xoxp- w10, xoxa- w10, xoxe- w10, xoxo- w10, xoxr- w10, xoxs- w10, xoxc- w10, xoxd- w10,
slack xoxe.xoxb- w10, xoxe.xoxp- w10, xapp- w20
google AIza w35, ya29. w20, GOCSPX- w20, 1//0 w30
stripe sk_live_ a16, sk_test_ a16, rk_live_ a16, rk_test_ a16, whsec_ b16, sk_org_ a16
huggingface hf_ a30, api_org_ a30
package-index pypi- w40, npm_ a36, rubygems_ h40, cio a32, oy2 a43, AKCp a60
sendgrid SG. d50
vault s. a24, hvs. w20, hvb. w20, hvr. w20, s.hvs. w20
databricks dapi h32, dose h32, dkea h32
supabase sbp_ a30, sb_secret_ w20, sb_temp_ w20
square EAAA w56, sq0csp- w40, sq0atp- w20, sq0idp- w20
shopify shpat_ a30, shpss_ a30, shpca_ a30, shppa_ a30, shptka_ a30
replicate r8_ a36
ai-provider gsk_ a40, xai- a60, pplx- a40, fw_ a20, lsv2_pt_ w30, lsv2_sk_ w30, pcsk_ w40, nvapi- w40,
ai-provider fc- h30, tvly- w20, jina_ a40, pa- w40, voyage- w30, ls__ a30, wandb_v1_ w40, csk- a40, key- h32
twilio SK h32
newrelic NRAK- a20, NRAA- a20, NRJS- a15, NRII- w25, NRBR- a15, NRIQ- w25
heroku HRKU- w30
digitalocean dop_v1_ h60, doo_v1_ h60, dor_v1_ h60
sentry sntrys_ d60, sntryu_ h60
linear lin_api_ a30, lin_oauth_ a30
notion ntn_ a40, secret_ a40
airtable pat d70
figma figd_ w30, figo_ w30, figu_ w30
postman PMAK- w50, PMAT- w20
grafana glsa_ w30, glc_ b30
doppler dp.pt. a30, dp.st. d30, dp.ct. a30, dp.scim. a30, dp.audit. a30, dp.sa. a30
1password ops_ w80
age AGE-SECRET-KEY-1 a50, AGE-PLUGIN- w50
docker dckr_pat_ w20, dckr_oat_ w20, SWMTKN-1- w50
atlassian ATATT w60, ATCTT w60, ATBB a28, BBDC- w30
database-host pscale_pw_ w30, pscale_tkn_ w30, pscale_oauth_ w30, napi_ a30
database-host neon_ a40, mdb_sa_sk_ w30, tskey- w20
deployment nfp_ a30, nfc_ a30, fm1_ b60, fm1r_ b60, fm2_ b60, fo1_ w40, rnd_ a20
deployment CCIPAT_ w40, CCIPRJ_ w40, bkua_ a30, bkaj_ a30, bkct_ a30, vcp_ a20, vci_ a20,
deployment vca_ a20, railway_ a30, pul- h40, spacelift- w30
quality squ_ h40, sqp_ h40, sqa_ h40, snyk_uat. w30, cctoken_ a30
mapbox sk.eyJ d60
dropbox sl. w120, sl.u. w100
payment FLWSECK_TEST- a20, FLWSECK- a20, EZAK a50, EZTK a50, rzp_live_ a14, rzp_test_ a14, sk_sandbox_ a20,
payment access_token$production$ a40, live_ a30, test_ a30, shr_live_ a20, duffel_live_ w40, duffel_test_ w40
mail xkeysib- w60, xsmtpsib- w60, re_ w28, key- a32, mlsn. a40, SMTP- w40
messaging EAAC a80, EAAB a80, EAAG a80, ya0_ w30, tfp_ w40, pat-na1- w30, pat-eu1- w30, lip_ a30
cloud LTAI a16, AKID a28, dt0c01. d80, dt0s01. d80, ABIA a16, ACCA a16, IQoJb3JpZ2lu b60
observability phx_ a30, hcaik_ w40, hcaic_ w40, logfire_ w40, pk_lf_ w30, sk-lf- w30
ai-provider sk_ h40
cloud y0_ w50, AQVN a35, vk1.a. w60, p8e- h30, ico- a30, bce-v3/ALTAK- d50
cms CFPAT- w40, fio-u- w50, pnu_ a30, rdme_ a60, shippo_live_ h40, shippo_test_ h40
social IGQV w60, AAAAAAAAAAAAAAAAAAAAA b60, bsky- w20
private-key LS0tLS1CRUdJTiBSU0Eg b40, LS0tLS1CRUdJTiBQUklWQVRF b40, LS0tLS1CRUdJTiBPUEVOU1NI b40,
private-key LS0tLS1CRUdJTiBFQyBQUklW b40, LS0tLS1CRUdJTiBFTkNSWVBU b40, MIIEvQIBADAN b60, MIIEvAIBADAN b60,
private-key MIIEpAIBAAKC b60, MIIEowIBAAKC b60, MIICXAIBAAKB b60, MIICXQIBAAKB b60, MIIJKAIBAAKC b60,
private-key b3BlbnNzaC1rZXktdjE b60
"""

_PEM: Final = r"-----BEGIN (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----"


def _genuine(match: re.Match[str]) -> bool:
    """Return whether what follows a prefix is no word and nothing to fill in."""
    kind = _KINDS[(match.lastindex or 1) - 1]
    body = match[0][len(_prefix(kind, match[0])) :]
    if is_to_fill_in(body) or len(set(body)) < 8 or is_wordy(body[:200]):
        return False
    return len(match[0]) - len(body) > 4 or len(body) >= 30 or any(char.isdigit() for char in body)


def _prefix(kind: str, token: str) -> str:
    return next(prefix for prefix, _, _ in _BY_KIND[kind] if token.startswith(prefix))


def _by_kind() -> dict[str, list[tuple[str, str, int]]]:
    found: dict[str, list[tuple[str, str, int]]] = defaultdict(list)
    for line in _TABLE.strip().split("\n"):
        kind, _, forms = line.partition(" ")
        for form in forms.strip(",").split(", "):
            prefix, _, body = form.partition(" ")
            found[kind].append((prefix, _CLASSES[body[0]], int(body[1:])))
    return found


_BY_KIND: Final = _by_kind()
_KINDS: Final = tuple(_BY_KIND)


def _table_rule() -> SecretRule:
    """Return one rule for the whole table: a look ahead lets only long runs come to the prefixes."""
    groups = (
        "|".join(rf"{re.escape(prefix)}[{chars}]{{{least},800}}(?<![.])" for prefix, chars, least in forms)
        for forms in _BY_KIND.values()
    )
    pattern = "|".join(f"({group})" for group in groups)
    return SecretRule(
        "",
        late_pattern(
            rf"(?<![A-Za-z0-9_.-])(?=[A-Za-z0-9_.$~+/=-]{{16}})(?:{pattern})".replace(r"\w", "A-Za-z0-9_")
        ),
        (),
        _genuine,
        kinds=_KINDS,
    )


_IDENTIFIERS: Final = late_pattern(
    r"(?i)(?:chatcmpl|cmpl|call|toolu|srvtoolu|msg|req|resp|run|thread|item|fc|rs|asst|batch|step|evt|cus|pi|price|prod"
    r"|sub|in|ch|seti|acct|cs|file|gen|session|request|trace|span|event|order|task|job|node|user|org|proj|team|container"
    r"|sha\d{1,3}|md5|h1|rev|commit|build|cache|hash|chunk|index|pk|pub|public|next|page|cursor|continuation|image|img"
    r"|toolcall|tool|conv|conversation|message|upload|blob|vs|ftjob|snap|ami|subnet|vpc|sg|arn|etag)[_-]"
)


def _unknown(match: re.Match[str]) -> bool:
    return is_random(match["g"]) and not _IDENTIFIERS.match(match[0])


def _letters_and_digits(match: re.Match[str]) -> bool:
    return is_random(match[0]) and any(char.isupper() for char in match["last"])


FORMS: Final = (
    rule(
        "private-key",
        rf"{_PEM}(?:[^-]|-(?!-{{4}})){{0,16000}}(?:-----END [A-Z0-9 ]{{0,64}}-----)?(?:\\n)?",
        "-----BEGIN",
    ),
    rule(
        "private-key",
        r"Private-Lines: \d{1,4}\r?\n"
        r"(?P<s>(?:[A-Za-z0-9+/=]{1,80}(?:\r?\n|\Z)){1,100}|[A-Za-z0-9+/=]{40,80})",
        "Private-Lines",
    ),
    _table_rule(),
    rule(
        "aws",
        r"(?<![A-Za-z0-9])(?:AKIA|ASIA|AROA|AIDA|AGPA|ANPA|ANVA)[A-Z0-9]{16}\b",
        *("AKIA", "ASIA", "AROA", "AIDA", "AGPA", "ANPA", "ANVA"),
    ),
    rule(
        "webhook",
        r"(?:hooks\.slack\.com/(?:services|workflows|triggers)|discord(?:app)?\.com/api/(?:v\d{1,2}/)?webhooks"
        r"|webhook\.office\.com/webhookb2|logic\.azure\.com(?::443)?/workflows|hooks\.zapier\.com/hooks/catch"
        r"|chat\.googleapis\.com/v1/spaces|open\.feishu\.cn/open-apis/bot/v2/hook)/(?P<s>[\w/@?&=.%-]{20,300})",
        *("hooks.slack", "discord", "webhook.office", "logic.azure", "hooks.zapier", "chat.googleapis"),
        "open.feishu",
    ),
    rule("telegram", r"(?<!\d)\d{8,10}:AA[\w-]{32,34}(?![\w-])", ":AA", before=(10, 9, 8)),
    rule("jwt", r"(?<![\w-])eyJ[\w-]{8,4000}\.[\w-]{0,8000}\.[\w-]{8,4000}(?:\.[\w-]{8,2000}){0,2}", "eyJ"),
    rule(
        "dotted",
        r"(?<![\w.-])[MNO][\w-]{22,28}\.[\w-]{6}\.(?P<last>[\w-]{27,110})(?![\w-])",
        accepts=_letters_and_digits,
    ),
    rule("dotted", r"(?<![\w.-])[A-Za-z0-9]{14}\.atlasv1\.[\w-]{27,110}", ".atlasv1.", before=(14,)),
    rule("google", r"(?<![\w-])[\w-]{11}:APA91b[\w-]{100,200}", ":APA91b", before=(11,)),
    rule("azure", r"(?<![\w~.-])[\w~.-]{3}\dQ~[\w~.-]{30,40}", "Q~", before=(4,)),
    rule(
        "generic",
        r"(?<![\w/.-])[A-Za-z][A-Za-z0-9]{0,15}[_-](?:[A-Za-z0-9]{1,16}[_-]){0,3}(?P<g>[A-Za-z0-9]{28,200})(?![\w])",
        accepts=_unknown,
    ),
)
