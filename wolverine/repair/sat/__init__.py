"""All executions that a trace allows as clauses, where the explicit search takes long."""
