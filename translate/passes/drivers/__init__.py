"""Passes that work around faults of drivers, each where `Options.workarounds` names the fault."""
