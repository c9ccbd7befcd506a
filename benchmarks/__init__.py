"""What is measured, never what is tested: `make bench` prints the tables."""
