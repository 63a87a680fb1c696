#!/bin/sh
# Ctrl-C within np.unique(pairs, axis=0) of NumPy 2.2.6 can come out as "TypeError: Cannot compare
# structured arrays unless they have a common dtype", so that a program which handles
# KeyboardInterrupt ends with a traceback. NumPy compares the rows as structures, and finds their
# common dtype by a function in Python. It takes any exception in that function for the answer that
# the dtypes have none in common. Time limits by signal.alarm are lost in the same way.
#
# Expected: KeyboardInterrupt, which Python's signal handler raises ("default_int_handler" in the
# documentation of Python's module signal), as from np.unique of numbers.
set -eu
. "$(dirname "$0")/common/setup.sh"
pypi numpy==2.2.6

python - <<'PYTHON'
import signal
from collections import Counter

import numpy as np
from finding import check

within = False


def interrupt(_number, _frame):
    """As Python's handler of SIGINT, but only within a call."""
    if within:
        raise KeyboardInterrupt


def interrupted(call, array, **options):
    """The errors of calls that are interrupted after 1 to 100 microseconds, some 10,000 times."""
    global within
    errors = Counter()
    for turn in range(10_000):
        signal.setitimer(signal.ITIMER_REAL, 1e-6 * (1 + turn % 100))
        try:
            within = True
            call(array, **options)
            within = False
        except (KeyboardInterrupt, TypeError) as error:
            within = False
            errors[str(error)[:33] or type(error).__name__] += 1
        signal.setitimer(signal.ITIMER_REAL, 0)
    return sorted(errors)


signal.signal(signal.SIGALRM, interrupt)
both = ["Cannot compare structured arrays ", "KeyboardInterrupt"]
pairs = np.array([[1, 2], [3, 4], [1, 2]])
check("errors of np.unique(pairs, axis=0)", interrupted(np.unique, pairs, axis=0), both, both[1:])
check("errors of np.unique(numbers)", interrupted(np.unique, pairs[0]), both[1:], both[1:])
PYTHON
