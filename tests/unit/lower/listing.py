"""Short listings with one resource of each kind."""

HEADER = (
    "cs_5_0",
    "dcl_globalFlags refactoringAllowed",
    "dcl_constantbuffer CB0[2], immediateIndexed",
    "dcl_resource_raw t0",
    "dcl_resource_texture2d (float,float,float,float) t1",
    "dcl_uav_raw u0",
    "dcl_uav_structured u1, 12",
    "dcl_uav_typed_buffer (float,float,float,float) u2",
    "dcl_sampler s0, mode_default",
    "dcl_tgsm_raw g0, 64",
    "dcl_indexableTemp x0[4], 2",
    "dcl_input vThreadID.xy",
    "dcl_temps 4",
    "dcl_thread_group 8, 1, 1",
)


def listing(*lines: str) -> str:
    """The lines after a header that declares one resource of each kind."""
    return "\n".join((*HEADER, *lines)) + "\n"
