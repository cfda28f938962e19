"""What runs inside the agent: the standard library, the engine and the values it needs. Nothing else."""
