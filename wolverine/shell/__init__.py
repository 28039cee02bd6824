"""What people see: reading command lines, carrying them out, presenting results."""
