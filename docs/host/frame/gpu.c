#include "gpu.h"

#include <cjson/cJSON.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TIMEOUT_S = 60 };

/* The buffer that a kernel has on a driver that ends loops (docs/messages.md) */
#define MESSAGES "messages"
enum { MESSAGES_BYTES = 32, ENDED_LOOP_WORD = 6 };

void fail(const char *what, const char *which)
{
    fprintf(stderr, "frame: %s%s%s\n", what, which ? ": " : "", which ? which : "");
    exit(1);
}

/* As fail, with a format of printf */
static void refuse(const char *which, const char *format, ...)
{
    char what[1024];
    va_list values;
    va_start(values, format);
    vsnprintf(what, sizeof what, format, values);
    va_end(values);
    fail(what, which);
}

static void check(VkResult result, const char *call)
{
    if (result != VK_SUCCESS) refuse(NULL, "%s gave VkResult %d", call, (int)result);
}

static void *allocate(size_t bytes)
{
    void *memory = calloc(1, bytes ? bytes : 1);
    if (!memory) fail("no memory", NULL);
    return memory;
}

void *read_file(const char *path, size_t *bytes)
{
    FILE *file = fopen(path, "rb");
    if (!file || fseek(file, 0, SEEK_END)) fail("cannot be read", path);
    long size = ftell(file);
    if (size < 0) fail("cannot be read", path);
    rewind(file);
    char *data = allocate((size_t)size + 1); /* a zero after it, for text */
    if (fread(data, 1, (size_t)size, file) != (size_t)size) fail("cannot be read", path);
    fclose(file);
    *bytes = (size_t)size;
    return data;
}

static uint32_t next(uint32_t *count)
{
    if (*count == MAX_OBJECTS) fail("too many objects", NULL);
    return (*count)++;
}

/* ---- formats --------------------------------------------------------------------------------- */

typedef struct { const char *name; VkFormat format; size_t bytes; } Format;

static const Format *find_format(VkFormat format)
{
#define FORMAT(name, bytes) {#name, name, bytes}
    static const Format known[] = {
        FORMAT(VK_FORMAT_R32_UINT, 4), FORMAT(VK_FORMAT_R32_SINT, 4),
        FORMAT(VK_FORMAT_R32_SFLOAT, 4), FORMAT(VK_FORMAT_R32G32_UINT, 8),
        FORMAT(VK_FORMAT_R32G32_SINT, 8), FORMAT(VK_FORMAT_R32G32_SFLOAT, 8),
        FORMAT(VK_FORMAT_R32G32B32A32_UINT, 16), FORMAT(VK_FORMAT_R32G32B32A32_SINT, 16),
        FORMAT(VK_FORMAT_R32G32B32A32_SFLOAT, 16), FORMAT(VK_FORMAT_R16G16B16A16_SFLOAT, 8),
        FORMAT(VK_FORMAT_R16_SFLOAT, 2), FORMAT(VK_FORMAT_R8_UINT, 1),
        FORMAT(VK_FORMAT_R8_UNORM, 1), FORMAT(VK_FORMAT_R8G8B8A8_UNORM, 4),
        FORMAT(VK_FORMAT_R8G8B8A8_UINT, 4), FORMAT(VK_FORMAT_B10G11R11_UFLOAT_PACK32, 4)};
#undef FORMAT
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (known[i].format == format) return &known[i];
    refuse(NULL, "the program knows no VkFormat %d", (int)format);
    return NULL;
}

size_t texel_bytes(VkFormat format)
{
    return find_format(format)->bytes;
}

/* What a shader reads from it: norms, too, are floats. */
static const char *component_of(const Format *format)
{
    if (strstr(format->name, "_UINT")) return "uint";
    return strstr(format->name, "_SINT") ? "sint" : "float";
}

/* ---- the interface --------------------------------------------------------------------------- */

static const cJSON *member(const cJSON *object, const char *name)
{
    const cJSON *found = cJSON_GetObjectItemCaseSensitive(object, name);
    if (!found) fail("the interface lacks", name);
    return found;
}

static const char *text(const cJSON *object, const char *name)
{
    const char *value = cJSON_GetStringValue(member(object, name));
    if (!value) fail("the interface has no text for", name);
    return value;
}

/* Empty if there is none */
static const char *optional_text(const cJSON *object, const char *name)
{
    const char *value =
        cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, name));
    return value ? value : "";
}

static void copy_name(char *name, const char *text)
{
    snprintf(name, NAME_BYTES, "%s", text);
}

static uint32_t number(const cJSON *object, const char *name)
{
    return (uint32_t)member(object, name)->valuedouble;
}

static uint32_t optional_number(const cJSON *object, const char *name)
{
    const cJSON *found = cJSON_GetObjectItemCaseSensitive(object, name);
    return found ? (uint32_t)found->valuedouble : 0;
}

static VkDescriptorType descriptor_type(const char *name)
{
    static const struct { const char *name; VkDescriptorType type; } known[] = {
        {"uniform_buffer", VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER},
        {"storage_buffer", VK_DESCRIPTOR_TYPE_STORAGE_BUFFER},
        {"uniform_texel_buffer", VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER},
        {"storage_texel_buffer", VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER},
        {"sampled_image", VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE},
        {"storage_image", VK_DESCRIPTOR_TYPE_STORAGE_IMAGE},
        {"sampler", VK_DESCRIPTOR_TYPE_SAMPLER},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (!strcmp(known[i].name, name)) return known[i].type;
    fail("no such descriptor", name);
    return VK_DESCRIPTOR_TYPE_MAX_ENUM;
}

static void read_binding(const cJSON *row, Kernel *kernel)
{
    if (kernel->count == MAX_BINDINGS) fail("too many bindings", NULL);
    Binding *binding = &kernel->bindings[kernel->count++];
    const char *kind = text(row, "kind"); /* messages have no name in the HLSL */
    copy_name(binding->name, strcmp(kind, MESSAGES) ? text(row, "name") : kind);
    copy_name(binding->register_, text(row, "register"));
    if (number(row, "set") != 0) fail("the program has one set", binding->name);
    if (number(row, "count") != 1) fail("the program has no arrays", binding->name);
    binding->binding = number(row, "binding");
    binding->type = descriptor_type(text(row, "descriptor_type"));
    binding->least_bytes = optional_number(row, "size_bytes");
    binding->stride = optional_number(row, "stride");
    copy_name(binding->dimension, optional_text(row, "dimension"));
    copy_name(binding->component, optional_text(row, "component"));
    if (*optional_text(row, "format")) copy_name(binding->format, text(row, "vk_format"));
}

static void add_name(Names *names, const char *name)
{
    for (uint32_t i = 0; i < names->count; i++)
        if (!strcmp(names->names[i], name)) return;
    if (names->count == MAX_NAMES) fail("too many names", name);
    copy_name(names->names[names->count++], name);
}

static void read_names(const cJSON *rows, Names *names)
{
    const cJSON *row;
    cJSON_ArrayForEach(row, rows) add_name(names, cJSON_GetStringValue(row));
}

/* The CRC-32 of PNG and gzip */
static uint32_t crc32(const unsigned char *data, size_t bytes)
{
    uint32_t crc = UINT32_MAX;
    for (size_t i = 0; i < bytes; i++) {
        crc ^= data[i];
        for (int bit = 0; bit < 8; bit++) crc = crc >> 1 ^ (crc & 1 ? 0xEDB88320 : 0);
    }
    return ~crc;
}

static void read_interface(Gpu *gpu, Kernel *kernel, const char *path, const char *module)
{
    size_t bytes;
    char *contents = read_file(path, &bytes);
    cJSON *root = cJSON_Parse(contents);
    if (!root) fail("is not JSON", path);
    const cJSON *row, *crc = cJSON_GetObjectItemCaseSensitive(root, "spirv_crc32");
    if (crc && crc->valuedouble != crc32((const unsigned char *)kernel->words, kernel->bytes))
        refuse(NULL, "%s is not the interface of %s", path, module);
    unsigned major = 0, minor = 0;
    if (sscanf(text(root, "target"), "vulkan%u.%u", &major, &minor) != 2) fail("no target", path);
    uint32_t version = VK_MAKE_API_VERSION(0, major, minor, 0);
    if (version > gpu->api_version) gpu->api_version = version;
    copy_name(kernel->entry_point, text(root, "entry_point"));
    for (int i = 0; i < 3; i++)
        kernel->thread_group[i] =
            (uint32_t)cJSON_GetArrayItem(member(root, "thread_group"), i)->valuedouble;
    read_names(member(root, "features"), &gpu->features);
    read_names(member(root, "extensions"), &gpu->extensions);
    read_names(member(root, "float_controls"), &gpu->float_controls);
    cJSON_ArrayForEach(row, member(root, "bindings")) read_binding(row, kernel);
    if (cJSON_GetArraySize(member(root, "windows"))) fail("the program pushes no windows", path);
    cJSON_Delete(root);
    free(contents);
}

Kernel *load_kernel(Gpu *gpu, const char *folder, const char *name)
{
    char path[1024], module[1024];
    Kernel *kernel = gpu->kernels[next(&gpu->kernel_count)] = allocate(sizeof *kernel);
    copy_name(kernel->name, name);
    snprintf(module, sizeof module, "%s/%s.spv", folder, name);
    kernel->words = read_file(module, &kernel->bytes);
    snprintf(path, sizeof path, "%s/%s.json", folder, name);
    read_interface(gpu, kernel, path, module);
    return kernel;
}

/* ---- the device and its pipelines ------------------------------------------------------------ */

typedef struct { /* that the device offers, or that are enabled */
    VkPhysicalDeviceFeatures core;
    VkPhysicalDeviceImageRobustnessFeaturesEXT images;
    VkPhysicalDeviceRobustness2FeaturesEXT robustness2;
} Features;

/* The flag of a feature of the interface */
static VkBool32 *feature_flag(Features *features, const char *name)
{
    VkPhysicalDeviceFeatures *core = &features->core;
    struct { const char *name; VkBool32 *flag; } const known[] = {
        {"float64", &core->shaderFloat64},
        {"image_gather_extended", &core->shaderImageGatherExtended},
        {"robust_buffer_access", &core->robustBufferAccess},
        {"robust_buffer_access2", &features->robustness2.robustBufferAccess2},
        {"robust_image_access", &features->images.robustImageAccess},
        {"storage_image_extended_formats", &core->shaderStorageImageExtendedFormats},
        {"storage_image_read_without_format", &core->shaderStorageImageReadWithoutFormat},
        {"storage_image_write_without_format", &core->shaderStorageImageWriteWithoutFormat},
    };
    enum { KNOWN = sizeof known / sizeof *known };
    char names[64 * KNOWN] = "";
    for (size_t i = 0; i < KNOWN; i++) {
        if (!strcmp(known[i].name, name)) return known[i].flag;
        strcat(strcat(names, known[i].name), ", ");
    }
    refuse(name, "the program enables %sand not the feature", names);
    return NULL;
}

static void choose_features(const Gpu *gpu, Features *enabled)
{
    Features offered = {
        .images = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_ROBUSTNESS_FEATURES_EXT},
        .robustness2 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ROBUSTNESS_2_FEATURES_EXT,
                        .pNext = &offered.images}};
    *enabled = offered;
    VkPhysicalDeviceFeatures2 features = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, .pNext = &offered.robustness2};
    vkGetPhysicalDeviceFeatures2(gpu->physical, &features);
    offered.core = features.features;
    for (uint32_t i = 0; i < gpu->features.count; i++) {
        const char *name = gpu->features.names[i];
        if (!strcmp(name, "non_semantic_info")) continue; /* no more than an extension */
        if (!*feature_flag(&offered, name)) fail("the device lacks the feature", name);
        *feature_flag(enabled, name) = VK_TRUE;
    }
    enabled->robustness2.pNext = enabled->images.robustImageAccess ? &enabled->images : NULL;
}

/* A float mode of the interface is not enabled: the device has it or not. */
static VkBool32 has_mode(const VkPhysicalDeviceFloatControlsProperties *device, const char *name)
{
    struct { const char *name; VkBool32 is_there; } const known[] = {
        {"denorm_flush_to_zero_32", device->shaderDenormFlushToZeroFloat32},
        {"denorm_preserve_16", device->shaderDenormPreserveFloat16},
        {"denorm_preserve_32", device->shaderDenormPreserveFloat32},
        {"denorm_preserve_64", device->shaderDenormPreserveFloat64},
        {"signed_zero_inf_nan_preserve_16", device->shaderSignedZeroInfNanPreserveFloat16},
        {"signed_zero_inf_nan_preserve_32", device->shaderSignedZeroInfNanPreserveFloat32},
        {"signed_zero_inf_nan_preserve_64", device->shaderSignedZeroInfNanPreserveFloat64},
        {"rounding_mode_rte_32", device->shaderRoundingModeRTEFloat32},
        {"rounding_mode_rte_64", device->shaderRoundingModeRTEFloat64},
        {"rounding_mode_rtz_16", device->shaderRoundingModeRTZFloat16},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (!strcmp(known[i].name, name)) return known[i].is_there;
    return VK_FALSE;
}

static void check_float_controls(const Gpu *gpu)
{
    VkPhysicalDeviceFloatControlsProperties modes = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FLOAT_CONTROLS_PROPERTIES};
    VkPhysicalDeviceProperties2 properties = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &modes};
    vkGetPhysicalDeviceProperties2(gpu->physical, &properties);
    for (uint32_t i = 0; i < gpu->float_controls.count; i++)
        if (!has_mode(&modes, gpu->float_controls.names[i]))
            fail("the device lacks the float mode", gpu->float_controls.names[i]);
}

static void check_extensions(const Gpu *gpu)
{
    uint32_t count = 0;
    check(vkEnumerateDeviceExtensionProperties(gpu->physical, NULL, &count, NULL),
          "vkEnumerateDeviceExtensionProperties");
    VkExtensionProperties *offered = allocate(count * sizeof *offered);
    check(vkEnumerateDeviceExtensionProperties(gpu->physical, NULL, &count, offered),
          "vkEnumerateDeviceExtensionProperties");
    for (uint32_t i = 0; i < gpu->extensions.count; i++) {
        uint32_t at = 0;
        while (at < count && strcmp(offered[at].extensionName, gpu->extensions.names[i])) at++;
        if (at == count) fail("the device lacks the extension", gpu->extensions.names[i]);
    }
    free(offered);
}

static void choose_device(Gpu *gpu)
{
    VkApplicationInfo application = {
        .sType = VK_STRUCTURE_TYPE_APPLICATION_INFO, .apiVersion = gpu->api_version};
    VkInstanceCreateInfo made = {
        .sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO, .pApplicationInfo = &application};
    check(vkCreateInstance(&made, NULL, &gpu->instance), "vkCreateInstance");
    uint32_t one = 1;
    VkResult found = vkEnumeratePhysicalDevices(gpu->instance, &one, &gpu->physical);
    if ((found != VK_SUCCESS && found != VK_INCOMPLETE) || !one) fail("no device", NULL);

    uint32_t count = 16;
    VkQueueFamilyProperties families[16];
    vkGetPhysicalDeviceQueueFamilyProperties(gpu->physical, &count, families);
    while (gpu->family < count && !(families[gpu->family].queueFlags & VK_QUEUE_COMPUTE_BIT))
        gpu->family++;
    if (gpu->family == count) fail("the device has no queue for compute", NULL);
}

static void make_device(Gpu *gpu)
{
    Features enabled;
    choose_features(gpu, &enabled);
    check_float_controls(gpu);
    check_extensions(gpu);
    const char *extensions[MAX_NAMES];
    for (uint32_t i = 0; i < gpu->extensions.count; i++) extensions[i] = gpu->extensions.names[i];
    float priority = 1;
    VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
        .queueFamilyIndex = gpu->family, .queueCount = 1, .pQueuePriorities = &priority};
    VkDeviceCreateInfo device = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
        .pNext = enabled.robustness2.robustBufferAccess2 ? &enabled.robustness2
                                                         : enabled.robustness2.pNext,
        .queueCreateInfoCount = 1, .pQueueCreateInfos = &queue,
        .enabledExtensionCount = gpu->extensions.count, .ppEnabledExtensionNames = extensions,
        .pEnabledFeatures = &enabled.core};
    check(vkCreateDevice(gpu->physical, &device, NULL, &gpu->device), "vkCreateDevice");
    vkGetDeviceQueue(gpu->device, gpu->family, 0, &gpu->queue);
}

static void make_pipeline(const Gpu *gpu, Kernel *kernel)
{
    VkDescriptorSetLayoutBinding rows[MAX_BINDINGS];
    for (uint32_t i = 0; i < kernel->count; i++)
        rows[i] = (VkDescriptorSetLayoutBinding){.binding = kernel->bindings[i].binding,
            .descriptorType = kernel->bindings[i].type, .descriptorCount = 1,
            .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT};
    VkDescriptorSetLayoutCreateInfo set = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .bindingCount = kernel->count, .pBindings = rows};
    check(vkCreateDescriptorSetLayout(gpu->device, &set, NULL, &kernel->set_layout),
          "vkCreateDescriptorSetLayout");
    VkPipelineLayoutCreateInfo layout = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
        .setLayoutCount = 1, .pSetLayouts = &kernel->set_layout};
    check(vkCreatePipelineLayout(gpu->device, &layout, NULL, &kernel->layout),
          "vkCreatePipelineLayout");
    VkShaderModuleCreateInfo code = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
        .codeSize = kernel->bytes, .pCode = kernel->words};
    VkShaderModule module;
    check(vkCreateShaderModule(gpu->device, &code, NULL, &module), "vkCreateShaderModule");
    VkComputePipelineCreateInfo made = {.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                  .stage = VK_SHADER_STAGE_COMPUTE_BIT, .module = module,
                  .pName = kernel->entry_point},
        .layout = kernel->layout};
    VkResult result = vkCreateComputePipelines(gpu->device, VK_NULL_HANDLE, 1, &made, NULL,
                                               &kernel->pipeline);
    if (result) refuse(kernel->name, "vkCreateComputePipelines gave VkResult %d", (int)result);
    vkDestroyShaderModule(gpu->device, module, NULL);
}

static void make_pools(Gpu *gpu)
{
    static const VkDescriptorType types[] = {VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER,
        VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER,
        VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE,
        VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, VK_DESCRIPTOR_TYPE_SAMPLER};
    enum { TYPES = sizeof types / sizeof *types };
    VkDescriptorPoolSize sizes[TYPES];
    for (uint32_t i = 0; i < TYPES; i++)
        sizes[i] = (VkDescriptorPoolSize){types[i], 4 * MAX_OBJECTS};
    VkDescriptorPoolCreateInfo made = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
        .maxSets = MAX_OBJECTS, .poolSizeCount = TYPES, .pPoolSizes = sizes};
    check(vkCreateDescriptorPool(gpu->device, &made, NULL, &gpu->descriptors),
          "vkCreateDescriptorPool");
    VkCommandPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
        .flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT,
        .queueFamilyIndex = gpu->family};
    check(vkCreateCommandPool(gpu->device, &pool, NULL, &gpu->pool), "vkCreateCommandPool");
    VkCommandBufferAllocateInfo wanted = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
        .commandPool = gpu->pool, .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
        .commandBufferCount = 1};
    check(vkAllocateCommandBuffers(gpu->device, &wanted, &gpu->commands),
          "vkAllocateCommandBuffers");
}

/* Begins a frame: without commands, sets and messages */
static void begin_commands(Gpu *gpu)
{
    VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
        .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT};
    check(vkBeginCommandBuffer(gpu->commands, &begin), "vkBeginCommandBuffer");
    check(vkResetDescriptorPool(gpu->device, gpu->descriptors, 0), "vkResetDescriptorPool");
    memset(gpu->messages->data, 0, MESSAGES_BYTES);
}

void open_gpu(Gpu *gpu)
{
    choose_device(gpu);
    make_device(gpu);
    for (uint32_t i = 0; i < gpu->kernel_count; i++) make_pipeline(gpu, gpu->kernels[i]);
    make_pools(gpu);
    gpu->messages = make_buffer(gpu, NULL, MESSAGES_BYTES);
    begin_commands(gpu);
}

/* What is recorded from now on sees all that was written before, and so does the host. */
static void barrier(const Gpu *gpu)
{
    const VkPipelineStageFlags work =
        VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT;
    VkMemoryBarrier all = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
        .srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_WRITE_BIT,
        .dstAccessMask = VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT |
                         VK_ACCESS_UNIFORM_READ_BIT | VK_ACCESS_TRANSFER_READ_BIT |
                         VK_ACCESS_TRANSFER_WRITE_BIT | VK_ACCESS_INDIRECT_COMMAND_READ_BIT |
                         VK_ACCESS_HOST_READ_BIT};
    vkCmdPipelineBarrier(gpu->commands, work,
                         work | VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT | VK_PIPELINE_STAGE_HOST_BIT,
                         0, 1, &all, 0, NULL, 0, NULL);
}

void run_commands(Gpu *gpu)
{
    check(vkEndCommandBuffer(gpu->commands), "vkEndCommandBuffer");
    VkFenceCreateInfo made = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    VkFence fence;
    check(vkCreateFence(gpu->device, &made, NULL, &fence), "vkCreateFence");
    VkSubmitInfo work = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
        .commandBufferCount = 1, .pCommandBuffers = &gpu->commands};
    check(vkQueueSubmit(gpu->queue, 1, &work, fence), "vkQueueSubmit");
    check(vkWaitForFences(gpu->device, 1, &fence, VK_TRUE, TIMEOUT_S * UINT64_C(1000000000)),
          "vkWaitForFences");
    vkDestroyFence(gpu->device, fence, NULL);
    if (((const uint32_t *)gpu->messages->data)[ENDED_LOOP_WORD])
        fail("the driver ended a loop of", "a kernel");
    begin_commands(gpu);
}

void close_gpu(Gpu *gpu)
{
    for (uint32_t i = 0; i < gpu->sampler_count; i++)
        vkDestroySampler(gpu->device, gpu->samplers[i], NULL);
    for (uint32_t i = 0; i < gpu->texture_count; i++) {
        vkDestroyImageView(gpu->device, gpu->textures[i]->view, NULL);
        vkDestroyImage(gpu->device, gpu->textures[i]->image, NULL);
        vkFreeMemory(gpu->device, gpu->textures[i]->memory, NULL);
        free(gpu->textures[i]);
    }
    for (uint32_t i = 0; i < gpu->buffer_count; i++) {
        vkDestroyBufferView(gpu->device, gpu->buffers[i]->view, NULL);
        vkDestroyBuffer(gpu->device, gpu->buffers[i]->buffer, NULL);
        vkFreeMemory(gpu->device, gpu->buffers[i]->memory, NULL);
        free(gpu->buffers[i]);
    }
    for (uint32_t i = 0; i < gpu->kernel_count; i++) {
        vkDestroyPipeline(gpu->device, gpu->kernels[i]->pipeline, NULL);
        vkDestroyPipelineLayout(gpu->device, gpu->kernels[i]->layout, NULL);
        vkDestroyDescriptorSetLayout(gpu->device, gpu->kernels[i]->set_layout, NULL);
        free(gpu->kernels[i]->words);
        free(gpu->kernels[i]);
    }
    vkDestroyDescriptorPool(gpu->device, gpu->descriptors, NULL);
    vkDestroyCommandPool(gpu->device, gpu->pool, NULL);
    vkDestroyDevice(gpu->device, NULL);
    vkDestroyInstance(gpu->instance, NULL);
}

/* ---- buffers, textures, samplers ------------------------------------------------------------- */

static VkDeviceMemory allocate_memory(const Gpu *gpu, VkMemoryRequirements needed,
                                      VkMemoryPropertyFlags wanted)
{
    VkPhysicalDeviceMemoryProperties memory;
    vkGetPhysicalDeviceMemoryProperties(gpu->physical, &memory);
    uint32_t type = 0;
    while (type < memory.memoryTypeCount &&
           !((needed.memoryTypeBits >> type & 1) &&
             (memory.memoryTypes[type].propertyFlags & wanted) == wanted))
        type++;
    if (type == memory.memoryTypeCount) fail("no memory of the right type", NULL);
    VkMemoryAllocateInfo made = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
        .allocationSize = needed.size, .memoryTypeIndex = type};
    VkDeviceMemory allocated;
    check(vkAllocateMemory(gpu->device, &made, NULL, &allocated), "vkAllocateMemory");
    return allocated;
}

Buffer *make_buffer(Gpu *gpu, const void *data, size_t bytes)
{
    Buffer *made = gpu->buffers[next(&gpu->buffer_count)] = allocate(sizeof *made);
    made->bytes = bytes;
    VkBufferCreateInfo buffer = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .size = bytes,
        .usage = VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT | VK_BUFFER_USAGE_STORAGE_BUFFER_BIT |
                 VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT |
                 VK_BUFFER_USAGE_STORAGE_TEXEL_BUFFER_BIT | VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT |
                 VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT};
    check(vkCreateBuffer(gpu->device, &buffer, NULL, &made->buffer), "vkCreateBuffer");
    VkMemoryRequirements needed;
    vkGetBufferMemoryRequirements(gpu->device, made->buffer, &needed);
    made->memory = allocate_memory(gpu, needed, VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT |
                                                    VK_MEMORY_PROPERTY_HOST_COHERENT_BIT);
    check(vkBindBufferMemory(gpu->device, made->buffer, made->memory, 0), "vkBindBufferMemory");
    check(vkMapMemory(gpu->device, made->memory, 0, VK_WHOLE_SIZE, 0, &made->data), "vkMapMemory");
    if (data) memcpy(made->data, data, bytes);
    else memset(made->data, 0, bytes);
    return made;
}

Buffer *make_typed_buffer(Gpu *gpu, size_t bytes, VkFormat format)
{
    Buffer *made = make_buffer(gpu, NULL, bytes);
    made->format = format;
    VkBufferViewCreateInfo view = {.sType = VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO,
        .buffer = made->buffer, .format = format, .range = VK_WHOLE_SIZE};
    check(vkCreateBufferView(gpu->device, &view, NULL, &made->view), "vkCreateBufferView");
    return made;
}

Buffer *make_counted_buffer(Gpu *gpu, size_t bytes)
{
    Buffer *made = make_buffer(gpu, NULL, bytes);
    made->counter = make_buffer(gpu, NULL, sizeof(uint32_t));
    return made;
}

static void make_view(const Gpu *gpu, Texture *made, int is_1d)
{
    VkImageViewCreateInfo view = {.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
        .image = made->image, .viewType = is_1d ? VK_IMAGE_VIEW_TYPE_1D : VK_IMAGE_VIEW_TYPE_2D,
        .format = made->format,
        .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1}};
    check(vkCreateImageView(gpu->device, &view, NULL, &made->view), "vkCreateImageView");
}

static VkBufferImageCopy whole(const Texture *texture)
{
    return (VkBufferImageCopy){.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                               .imageExtent = texture->extent};
}

/* All textures are in the layout "general", in which shaders read, sample and write them. */
static void fill_texture(Gpu *gpu, const Texture *texture, const void *data)
{
    VkImageMemoryBarrier first = {.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
        .dstAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT,
        .oldLayout = VK_IMAGE_LAYOUT_UNDEFINED, .newLayout = VK_IMAGE_LAYOUT_GENERAL,
        .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED, .image = texture->image,
        .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1}};
    vkCmdPipelineBarrier(gpu->commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT,
                         VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 0, NULL, 0, NULL, 1, &first);
    VkBufferImageCopy region = whole(texture);
    vkCmdCopyBufferToImage(gpu->commands, make_buffer(gpu, data, texture->bytes)->buffer,
                           texture->image, VK_IMAGE_LAYOUT_GENERAL, 1, &region);
    barrier(gpu);
}

Texture *make_texture(Gpu *gpu, uint32_t width, uint32_t height, VkFormat format,
                      const void *data, size_t bytes)
{
    Texture *made = gpu->textures[next(&gpu->texture_count)] = allocate(sizeof *made);
    made->extent = (VkExtent3D){width, height ? height : 1, 1};
    made->format = format;
    made->dimension = height ? "2d" : "1d";
    made->bytes = texel_bytes(format) * width * made->extent.height;
    if (data && bytes != made->bytes)
        refuse(NULL, "the data has %llu bytes, the resource %llu", (unsigned long long)bytes,
               (unsigned long long)made->bytes);
    VkImageCreateInfo image = {.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
        .imageType = height ? VK_IMAGE_TYPE_2D : VK_IMAGE_TYPE_1D, .format = format,
        .extent = made->extent, .mipLevels = 1, .arrayLayers = 1,
        .samples = VK_SAMPLE_COUNT_1_BIT, .tiling = VK_IMAGE_TILING_OPTIMAL,
        .usage = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_STORAGE_BIT |
                 VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT};
    check(vkCreateImage(gpu->device, &image, NULL, &made->image), "vkCreateImage");
    VkMemoryRequirements needed;
    vkGetImageMemoryRequirements(gpu->device, made->image, &needed);
    made->memory = allocate_memory(gpu, needed, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT);
    check(vkBindImageMemory(gpu->device, made->image, made->memory, 0), "vkBindImageMemory");
    make_view(gpu, made, !height);
    fill_texture(gpu, made, data);
    return made;
}

VkSampler make_linear_sampler(Gpu *gpu)
{
    VkSamplerCreateInfo made = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
        .magFilter = VK_FILTER_LINEAR, .minFilter = VK_FILTER_LINEAR,
        .mipmapMode = VK_SAMPLER_MIPMAP_MODE_LINEAR,
        .addressModeU = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
        .addressModeV = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
        .addressModeW = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE, .maxLod = VK_LOD_CLAMP_NONE};
    VkSampler *sampler = &gpu->samplers[next(&gpu->sampler_count)];
    check(vkCreateSampler(gpu->device, &made, NULL, sampler), "vkCreateSampler");
    return *sampler;
}

/* ---- commands -------------------------------------------------------------------------------- */

static void check_names(const Kernel *kernel, const Argument *arguments)
{
    for (; arguments->name; arguments++) {
        uint32_t i = 0;
        while (i < kernel->count && strcmp(kernel->bindings[i].name, arguments->name)) i++;
        if (i == kernel->count)
            refuse(arguments->name, "%s has no resource of this name", kernel->name);
    }
}

static const Argument *find_argument(const Binding *binding, const Argument *arguments)
{
    for (; arguments->name; arguments++)
        if (!strcmp(arguments->name, binding->name)) return arguments;
    fail("nothing is bound to", binding->name);
    return NULL;
}

static void check_size(const Binding *binding, VkDeviceSize bytes)
{
    if (bytes < binding->least_bytes) fail("a longer buffer is needed", binding->name);
    if (binding->stride && bytes % binding->stride)
        refuse(binding->name, "a size of %llu bytes is no multiple of the stride, %lu",
               (unsigned long long)bytes, (unsigned long)binding->stride);
}

/* The format that the module was translated for, or any that has the shader's numbers */
static void check_format(const Binding *binding, VkFormat bound)
{
    const Format *format = find_format(bound);
    if (*binding->format && strcmp(binding->format, format->name))
        refuse(binding->name, "the format is %s, not %s", format->name, binding->format);
    if (!*binding->format && strcmp(binding->component, component_of(format)))
        refuse(binding->name, "the format %s is not read as %s", format->name, binding->component);
}

/* A hidden counter has its buffer's name, and a register of its own. */
static const Buffer *buffer_for(const Binding *binding, const Argument *argument)
{
    const Buffer *buffer = argument->buffer;
    if (!buffer) fail("no buffer is bound to", binding->name);
    if (strstr(binding->register_, ".counter")) buffer = buffer->counter;
    if (!buffer) fail("no counter is bound to", binding->name);
    check_size(binding, buffer->bytes);
    return buffer;
}

static const Buffer *typed_buffer_for(const Binding *binding, const Argument *argument)
{
    const Buffer *buffer = buffer_for(binding, argument);
    if (!buffer->view) fail("no typed buffer is bound to", binding->name);
    check_format(binding, buffer->format);
    return buffer;
}

static const Texture *texture_for(const Binding *binding, const Argument *argument)
{
    const Texture *texture = argument->texture;
    if (!texture) fail("no texture is bound to", binding->name);
    if (strcmp(texture->dimension, binding->dimension))
        refuse(binding->name, "the texture is %s, not %s", texture->dimension, binding->dimension);
    check_format(binding, texture->format);
    return texture;
}

static void write_descriptor(const Gpu *gpu, VkDescriptorSet set, const Binding *binding,
                             const Argument *argument)
{
    VkDescriptorBufferInfo range;
    VkDescriptorImageInfo image = {argument->sampler, VK_NULL_HANDLE, VK_IMAGE_LAYOUT_GENERAL};
    VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET, .dstSet = set,
        .dstBinding = binding->binding, .descriptorCount = 1, .descriptorType = binding->type,
        .pBufferInfo = &range, .pImageInfo = &image};
    switch (binding->type) {
    case VK_DESCRIPTOR_TYPE_SAMPLER:
        if (!argument->sampler) fail("no sampler is bound to", binding->name);
        break;
    case VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE:
    case VK_DESCRIPTOR_TYPE_STORAGE_IMAGE:
        image.imageView = texture_for(binding, argument)->view;
        break;
    case VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER:
    case VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER:
        write.pTexelBufferView = &typed_buffer_for(binding, argument)->view;
        break;
    default: {
        const Buffer *buffer = buffer_for(binding, argument);
        range = (VkDescriptorBufferInfo){buffer->buffer, 0, buffer->bytes};
    }
    }
    vkUpdateDescriptorSets(gpu->device, 1, &write, 0, NULL);
}

static void bind(Gpu *gpu, const Kernel *kernel, const Argument *arguments)
{
    check_names(kernel, arguments);
    VkDescriptorSetAllocateInfo wanted = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
        .descriptorPool = gpu->descriptors, .descriptorSetCount = 1,
        .pSetLayouts = &kernel->set_layout};
    VkDescriptorSet set;
    check(vkAllocateDescriptorSets(gpu->device, &wanted, &set), "vkAllocateDescriptorSets");
    const Argument messages = {.name = MESSAGES, .buffer = gpu->messages};
    for (uint32_t i = 0; i < kernel->count; i++) {
        const Binding *binding = &kernel->bindings[i];
        int given = strcmp(binding->name, MESSAGES);
        write_descriptor(gpu, set, binding,
                         given ? find_argument(binding, arguments) : &messages);
    }
    vkCmdBindPipeline(gpu->commands, VK_PIPELINE_BIND_POINT_COMPUTE, kernel->pipeline);
    vkCmdBindDescriptorSets(gpu->commands, VK_PIPELINE_BIND_POINT_COMPUTE, kernel->layout, 0, 1,
                            &set, 0, NULL);
}

Groups groups_for(const Kernel *kernel, uint32_t width, uint32_t height)
{
    const uint32_t *threads = kernel->thread_group;
    return (Groups){(width + threads[0] - 1) / threads[0], (height + threads[1] - 1) / threads[1]};
}

void dispatch(Gpu *gpu, const Kernel *kernel, Groups groups, const Argument *arguments)
{
    bind(gpu, kernel, arguments);
    vkCmdDispatch(gpu->commands, groups.x, groups.y, 1);
    barrier(gpu);
}

void dispatch_indirect(Gpu *gpu, const Kernel *kernel, const Buffer *groups,
                       const Argument *arguments)
{
    bind(gpu, kernel, arguments);
    vkCmdDispatchIndirect(gpu->commands, groups->buffer, 0);
    barrier(gpu);
}

void copy_counter(Gpu *gpu, const Buffer *from, const Buffer *to)
{
    VkBufferCopy dword = {.size = sizeof(uint32_t)};
    vkCmdCopyBuffer(gpu->commands, from->counter->buffer, to->buffer, 1, &dword);
    barrier(gpu);
}

void set_counter(Gpu *gpu, const Buffer *buffer, uint32_t value)
{
    vkCmdFillBuffer(gpu->commands, buffer->counter->buffer, 0, sizeof value, value);
    barrier(gpu);
}

Buffer *download(Gpu *gpu, const Texture *texture)
{
    Buffer *made = make_buffer(gpu, NULL, texture->bytes);
    VkBufferImageCopy region = whole(texture);
    vkCmdCopyImageToBuffer(gpu->commands, texture->image, VK_IMAGE_LAYOUT_GENERAL, made->buffer, 1,
                           &region);
    barrier(gpu);
    return made;
}
