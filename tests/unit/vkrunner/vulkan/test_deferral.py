"""When what was closed is destroyed: behind the work and the calls that may need it."""

from __future__ import annotations

import os
from contextlib import ExitStack

import pytest

from vkrunner.vulkan.deferral import Call, Deferral


class Log:
    """A Deferral with work of chosen serials in flight, and what it closed, in order."""

    def __init__(self):
        self.work: list[int] = []
        self.closed: list[str] = []
        self.deferral = Deferral(lambda default: min(self.work, default=default))

    def submit(self) -> int:
        self.deferral.serial += 1
        self.work.append(self.deferral.serial)
        return self.deferral.serial

    def end(self, work: int) -> None:
        self.work.remove(work)
        self.deferral.sweep_soon()

    def close(self, name: str, *, shared: bool, made: int = 0) -> None:
        stack = ExitStack()
        stack.callback(self.closed.append, name)
        self.deferral.close_later(stack, made=made, shared=shared)


def test_nothing_is_in_the_way() -> None:
    log = Log()
    for shared in (False, True):
        log.close(f"shared {shared}", shared=shared)
    assert log.closed == ["shared False", "shared True"]


def test_work_in_flight_is_waited_for_but_none_that_comes_later() -> None:
    log = Log()
    for shared in (False, True):
        first = log.submit()
        log.close("thing", shared=shared)
        later = log.submit()
        log.deferral.sweep()
        assert not log.closed
        log.end(first)
        assert log.closed == ["thing"]
        log.end(later)
        log.closed.clear()


def test_calls_are_waited_for_where_it_is_shared() -> None:
    log = Log()
    with Call(log.deferral):
        log.close("own", shared=False)
        assert log.closed == ["own"]
        log.close("shared", shared=True)
        with Call(log.deferral):
            pass
        assert log.closed == ["own"]
    assert log.closed == ["own", "shared"]


def test_a_call_that_began_before_a_thing_was_made_is_not_waited_for() -> None:
    log = Log()
    with Call(log.deferral):
        log.close("older", made=log.deferral.serial, shared=True)
        log.close("newer", made=log.deferral.serial, shared=True)
        assert log.closed == ["newer"]
    assert log.closed == ["newer", "older"]


def test_a_call_that_never_began() -> None:
    log = Log()
    del_only = Call.__new__(Call)
    del del_only
    Call(log.deferral)
    log.close("thing", shared=True)
    assert log.closed == ["thing"]


def test_an_end_that_is_interrupted_can_be_repeated() -> None:
    log = Log()
    ends = iter((KeyboardInterrupt, None))

    def last() -> None:
        error = next(ends)
        if error:
            raise error
        log.closed.append("device")

    with pytest.raises(KeyboardInterrupt):
        log.deferral.when_unused(last)
    with Call(log.deferral):
        pass
    assert log.closed == ["device"]


def test_what_a_call_submits_behind_the_closing_is_waited_for() -> None:
    log = Log()
    with Call(log.deferral):
        log.close("pipeline", shared=True)
        work = log.submit()
    assert not log.closed
    log.end(work)
    assert log.closed == ["pipeline"]


def test_a_call_whose_end_was_interrupted() -> None:
    """Ctrl-C may come before the first step of `__exit__`."""
    log = Log()
    call = Call(log.deferral)
    call.__enter__()
    log.close("thing", shared=True)
    log.deferral.when_unused(lambda: log.closed.append("device"))
    assert not log.closed
    del call
    assert log.closed == ["device"]
    log.deferral.close_all()
    assert log.closed == ["device", "thing"]


def test_what_is_closed_while_another_is() -> None:
    log = Log()
    stack = ExitStack()
    with Call(log.deferral):
        stack.callback(log.close, "within", shared=True)
        log.deferral.close_later(stack, made=0, shared=False)
        assert not log.closed
    assert log.closed == ["within"]


def test_a_forked_process_destroys_nothing() -> None:
    log = Log()
    call = Call(log.deferral)
    call.__enter__()
    log.close("thing", shared=True)
    log.deferral.when_unused(lambda: log.closed.append("device"))
    child = os.fork()
    if child == 0:
        try:
            call.__exit__(None, None, None)
        finally:
            os._exit(len(log.closed))
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    call.__exit__(None, None, None)
    assert sorted(log.closed) == ["device", "thing"]
