"""Small faults put into the source one at a time, each of which the tests have to notice."""
