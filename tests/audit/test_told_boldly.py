"""Bold but right wordings of bans, files, data and open work get no warning; their altered twins do."""

import pytest

from tests.audit.builders import assistant, call, compacted, findings, tool, user

BELLS = (
    user("规矩:不要拆钟楼(不许 purge),敲钟之前必须先问我。"),
    assistant("明白。"),
)
KILN = (
    user("Fire the kiln, please. The old kiln stays after the move for 40 days, cold. Notes are in ~/kiln."),
    assistant("Reading.", call("terminal", "k1", command="cd ~/kiln && ls && cat glazes.csv")),
    tool("k1", "glazes.csv\nash,1240\ncobalt,1180"),
    assistant("The ash glaze needs 1240 degrees, the cobalt one 1180."),
)
FAIR = (
    user("Imprime los carteles. Despliegue de la web el jueves 9 de julio a las 7:00 en el servidor sur."),
    assistant(
        "Hago el commit y la prueba.", call("terminal", "p1", command="git commit -qm 'carteles' && make")
    ),
    tool("p1", "7aa01c2 carteles"),
    assistant("Commit 7aa01c2; la suite completa pasa. Queda el despliegue del jueves 9 de julio."),
)


def loud(rows, body):
    told = findings(compacted(rows, body=body))
    return sorted({one.rule for one in told if one.severity.value != "info"} & RULES)


RULES = {"contradicts", "invented", "stale-task"}


@pytest.mark.parametrize(
    ("body", "rules"),
    [
        ("不许拆钟楼(purge);敲钟之前必须先问用户。", []),
        ("先拆钟楼;敲钟之前必须先问用户。", ["contradicts"]),
    ],
)
def test_what_a_ban_explains_in_brackets_is_barred_with_it(body, rules):
    assert loud(BELLS, body) == rules


@pytest.mark.parametrize(
    ("body", "rules"),
    [
        ("Never sell the old kiln; after the move it stays for 40 days, cold.", []),
        ("The figures in ~/kiln/glazes.csv were compared.", []),
        ("The figures in ~/kiln/slips.csv were compared and saved.", ["invented"]),
        ('"ash": "the glaze that wants 1240 degrees in any of the ovens we own",', []),
        ('notes: "the glaze that wants 1240 degrees in any of the ovens we own"', []),
        ('The user said: "Sell every oven and buy a bigger one in spring."', ["invented"]),
    ],
)
def test_a_right_line_is_not_accused_for_its_form(body, rules):
    assert loud(KILN, body) == rules


def test_what_the_last_reply_names_as_left_is_no_stale_task():
    assert (
        loud(FAIR, "## Pendiente\nDespliegue de la web el jueves 9 de julio a las 7:00 (servidor sur).") == []
    )
