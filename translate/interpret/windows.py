"""Windows: the views that begin in the midst of what is bound."""

WINDOW_FIRST = 61  # the element that each begins with; that all begin with the same does not matter
