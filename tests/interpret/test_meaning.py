"""The meaning of modules: control flow, memory, denormals and NaNs, in hand-written text."""

from __future__ import annotations

import numpy as np

from translate.interpret import D3D, KEPT, RESULTS_ZERO

from .programs import run

_DENORMAL = 0x00000003


def test_loops_end_for_each_thread_by_itself() -> None:
    """Thread n stops adding at n: its value stays while other threads go on."""
    body = """
  %0: u32 = input (vThreadID.x)
  loop 0, 0 (%1: u32, %2: u32) {
    %3: u32 = iadd %2, %1
    %4: bool = uge %1, %0
    if %4 {
      break %3
    } else {
      yield
    }
    %5: u32 = iadd %1, 1
    continue %5, %3
  } -> %6: u32
  store_element %0, %6 (u0.0)
  %7: u32 = iadd %0, 4
  store_element %7, %3 (u0.0)
  return
"""
    assert run(body).tolist() == [0, 1, 3, 6] * 2


def test_parameters_of_a_loop_change_at_the_same_time() -> None:
    """Two values are swapped in every round."""
    body = """
  %0: u32 = input (vThreadID.x)
  loop 0, 7, 9 (%1: u32, %2: u32, %3: u32) {
    %4: bool = ieq %1, %0
    if %4 {
      break %2
    } else {
      yield
    }
    %5: u32 = iadd %1, 1
    continue %5, %3, %2
  } -> %6: u32
  store_element %0, %6 (u0.0)
  return
"""
    assert run(body)[:4].tolist() == [7, 9, 7, 9]


def test_cases_fall_through() -> None:
    body = """
  %0: u32 = input (vThreadID.x)
  switch %0, 100 case 0, 3 {
    fall_through 10
  } case 1 (%1: u32) {
    %2: u32 = iadd %1, 1
    break %2
  } case default {
    break 5
  } -> %3: u32
  store_element %0, %3 (u0.0)
  return
"""
    assert run(body)[:4].tolist() == [11, 101, 5, 11]


def test_returned_threads_do_nothing_more() -> None:
    body = """
  %0: u32 = input (vThreadID.x)
  %1: bool = ult %0, 2
  if %1 {
    return
  } else {
    yield
  }
  store_element %0, 1 (u0.0)
  return
"""
    assert run(body)[:4].tolist() == [0, 0, 1, 1]


def test_atomics_go_in_the_order_of_threads() -> None:
    body = """
  %0: u32 = input (vThreadID.x)
  %1: u32 = iadd %0, 1
  %2: u32 = atomic_element 7, %1 (u0.0 iadd)
  store_element %0, %2 (u0.0)
  return
"""
    assert run(body).tolist() == [0, 1, 3, 6, 0, 0, 0, 10]


def test_groups_have_memory_of_their_own_and_start_with_zeros() -> None:
    body = """
  %0: u32 = input (vThreadIDInGroupFlattened.x)
  %1: u32 = atomic_element 0, 1 (g0.0 iadd)
  store_element %1, %0 (x0.0)
  %2: u32 = load_element %0 (x0.0)
  %3: u32 = iadd %1, %2
  store_element %0, %3 (u0.0)
  return
"""
    assert run(body)[:4].tolist() == [0, 2, 4, 6]


def test_denormals() -> None:
    """D3D's arithmetic flushes them to zeros of their sign; a move keeps them."""
    body = """
  %0: u32 = load_element 0 (u0.0)
  %1: f32 = bitcast %0
  %2: f32 = fadd %1, f32:0x80000000
  %3: u32 = bitcast %2
  store_element 1, %3 (u0.0)
  %4: bool = feq %1, 0.0f
  %5: u32 = mask %4
  store_element 2, %5 (u0.0)
  %6: f32 = fneg %1
  %7: u32 = bitcast %6
  store_element 3, %7 (u0.0)
  %8: f32 = flush %6
  %9: u32 = bitcast %8
  store_element 4, %9 (u0.0)
  return
"""
    words = np.array([_DENORMAL, 0, 0, 0, 0], np.uint32)
    ones, negated, zero = 0xFFFFFFFF, 0x80000003, 0x80000000
    assert run(body, words, denormals=D3D)[1:].tolist() == [0, ones, negated, zero]
    assert run(body, words, denormals=KEPT)[1:].tolist() == [_DENORMAL, 0, negated, zero]
    assert run(body, words, denormals=RESULTS_ZERO)[1:].tolist() == [0, 0, negated, zero]


def test_denormals_within_an_instruction() -> None:
    """They stay as long as only arithmetic of the instruction uses them, in any place."""
    body = """
  %0: u32 = load_element 0 (u0.0)
  %1: f32 = bitcast %0
  %2: f32 = fmul %1, 0.5f
  %3: f32 = fadd %2, %1
  %4: f32 = fadd %1, %2
  %5: u32 = bitcast %3
  store_element 1, %5 (u0.0)
  %6: u32 = bitcast %4
  store_element 2, %6 (u0.0)
  %7: f32 = fmul %1, 0.5f @0
  %8: f32 = fadd %7, %1
  %9: u32 = bitcast %8
  store_element 3, %9 (u0.0)
  return
"""
    least = 0x00800000
    words = np.array([least, 0, 0, 0], np.uint32)
    kept = least + least // 2
    assert run(body, words, denormals=D3D, places=7)[1:].tolist() == [kept, kept, least]


def test_arithmetic_gives_one_nan_and_moves_keep_others() -> None:
    body = """
  %0: u32 = load_element 0 (u0.0)
  %1: f32 = bitcast %0
  %2: f32 = fadd %1, 1.0f
  %3: u32 = bitcast %2
  store_element 1, %3 (u0.0)
  %4: f32 = fneg %1
  %5: u32 = bitcast %4
  store_element 2, %5 (u0.0)
  return
"""
    words = np.array([0x7F812345, 0, 0], np.uint32)
    assert run(body, words)[1:].tolist() == [0x7FC00000, 0xFF812345]
