"""The suite, the self-test, the fuzzer and the benchmarks on a named device, with reports."""
