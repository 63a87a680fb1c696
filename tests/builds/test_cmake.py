"""`sm5vk_add_shaders`: what it makes, what it makes again, what it removes and what it refuses."""

import os
import shutil
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage

import pytest

import translate
from tests.commands import ROOT
from tests.hlsl.conftest import DATA, edit
from translate.options import REGISTER_CLASSES

from .conftest import Project, errors_of, make_project, read_json

SHADERS = (Path(__file__).parent / "data/cmake_shaders.txt").read_text("utf-8")
ALL = {"scale.hlsl", "saxpy.dxbc", "moving_average.asm"}
OUTPUTS = {f"spv/{name}.{suffix}" for name in ALL for suffix in ("spv", "json")}
LAYOUT = translate.Options(layout={"cb": (1, 0), "t": (2, 0)}, target="vulkan1.2")


def module_of(source: Path, options: translate.Options = LAYOUT) -> bytes:
    return translate.to_spirv(translate.load(source), options).to_bytes()


@pytest.mark.parametrize(
    "generator",
    [
        "Ninja",
        "Unix Makefiles",
        pytest.param("Ninja Multi-Config", marks=pytest.mark.slow(reason="as Ninja")),
    ],
)
def test_a_build(project: Project, generator: str) -> None:
    project.generator = generator
    project.write(SHADERS)
    assert project.configure().returncode == 0
    assert project.translated() == ALL
    assert project.made() == OUTPUTS
    containers = {
        "scale.hlsl": DATA / "scale-3-4.dxbc",
        "saxpy.dxbc": ROOT / "shaders/saxpy.dxbc",
        "moving_average.asm": ROOT / "shaders/moving_average.asm",
    }
    for name, container in containers.items():
        assert (project.build_folder / f"spv/{name}.spv").read_bytes() == module_of(container)
    rows = read_json(project.build_folder / "spv/saxpy.dxbc.json")["bindings"]
    assert isinstance(rows, list)
    assert {(b["register"], b["set"], b["binding"]) for b in rows} >= {("cb0", 1, 0), ("t0", 2, 0)}
    assert project.translated() == set()

    os.utime(project.folder / "saxpy.dxbc")
    assert project.translated() == {"saxpy.dxbc"}
    (project.folder / "include/factor.h").write_text("#define FACTOR 7\n")
    assert project.translated() == {"scale.hlsl"}
    module = project.build_folder / "spv/scale.hlsl.spv"
    assert module.read_bytes() == module_of(DATA / "scale-7-4.dxbc")
    project.write(SHADERS.replace("N=4", "N=5"))
    assert "scale.hlsl" in project.translated()
    assert module.read_bytes() == module_of(DATA / "scale-7-5.dxbc")
    project.write(SHADERS.replace("N=4", "N=5").replace("vulkan1.2", "vulkan1.3"))
    assert project.translated() == ALL
    (project.build_folder / "spv/saxpy.dxbc.json").unlink()
    (project.build_folder / "spv/moving_average.asm.spv").unlink()
    assert project.translated() == {"saxpy.dxbc", "moving_average.asm"}
    assert project.translated() == set()


@pytest.mark.parametrize("generator", ["Ninja", "Unix Makefiles"])
def test_outputs_of_removed_shaders_go(project: Project, generator: str) -> None:
    project.generator = generator
    second = "sm5vk_add_shaders(TARGET more SOURCES saxpy.dxbc)\n"
    project.write(SHADERS + second)
    project.configure()
    project.translated()
    assert project.made() == OUTPUTS | {"saxpy.dxbc.spv"}
    (project.build_folder / "spv/own.spv").touch()
    project.write(SHADERS.replace("saxpy.dxbc", ""))
    assert project.translated() == set()
    left = {f"spv/{name}.{suffix}" for name in ALL for suffix in ("spv", "json")} | {"spv/own.spv"}
    assert project.made() == left - {"spv/saxpy.dxbc.spv", "spv/saxpy.dxbc.json"}
    project.write("")
    assert project.translated() == set()
    assert project.made() == {"spv/own.spv"}


@pytest.mark.parametrize("generator", ["Ninja", "Unix Makefiles"])
def test_a_failing_shader(project: Project, generator: str) -> None:
    """It is named, and fails again until it is right; others are not affected."""
    project.generator = generator
    project.write(SHADERS)
    project.configure()
    project.translated()
    good = (project.folder / "moving_average.asm").read_text()
    for text, message in (
        (good.replace("ret", "frob r0.x\nret"), "frob"),
        (good.replace("dcl_thread_group", "// dcl_thread_group"), "no dcl_thread_group"),
    ):
        (project.folder / "moving_average.asm").write_text(text)
        for _ in range(2):
            done = project.build()
            assert done.returncode != 0
            said = done.stdout + done.stderr
            (line,) = (line for line in said.splitlines() if message in line and "error" in line)
            assert str(project.folder / "moving_average.asm") in line
    (project.folder / "moving_average.asm").write_text(good)
    assert project.translated() == {"moving_average.asm"}
    project.write(SHADERS.replace("t=2:0", "t=2:0,u=1:0"))  # in the place of cb0
    for _ in range(2):
        done = project.build("--", "-k")
        assert done.returncode != 0
    project.write(SHADERS)
    assert project.translated() <= ALL
    assert project.translated() == set()


def test_a_changed_translator(project: Project) -> None:
    """The first build says nothing but the names of shaders, which have no faults."""
    project.write(SHADERS)
    project.configure()
    lines = project.build().stdout.splitlines()
    assert sorted(line.partition("] ")[2] for line in lines) == sorted(
        map("Translating {}".format, ALL)
    )
    (project.package / "translate/more.py").write_text("")
    project.configure()
    assert project.translated() == ALL
    (project.package / "translate/more.py").write_text("# changed\n")
    assert project.translated() == ALL
    assert project.translated() == set()


@pytest.mark.parametrize("generator", ["Ninja", "Unix Makefiles"])
def test_names(tmp_path: Path, generator: str) -> None:
    """Ninja's depfiles hold fewer characters than make's."""
    more = "" if generator == "Ninja" else " $1"
    project = make_project(tmp_path, f"pro ject ü (x){more}")
    project.generator = generator
    name = f"a b ü (x){more}.dxbc"
    shutil.copy(ROOT / "shaders/saxpy.dxbc", project.folder / name)
    text = SHADERS.replace("saxpy.dxbc", f'"{name}"')
    project.write(text.replace("include\n", f'"in {more}"\n').replace("spv", '"s p v"'))
    (project.folder / "include").rename(project.folder / f"in {more}")
    assert project.configure().returncode == 0
    assert project.translated() == {"scale.hlsl", name, "moving_average.asm"}
    saxpy = project.build_folder / "s p v" / f"{name}.spv"
    assert saxpy.read_bytes() == module_of(ROOT / "shaders/saxpy.dxbc")
    assert project.translated() == set()
    (project.folder / f"in {more}/factor.h").write_text("#define FACTOR 7\n")
    assert project.translated() == {"scale.hlsl"}


def test_places_of_outputs(project: Project) -> None:
    """Relative to the build's or the source's folder, or to BASE_DIRECTORY; else the file name."""
    (project.folder / "deep/er").mkdir(parents=True)
    shutil.copy(ROOT / "shaders/saxpy.dxbc", project.folder / "deep/er")
    shutil.copy(ROOT / "shaders/saxpy.dxbc", project.folder.parent / "outside.dxbc")
    project.write(
        """
        add_custom_command(
            OUTPUT made/made.dxbc
            COMMAND ${CMAKE_COMMAND} -E copy ${CMAKE_CURRENT_SOURCE_DIR}/saxpy.dxbc made/made.dxbc
            DEPENDS saxpy.dxbc
        )
        set(made ${CMAKE_CURRENT_BINARY_DIR}/made/made.dxbc)
        sm5vk_add_shaders(TARGET a SOURCES deep/er/saxpy.dxbc ../outside.dxbc ${made})
        sm5vk_add_shaders(
            TARGET b SOURCES deep/er/saxpy.dxbc BASE_DIRECTORY deep OUTPUT_DIRECTORY b
            EXCLUDE_FROM_ALL
        )
        install(FILES $<TARGET_PROPERTY:a,SM5VK_MODULES> DESTINATION there)
        sm5vk_add_shaders(TARGET c SOURCES saxpy.dxbc OUTPUT_DIRECTORY c/ EXCLUDE_FROM_ALL)
        get_target_property(modules a SM5VK_MODULES)
        get_target_property(other c SM5VK_MODULES)
        message(STATUS "modules: ${modules};${other}")
        """
    )
    done = project.configure(f"-DCMAKE_INSTALL_PREFIX={project.folder / 'installed'}")
    names = ("deep/er/saxpy", "outside", "made/made", "c/saxpy")
    modules = ";".join(f"{project.build_folder}/{name}.dxbc.spv" for name in names)
    assert f"modules: {modules}\n" in done.stdout
    project.translated()
    found = {"deep/er/saxpy.dxbc.spv", "outside.dxbc.spv", "made/made.dxbc.spv"}
    assert project.made() == found
    assert project.translated("--target", "b") == {"saxpy.dxbc"}
    assert project.made() == found | {"b/er/saxpy.dxbc.spv"}
    project.build("--target", "install")
    installed = {path.name for path in (project.folder / "installed/there").iterdir()}
    assert installed == {Path(path).name for path in found}


IN_DEBUG = "sm5vk_add_shaders(TARGET a SOURCES saxpy.dxbc OPTIONS $<$<CONFIG:Debug>:--debug-info>)"


def test_options_of_a_configuration(project: Project) -> None:
    project.write(IN_DEBUG)
    project.configure("-DCMAKE_BUILD_TYPE=Release")
    project.translated()
    module = project.build_folder / "saxpy.dxbc.spv"
    assert module.read_bytes() == module_of(project.folder / "saxpy.dxbc", translate.Options())
    project.configure("-DCMAKE_BUILD_TYPE=Debug")
    assert project.translated() == {"saxpy.dxbc"}
    options = translate.Options(debug_info=True)
    assert module.read_bytes() == module_of(project.folder / "saxpy.dxbc", options)


def test_macros_in_generator_expressions(project: Project) -> None:
    """One of them gives none, and the other two."""
    given = "$<$<CONFIG:Debug>:X=1> $<TARGET_PROPERTY:game,INTERFACE_COMPILE_DEFINITIONS>"
    target = "add_library(game INTERFACE)\ntarget_compile_definitions(game INTERFACE M=2 N=4)\n"
    project.write(target + SHADERS.replace("N=4", given))
    project.configure("-DCMAKE_BUILD_TYPE=Release")
    assert "scale.hlsl" in project.translated()
    module = project.build_folder / "spv/scale.hlsl.spv"
    assert module.read_bytes() == module_of(DATA / "scale-3-4.dxbc")


@pytest.mark.parametrize("words", ["DEFINES N", "INCLUDE_DIRECTORIES .", "HLSL_OPTIONS -O3"])
def test_options_of_hlsl_do_not_concern_containers(project: Project, words: str) -> None:
    project.write(CALL + "saxpy.dxbc)")
    project.configure()
    assert project.translated() == {"saxpy.dxbc"}
    project.write(f"{CALL}saxpy.dxbc {words})")
    assert project.translated() == set()


INDIRECTLY = (Path(__file__).parent / "data/cmake_indirectly.txt").read_text("utf-8")
SEVERAL = [
    (IN_DEBUG, "(a): OPTIONS depends on the configuration, and Ninja Multi-Config has several"),
    (INDIRECTLY, "sm5vk-options.txt"),  # in CMake's own message
]


@pytest.mark.parametrize(("text", "message"), SEVERAL)
def test_options_of_several_configurations(project: Project, text: str, message: str) -> None:
    """All would write one module: the last one built would be that of the others, too."""
    project.generator = "Ninja Multi-Config"
    project.write(text)
    done = project.configure()
    assert message in errors_of(done)
    assert done.returncode == 1


def test_dependencies_of_the_user(project: Project) -> None:
    project.write("sm5vk_add_shaders(TARGET a SOURCES saxpy.dxbc DEPENDS include/factor.h)")
    project.configure()
    project.translated()
    os.utime(project.folder / "include/factor.h")
    assert project.translated() == {"saxpy.dxbc"}


CALL = "sm5vk_add_shaders(TARGET a SOURCES "
REFUSED = {
    CALL + "none.dxbc)": "(a): there is no FOLDER/none.dxbc, and no custom command above makes it",
    CALL + "saxpy.dxbc;none.hlsl)": "(a): there is no FOLDER/none.hlsl",
    CALL + r"saxpy\;none.hlsl)": "(a): SOURCES: 'saxpy;none.hlsl' has a semicolon",
    CALL + "[[a\n[.hlsl]] saxpy.dxbc)": "(a): SOURCES: 'a?[.hlsl;saxpy.dxbc' has a semicolon",
    CALL + "a[.hlsl saxpy.dxbc)": "(a): SOURCES: 'a[.hlsl;saxpy.dxbc' has a semicolon",
    CALL + r"saxpy.dxbc DEFINES A=\;)": "(a): DEFINES: 'A=;' has a semicolon",
    CALL
    + "saxpy.dxbc ./saxpy.dxbc)": "is made from FOLDER/saxpy.dxbc already: name this source once",
    CALL + "saxpy.dxbc ENTRY main)": "there is no FOLDER/ENTRY",
    "sm5vk_add_shaders(shaders SOURCES saxpy.dxbc)": "unknown arguments: shaders",
    "sm5vk_add_shaders(SOURCES saxpy.dxbc)": "TARGET and SOURCES are needed",
    "sm5vk_add_shaders(TARGET a)": "(a): TARGET and SOURCES are needed",
    CALL + ")": "(a): SOURCES has no value: did a file(GLOB) find no file?",
    CALL + "saxpy.dxbc INTERFACE)": "(a): SOURCES has INTERFACE: the keyword is INTERFACES",
    CALL + "saxpy.dxbc LAYOUT cb=0:0 t=1:0 s=3:16)": "LAYOUT has spaces: write cb=0:0,t=1:0,s=3:16",
    CALL + "saxpy.dxbc LAYOUT)": "(a): LAYOUT has no value",
    CALL + "CMakeLists.txt DEFINES N)": "CMakeLists.txt may be HLSL or not: DEFINES, INCLUDE_DIR",
    CALL + "saxpy.dxbc OUTPUT_DIRECTORY $<CONFIG>)": "(a): OUTPUT_DIRECTORY takes no gener",
    CALL + '"saxpy.dxbc" "$x.dxbc")': "FOLDER/$x.dxbc: depfiles cannot hold '$'",
    CALL + '"&.dxbc")': "FOLDER/&.dxbc: depfiles cannot hold '&'",
    CALL + 'saxpy.dxbc OUTPUT_DIRECTORY "x\'")': "FOLDER/saxpy.dxbc: depfiles cannot hold",
    CALL + 'saxpy.dxbc OUTPUT_DIRECTORY "100%")': "FOLDER/saxpy.dxbc: depfiles cannot hold '%'",
    CALL + 'saxpy.dxbc INCLUDE_DIRECTORIES "a*")': "saxpy.dxbc: depfiles cannot hold '*'",
    CALL + 'saxpy.dxbc INCLUDE_DIRECTORIES "a=b" "100%")': "saxpy.dxbc: depfiles cannot hold '='",
    CALL + "saxpy.dxbc INCLUDE_DIRECTORIES [[C:/a:b]])": "saxpy.dxbc: depfiles cannot hold ':'",
    CALL + "saxpy.dxbc INCLUDE_DIRECTORIES [[a[b]c]])": "saxpy.dxbc: depfiles cannot hold '['",
    CALL + "saxpy.dxbc OUTPUT_DIRECTORY $(x))": "saxpy.dxbc: depfiles cannot hold '$('",
    CALL + "[[a$<1:b>.dxbc]])": "a path has a control character, a mark of",
    CALL + "[[a\tb.dxbc]])": "a path has a control character, a mark of",
    CALL + "[[\u65e5\u20ac.dxbc]] [[a\x7fb.dxbc]])": "there is no FOLDER/\u65e5\u20ac.dxbc",
    CALL + "saxpy.dxbc OUTPUT_DIRECTORY [[a;b]])": "OUTPUT_DIRECTORY has a semicolon",
    CALL + "saxpy.dxbc OPTIONS --for desktop -o x.spv)": "OPTIONS has -o: outputs and the layout",
    CALL + "saxpy.dxbc OPTIONS --interface=x.json)": "OPTIONS has --interface=x.json",
    CALL + "saxpy.dxbc OPTIONS --fro desktop)": "(a): sm5vk translate has no option --fro",
    CALL + "saxpy.dxbc HLSL_OPTIONS --entri=main)": "(a): sm5vk translate has no option --entri",
    CALL + 'saxpy.dxbc OPTIONS "--for desktop")': "'--for desktop' is one word: write each without",
    CALL + "saxpy.dxbc OPTIONS --strict INTERFACE)": "OPTIONS has INTERFACE: the keyword is INTER",
    CALL + "saxpy.dxbc OPTIONS --strict interfaces)": "OPTIONS has interfaces: the keyword is",
    CALL + "saxpy.dxbc DEFINES A=1 OPTION --strict)": "DEFINES has OPTION: the keyword is OPTIONS",
    CALL + "saxpy.dxbc DEFINES A=1 -DB)": "(a): DEFINES has -DB: name macros alone",
    CALL + "saxpy.dxbc OPTIONS --strict DEFINE A)": "OPTIONS has DEFINE: the keyword is DEFINES",
    CALL + "saxpy.dxbc DEPENDS a.h BASE_DIRECTORIES b)": "the keyword is BASE_DIRECTORY",
    CALL + "saxpy.dxbc INCLUDE_DIRECTORIES . LAYOUTS cb=0:0)": "the keyword is LAYOUT",
    CALL + "saxpy.dxbc LAYOUT c=0:0)": "(a): LAYOUT is c=0:0, but should be class=set:binding,...",
    CALL + "saxpy.dxbc LAYOUT cb=0:0,t=1)": "LAYOUT is cb=0:0,t=1, but should be",
    CALL + "saxpy.dxbc LAYOUT cb=0:0,)": "LAYOUT is cb=0:0,, but should be",
    CALL + "saxpy.dxbc)\nsm5vk_add_shaders(TARGET b SOURCES saxpy.dxbc)": "(b): ",
    "set(SM5VK_FXC [[a;b]])\n" + CALL + "saxpy.dxbc)": "SM5VK_FXC takes no semicolon",
}


@pytest.mark.parametrize("text", REFUSED)
def test_refusals(project: Project, text: str) -> None:
    for name in ("$x.dxbc", "&.dxbc"):
        shutil.copy(project.folder / "saxpy.dxbc", project.folder / name)
    project.write(text)
    assert REFUSED[text].replace("FOLDER", str(project.folder)) in errors_of(project.configure())


def test_names_that_a_log_would_not_show_as_they_are(project: Project) -> None:
    """The comment of a command, which a build prints, has the name."""
    project.write(f"{CALL}[[\u202e.dxbc]])")
    run = project.configure()
    assert "(a): a path has a control character, a mark of" in errors_of(run)
    assert "\u202e" not in run.stdout + run.stderr
    for name in ("##vso[task.x]a.dxbc", "##[error]a.dxbc"):  # commands of Azure's pipelines
        project.write(f"{CALL}[[{name}]])")
        run = project.configure()
        assert "a command of CI" in errors_of(run)
        assert "##" not in run.stdout + run.stderr
    project.write(f"{CALL}[[\x7f\x9b\u061c\u2028\u200e\u2067-a;b]])")
    assert "SOURCES: '??????-a;b' has a semicolon" in errors_of(project.configure())


def test_every_option_and_class(project: Project) -> None:
    """What the command accepts is not refused; macros may have the names of keywords."""
    layout = ",".join(f"{name}={n}:{10 * n}" for n, name in enumerate(REGISTER_CLASSES))
    project.write(
        f"{CALL}saxpy.dxbc LAYOUT {layout}\n"
        "OPTIONS --for desktop --max-words=100000 $<$<CONFIG:Debug>:--debug-info>\n"
        'HLSL_OPTIONS --entry main -O3 "--fxc-flags=/Gis /nologo" DEFINES INTERFACE=1 OPTION=2)\n'
        f"sm5vk_add_shaders(TARGET b SOURCES saxpy.dxbc OUTPUT_DIRECTORY b LAYOUT $<1:{layout}>)"
    )
    assert project.configure().returncode == 0
    assert project.translated() == {"saxpy.dxbc"}


def test_another_package(project: Project) -> None:
    project.write("")
    (project.folder.parent / "sm5vk").write_text("#!/bin/sh\necho /elsewhere/vkrunner/cmake\n")
    assert "is not the command of the package with" in errors_of(project.configure())


@pytest.mark.parametrize(
    ("wanted", "found"), [("", 1), ("0.1", 1), ("0.1.0", 1), ("0.1.1", 0), ("0.2", 0), ("0.0", 0)]
)
def test_versions(project: Project, wanted: str, found: int) -> None:
    (project.package / "translate/version.py").write_text('VERSION = "0.1.0"\n')
    project.write(f"find_package(sm5vk {wanted})\nmessage(STATUS [${{sm5vk_FOUND}}])")
    text = (project.folder / "CMakeLists.txt").read_text()
    (project.folder / "CMakeLists.txt").write_text(text.replace("find_package(sm5vk REQUIRED)", ""))
    assert f"[{found}]" in project.configure().stdout


@pytest.mark.parametrize(
    "count",
    [
        pytest.param(50, marks=pytest.mark.slow(reason="a process for each shader")),
        pytest.param(200, marks=pytest.mark.thorough(reason="more shaders")),
    ],
)
def test_many_shaders(project: Project, monkeypatch: pytest.MonkeyPatch, count: int) -> None:
    monkeypatch.setenv("SM5VK_CACHE", "1")  # one translation for all copies
    monkeypatch.setenv("SM5VK_CACHE_DIR", str(project.folder.parent / "cache"))
    compiled = count // 10
    for number in range(count - compiled):
        shutil.copy(project.folder / "moving_average.asm", project.folder / f"{number}.asm")
    shader = (project.folder / "scale.hlsl").read_text()
    (project.folder / "include/other.h").write_text("#define FACTOR 3\n")
    for number in range(compiled):
        header = "other.h" if number % 2 else "factor.h"
        (project.folder / f"{number}.hlsl").write_text(shader.replace("factor.h", header))
    project.write("file(GLOB sources *.asm ?.hlsl ??.hlsl)\n" + SHADERS.replace("saxpy.dxbc", ""))
    edit(project.folder / "CMakeLists.txt", "scale.hlsl", "${sources}")
    edit(project.folder / "CMakeLists.txt", " moving_average.asm", "")
    assert project.configure().returncode == 0
    assert len(project.translated()) == count + 1

    def seconds(changed: str = "") -> float:
        """The processor time of a build, which other programs do not make longer."""
        if changed:
            os.utime(project.folder / changed)
        before = getrusage(RUSAGE_CHILDREN)
        made = project.translated_by("ninja", "-C", "build")
        after = getrusage(RUSAGE_CHILDREN)
        assert made == ({changed} if changed else set())
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    assert min(seconds() for _ in range(5)) <= 0.1
    assert min(seconds(f"{number}.asm") for number in range(3)) <= 1.5
    (project.folder / "include/factor.h").write_text("#define FACTOR 7\n")
    assert project.translated() == {f"{number}.hlsl" for number in range(0, compiled, 2)}
