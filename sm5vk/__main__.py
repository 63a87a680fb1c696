"""`python -m sm5vk` is the command `sm5vk`."""

from vkrunner.__main__ import command

if __name__ == "__main__":
    command()
