"""Mutation testing: small faults in the source, one at a time, which the tests have to detect."""
