"""Write the table of rules into `docs/audit.md` anew.

python -m bench.audit_rules
"""

from pathlib import Path

from hermes_sessions.audit.guide import with_rules

GUIDE = Path(__file__).parent.parent / "docs" / "audit.md"


def main() -> None:
    """Make the table anew."""
    GUIDE.write_text(with_rules(GUIDE.read_text("utf-8")), "utf-8")


if __name__ == "__main__":
    main()
