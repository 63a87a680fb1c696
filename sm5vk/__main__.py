"""`python -m sm5vk` is the command `sm5vk`."""

import sys

from vkrunner.__main__ import main

if __name__ == "__main__":
    sys.exit(main())
