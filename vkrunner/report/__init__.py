"""Reports of dispatches: violations, races and messages, as records, tables and pages."""
