"""Work that the talk shows as over, in several turns, in another language, by calls or by the user."""

import pytest

from hermes_sessions.audit.directives.stale_tasks import find_stale_tasks
from hermes_sessions.audit.values import AuditMessage
from tests.audit.builders import assistant, call, compacted, tool, user

CERTIFICATE = (
    user("The certificate for shop.lind.example expires on Sunday. Renew it."),
    assistant("", call("terminal", key="c1", command="certbot renew")),
    tool("c1", "Failed: port 80 blocked"),
    assistant("certbot could not reach port 80; the firewall blocks it. Can you open it?"),
    user("I renewed it by hand meanwhile. Next: the shop's search returns products that are sold out."),
    assistant("search/query.py ignores sold_out. I'll filter it."),
)
MAIL = (
    user("Richte auf dem Mailserver bitte DKIM für kranich.example ein."),
    assistant("", call("terminal", key="c1", command="opendkim-genkey -s mail -d kranich.example")),
    tool("c1", ""),
    assistant("Der Schlüssel ist erzeugt, der Selektor heißt mail. Trägst du den DNS-Eintrag ein oder ich?"),
    user("Mach du."),
    assistant("", call("terminal", key="c2", command="dnscontrol push")),
    tool("c2", "1 correction applied"),
    assistant("Der TXT-Eintrag für mail._domainkey ist gesetzt."),
    user("Super. Jetzt zu etwas anderem: der Kalender zeigt Termine eine Stunde zu spät."),
    assistant("Der Server steht auf UTC. Ich schaue in die Konfiguration."),
)
LUNCH = (
    user("We need a room for the audit on 12 May, 14 people. And a caterer."),
    assistant("Two offers: Basil & Co 18.50 per head, Lunchbox 15.90."),
    user("Take Basil, Lunchbox was cold last time."),
    assistant("", call("terminal", key="c1", command="mail order@basil.example")),
    tool("c1", "accepted"),
    assistant("Basil & Co confirmed lunch for 14."),
    user("Then only the badges are left. Names are in guests.xlsx."),
    assistant("14 names read; printing needs the template from Ines."),
)
BRANCHES = (
    user("Clean up the old release branches, everything before 2.0."),
    assistant("", call("terminal", key="c1", command="git push origin --delete release-1.8 release-1.9")),
    tool("c1", "- [deleted] release-1.8"),
    user("ok and now the tags: sign v2.1.0 again, the key was wrong"),
    assistant("Tag rewritten locally, not pushed."),
    user("push it"),
)
CHECKSUM = (
    user("Добавь в форму поле для ИНН."),
    assistant("Поле для ИНН добавлено в форму."),
    user("Проверка контрольной суммы там есть?"),
    assistant("Пока нет."),
    user("Сделай."),
    assistant("", call("edit_file", key="c1", path="forms/inn.ts", new="return checksum(v)")),
    tool("c1", '{"ok": true}'),
    assistant("Готово, контрольная сумма проверяется."),
    user("А теперь подумай, как быть с иностранными компаниями."),
    assistant("Можно спрашивать номер регистрации и страну."),
)


def stale(talk: tuple[AuditMessage, ...], text: str) -> bool:
    told = compacted(talk, keep=[len(talk) - 1], body=f"## Next Steps\n- {text}").conversation()
    return bool(find_stale_tasks(told.compactions[0]))


@pytest.mark.parametrize(
    ("talk", "text"),
    [
        pytest.param(CERTIFICATE, "Renew the certificate for shop.lind.example", id="the user did it"),
        pytest.param(MAIL, "Set up DKIM for kranich.example on the mail server", id="in another language"),
        pytest.param(LUNCH, "Choose between Basil & Co and Lunchbox for the catering", id="chosen"),
        pytest.param(BRANCHES, "Delete the branches release-1.8 and release-1.9", id="a call shows it"),
        pytest.param(CHECKSUM, "добавить проверку контрольной суммы ИНН", id="over several turns"),
    ],
)
def test_what_the_talk_shows_as_over_is_stale(talk, text):
    assert stale(talk, text)


@pytest.mark.parametrize(
    ("talk", "text"),
    [
        pytest.param(CERTIFICATE, "Renew the certificate for api.lind.example", id="another one"),
        pytest.param(CERTIFICATE, "Filter sold_out in search/query.py", id="only promised"),
        pytest.param(MAIL, "Monitor the DKIM reports for kranich.example", id="what follows it"),
        pytest.param(MAIL, "Alten DKIM-Schlüssel von kranich.example löschen", id="another deed"),
        pytest.param(LUNCH, "Order drinks for 14 at Basil & Co", id="more of it"),
        pytest.param(LUNCH, "Badges: get the template from Ines", id="still missing"),
        pytest.param(BRANCHES, "Push the tag v2.1.0", id="just asked"),
        pytest.param(BRANCHES, "Delete the branch release-2.0", id="another branch"),
        pytest.param(CHECKSUM, "решить, как быть с иностранными компаниями", id="the last request"),
    ],
)
def test_what_may_be_open_is_not(talk, text):
    assert not stale(talk, text)
