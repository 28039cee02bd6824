"""What programs mean: execution on memory graphs, replay of candidates, comparison, shapes."""
