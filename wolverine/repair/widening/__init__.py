"""Algorithm 1 of Wolverine2 on a solver, and the paper's other engines."""
