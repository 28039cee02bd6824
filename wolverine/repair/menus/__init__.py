"""What may stand at each location: places and values, conditions, statements under tests."""
