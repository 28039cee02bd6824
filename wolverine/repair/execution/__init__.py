"""A trace on a machine: what choices do there, and going on past what is not modelled."""
