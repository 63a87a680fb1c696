/* Dispatches one group of a kernel with resources of some kinds: bind KERNELS KERNEL NAME=KIND...
 * KIND is texture, sampler, typed, counted, or the bytes of a buffer. */
#include "gpu.h"

#include <stdlib.h>
#include <string.h>

enum { BYTES = 96, SIDE = 4 };

static Argument argument(Gpu *gpu, char *word)
{
    char *kind = strchr(word, '=');
    *kind++ = 0;
    Argument made = {.name = word};
    if (!strcmp(kind, "texture"))
        made.texture = make_texture(gpu, SIDE, SIDE, VK_FORMAT_R32_SFLOAT, 4, NULL);
    else if (!strcmp(kind, "sampler")) made.sampler = make_linear_sampler(gpu);
    else if (!strcmp(kind, "typed"))
        made.buffer = make_typed_buffer(gpu, BYTES, VK_FORMAT_R32_UINT);
    else if (!strcmp(kind, "counted")) made.buffer = make_counted_buffer(gpu, BYTES);
    else made.buffer = make_buffer(gpu, NULL, strtoul(kind, NULL, 10));
    return made;
}

int main(int count, char **words)
{
    static Gpu gpu;
    static Argument arguments[MAX_BINDINGS];
    Kernel *kernel = load_kernel(&gpu, words[1], words[2]);
    open_gpu(&gpu);
    for (int i = 3; i < count; i++) arguments[i - 3] = argument(&gpu, words[i]);
    dispatch(&gpu, kernel, 1, 1, arguments);
    run_commands(&gpu);
    close_gpu(&gpu);
    return 0;
}
