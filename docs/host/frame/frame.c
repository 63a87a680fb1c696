/* The frame of shaders/frame, ported to Vulkan: its kernels as SPIR-V with the JSON of their
 * interfaces, the rest by hand, as an engine has it.
 *
 *     cc -std=c99 frame.c gpu.c -o frame -lvulkan -lcjson
 *     ./frame KERNELS INPUTS OUTPUTS
 *
 * KERNELS has NAME.spv and NAME.json of each kernel, INPUTS the files depth, lights, scene, pairs,
 * waves and twiddles: shaders/frame/README.md has the command that writes both. What the passes
 * give is written into OUTPUTS.
 */
#include "gpu.h"

#include <stdio.h>
#include <stdlib.h>

enum {
    WIDTH = 100, HEIGHT = 70, LIGHTS = 200, MAX_PER_TILE = 32,
    BINS = 256,
    STEPS = 6, EMITTED = 100, CAPACITY = 1024, PARTICLE_BYTES = 32,
    PAIRS = 5000, DIGITS = 16, DIGIT_BITS = 4, PAIR_BYTES = 8,
    LENGTH = 256,
};

#define ARGUMENTS(...) ((const Argument[]){__VA_ARGS__, {.name = NULL}})
#define CONSTANTS(gpu, ...) make_buffer(gpu, &(__VA_ARGS__), sizeof(__VA_ARGS__))

/* The constant buffers, as "constants" in the interfaces has their members; as long as whole
 * vectors of 16 bytes, which is what "size_bytes" asks for. */
typedef struct {
    float world_to_view[4][4]; /* column-major: [column][row] */
    float tangents[2];
    float near, far;
    uint32_t light_count, unused[3];
} Camera;

typedef struct { float equalisation, unused[3]; } Tone;

typedef struct {
    uint32_t first_id, emitted;
    float seconds, lifetime;
    float gravity[3], bounce;
} Step;

typedef struct { uint32_t count_of_pairs, shift, unused[2]; } Digit;

typedef struct { uint32_t along_columns, backwards; float scale, unused; } Transform;

static void *read_input(const char *folder, const char *name, size_t bytes)
{
    char path[1024];
    size_t found;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    void *data = read_file(path, &found);
    if (found != bytes) fail("has the wrong size", path);
    return data;
}

static Buffer *read_buffer(Gpu *gpu, const char *folder, const char *name, size_t bytes)
{
    void *data = read_input(folder, name, bytes);
    Buffer *made = make_buffer(gpu, data, bytes);
    free(data);
    return made;
}

static Texture *read_texture(Gpu *gpu, const char *folder, const char *name, uint32_t width,
                             uint32_t height, VkFormat format)
{
    size_t bytes = texel_bytes(format) * width * height;
    void *data = read_input(folder, name, bytes);
    Texture *made = make_texture(gpu, width, height, format, data, bytes);
    free(data);
    return made;
}

typedef struct { /* buffers that are written to files in the end */
    const char *names[16];
    const Buffer *buffers[16];
    uint32_t count;
} Outputs;

static void save(Outputs *outputs, const char *name, const Buffer *buffer)
{
    if (outputs->count == 16) fail("too many outputs", name);
    outputs->names[outputs->count] = name;
    outputs->buffers[outputs->count++] = buffer;
}

static void write_outputs(const Outputs *outputs, const char *folder)
{
    for (uint32_t i = 0; i < outputs->count; i++) {
        char path[1024];
        const Buffer *buffer = outputs->buffers[i];
        snprintf(path, sizeof path, "%s/%s", folder, outputs->names[i]);
        FILE *file = fopen(path, "wb");
        if (!file || fwrite(buffer->data, 1, (size_t)buffer->bytes, file) != buffer->bytes ||
            fclose(file))
            fail("cannot be written", path);
    }
}

static void swap(Buffer **a, Buffer **b)
{
    Buffer *was = *a;
    *a = *b;
    *b = was;
}

/* ---- the passes ------------------------------------------------------------------------------ */

static void cull_lights(Gpu *gpu, const Kernel *kernel, const char *inputs, Outputs *outputs)
{
    const Groups tiles = groups_for(kernel, WIDTH, HEIGHT);
    Texture *depth = read_texture(gpu, inputs, "depth", WIDTH, HEIGHT, VK_FORMAT_R32_SFLOAT);
    Buffer *lights = read_buffer(gpu, inputs, "lights", LIGHTS * 16);
    Texture *counts = make_texture(gpu, tiles.x, tiles.y, VK_FORMAT_R32_UINT, NULL, 0);
    Buffer *lists = make_typed_buffer(gpu, tiles.x * tiles.y * MAX_PER_TILE * 4,
                                      VK_FORMAT_R32_UINT);
    Buffer *camera = CONSTANTS(gpu, (Camera){
        .world_to_view = {{0, 0, -1, 0}, {0, 1, 0, 0}, {1, 0, 0, 0}, {-3, -2, 1, 1}},
        .tangents = {0.75f, 0.5f}, .near = 0.5f, .far = 50, .light_count = LIGHTS});
    dispatch(gpu, kernel, tiles,
             ARGUMENTS({"depth_buffer", .texture = depth}, {"lights", .buffer = lights},
                       {"tile_counts", .texture = counts}, {"tile_lights", .buffer = lists},
                       {"Camera", .buffer = camera}));
    save(outputs, "tile_counts", download(gpu, counts));
    save(outputs, "tile_lights", lists);
}

static void map_tones(Gpu *gpu, Kernel *const kernels[3], const char *inputs, Outputs *outputs)
{
    Texture *scene = read_texture(gpu, inputs, "scene", WIDTH, HEIGHT,
                                  VK_FORMAT_R16G16B16A16_SFLOAT);
    Buffer *histogram = make_buffer(gpu, NULL, BINS * 4);
    Texture *curve = make_texture(gpu, BINS, 0, VK_FORMAT_R32_SFLOAT, NULL, 0);
    Texture *picture = make_texture(gpu, WIDTH, HEIGHT, VK_FORMAT_R8G8B8A8_UNORM, NULL, 0);
    VkSampler linear_clamp = make_linear_sampler(gpu);
    dispatch(gpu, kernels[0], groups_for(kernels[0], WIDTH, HEIGHT),
             ARGUMENTS({"scene", .texture = scene}, {"histogram", .buffer = histogram}));
    dispatch(gpu, kernels[1], (Groups){1, 1},
             ARGUMENTS({"bin_counts", .buffer = histogram}, {"new_curve", .texture = curve},
                       {"Tone", .buffer = CONSTANTS(gpu, (Tone){.equalisation = 0.625f})}));
    dispatch(gpu, kernels[2], groups_for(kernels[2], WIDTH, HEIGHT),
             ARGUMENTS({"scene", .texture = scene}, {"curve", .texture = curve},
                       {"linear_clamp", .sampler = linear_clamp},
                       {"picture", .texture = picture}));
    save(outputs, "histogram", histogram);
    save(outputs, "curve", download(gpu, curve));
    save(outputs, "picture", download(gpu, picture));
}

static void move_particles(Gpu *gpu, Kernel *const kernels[3], Outputs *outputs)
{
    Buffer *living = make_counted_buffer(gpu, CAPACITY * PARTICLE_BYTES);
    Buffer *spare = make_counted_buffer(gpu, CAPACITY * PARTICLE_BYTES);
    Buffer *alive = make_buffer(gpu, NULL, 4);
    Buffer *arguments = make_typed_buffer(gpu, 3 * 4, VK_FORMAT_R32_UINT);
    for (uint32_t step = 0; step < STEPS; step++) {
        Buffer *constants = CONSTANTS(gpu, (Step){
            .first_id = step * EMITTED, .emitted = EMITTED, .seconds = 0.25f, .lifetime = 1.1f,
            .gravity = {0, -9.81f, 0}, .bounce = 0.625f});
        dispatch(gpu, kernels[0], groups_for(kernels[0], EMITTED, 1),
                 ARGUMENTS({"living", .buffer = living}, {"Step", .buffer = constants}));
        copy_counter(gpu, living, alive);
        dispatch(gpu, kernels[1], (Groups){1, 1},
                 ARGUMENTS({"alive", .buffer = alive}, {"arguments", .buffer = arguments}));
        set_counter(gpu, spare, 0);
        dispatch_indirect(gpu, kernels[2], arguments,
                          ARGUMENTS({"alive", .buffer = alive}, {"before", .buffer = living},
                                    {"living", .buffer = spare}, {"Step", .buffer = constants}));
        swap(&living, &spare);
    }
    save(outputs, "particles", living);
    save(outputs, "alive", living->counter);
    save(outputs, "arguments", arguments);
}

static void sort_pairs(Gpu *gpu, Kernel *const kernels[3], const char *inputs, Outputs *outputs)
{
    const Groups blocks = groups_for(kernels[0], PAIRS, 1);
    Buffer *pairs = read_buffer(gpu, inputs, "pairs", PAIRS * PAIR_BYTES);
    Buffer *spare = make_buffer(gpu, NULL, PAIRS * PAIR_BYTES);
    Buffer *counts = make_buffer(gpu, NULL, blocks.x * DIGITS * 4);
    for (uint32_t shift = 0; shift < 32; shift += DIGIT_BITS) {
        Buffer *digit = CONSTANTS(gpu, (Digit){.count_of_pairs = PAIRS, .shift = shift});
        dispatch(gpu, kernels[0], blocks,
                 ARGUMENTS({"pairs", .buffer = pairs}, {"counts", .buffer = counts},
                           {"Digit", .buffer = digit}));
        dispatch(gpu, kernels[1], (Groups){1, 1},
                 ARGUMENTS({"counts", .buffer = counts}, {"Digit", .buffer = digit}));
        dispatch(gpu, kernels[2], blocks,
                 ARGUMENTS({"pairs", .buffer = pairs}, {"begins", .buffer = counts},
                           {"sorted", .buffer = spare}, {"Digit", .buffer = digit}));
        swap(&pairs, &spare);
    }
    save(outputs, "sorted", pairs);
}

typedef struct { /* the buffers and textures that a transform takes beside its source and target */
    const Kernel *kernel;
    const Buffer *twiddles;
    const Texture *rows;
} Fft;

/* Rows, then columns. */
static void transform(Gpu *gpu, const Fft *fft, const Texture *source, const Texture *target,
                      Transform constants)
{
    dispatch(gpu, fft->kernel, (Groups){LENGTH, 1},
             ARGUMENTS({"source", .texture = source}, {"twiddles", .buffer = fft->twiddles},
                       {"target", .texture = fft->rows},
                       {"Transform", .buffer = CONSTANTS(gpu, constants)}));
    constants.along_columns = 1;
    dispatch(gpu, fft->kernel, (Groups){LENGTH, 1},
             ARGUMENTS({"source", .texture = fft->rows}, {"twiddles", .buffer = fft->twiddles},
                       {"target", .texture = target},
                       {"Transform", .buffer = CONSTANTS(gpu, constants)}));
}

static void transform_waves(Gpu *gpu, const Kernel *kernel, const char *inputs, Outputs *outputs)
{
    const VkFormat format = VK_FORMAT_R32G32_SFLOAT;
    Texture *waves = read_texture(gpu, inputs, "waves", LENGTH, LENGTH, format);
    Texture *spectrum = make_texture(gpu, LENGTH, LENGTH, format, NULL, 0);
    Texture *again = make_texture(gpu, LENGTH, LENGTH, format, NULL, 0);
    Fft fft = {kernel, read_buffer(gpu, inputs, "twiddles", LENGTH * 8),
               make_texture(gpu, LENGTH, LENGTH, format, NULL, 0)};
    transform(gpu, &fft, waves, spectrum, (Transform){.scale = 1});
    transform(gpu, &fft, spectrum, again, (Transform){.backwards = 1, .scale = 1.0f / LENGTH});
    save(outputs, "spectrum", download(gpu, spectrum));
    save(outputs, "waves_again", download(gpu, again));
}

int main(int count, char **words)
{
    static const char *const names[] = {
        "light_culling", "tone_mapping_count", "tone_mapping_make_curve", "tone_mapping_apply",
        "particles_emit", "particles_size_dispatch", "particles_update",
        "radix_sort_count", "radix_sort_scan", "radix_sort_scatter", "fft"};
    enum { KERNELS = sizeof names / sizeof *names };
    static Gpu gpu;
    Kernel *kernels[KERNELS];
    Outputs outputs = {.count = 0};
    if (count != 4) fail("usage: frame KERNELS INPUTS OUTPUTS", NULL);
    for (uint32_t i = 0; i < KERNELS; i++) kernels[i] = load_kernel(&gpu, words[1], names[i]);
    open_gpu(&gpu);
    cull_lights(&gpu, kernels[0], words[2], &outputs);
    map_tones(&gpu, kernels + 1, words[2], &outputs);
    move_particles(&gpu, kernels + 4, &outputs);
    sort_pairs(&gpu, kernels + 7, words[2], &outputs);
    transform_waves(&gpu, kernels[10], words[2], &outputs);
    run_commands(&gpu);
    write_outputs(&outputs, words[3]);
    close_gpu(&gpu);
    return 0;
}
