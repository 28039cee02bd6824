"""Which of the repairs is meant: distance, fresh heaps, how the execution goes on."""
