"""`pip install translate` installs an unrelated package over ours: the error then."""

import subprocess
from pathlib import Path

import pytest

from tests import commands

ROOT = Path(__file__).parents[2]
# The relevant files of that package, also those with the paths of ours.
FOREIGN = {
    "__init__.py": "from .translate import Translator\nfrom .version import __version__\n",
    "translate.py": "class Translator: pass\n",
    "version.py": "__version__ = '3.8.1'\n",
    "constants.py": "DEFAULT_PROVIDER = 'mymemory'\n",
    "main.py": "from .constants import DEFAULT_PROVIDER\n",
}
SHARED = ("__init__.py", "version.py")
REMEDY = ("pip uninstall translate", "pip install --force-reinstall --no-deps CLONE")


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A folder like site-packages, with links to the files of this project."""
    for package in ("translate", "vkrunner"):
        (tmp_path / package).mkdir()
        for path in (ROOT / package).iterdir():
            (tmp_path / package / path.name).symlink_to(path)
    return tmp_path


def install_foreign(site: Path) -> None:
    for name, text in FOREIGN.items():
        (site / "translate" / name).unlink(missing_ok=True)
        (site / "translate" / name).write_text(text, encoding="utf-8")


def python(site: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Python with the standard library and that folder in its path, nothing else."""
    variables = {"PYTHONPATH": str(site), "PYTHONDONTWRITEBYTECODE": "1"}
    return commands.python("-S", *words, folder=Path("/"), **variables)


def is_explained(done: subprocess.CompletedProcess[str], place: Path) -> bool:
    explained = all(text in done.stderr for text in ("ImportError: sm5vk's", str(place), *REMEDY))
    return done.returncode != 0 and explained


def test_alone_nothing_is_said(site: Path) -> None:
    done = python(site, "-m", "vkrunner", "--version")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("sm5vk ")


@pytest.mark.parametrize(
    "words", [("-c", "import vkrunner"), ("-m", "vkrunner", "--version")], ids=["import", "command"]
)
def test_it_was_installed_after_ours(site: Path, words: tuple[str, ...]) -> None:
    install_foreign(site)
    assert is_explained(python(site, *words), site / "translate" / "__init__.py")


def test_it_was_installed_after_ours_without_what_it_needs(site: Path) -> None:
    install_foreign(site)
    (site / "translate" / "translate.py").write_text("import libretranslatepy\n", encoding="utf-8")
    assert is_explained(python(site, "-c", "import vkrunner"), site / "translate" / "__init__.py")


def test_it_was_removed_and_took_files_of_ours_along(site: Path) -> None:
    for name in SHARED:
        (site / "translate" / name).unlink()
    assert is_explained(python(site, "-c", "import vkrunner"), site / "translate")


def test_there_is_nothing_of_ours(site: Path) -> None:
    (site / "translate").rename(site / "elsewhere")
    assert is_explained(python(site, "-c", "import vkrunner"), Path("nothing"))


def test_it_was_installed_before_ours(site: Path) -> None:
    for name in FOREIGN.keys() - set(SHARED):
        (site / "translate" / name).write_text(FOREIGN[name], encoding="utf-8")
    done = python(site, "-c", "import vkrunner, translate; print(translate.Options.__name__)")
    assert (done.returncode, done.stdout) == (0, "Options\n")
    assert done.stderr.count("RuntimeWarning") == 1
    assert all(text in done.stderr for text in REMEDY)
