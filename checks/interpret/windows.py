"""View ranges: views that begin inside the bound buffer."""

WINDOW_FIRST = 61  # the first element of every view; wrong code hardly gets it by accident
