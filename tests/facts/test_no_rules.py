"""What has a rule's words and is none: what was seen, what failed, what documentation says; beside rules."""

import pytest

from hermes_sessions.facts.extract import extract_facts


def rules(text: str, role: str) -> list[str]:
    return [
        fact.value for fact in extract_facts({"role": role, "content": text}) if fact.kind == "constraint"
    ]


@pytest.mark.parametrize("role", ["user", "assistant"])
@pytest.mark.parametrize(
    "text",
    [
        "Les traces ne révèlent rien de suspect.",
        "Le rapport ne signale aucune alerte.",
        "Das Protokoll zeigt an dieser Stelle nichts Auffälliges.",
        "No aparecen errores en la consola.",
        "I saw no warnings before the restart.",
        "Não aparece nada nos registros.",
        "Non risulta nulla nei registri.",
        'Der Import endet immer noch mit "Schreiben verboten: bucket_slot".',
        "The worker dies with “access forbidden: must not write” on start.",
        "L'import échoue toujours avec « accès interdit : jeton ».",
        'El trabajo falla con "prohibido escribir: cubo".',
        "启动时仍然报错「禁止访问：令牌」。",
    ],
)
def test_what_was_seen_or_failed_is_no_rule(text: str, role: str) -> None:
    assert not rules(text, role)


@pytest.mark.parametrize("role", ["tool", "assistant"])
@pytest.mark.parametrize(
    "text",
    [
        "Each row is padded to at most this many columns.",
        "The registry guarantees that a hook will be called no more than once per key.",
        "If optional arg wait is true, block until a worker is free (the default).",
    ],
)
def test_what_documentation_says_of_code_is_no_rule(text: str, role: str) -> None:
    assert not rules(text, role)


@pytest.mark.parametrize(
    ("role", "text"),
    [
        ("user", "Ne touche à rien dans la caisse sans mon accord"),
        ("user", "Surtout, vous ne supprimez rien avant lundi"),
        ("assistant", "On ne modifie pas le schéma sans validation"),
        ("user", "Im Protokoll darf nichts gelöscht werden"),
        ("user", "no borres nada de facturas"),
        ("user", 'Never retry when it fails with "quota exceeded"'),
        ("assistant", "No more than 4 workers on the ledger until Friday"),
        ("tool", "NOTICE: no more than 3 exports at a time until Monday."),
    ],
)
def test_a_rule_beside_them_still_is_one(role: str, text: str) -> None:
    assert rules(f"{text}.", role)
