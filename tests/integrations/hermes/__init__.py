from pathlib import Path


def agent_driver_path() -> Path:
    """The script that runs inside the agent's environment."""
    return Path(__file__).with_name("agent_driver.py")
