"""Windows: views that begin inside the bound buffer."""

WINDOW_FIRST = 61  # the first element of every view; any number that no buffer begins at will do
