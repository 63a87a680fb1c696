"""Tests that cannot run where the reference machine is the device, each with the reason.

Only this table skips them there. With any other device all of them run.
"""

_LIMITS = "the limits of a Vulkan device"
_FEATURES = "the features of a Vulkan device"
_PIPELINES = "the driver's pipelines"
_OTHER_FORMATS = "the formats that a Vulkan device offers"
_MODULES = "finished SPIR-V, which the reference machine does not run"
_HOST = "a Vulkan host"
_DRIVERS = "the installed drivers"
_TIME = "the time on a device, which the reference machine does not measure"
_RECORDINGS = "cached command buffers"
_LAVAPIPE = "lavapipe, by name"
_PEERS = "the time that other Vulkan programs take"
_RESULTS = "what a driver's calls return"
_QUEUE = "work in flight on a queue"
_REENTRY = "handlers and finalizers within a dispatch, all of which the reference machine refuses"
_LAYER = "the validation layer"
_POOLS = "memory allocated by the driver"
_COMPILER = "AMD's compiler, a part of Mesa"
_FAULTS = "the faults of a driver"
_DESCRIPTORS = "descriptors"

# A file, a function in it, or one test of that -> its subject
VULKAN_ONLY = {
    "tools/test_benchmarks.py::test_machine_names_its_devices": _DRIVERS,
    "tools/test_benchmarks.py::test_part[code]": _MODULES,
    "tools/test_benchmarks.py::test_part[dispatch]": _PEERS,
    "tools/test_benchmarks.py::test_part[isa]": _COMPILER,
    "tools/test_kernels.py::test_blur_halves[GLSL]": _MODULES,
    "tools/test_peers.py": _PEERS,
    "constants/test_sizes.py::test_a_finished_module": _MODULES,
    "docs/test_hosts.py::test_page": _HOST,
    "docs/test_pages.py::test_page[docs/ci.md]": _LAVAPIPE,
    "docs/test_pages.py::test_page[docs/pytest.md]": _LAVAPIPE,
    "docs/test_pages.py::test_page[docs/shader-tests.md]": _LAVAPIPE,
    "faults/test_every_call.py": _RESULTS,
    "faults/test_faults.py::test_a_device_that_cannot_be_opened": _RESULTS,
    "faults/test_faults.py::test_a_driver_without_fences": _RESULTS,
    "faults/test_faults.py::test_no_memory_for_a_buffer": _RESULTS,
    "faults/test_faults.py::test_the_device_works_after_any_failure": _RESULTS,
    "formats/test_lacking.py": _FEATURES,
    "formats/test_modules.py": _MODULES,
    "frame/test_ports.py": _HOST,
    "fuzz/test_fuzz.py::test_device_and_machine_agree": _MODULES,
    "fuzz/test_fuzz.py::test_earlier_findings": _MODULES,
    "host/test_host.py": _HOST,
    "plugin/test_devices.py::test_a_parameter_for_each_of_several": _DRIVERS,
    "plugin/test_devices.py::test_an_unknown_device_names_those_there_are": _DRIVERS,
    "plugin/test_devices.py::test_the_best_device_is_the_default": _DRIVERS,
    "plugin/test_shader_tests.py::test_each_test_is_an_item_on_each_device": _DRIVERS,
    "plugin/test_validation.py::test_every_phase": _LAYER,
    "plugin/test_validation.py::test_no_layer": _LAYER,
    "plugin/test_validation.py::test_the_layer_itself": _LAYER,
    "tools/test_gpus.py": _COMPILER,
    "running/test_arrays.py::test_other_memory_is_read": _POOLS,
    "running/test_async.py::test_a_wait_that_ends_too_early": _QUEUE,
    "running/test_async.py::test_a_result_is_asked_for_while_the_device_is_closed": _QUEUE,
    "running/test_async.py::test_a_wait_takes_its_timeout_once": _RESULTS,
    "running/test_async.py::test_awaited_futures_without_results": _RESULTS,
    "running/test_async.py::test_futures_that_are_not_kept": _RESULTS,
    "running/test_awaiting.py::test_a_fork_beside_the_thread": _QUEUE,
    "running/test_awaiting.py::test_a_loop_that_is_closed_before_the_end": _QUEUE,
    "running/test_awaiting.py::test_a_lost_device": _RESULTS,
    "running/test_awaiting.py::test_an_exception_that_is_asked_for_too_early": _QUEUE,
    "running/test_awaiting.py::test_closing_in_a_callback": _QUEUE,
    "running/test_awaiting.py::test_ctrl_c_in_a_loop": _QUEUE,
    "running/test_awaiting.py::test_functions_are_called_once_in_their_order": _QUEUE,
    "running/test_awaiting.py::test_one_thread_that_ends": _QUEUE,
    "running/test_awaiting.py::test_outside_of_a_loop": _QUEUE,
    "running/test_awaiting.py::test_the_loop_runs_meanwhile": _QUEUE,
    "running/test_awaiting.py::test_the_work_continues_when_the_task_is_cancelled": _QUEUE,
    "running/test_awaiting.py::test_exceptions_of_callbacks_are_logged": _QUEUE,
    "running/test_awaiting.py::test_closing_while_a_future_is_awaited": _QUEUE,
    "running/test_awaiting.py::test_callbacks_that_submit_again": _QUEUE,
    "running/test_barriers.py::test_a_missing_barrier_is_detected": _LAYER,
    "running/test_barriers.py::test_independent_dispatches": _RESULTS,
    "running/test_barriers.py::test_dependent_dispatches": "barriers between dispatches",
    "running/test_barriers.py::test_the_first_barrier_is_needed": _RESULTS,
    "running/test_barriers.py::test_barriers_around_copies": "barriers for the host",
    "running/test_barriers.py::test_the_host_waits_for_results": "barriers for the host",
    "running/test_chunks.py::test_a_lost_device": _RESULTS,
    "running/test_closing.py::test_a_fork_that_drops_the_last_view": _QUEUE,
    "running/test_closing.py::test_forks_beside_sixteen_threads": _QUEUE,
    "running/test_closing.py::test_of_a_device_by_two_threads": _QUEUE,
    "running/test_closing.py::test_of_all_while_the_device_works": _QUEUE,
    "running/test_closing.py::test_cached_dispatches_end_with_their_buffer": _RESULTS,
    "running/test_closing.py::test_objects_made_and_closed_during_a_call": _QUEUE,
    "running/test_compiling.py::test_a_reopened_device": _QUEUE,
    "running/test_compiling.py::test_a_dispatch": _PIPELINES,
    "running/test_compiling.py::test_a_pipeline_is_made_once": _PIPELINES,
    "running/test_compiling.py::test_threads_that_wait_meanwhile": _PIPELINES,
    "running/test_compiling.py::test_work_counts_before_and_after": _QUEUE,
    "running/test_ctrl_c.py": _QUEUE,
    "running/test_durations.py": _TIME,
    "running/test_faults.py::test_a_device_lost_while_waiting": _RESULTS,
    "running/test_faults.py::test_a_device_that_a_look_at_the_queue_finds_lost": _RESULTS,
    "running/test_faults.py::test_a_lost_device": _RESULTS,
    "running/test_faults.py::test_constants_that_do_not_fit_change_nothing": _RESULTS,
    "running/test_faults.py::test_idle_memory_is_bounded": _POOLS,
    "running/test_faults.py::test_many_small_buffers_share_memory": _POOLS,
    "running/test_faults.py::test_unused_memory_is_freed_first": _RESULTS,
    "running/test_faults.py::test_no_memory_at_all": _RESULTS,
    "running/test_forks.py": "a driver's threads, which a fork does not copy",
    "running/test_interrupted_lines.py": "objects that a driver creates",
    "running/test_mapping.py::test_a_view_that_is_kept": _RESULTS,
    "running/test_mapping.py::test_kinds_of_memory": _RESULTS,
    "running/test_mapping.py::test_memory_that_cannot_be_mapped_is_copied": _POOLS,
    "running/test_mapping.py::test_memory_that_the_host_only_writes": _POOLS,
    "running/test_reentry.py::test_a_handler_uses_the_device": _REENTRY,
    "running/test_reentry.py::test_a_handler_within_a_wait": _QUEUE,
    "running/test_reentry.py::test_a_time_that_another_thread_fetches": _TIME,
    "running/test_reentry.py::test_a_variant_is_compiled_once": _PIPELINES,
    "running/test_reentry.py::test_calls_within_the_lock": _QUEUE,
    "running/test_reentry.py::test_finalizers_within_each_call": _REENTRY,
    "running/test_reentry.py::test_under_each_lock": "the locks of a Vulkan device",
    "running/test_repeats.py::test_a_repetition_calls_few_functions": _RECORDINGS,
    "running/test_repeats.py::test_large_dispatches": _RESULTS,
    "running/test_repeats.py::test_many_kinds_of_dispatches": _RESULTS,
    "running/test_repeats.py::test_other_ways_to_pass_arguments_are_repetitions": _RECORDINGS,
    "running/test_threads.py::test_a_device_that_is_never_closed": _RESULTS,
    "running/test_threads.py::test_a_fork_is_refused": "the use of a Vulkan device after a fork",
    "running/test_way.py": _DESCRIPTORS,
    "selftest/test_selftest.py::test_a_driver_that_computes_wrongly": _FAULTS,
    "selftest/test_selftest.py::test_a_driver_that_ends_the_process": _FAULTS,
    "selftest/test_selftest.py::test_a_driver_that_loses_atomics": _FAULTS,
    "soak/test_soak.py::test_every_path": _POOLS,
    "soak/test_soak.py::test_growth_is_seen": _POOLS,
    "textures/test_gathering.py::test_a_kept_texture_that_cannot_be_compared": _OTHER_FORMATS,
    "textures/test_gathering.py::test_formats_that_have_no_linear_filter": _OTHER_FORMATS,
    "textures/test_ranges.py::test_a_finished_module_with_an_unbounded_range": _MODULES,
    "textures/test_sampling.py::test_a_bias_beyond_the_devices": _LIMITS,
    "textures/test_sampling.py::test_a_border_that_vulkan_does_not_have": _LIMITS,
    "textures/test_uavs.py::test_a_module_for_any_format_needs_the_devices_feature": _MODULES,
    "textures/test_uavs.py::test_numbers_of_every_format": _OTHER_FORMATS,
    "unit/vkrunner/api/test_pages.py::test_the_page_is_that_of_the_device": _FEATURES,
    "unit/vkrunner/shader/cache/test_pipelines.py": _PIPELINES,
    "unit/vkrunner/cli/test_devices.py::test_a_variable_that_names_none": _DRIVERS,
    "unit/vkrunner/cli/test_devices.py::test_details_and_known_faults": _DRIVERS,
    "unit/vkrunner/cli/test_devices.py::test_the_list_is_short": _DRIVERS,
    "unit/vkrunner/cli/test_for_device.py::test_a_device": _DRIVERS,
    "unit/vkrunner/cli/test_main.py::test_no_such_device_is_exit_code_3": _DRIVERS,
    "unit/vkrunner/cli/test_progress.py::test_a_pipeline_that_takes_long": _PIPELINES,
    "unit/vkrunner/resources/test_buffers.py::test_collected_buffers_are_destroyed": _RESULTS,
    "unit/vkrunner/resources/test_buffers.py::test_formats_for_one_type_of_texel_buffer": (
        _OTHER_FORMATS
    ),
    "unit/vkrunner/resources/test_textures.py::test_a_texture_that_is_too_large": _LIMITS,
    "unit/vkrunner/resources/test_textures.py::test_anisotropy": _FEATURES,
    "unit/vkrunner/resources/test_textures.py::test_bytes_of_every_format": _OTHER_FORMATS,
    "unit/vkrunner/resources/test_textures.py::test_contents_take_no_more_than_their_bytes": _POOLS,
    "unit/vkrunner/resources/test_textures.py::test_collected_textures_are_destroyed": _RESULTS,
    "unit/vkrunner/shadertest/test_command.py::test_a_process_that_dies_is_reported": _RESULTS,
    "loops/test_values.py::test_finished_modules": _MODULES,
    "unit/vkrunner/shadertest/test_command.py::test_no_validation_layer": _LAYER,
    "unit/vkrunner/shadertest/test_command.py::test_one_device_of_two": _DRIVERS,
    "unit/vkrunner/shadertest/test_running.py::test_a_message_of_the_layer_is_a_failure": _LAYER,
    "unit/vkrunner/api/test_choose.py::test_a_device_that_cannot_be_used": _DRIVERS,
    "unit/vkrunner/api/test_choose.py::test_no_such_device": _DRIVERS,
    "unit/vkrunner/api/test_choose.py::test_the_device_that_is_chosen": _DRIVERS,
    "unit/vkrunner/api/test_choose.py::test_the_variable_stands_for_the_argument": _DRIVERS,
    "unit/vkrunner/api/test_dispatch.py::test_a_finished_module_is_taken_as_it_is": _MODULES,
    "unit/vkrunner/api/test_dispatch.py::test_arrays_in_and_out": _TIME,
    "unit/vkrunner/shader/test_limits.py": _LIMITS,
    "unit/vkrunner/api/test_porting.py::test_options_are_those_of_a_kernel": _MODULES,
    "unit/vkrunner/probes/test_asking.py": _FAULTS,
    "unit/vkrunner/probes/test_robust_accesses.py": _FAULTS,
    "unit/vkrunner/probes/test_arithmetic.py::test_drivers_that_a_mode_slows_down": _FAULTS,
    "unit/test_specialize.py::test_the_runner_sets_what_the_device_does": _MODULES,
    "unit/vkrunner/probes/test_samples.py::test_a_software_driver": _FAULTS,
    "unit/vkrunner/vulkan/test_bound_ranges.py": _DESCRIPTORS,
    "unit/vkrunner/vulkan/test_robustness.py": _FEATURES,
    "unit/vkrunner/vulkan/test_size_tables.py::test_finished_modules": _MODULES,
    "unit/vkrunner/vulkan/test_size_tables.py::test_tables_are_used_where_a_fault_is_met": _FAULTS,
    "unit/vkrunner/vulkan/test_size_tables.py::test_an_explicit_choice_is_used": _FAULTS,
    "unit/vkrunner/vulkan/test_instance.py::test_a_layer_that_cannot_be_configured": _LAYER,
    "unit/vkrunner/vulkan/test_instance.py::test_a_layer_that_takes_features": _LAYER,
    "unit/vkrunner/vulkan/test_instance.py::test_a_mistake_is_reported_every_time": _LAYER,
    "unit/vkrunner/vulkan/test_instance.py::test_drivers_stay_loaded_except_in_forks": _DRIVERS,
    "unit/vkrunner/vulkan/test_instance.py::test_without_the_layer": _LAYER,
}


def reason(nodeid: str) -> str | None:
    """Why a test cannot run on the reference machine; None for one that can."""
    test = nodeid.removeprefix("tests/")
    function = test.partition("[")[0]
    file = test.partition("::")[0]
    return VULKAN_ONLY.get(test) or VULKAN_ONLY.get(function) or VULKAN_ONLY.get(file)
