"""Outcomes as JUnit's XML and JSON, read back by other parsers."""

from __future__ import annotations

import dataclasses
import json
import xml.etree.ElementTree as xml

from translate import Where
from vkrunner.shadertest import outcome as report
from vkrunner.shadertest.outcome import INPUT, Failure, Outcome

WHERE = Where("a b.shader_test", 7, 3, 5)
OUTCOMES = [
    Outcome("a b.shader_test", "one", "lavapipe", 5, seconds=0.25, tolerated=("line 9: u0",)),
    Outcome(
        *("a b.shader_test", "two", "lavapipe", 6),
        failures=(
            Failure("u0: 1 of 2, 50%\x00", WHERE, "  probe <it>", ("at  1", "é")),
            Failure("more", WHERE),
        ),
        seconds=0.5,
    ),
    Outcome("b", "", "", 1, (Failure("no section", Where("b", 1), code=INPUT),)),
    Outcome("c", "1", "reference", 2, reason="lacks float64"),
]


def test_junit() -> None:
    root = xml.fromstring(report.to_junit(OUTCOMES, {"lavapipe": {"driver": "Mesa \x00"}}))
    suites = {suite.get("name"): suite for suite in root}
    assert list(suites) == ["lavapipe", "files", "reference"]
    lavapipe = suites["lavapipe"]
    counts = [lavapipe.get(name) for name in ("tests", "failures", "errors", "skipped", "time")]
    assert counts == ["2", "1", "0", "0", "0.750"]
    properties, one, two = lavapipe
    assert [part.attrib for part in properties] == [{"name": "driver", "value": "Mesa \ufffd"}]
    assert (one.get("classname"), one.get("name")) == ("a b.shader_test", "one on lavapipe")
    assert [(part.tag, part.text) for part in one] == [("system-out", "line 9: u0")]
    assert two[0].tag == "failure"
    assert two[0].get("message") == "u0: 1 of 2, 50%\ufffd"
    assert "     |   ^^^^^\n     at  1\n     é" in str(two[0].text)
    assert suites["files"][0][0].tag == "error"
    assert suites["reference"][0][0].get("message") == "lacks float64"


def test_junit_of_one_device() -> None:
    root = xml.fromstring(report.to_junit(OUTCOMES[:3]))
    assert [case.get("name") for case in root.iter("testcase")] == ["one", "two", "b"]


def test_violations_that_no_line_checks() -> None:
    rows = [dataclasses.replace(OUTCOMES[0], unchecked=count) for count in (1, 11)]
    assert rows[0].title == "PASSED a b.shader_test::one on lavapipe: 1 violation"
    text = "2 passed, 12 violations (add `violations none`) in 1.00 s"
    assert report.summary(rows, 1) == text


def test_json() -> None:
    data = json.loads(json.dumps(report.to_json(OUTCOMES, 1.5)))
    assert data["summary"] == {"passed": 1, "failed": 1, "error": 1, "skipped": 1, "seconds": 1.5}
    assert [test["status"] for test in data["tests"]] == ["passed", "failed", "error", "skipped"]
    assert [test["tolerated"] for test in data["tests"]] == [["line 9: u0"], [], [], []]
    failure = data["tests"][1]["failures"][0]
    assert (failure["line"], failure["column"], failure["details"]) == (7, 3, ["at  1", "é"])


def test_text() -> None:
    text = OUTCOMES[1].text().splitlines()
    assert text[0] == "FAILED a b.shader_test::two on lavapipe"
    assert text[1].startswith("a b.shader_test:7:3: error: u0")
    assert report.summary(OUTCOMES, 2) == "1 passed, 1 failed, 1 error, 1 skipped in 2.00 s"
    assert OUTCOMES[3].title == "SKIPPED c::1 on reference: lacks float64"
