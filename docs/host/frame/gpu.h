/* What a program needs of an engine: kernels from SPIR-V and the JSON of its interface, buffers,
 * textures, and a command buffer that dispatches them. Whatever fails ends the process.
 *
 * It has textures of one and two dimensions, in the formats of find_format, and enables the
 * features of feature_flag (gpu.c): a kernel that needs others is refused. host.c enables all. */
#ifndef GPU_H
#define GPU_H

#include <stddef.h>
#include <stdint.h>
#include <vulkan/vulkan.h>

enum { MAX_BINDINGS = 16, MAX_OBJECTS = 128, MAX_NAMES = 32, NAME_BYTES = 64 };

typedef struct { /* one entry of "bindings" in the interface */
    char name[NAME_BYTES], register_[NAME_BYTES];
    uint32_t binding;
    VkDescriptorType type;
    size_t least_bytes, stride;
    /* Of a texture or typed buffer; the format is empty if any of the component will do */
    char dimension[NAME_BYTES], component[NAME_BYTES], format[NAME_BYTES];
} Binding;

typedef struct {
    char name[NAME_BYTES], entry_point[NAME_BYTES];
    uint32_t thread_group[3], count;
    Binding bindings[MAX_BINDINGS];
    uint32_t *words;
    size_t bytes;
    VkDescriptorSetLayout set_layout;
    VkPipelineLayout layout;
    VkPipeline pipeline;
} Kernel;

typedef struct Buffer {
    VkBuffer buffer;
    VkDeviceMemory memory;
    VkBufferView view; /* of a typed buffer, as the format */
    VkFormat format;
    VkDeviceSize bytes;
    void *data; /* mapped as long as the buffer lives */
    struct Buffer *counter; /* of an append or consume buffer */
} Buffer;

typedef struct {
    VkImage image;
    VkImageView view;
    VkDeviceMemory memory;
    VkExtent3D extent;
    VkFormat format;
    const char *dimension; /* as in the interface: 1d or 2d */
    size_t bytes;
} Texture;

typedef struct { /* what is bound under a name of the HLSL; one of three */
    const char *name;
    const Buffer *buffer;
    const Texture *texture;
    VkSampler sampler;
} Argument;

typedef struct { uint32_t x, y; } Groups;

typedef struct {
    uint32_t count;
    char names[MAX_NAMES][NAME_BYTES];
} Names;

typedef struct {
    uint32_t api_version; /* the latest that a kernel asks for */
    Names features, extensions, float_controls; /* all that any kernel asks for */
    VkInstance instance;
    VkPhysicalDevice physical;
    VkDevice device;
    VkQueue queue;
    uint32_t family;
    VkDescriptorPool descriptors;
    VkCommandPool pool;
    VkCommandBuffer commands;
    Kernel *kernels[MAX_OBJECTS];
    Buffer *buffers[MAX_OBJECTS];
    Texture *textures[MAX_OBJECTS];
    VkSampler samplers[MAX_OBJECTS];
    Buffer *messages; /* of all kernels: loops that the driver ended */
    uint32_t kernel_count, buffer_count, texture_count, sampler_count;
} Gpu;

void fail(const char *what, const char *which);
void *read_file(const char *path, size_t *bytes);

/* FOLDER/NAME.spv and FOLDER/NAME.json; before the device is opened, for it needs their features */
Kernel *load_kernel(Gpu *gpu, const char *folder, const char *name);
void open_gpu(Gpu *gpu); /* begins the command buffer */
/* Ends it, waits until the device has executed it, and begins the next frame, whose commands have
 * to be recorded anew. Buffers and textures keep their contents. */
void run_commands(Gpu *gpu);
void close_gpu(Gpu *gpu);

size_t texel_bytes(VkFormat format);
/* Without data it begins with zeros. */
Buffer *make_buffer(Gpu *gpu, const void *data, size_t bytes);
Buffer *make_typed_buffer(Gpu *gpu, size_t bytes, VkFormat format);
Buffer *make_counted_buffer(Gpu *gpu, size_t bytes);
/* A height of 0 makes one of one dimension. Data has the bytes of all texels. */
Texture *make_texture(Gpu *gpu, uint32_t width, uint32_t height, VkFormat format,
                      const void *data, size_t bytes);
VkSampler make_linear_sampler(Gpu *gpu);

/* As many groups as have this many threads */
Groups groups_for(const Kernel *kernel, uint32_t width, uint32_t height);
/* These are recorded; each waits for what was recorded before. Arguments end with a null name. */
void dispatch(Gpu *gpu, const Kernel *kernel, Groups groups, const Argument *arguments);
void dispatch_indirect(Gpu *gpu, const Kernel *kernel, const Buffer *groups,
                       const Argument *arguments);
void copy_counter(Gpu *gpu, const Buffer *from, const Buffer *to);
void set_counter(Gpu *gpu, const Buffer *buffer, uint32_t value);
Buffer *download(Gpu *gpu, const Texture *texture);

#endif
