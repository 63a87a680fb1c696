"""The workflows, as far as they can be checked without their services.

They fit their schemas; they run scripts of ci/, and users' commands are run here.
"""

import operator
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import pytest
import yaml

import vkrunner

ROOT = Path(__file__).parents[2]
OURS = ROOT / ".github/workflows/ci.yml"
RELEASE = ROOT / ".github/workflows/release.yml"
GITHUB = ROOT / "ci/user/github.yml"
GITLAB = ROOT / "ci/user/gitlab.yml"
SCRIPT = re.compile(r"sh (ci/\w+\.sh)")
SETS_UP = re.compile(r"(sudo )?(apt-get|pip) |\w+=\$\(sh ci/fxc.sh ")
CHOICE = re.compile(r"^( *)#(?! )", re.MULTILINE)  # before a line that a user may choose
PYTHON = "apt-get update && apt-get install -y --no-install-recommends ca-certificates python3"
ARGUMENTS = (
    r"([A-Z0-9_]+=(\w+|\$\(\)) | |--junitxml=\S+|--extras|--slow|--thorough|"
    r'60|failures|"\$GITHUB_REF_NAME"|dist|HEAD\^1)*'
)
NAME = operator.attrgetter("name")
COMMAND = '#!/bin/sh\nexec "{python}" -m {module} "$@"\n'
SHADER_TEST = (Path(__file__).parent / "data/workflows.txt").read_text("utf-8")
PYTHON_TEST = """def test_device(vulkan_device):
    assert {value} == 7
"""


def read(path: Path) -> Any:
    return yaml.safe_load(path.read_text(encoding="utf-8"))


def with_choices(path: Path) -> str:
    """A user's workflow with all the lines that a user may choose."""
    return CHOICE.sub(r"\1", path.read_text(encoding="utf-8"))


def run_steps(workflow: Any) -> Iterator[str]:
    for job in workflow["jobs"].values():
        yield from (step["run"] for step in job["steps"] if "run" in step)


@pytest.mark.parametrize("path", [OURS, RELEASE, GITHUB, GITLAB], ids=NAME)
def test_schema(path: Path, tmp_path: Path) -> None:
    schema = "gitlab-ci" if path is GITLAB else "github-workflows"
    chosen = tmp_path / path.name
    chosen.write_text(with_choices(path))
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", f"vendor.{schema}"]
    done = subprocess.run([*command, path, chosen], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr


def test_choices_of_a_users_workflow() -> None:
    """They are valid lines of the workflow."""
    github, gitlab = yaml.safe_load(with_choices(GITHUB)), yaml.safe_load(with_choices(GITLAB))
    assert set(github["jobs"]) == {"containers", "shaders"}
    assert github["jobs"]["shaders"]["needs"] == "containers"
    for text in (*run_steps(github), *gitlab["shaders"]["before_script"]):
        subprocess.run(["sh", "-n", "-c", text], check=True, timeout=60)
    added = len(github["jobs"]["shaders"]["steps"]) - len(read(GITHUB)["jobs"]["shaders"]["steps"])
    assert added == 4
    subprocess.run(["sh", "-n", ROOT / "ci/user/fxc.sh"], check=True, timeout=60)


def set_up_of_fxc(path: Path) -> list[str]:
    """The commands of a user's workflow that set up the compiler, and use the result."""
    workflow = yaml.safe_load(with_choices(path))
    steps = workflow["shaders"]["before_script"] if path is GITLAB else run_steps(workflow)
    return [step for step in steps if "ci/fxc.sh" in step or "SM5VK_FXC" in step]


@pytest.mark.parametrize("path", [GITHUB, GITLAB], ids=NAME)
def test_a_compiler_that_cannot_be_set_up_ends_the_job(path: Path, tmp_path: Path) -> None:
    """Both services run these lines with `set -e`."""
    (tmp_path / "ci").mkdir()
    script = "\n".join([*set_up_of_fxc(path), "echo goes on"])
    for text, code in (("exit 3\n", 3), ("echo fxc\n", 0)):
        (tmp_path / "ci" / "fxc.sh").write_text(text)
        done = subprocess.run(
            ["sh", "-e", "-c", script],
            cwd=tmp_path, env=os.environ | {"GITHUB_ENV": "environment"},
            capture_output=True, text=True, timeout=60,
        )  # fmt: skip
        assert (done.returncode, "goes on" in done.stdout) == (code, code == 0)


def test_a_users_job_on_gitlab_ends_and_caches_the_compiler() -> None:
    """GitLab caches only folders of the project."""
    job = read(GITLAB)["shaders"]
    assert job["interruptible"]
    assert job["timeout"]
    (folder,) = re.findall(r"ci/fxc\.sh (\S+?)\)", " ".join(set_up_of_fxc(GITLAB)))
    assert any(Path(folder).is_relative_to(path) for path in job["cache"]["paths"])


@pytest.mark.parametrize("path", [OURS, RELEASE], ids=NAME)
def test_our_steps_are_scripts(path: Path) -> None:
    """A step runs one script of ci/, which runs anywhere; a bare image installs Python first."""
    for step in run_steps(read(path)):
        scripts = SCRIPT.findall(step)
        assert scripts or step == PYTHON, step
        for script in scripts:
            subprocess.run(["sh", "-n", ROOT / script], check=True, timeout=60)
        assert step == PYTHON or re.fullmatch(ARGUMENTS, SCRIPT.sub("", step)), step


@pytest.mark.parametrize("path", [OURS, RELEASE, GITHUB], ids=NAME)
def test_actions_are_pinned_and_jobs_end(path: Path) -> None:
    """Somebody else's tag may move, a job may hang, and a token may write by default."""
    text = with_choices(path) if path is GITHUB else path.read_text(encoding="utf-8")
    uses = re.findall(r"uses: (.*)", text)
    assert uses
    assert all(re.fullmatch(r"[\w./-]+@[0-9a-f]{40} # v[\d.]+", one) for one in uses), uses
    workflow = yaml.safe_load(text)
    assert workflow["permissions"] == {"contents": "read"}
    assert "github.ref" in workflow["concurrency"]["group"]
    assert workflow["concurrency"]["cancel-in-progress"] == (path is not RELEASE)
    assert all(job["timeout-minutes"] <= 240 for job in workflow["jobs"].values())


def test_actions_have_one_version() -> None:
    text = "".join(path.read_text(encoding="utf-8") for path in (OURS, RELEASE, GITHUB))
    found = {*re.findall(r"uses: (.*)", text)}
    assert len({use.partition("@")[0] for use in found}) == len(found)


def test_tools_that_check_the_code_are_pinned() -> None:
    """Each requirement of the extras that check code and documents has one exact version."""
    lines = (ROOT / "ci/constraints.txt").read_text().splitlines()
    pins = dict(line.split("==") for line in lines if not line.startswith("#"))
    assert list(pins) == sorted(pins)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"]
    names = {*re.split(r"[\[\],]", extras["extras"][0])[1:-1]} - {"dask", "examples"}
    names |= {"completion", "explain", "images", "pytest"}
    for requirement in ("numpy", *(one for name in names for one in extras[name])):
        name = re.split(r"[\[<>=;]", requirement)[0]
        assert name == "sm5vk" or re.fullmatch(r"\d+(\.\d+)+", pins[name]), requirement


@pytest.mark.parametrize(
    ("version", "change", "message"),
    [
        ("0.1.0", "## 0.1.0, 2026-01-31", "a tag is v and a version"),
        ("v0.2.0", "## 0.2.0, 2026-01-31", "the tag is v0.2.0, and translate/version.py has 0.1.0"),
        ("v0.1.0", "## 0.1.0, not yet released", "lacks a line '## 0.1.0, YYYY-MM-DD'"),
        ("v0.1.0", "## 0.1.0, 2026-01-31", "packaged into dist"),
    ],
)
def test_a_release_has_its_version(version: str, change: str, message: str, tmp_path: Path) -> None:
    for folder in ("ci", "translate"):
        (tmp_path / folder).mkdir()
    shutil.copy(ROOT / "ci/release.sh", tmp_path / "ci")
    (tmp_path / "ci/package.sh").write_text('echo "packaged into $1"\n')
    (tmp_path / "translate/version.py").write_text('VERSION = "0.1.0"  # read elsewhere\n')
    (tmp_path / "CHANGELOG.md").write_text(f"# Changes\n\n{change}\n")
    command = ["sh", tmp_path / "ci/release.sh", version, "dist"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert message in done.stdout + done.stderr
    assert done.returncode == (0 if "packaged" in message else 1)


def test_supported_pythons_are_tested() -> None:
    """The matrix has the oldest and the newest Python that the package names, and no other."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    named = [c.rpartition(" ")[2] for c in project["classifiers"] if re.search(r":: 3\.\d+$", c)]
    matrix = read(OURS)["jobs"]["lavapipe"]["strategy"]["matrix"]["python"]
    assert matrix == [named[0], named[-1]]
    assert project["requires-python"] == f">={named[0]}"


def test_compiled_wheels_are_built_for_supported_pythons() -> None:
    """For each of them a wheel with machine code, which is compared with the sources."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())
    named = re.findall(r":: (3)\.(\d+)", "\n".join(settings["project"]["classifiers"]))
    wheels = settings["tool"]["cibuildwheel"]
    assert wheels["build"] == [f"cp{major}{minor}-manylinux*" for major, minor in named]
    assert wheels["environment"] == {"SM5VK_COMPILE": "1"}
    (script,) = SCRIPT.findall(wheels["test-command"].replace("{project}/", ""))
    assert "(compiled)" in (ROOT / script).read_text()
    jobs = read(RELEASE)["jobs"]
    assert jobs["publish"]["needs"] == ["build", "wheels"]
    assert "sh ci/wheels.sh dist" in run_steps(read(RELEASE))


def test_a_release_publishes_all_that_it_builds() -> None:
    """Every uploaded folder has a name that the download's pattern fits, and no two the same."""
    jobs = read(RELEASE)["jobs"]
    steps = [step for job in jobs.values() for step in job["steps"]]
    (taken,) = [s["with"] for s in steps if "download-artifact" in s.get("uses", "")]
    given = [s["with"] for s in steps if "upload-artifact" in s.get("uses", "")]
    assert len(given) == len(jobs) - 1
    assert all(fnmatch(one["name"], taken["pattern"]) for one in given)
    assert len({one["name"] for one in given}) == len(given)
    assert {one["path"] for one in (*given, taken)} == {"dist"}
    assert taken["merge-multiple"]


def test_commits_are_checked_as_ci_checks_them() -> None:
    (hook,) = read(ROOT / ".pre-commit-config.yaml")["repos"][0]["hooks"]
    assert hook["entry"] in run_steps(read(OURS))
    assert hook["entry"] in (ROOT / "ci/test.sh").read_text()


def test_drivers_are_those_of_the_setup() -> None:
    setup = (ROOT / "ci/setup.sh").read_text()
    for path in (ROOT / "ci/Containerfile", GITHUB, GITLAB):
        packages = re.search(r"no-install-recommends[\s\\]+([\w .\-]+)", path.read_text())
        assert packages is not None
        for package in packages[1].split():
            assert f" {package}" in setup


def user_commands(text: str) -> list[str]:
    """The commands of a user's workflow after its set-up."""
    workflow = yaml.safe_load(text)
    job = workflow.get("jobs", workflow)["shaders"]
    steps = job.get("script") or run_steps({"jobs": {"shaders": job}})
    return [step.strip() for step in steps if not SETS_UP.match(step)]


@pytest.fixture
def project(device: vkrunner.Device, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A user's project with one shader test and one Python test, and the commands on the path."""
    programs = tmp_path / "programs"
    programs.mkdir()
    for name, module in (("sm5vk", "vkrunner"), ("pytest", "pytest")):
        (programs / name).write_text(COMMAND.format(python=sys.executable, module=module))
        (programs / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{programs}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.setenv("PYTEST_PLUGINS", "vkrunner.pytest_plugin")  # as if it were installed
    folder = tmp_path / "project"
    folder.mkdir()
    return folder


@pytest.mark.slow(reason="eight sessions of a user's project")
@pytest.mark.parametrize("path", [GITHUB, GITLAB], ids=NAME)
@pytest.mark.parametrize("value", [7, 8], ids=["right", "wrong"])
def test_a_users_workflow(path: Path, value: int, project: Path, device: vkrunner.Device) -> None:
    """Each command succeeds where all is right; else it fails and writes JUnit's XML."""
    (project / "a.shader_test").write_text(SHADER_TEST.format(value=value))
    (project / "test_a.py").write_text(PYTHON_TEST.format(value=value))
    commands = user_commands(with_choices(path))
    assert [command.split()[0] for command in commands] == ["sm5vk", "pytest"]
    assert commands[:1] == user_commands(path.read_text())
    for command in commands:
        words = command.replace("lavapipe", f"'{device.name}'")
        done = subprocess.run(
            ["sh", "-c", words], cwd=project, capture_output=True, text=True, timeout=200
        )
        assert done.returncode == (0 if value == 7 else 1), done.stdout + done.stderr
        xml = project / command.split()[-1]
        assert ("<failure" in xml.read_text()) == (value == 8)
