"""What lines that report an error look like, and lines that only speak of errors."""

import re
from typing import Final

from hermes_sessions.facts.gates import gate, gated
from hermes_sessions.late_patterns import late_pattern

WORDS: Final = gate(
    *(
        "error",
        "exception",
        "fatal",
        "panic",
        "critical",
        "severe",
        "fail",
        "denied",
        "refused",
        "timed out",
        "not found",
        "no such",
        "cannot ",
    ),
    *(
        "could not",
        "unable to",
        "exist",
        "segmentation",
        "can't ",
        "in `",
        "in '",
        "restarting (",
        "core dumped",
        "memory",
        "oomkilled",
        "backoff",
        "errimage",
        "conflict",
        "no space",
        "permitted",
    ),
    *(
        "exit",
        "returncode",
        "return_code",
        "http/1",
        "http/2",
        *("get /", "post /", "put /", "delete /", "patch /"),
        "status",
        "unauthorized",
        "forbidden",
        "bad gateway",
        "unavailable",
        "invalid cred",
    ),
    *(
        "err!",
        "enoent",
        "eacces",
        "econn",
        "eaddr",
        "etimedout",
        "enospc",
        "eperm",
        "eresolve",
        "elifecycle",
        "not ok",
        "✕",
        "✗",
        "×",
        "● ",
        "undefined ",
    ),
    *(
        "deadlock",
        "curl: (",
        "violates",
        "unexpected token",
        "not recognized",
        "rejected",
        "interrupt:",
        "fault:",
        "expired",
        "verify failed",
    ),
    *(
        "fehler",
        "erreur",
        "échec",
        "échou",
        "erro:",
        "verweigert",
        "refusé",
        "denegado",
        "ошибка",
        "ошибки",
        "сбой",
        "отказано",
        "错误",
        "失败",
        "エラー",
        "失敗",
        "خطأ",
        "فشل",
        "오류",
        "hata",
        "त्रुटि",
        "errore",
        "严重",
        "致命",
        "*** [",
        "warning  ",
        "nicht möglich",
        "нет доступа",
        " error ts",
        "cannot",
    ),
)
"""A line without any of these reports no error."""

SPOKEN_WORDS: Final = gate(
    *(
        "error",
        "exception",
        "fault:",
        "interrupt:",
        "fatal",
        "panic",
        "exit",
        "status",
        "err!",
        "enoent",
        "eacces",
        "econn",
        "eaddr",
        "etimedout",
        "enospc",
    ),
    *(
        "eperm",
        "eresolve",
        "failed ",
        "--- fail",
        "http",
        " 40",
        " 41",
        " 42",
        " 50",
        "denied`",
        "refused`",
        "`",
        "fehler:",
        "erreur",
        "ошибка:",
        "错误：",
        "エラー：",
    ),
)
PHRASE_WORDS: Final = gate(
    *(
        "nicht möglich",
        "nicht gefunden",
        "keine berechtigung",
        "non trouv",
        "introuvable",
        "inexistant",
        "no encontrad",
        "не найден",
        "can't ",
        "permissão negada",
        "permesso negato",
        "denied",
        "no such",
        "not found",
        "connection",
        "timed out",
        "segmentation",
        "dumped",
        "memory",
        "oom",
        "backoff",
        "errimage",
        "cannot ",
        "could not",
    ),
    *(
        "undefined",
        "exist",
        "no space",
        "deadlock",
        "conflict",
        "merge failed",
        "fatal",
        "build failed",
        "failed",
        "unable to",
        "permitted",
        "invalid cred",
    ),
    *(
        "certificate",
        "syntax error",
        "violates",
        "verweigert",
        "refusé",
        "denegado",
        "отказано",
        "recognized",
        "unexpected token",
        "rejected",
        "completed with exit",
    ),
)
LEVEL_WORDS: Final = gate(
    "error",
    "fatal",
    "critical",
    "panic",
    "severe",
    "emerg",
    "erro",
    "level",
    "severity",
    "[error]",
    "[crit]",
    "[alert]",
    "[emerg]",
    "[fatal]",
    "::error",
    "[critical]",
    "[错误]",
    "[严重]",
    "[致命]",
    "[エラー]",
    "[오류]",
    "[ошибка]",
    "[خطأ]",
    "[hata]",
    "[fehler]",
    "[erreur]",
    "fehler",
    "erreur",
    "ошибка",
    "hata",
    " error ",
    " fatal ",
    " crit",
    " panic ",
)
DIGITS_OF_STATUS = late_pattern(r"[45](?<![\w.,/-].)\d\d(?!\d|ms)")
TYPED = late_pattern(
    r"((?:Error|Exception|Interrupt|Failure|Fault)(?:\[[\w-]{1,20}\])?(?: \[[\w-]{1,40}\])?):[ \n]\S"
)
NAME_CHARS: Final = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_."
BARE_TYPED = late_pattern(r"^(?:[A-Za-z_]\w{0,60}\.){0,6}[A-Z][A-Za-z]{2,60}(?:Error|Exception)$")
ERRNO = late_pattern(
    r"E(?:NOENT|ACCES|ADDRINUSE|CONNREFUSED|CONNRESET|CONNABORTED|TIMEDOUT|NOSPC|PERM|PIPE|RESOLVE|NOTFOUND|EXIST|NOTEMPTY|INVAL|MFILE|ISDIR|NOTDIR|AI_AGAIN|HOSTUNREACH|NETUNREACH|LIFECYCLE|INTEGRITY|BUSY|TARGET|401|403|404|RR_\w{3,40})\b"
)
LEVEL = late_pattern(
    r"(?<![\w.-])(?:ERROR|FATAL|CRITICAL|PANIC|SEVERE|EMERG|ERRO)(?![\w=.-])|\blevel=\"?(?:error|fatal|panic)|\"?(?:level|severity)\"?: ?\"?(?:error|fatal|critical)\b|\[(?:error|crit|critical|alert|emerg|fatal|CRITICAL|错误|严重|致命|エラー|오류|ошибка|خطأ|hata|fehler|erreur)\]|(?<![\w-])(?:FEHLER|ERREUR|ОШИБКА|HATA|ERRORE)(?=:)|^\S{8,40} (?:\d\d:\d\d:\d\d\S{0,12} )?(?:error|fatal|crit|critical|panic) |::error|##\[error\]"
)
HEAD = late_pattern(
    r"^(?:[\w./:-]{1,200}: |[^\]\n]{1,80}\]: )?(?:fatal|panic|error|fehler|erreur|erro|ошибка|err|schwerer fehler|failed|failure|fatal error|エラー|错误|خطأ|فشل|오류|hata|त्रुटि|失敗|失败|errore|uncaught|thread '[^']{1,60}' panicked)"
    r"(?:\[[\w-]{1,20}\]| [A-Z]{1,6}\d{1,6}| in [^:]{1,80}| \[[\w-]{1,40}\])?[:：] ?\S|^error (?:TS\d+|loading|building|while|during|from)|^npm (?:ERR!|error) \S|^E {3,7}\S|^pq: |^psql: error|^curl: \(\d+\)|^\S{1,200}:\d+:\d+: (?:fatal )?error:"
    r"|^[{\s]*\"(?:error|errors|error_message)\": ?[\"{][^\"]?|^Error response from daemon|^Traceback \(most|^thread '[^']{1,80}' panicked|^goroutine panic|^error\b.{0,3}:|^(?:Warning +)?BackOff|^Warning {2,}[A-Z]\w+ |^g?make(?:\[\d+\])?: \*\*\*|^!? ?\[(?:remote )?rejected\]|^\S{1,160}\(\d+,\d+\): error |^\s{0,8}(?:[×✗✘✕]|not ok \d)|^(?:\*\* )?\((?:[A-Z]\w{0,40}\.){0,5}[A-Z]\w{1,60}(?:Error|Exception)\) |^(?:[^\s:]{1,200}:\d{1,7}:in )[`'][^`'\n]{1,80}': \S", re.I
)  # fmt: skip
STATUS = late_pattern(
    r"\b(?:GET|POST|PUT|PATCH|DELETE|HEAD) \S{1,200}(?: HTTP/[\d.]{1,3}\"?)? [45]\d\d\b|\b(?:erreurs?|error[ei]?|erros?|Fehler|HTTP|código|hata|ошибк\w{1,2}|错误|エラー|오류) [45]\d\d(?!\d|[.,:]\d|\s?ms)|HTTP/[\d.]{1,3}\"? [45]\d\d|(?<![\w.,/-])[45]\d\d (?:Bad Request|Unauthorized|Payment Required|Forbidden|Not Found|Method Not Allowed|Not Acceptable|Request Timeout|Conflict|Gone|Payload Too Large|Unprocessable (?:Entity|Content)|Too Many Requests|Internal Server Error|Not Implemented|Bad Gateway|Service (?:Temporarily )?Unavailable|Gateway Time-?out)\b"
    r"|\b(?:status|status[ _]code|http[ _]status|http|code d'état|Statuscode|код|статус|状态码|ステータス)(?: ?code)?[\"']?[ :=]{1,3}[45]\d\d(?!\d|\.\d| ?(?:ms|MB|s\b))|\b(?:returned|returns|responded with|got|gibt|liefert|renvoie|devuelve|returning|throws|(?:fail\w*|respond\w*|repl\w+|answer\w*|reject\w*|refus\w*|end(?:s|ed)?|exit\w*|back|dies|died|antwort\w*) (?:\w{1,12} )?(?:with|mit|avec|con|com)|with(?= (?:HTTP )?[45]\d\d (?:errors?|responses?|status)\b)|an?(?= (?:HTTP )?[45]\d\d(?:[^\w ]|$| (?:error|response|status|code|page|from|for|on|at|instead|when|if|again|and|but|or|because|since|after|while|to|as|by|until)\b))) (?:an? )?(?:HTTP )?[45]\d\d(?!\d|[.,:]\d|\s?(?:ms|s|MB|GB|rows|lines|items|files|tests|users|€|%|\$|requests|tokens|words|records|EUR|USD)\b)", re.I
)  # fmt: skip
EXIT = late_pattern(
    r"\bexit(?:ed)?(?: with)?(?: non-zero)?[ _]?(?:code|status)?[\"']?(?: of| was|:|=|\()? {0,8}\(?-?[1-9]\d{0,2}\b\)?|\breturn_?code[\"']?[ :=]{1,3}-?[1-9]\d{0,2}\b|\bexit ?code[\"']?[ :=]{1,3}[1-9]\d{0,2}|\b(?:Exited|Restarting) \([1-9]\d{0,2}\)|\bcode:? E[A-Z]{4,12}\b|\bExit-?[Cc]ode:? [1-9]\d{0,2}", re.I
)  # fmt: skip
PHRASE = late_pattern(
    r"permission denied|(?:has|have) failed\b|\bfailed \(|nicht möglich|nicht gefunden|keine berechtigung|non trouvée?\b|introuvable|inexistante?\b|no encontrad[oa]|не найден|permissão negada|permesso negato|access denied|no such (?:file|host|container|table|column|image|option)|\bnot found(?::|\.?$)|can't (?:locate|open|load|connect)\b|connection (?:refused|reset|timed out|closed by)|timed out|segmentation fault|core dumped|out of memory"
    r"|oom-?killed|crashloopbackoff|imagepullbackoff|errimagepull|cannot find (?:module|package|name|symbol)|module not found|could not (?:resolve|connect|find|open|read|be)|undefined (?:reference|symbol|name)|relation \"[^\"]{1,80}\" does not exist"
    r"|column \"[^\"]{1,80}\" does not exist|no space left|deadlock detected|^conflict \(|merge conflict in|automatic merge failed|^fatal|build failed|failed to \w+|unable to \w+|operation not permitted|not permitted|authentication failed|invalid credentials|certificate (?:has expired|verify failed)|^failed |syntax error|failed with|violates \w+|cannot (?:connect|open|read|write|access|import|be|assign|allocate|create)|zugriff verweigert|berechtigung verweigert|accès refusé|permiso denegado|отказано в доступе|doesn't exist|is not recognized|unexpected token|liveness probe failed|readiness probe failed|operation was rejected|rejected by|process completed with exit code"
    , re.I
)  # fmt: skip
PHRASES: Final = gated(
    (
        ("denied", "refusé", "verweigert", "denegado", "отказано", "negad", "negato"),
        r"permission denied|access denied|permissão negada|permesso negato|(?:zugriff|berechtigung) verweigert|accès refusé|permiso denegado|отказано в доступе",
    ),
    (
        ("failed",),
        r"(?:has|have) failed\b|\bfailed \(|merge failed|build failed|failed to \w+|authentication failed|^failed |failed with|ness probe failed",
    ),
    (("nicht ", "keine ber"), r"nicht möglich|nicht gefunden|keine berechtigung"),
    (
        ("non trouv", "introuvable", "inexistant", "no encontrad", "не найден"),
        r"non trouvée?\b|introuvable|inexistante?\b|no encontrad[oa]|не найден",
    ),
    (
        ("no such", "not found", "no space"),
        r"no such (?:file|host|container|table|column|image|option)|\bnot found(?::|\.?$)|module not found|no space left",
    ),
    (
        ("can't ", "cannot ", "could not", "unable to"),
        r"can't (?:locate|open|load|connect)\b|cannot find (?:module|package|name|symbol)|could not (?:resolve|connect|find|open|read|be)|cannot (?:connect|open|read|write|access|import|be|assign|allocate|create)|unable to \w+",
    ),
    (("connection", "timed out"), r"connection (?:refused|reset|timed out|closed by)|timed out"),
    (
        ("segmentation", "dumped", "memory", "oom", "backoff", "errimage"),
        r"segmentation fault|core dumped|out of memory|oom-?killed|crashloopbackoff|imagepullbackoff|errimagepull",
    ),
    (
        ("undefined", "exist"),
        r"undefined (?:reference|symbol|name)|(?:relation|column) \"[^\"]{1,80}\" does not exist|doesn't exist",
    ),
    (
        ("deadlock", "conflict", "fatal"),
        r"deadlock detected|^conflict \(|merge conflict in|^fatal",
    ),
    (
        ("permitted", "invalid cred", "certificate", "syntax error", "violates"),
        r"operation not permitted|not permitted|invalid credentials|certificate (?:has expired|verify failed)|syntax error|violates \w+",
    ),
    (
        ("recognized", "unexpected token", "rejected", "completed with exit"),
        r"is not recognized|unexpected token|operation was rejected|rejected by|process completed with exit code",
    ),
)  # fmt: skip
"""`PHRASE` by its words: whether a line has one of them, found by looking for the words that it holds alone."""
FAILED_TEST = late_pattern(
    r"^(?:FAILED |ERROR )\S+|^\s*--- FAIL: \S+|^FAIL[:\s]\s*\S+|^\s*● \S.{2,}|^\s*[✕✗×] \S|^not ok \d+|^test \S+ \.\.\. FAILED|^\s+\d+\) \S.+(?::|failed)$|^\S.{2,120} > .{2,120} FAILED$|^\S[\w./:-]{0,60}\s+FAILED(?: after .{1,30})?$|^(?:\S+::\S+) FAILED|^---- \S+ stdout ----"
)
NONE: Final = gated(
    (
        ("error", "exception", "fail", "fehler", "erreur", "ошиб", "conflict", "problem", "warning"),
        r"\b(?:no|zero|0|without(?: any)?|keine?n?|ohne|aucune?|sans|sin|ningún|nessun|sem|без|нет|free of)[ :]{1,2}(?:\w+[ -]){0,2}(?:errors?|exceptions?|failures?|failed|fehlern?|erreurs?|error(?:es)?|ошиб\w*|conflicts?|problems?|warnings?)\b",
    ),
    (
        ("error", "fail", "exception", "fehler", "warning"),
        r"\b(?:errors?|failures?|failed|exceptions?|fehler|warnings?)[\"']?\s{0,2}[:=]\s{0,2}(?:0\b|none\b|null\b|false\b|\[\]|\{\}|\"\"|keine\b)",
    ),
    (("错误", "エラー", "أخطاء"), r"没有(?:发现)?(?:任何)?错误|无错误|エラー(?:は)?(?:なし|ありません)|لا (?:توجد )?أخطاء"),
    (
        ("error-", "error h", "error b", "error r", "error m", "error p", "error l", "error c", "fail-", "failover", "failsafe", "failfast"),
        r"\berror[- ](?:handling|handler|boundary|rate|budget|message|page|log|reporting|codes?)\b|fail-?(?:over|safe|fast)",
    ),
)  # fmt: skip
"""Lines that report no error, or only speak of errors."""
CODE_LINE = late_pattern(
    r"^\s*(?:raise|throw|except|catch|class|def|import|from|return|if|elif|else|async|try|function|const|let|var|public|private|export|func|fn|//|/\*|\*|@|assert\w*\(|with pytest|expect\(|#include|console\.|logger\.|log\.|print\(|echo )\b.*"
    r"|.*[{;]$|.*\b(?:raise|throw new|except|catch \(|instanceof|isinstance\(|console\.error\(|logger\.\w+\()"
)
HTML_LINE = late_pattern(r"^\s*(?:#{1,6} |<|\||-- )")
FRAME = late_pattern(r"^\s*(?:at |File \"|in )\S")
LOG_LINE = late_pattern(
    r"^(?:Traceback \(most recent call last\):$|\s{1,12}at [\w$.<>/]{1,200} ?\([^()\n]{1,200}:\d{1,7}\)|goroutine \d{1,9} \[|thread '[^'\n]{1,80}' panicked"
    r"|(?:FAILED|ERROR) [^\s:]{1,200}::\w|-{3} FAIL: |not ok \d|={3,} ?(?:FAILURES|ERRORS|short test summary)|npm (?:ERR!|error) |g?make(?:\[\d{1,3}\])?: \*\*\*"
    r"|[^\s:]{1,200}:\d{1,7}(?::\d{1,5})?: (?:fatal )?error:|\[?(?:DEBUG|INFO|WARN|WARNING|ERROR|FATAL|CRITICAL)(?:\]|:| {2,}) ?\S)",
    re.M,
)
"""A line that only logs, tests' and compilers' reports and tracebacks have."""
LEADING = late_pattern(r"^(?:[-*•>] |\d{1,2}[.)] )+")
