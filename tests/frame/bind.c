/* Dispatches one group of a kernel in each of some frames, with resources of some kinds:
 *
 *     bind KERNELS KERNEL FRAMES NAME=KIND...
 *
 * KIND is 1d:FORMAT[:DATA], 2d:FORMAT[:DATA], typed:FORMAT, sampler, counted, or the bytes of a
 * buffer. FORMAT is the number of a VkFormat, DATA the bytes that a texture is made from. In the end
 * the first word of each buffer is printed. */
#include "gpu.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BYTES = 96, SIDE = 4 };

static Argument argument(Gpu *gpu, char *word)
{
    static const char data[4096];
    Argument made = {.name = strtok(word, "=")};
    const char *kind = strtok(NULL, ":"), *number = strtok(NULL, ":"), *size = strtok(NULL, ":");
    const VkFormat format = (VkFormat)(number ? atoi(number) : 0);
    if (!strcmp(kind, "1d") || !strcmp(kind, "2d"))
        made.texture = make_texture(gpu, SIDE, strcmp(kind, "1d") ? SIDE : 0, format,
                                    size ? data : NULL, size ? strtoul(size, NULL, 10) : 0);
    else if (!strcmp(kind, "sampler")) made.sampler = make_linear_sampler(gpu);
    else if (!strcmp(kind, "typed")) made.buffer = make_typed_buffer(gpu, BYTES, format);
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
    for (int i = 4; i < count; i++) arguments[i - 4] = argument(&gpu, words[i]);
    for (int frame = 0; frame < atoi(words[3]); frame++) {
        dispatch(&gpu, kernel, (Groups){1, 1}, arguments);
        run_commands(&gpu);
    }
    for (const Argument *bound = arguments; bound->name; bound++)
        if (bound->buffer) printf("%s %u\n", bound->name, *(const unsigned *)bound->buffer->data);
    close_gpu(&gpu);
    return 0;
}
