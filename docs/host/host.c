/* A Vulkan host for compute shaders that sm5vk translated: it knows their SPIR-V and the JSON of
 * their interface, and nothing else of sm5vk.
 *
 *     sm5vk translate shader.dxbc -o shader.spv --interface shader.json --for desktop
 *     cc -std=c99 host.c -o host -lvulkan -lcjson
 *     ./host --help
 */
#include <cjson/cJSON.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vulkan/vulkan.h>

enum { MAX_BINDINGS = 64, MAX_SETS = 32, MAX_NAMES = 32, TIMEOUT_S = 60 };
enum { MAX_GROUPS = 65535, MAX_SIDE = 16384 }; /* D3D's limits in a dimension */

static const char DIGITS[] = "0123456789", THREADS[] = "threads=";

static const char USAGE[] =
    "usage: host MODULE.spv INTERFACE.json X Y Z REGISTER=IN[:OUT] ...\n"
    "\n"
    "  X Y Z                   the thread groups, up to 65535 in each dimension\n"
    "  threads=SIZE            in place of X Y Z: 1000, 640x480 or 64x64x64 threads, rounded up\n"
    "                          to whole groups\n"
    "  indirect FILE OFFSET    in place of X Y Z: three u32 in a file, at an offset in bytes\n"
    "  REGISTER=IN[:OUT]       a buffer (t0, u0, cb0, u0.counter, messages): IN is a file,\n"
    "                          or a number of bytes, all zero; OUT gets the bytes afterwards\n"
    "  REGISTER@SIZE=IN[:OUT]  a texture: t0@64x32, u0@16x16x6; after width and height depth\n"
    "                          or layers\n"
    "  REGISTER=WORD,...       a sampler: point or linear; wrap, mirror or clamp; to compare,\n"
    "                          never, less, equal, less_equal, greater, not_equal,\n"
    "                          greater_equal or always\n"
    "\n"
    "Typed buffers and textures have the vk_format of the interface.\n";

typedef struct { /* one entry of "bindings" in the interface, and what is bound there */
    char name[32];
    uint32_t set, binding;
    int pushed; /* a constant buffer that is push constants */
    uint32_t push_offset;
    VkDescriptorType type;
    VkFormat format; /* of a texel buffer or an image */
    uint32_t texel_bytes;
    VkImageViewType view_type;
    int compares;
    size_t least_bytes, stride;
    const char *output;
    VkDeviceSize bytes;
    VkBuffer buffer; /* of an image: its texels, before and after the dispatch */
    VkDeviceMemory memory, image_memory;
    VkBufferView view;
    VkExtent3D extent;
    uint32_t layers;
    VkImage image;
    VkImageView image_view;
    VkSampler sampler;
} Binding;

typedef struct {
    uint32_t count;
    char names[MAX_NAMES][64];
} Names;

typedef struct {
    char entry_point[64];
    void *code; /* the module of the interface */
    size_t code_bytes;
    uint32_t api_version, set_count, push_bytes, count, thread_group[3];
    Names features, extensions, float_controls, specialization;
    uint32_t constant_ids[MAX_NAMES]; /* of "specialization" */
    uint32_t set_constants, constants[MAX_NAMES]; /* the ids of those that are set */
    Binding bindings[MAX_BINDINGS];
} Interface;

typedef struct { /* that the device offers, or that are enabled */
    VkPhysicalDeviceFeatures2 core; /* the first of a chain */
    VkPhysicalDeviceImageRobustnessFeaturesEXT images;
    VkPhysicalDeviceRobustness2FeaturesEXT robustness2;
    VkPhysicalDeviceDescriptorIndexingFeatures indexing;
    VkPhysicalDeviceShaderFloat16Int8Features halves;
    VkBool32 ballot, info; /* a property, and an extension without features */
} Features;

typedef struct { /* one of the interface, and the struct that has its flag */
    const char *name;
    VkBool32 *flag;
    void *owner;
} Feature;

typedef struct {
    VkInstance instance;
    VkPhysicalDevice physical;
    VkDevice device;
    VkQueue queue;
    uint32_t family;
} Gpu;

typedef struct { /* X Y Z, or from a buffer */
    uint32_t count[3];
    Binding arguments;
    VkDeviceSize offset;
} Groups;

static void fail(const char *what, const char *which)
{
    fprintf(stderr, "host: %s%s%s\n", what, *which ? ": " : "", which);
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
    if (result != VK_SUCCESS) refuse("", "%s gave VkResult %d", call, (int)result);
}

static void *allocate(size_t bytes)
{
    void *memory = calloc(1, bytes ? bytes : 1);
    if (!memory) fail("no memory", "");
    return memory;
}

static void *read_file(const char *path, size_t *bytes)
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

static uint32_t whole_number(const char *word, uint32_t most)
{
    if (*word && !word[strspn(word, DIGITS)]) {
        unsigned long long value = strtoull(word, NULL, 10); /* its largest, if it has no room */
        if (value <= most) return (uint32_t)value;
    }
    refuse(word, "no whole number up to %lu", (unsigned long)most);
    return 0;
}

/* Numbers with an x between them, of which `sides` gets three; returns how many there are. */
static int read_sides(char *text, uint32_t most, uint32_t *sides)
{
    int count = 0;
    for (char *next; text; text = next, count++) {
        next = strchr(text, 'x');
        if (next) *next++ = 0;
        if (count < 3) sides[count] = whole_number(text, most);
    }
    return count;
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
    if (!strcmp(name, "uniform_buffer")) return VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER;
    if (!strcmp(name, "storage_buffer")) return VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
    if (!strcmp(name, "uniform_texel_buffer")) return VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER;
    if (!strcmp(name, "storage_texel_buffer")) return VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER;
    if (!strcmp(name, "sampled_image")) return VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE;
    if (!strcmp(name, "storage_image")) return VK_DESCRIPTOR_TYPE_STORAGE_IMAGE;
    if (!strcmp(name, "sampler")) return VK_DESCRIPTOR_TYPE_SAMPLER;
    fail("this host binds no", name);
    return VK_DESCRIPTOR_TYPE_MAX_ENUM;
}

static int is_texel_buffer(VkDescriptorType type)
{
    return type == VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER ||
           type == VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER;
}

static int is_image(VkDescriptorType type)
{
    return type == VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE || type == VK_DESCRIPTOR_TYPE_STORAGE_IMAGE;
}

static void read_format(const char *name, Binding *binding)
{
#define FORMAT(name, bytes) {#name, name, bytes}
    static const struct { const char *name; VkFormat format; uint32_t bytes; } known[] = {
        FORMAT(VK_FORMAT_R32_UINT, 4), FORMAT(VK_FORMAT_R32_SINT, 4),
        FORMAT(VK_FORMAT_R32_SFLOAT, 4), FORMAT(VK_FORMAT_D32_SFLOAT, 4),
        FORMAT(VK_FORMAT_R32G32_UINT, 8), FORMAT(VK_FORMAT_R32G32_SINT, 8),
        FORMAT(VK_FORMAT_R32G32_SFLOAT, 8), FORMAT(VK_FORMAT_R32G32B32_UINT, 12),
        FORMAT(VK_FORMAT_R32G32B32_SINT, 12), FORMAT(VK_FORMAT_R32G32B32_SFLOAT, 12),
        FORMAT(VK_FORMAT_R32G32B32A32_UINT, 16), FORMAT(VK_FORMAT_R32G32B32A32_SINT, 16),
        FORMAT(VK_FORMAT_R32G32B32A32_SFLOAT, 16), FORMAT(VK_FORMAT_R16G16B16A16_SFLOAT, 8),
        FORMAT(VK_FORMAT_R16_SFLOAT, 2), FORMAT(VK_FORMAT_R8_UINT, 1),
        FORMAT(VK_FORMAT_R8_UNORM, 1), FORMAT(VK_FORMAT_R8G8B8A8_UNORM, 4),
        FORMAT(VK_FORMAT_R8G8B8A8_UINT, 4), FORMAT(VK_FORMAT_B8G8R8A8_UNORM, 4),
        FORMAT(VK_FORMAT_B10G11R11_UFLOAT_PACK32, 4)};
#undef FORMAT
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (!strcmp(known[i].name, name)) {
            binding->format = known[i].format;
            binding->texel_bytes = known[i].bytes;
            return;
        }
    fail("this host knows no format", name);
}

static VkImageViewType view_type(const char *name)
{
#define VIEW(name) {#name, name}
    static const struct { const char *name; VkImageViewType type; } known[] = {
        VIEW(VK_IMAGE_VIEW_TYPE_1D), VIEW(VK_IMAGE_VIEW_TYPE_1D_ARRAY),
        VIEW(VK_IMAGE_VIEW_TYPE_2D), VIEW(VK_IMAGE_VIEW_TYPE_2D_ARRAY),
        VIEW(VK_IMAGE_VIEW_TYPE_3D), VIEW(VK_IMAGE_VIEW_TYPE_CUBE),
        VIEW(VK_IMAGE_VIEW_TYPE_CUBE_ARRAY)};
#undef VIEW
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (!strcmp(known[i].name, name)) return known[i].type;
    fail("there is no", name);
    return VK_IMAGE_VIEW_TYPE_MAX_ENUM;
}

static void read_binding(const cJSON *row, Interface *interface)
{
    if (interface->count == MAX_BINDINGS) fail("too many bindings", "");
    Binding *binding = &interface->bindings[interface->count++];
    snprintf(binding->name, sizeof binding->name, "%s", text(row, "register"));
    if (number(row, "count") != 1) fail("this host binds no arrays of resources", binding->name);
    binding->least_bytes = optional_number(row, "size_bytes");
    binding->pushed = !strcmp(text(row, "descriptor_type"), "push_constants");
    if (binding->pushed) {
        binding->type = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER; /* of the buffer with its bytes */
        binding->push_offset = number(row, "push_offset");
        uint32_t end = binding->push_offset + (uint32_t)binding->least_bytes;
        if (end > interface->push_bytes) interface->push_bytes = end;
        return;
    }
    binding->set = number(row, "set");
    binding->binding = number(row, "binding");
    binding->type = descriptor_type(text(row, "descriptor_type"));
    binding->stride = optional_number(row, "stride");
    if (is_texel_buffer(binding->type) || is_image(binding->type))
        read_format(text(row, "vk_format"), binding);
    if (is_image(binding->type)) {
        binding->view_type = view_type(text(row, "vk_view_type"));
        if (!strncmp(text(row, "dimension"), "2dms", 4))
            fail("this host binds no multisampled textures", binding->name);
    }
    if (binding->type == VK_DESCRIPTOR_TYPE_SAMPLER)
        binding->compares = cJSON_IsTrue(member(row, "comparison"));
    if (binding->set >= MAX_SETS) fail("the set's number is too high", binding->name);
    if (binding->set >= interface->set_count) interface->set_count = binding->set + 1;
}

static void add_name(Names *names, const char *added)
{
    if (names->count == MAX_NAMES) fail("too many names", "");
    snprintf(names->names[names->count++], sizeof *names->names, "%s", added);
}

static void read_names(const cJSON *rows, Names *names)
{
    const cJSON *row;
    cJSON_ArrayForEach(row, rows) add_name(names, cJSON_GetStringValue(row));
}

static uint32_t api_version(const char *target)
{
    unsigned major = 0, minor = 0;
    if (sscanf(target, "vulkan%u.%u", &major, &minor) != 2) fail("no such target", target);
    return VK_MAKE_API_VERSION(0, major, minor, 0);
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

static void read_interface(const char *path, const char *module, Interface *interface)
{
    size_t bytes;
    char *contents = read_file(path, &bytes);
    cJSON *root = cJSON_Parse(contents);
    if (!root) fail("is not JSON", path);
    const cJSON *row, *crc = cJSON_GetObjectItemCaseSensitive(root, "spirv_crc32");
    interface->code = read_file(module, &interface->code_bytes);
    if (crc && crc->valuedouble != crc32(interface->code, interface->code_bytes))
        refuse("", "%s is not the interface of %s", path, module);
    for (int i = 0; i < 3; i++)
        interface->thread_group[i] =
            (uint32_t)cJSON_GetArrayItem(member(root, "thread_group"), i)->valuedouble;
    interface->api_version = api_version(text(root, "target"));
    const char *name = text(root, "entry_point");
    snprintf(interface->entry_point, sizeof interface->entry_point, "%s", name);
    read_names(member(root, "features"), &interface->features);
    read_names(member(root, "extensions"), &interface->extensions);
    read_names(member(root, "float_controls"), &interface->float_controls);
    cJSON_ArrayForEach(row, cJSON_GetObjectItemCaseSensitive(root, "specialization")) {
        add_name(&interface->specialization, text(row, "name"));
        interface->constant_ids[interface->specialization.count - 1] = number(row, "id");
    }
    cJSON_ArrayForEach(row, member(root, "bindings")) read_binding(row, interface);
    if (!interface->set_count) fail("the shader has no descriptors", path);
    if (cJSON_GetArraySize(member(root, "windows"))) fail("this host pushes no windows", "");
    cJSON_Delete(root);
    free(contents);
}

/* ---- device and buffers ---------------------------------------------------------------------- */

static Feature find_feature(Features *features, const char *name)
{
    void *first = &features->core;
    VkPhysicalDeviceFeatures *core = &features->core.features;
    VkPhysicalDeviceRobustness2FeaturesEXT *robustness2 = &features->robustness2;
    VkPhysicalDeviceDescriptorIndexingFeatures *indexing = &features->indexing;
#define INDEXING(flag) &indexing->shader##flag##ArrayNonUniformIndexing, indexing
    const Feature known[] = {
        {"float16", &features->halves.shaderFloat16, &features->halves},
        {"float64", &core->shaderFloat64, first},
        {"image_cube_array", &core->imageCubeArray, first},
        {"image_gather_extended", &core->shaderImageGatherExtended, first},
        {"non_semantic_info", &features->info, first},
        {"resource_min_lod", &core->shaderResourceMinLod, first},
        {"robust_buffer_access", &core->robustBufferAccess, first},
        {"robust_buffer_access2", &robustness2->robustBufferAccess2, robustness2},
        {"robust_image_access", &features->images.robustImageAccess, &features->images},
        {"robust_image_access2", &robustness2->robustImageAccess2, robustness2},
        {"runtime_descriptor_array", &indexing->runtimeDescriptorArray, indexing},
        {"sampled_image_dynamic_indexing", &core->shaderSampledImageArrayDynamicIndexing, first},
        {"sampled_image_non_uniform_indexing", INDEXING(SampledImage)},
        {"storage_buffer_dynamic_indexing", &core->shaderStorageBufferArrayDynamicIndexing, first},
        {"storage_buffer_non_uniform_indexing", INDEXING(StorageBuffer)},
        {"storage_image_dynamic_indexing", &core->shaderStorageImageArrayDynamicIndexing, first},
        {"storage_image_extended_formats", &core->shaderStorageImageExtendedFormats, first},
        {"storage_image_non_uniform_indexing", INDEXING(StorageImage)},
        {"storage_image_read_without_format", &core->shaderStorageImageReadWithoutFormat, first},
        {"storage_image_write_without_format", &core->shaderStorageImageWriteWithoutFormat, first},
        {"storage_texel_buffer_dynamic_indexing",
         &indexing->shaderStorageTexelBufferArrayDynamicIndexing, indexing},
        {"storage_texel_buffer_non_uniform_indexing", INDEXING(StorageTexelBuffer)},
        {"subgroup_ballot", &features->ballot, first},
        {"uniform_buffer_dynamic_indexing", &core->shaderUniformBufferArrayDynamicIndexing, first},
        {"uniform_buffer_non_uniform_indexing", INDEXING(UniformBuffer)},
        {"uniform_texel_buffer_dynamic_indexing",
         &indexing->shaderUniformTexelBufferArrayDynamicIndexing, indexing},
        {"uniform_texel_buffer_non_uniform_indexing", INDEXING(UniformTexelBuffer)},
    };
#undef INDEXING
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (!strcmp(known[i].name, name)) return known[i];
    fail("this host does not enable the feature", name);
    return known[0];
}

/* Adds a struct to the chain, unless it is there. */
static void chain(Features *features, void *added)
{
    VkBaseOutStructure *at = (VkBaseOutStructure *)&features->core;
    while (at != added && at->pNext) at = at->pNext;
    if (at != added) at->pNext = added;
}

static void read_features(const Gpu *gpu, Features *offered)
{
    chain(offered, &offered->images);
    chain(offered, &offered->robustness2);
    chain(offered, &offered->indexing);
    chain(offered, &offered->halves);
    vkGetPhysicalDeviceFeatures2(gpu->physical, &offered->core);
    VkPhysicalDeviceSubgroupProperties subgroups = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES};
    VkPhysicalDeviceProperties2 properties = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &subgroups};
    vkGetPhysicalDeviceProperties2(gpu->physical, &properties);
    offered->ballot = (subgroups.supportedOperations & VK_SUBGROUP_FEATURE_BALLOT_BIT) &&
                      (subgroups.supportedStages & VK_SHADER_STAGE_COMPUTE_BIT);
    offered->info = VK_TRUE;
}

static const Features NO_FEATURES = {
    .core = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2},
    .images = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_ROBUSTNESS_FEATURES_EXT},
    .robustness2 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ROBUSTNESS_2_FEATURES_EXT},
    .indexing = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_INDEXING_FEATURES},
    .halves = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_FLOAT16_INT8_FEATURES}};

/* Sets the features to enable, with a chain of the structs that have one of them. */
static void choose_features(const Gpu *gpu, const Names *wanted, Features *enabled)
{
    Features offered = NO_FEATURES;
    *enabled = offered;
    read_features(gpu, &offered);
    for (uint32_t i = 0; i < wanted->count; i++) {
        const char *name = wanted->names[i];
        if (!*find_feature(&offered, name).flag) fail("the device lacks the feature", name);
        Feature feature = find_feature(enabled, name);
        *feature.flag = VK_TRUE;
        chain(enabled, feature.owner);
    }
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

static void check_float_controls(const Gpu *gpu, const Names *wanted)
{
    VkPhysicalDeviceFloatControlsProperties modes = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FLOAT_CONTROLS_PROPERTIES};
    VkPhysicalDeviceProperties2 properties = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &modes};
    vkGetPhysicalDeviceProperties2(gpu->physical, &properties);
    for (uint32_t i = 0; i < wanted->count; i++)
        if (!has_mode(&modes, wanted->names[i]))
            fail("the device lacks the float mode", wanted->names[i]);
}

static int has_extension(const Gpu *gpu, const char *name)
{
    uint32_t count = 0, at = 0;
    check(vkEnumerateDeviceExtensionProperties(gpu->physical, NULL, &count, NULL),
          "vkEnumerateDeviceExtensionProperties");
    VkExtensionProperties *offered = allocate(count * sizeof *offered);
    check(vkEnumerateDeviceExtensionProperties(gpu->physical, NULL, &count, offered),
          "vkEnumerateDeviceExtensionProperties");
    while (at < count && strcmp(offered[at].extensionName, name)) at++;
    free(offered);
    return at < count;
}

static void check_extensions(const Gpu *gpu, const Names *wanted)
{
    for (uint32_t i = 0; i < wanted->count; i++)
        if (!has_extension(gpu, wanted->names[i]))
            fail("the device lacks the extension", wanted->names[i]);
}

/* Sets the specialization constants for the robust accesses that the device offers, and enables
 * these. On CPUs none of images: lavapipe up to Mesa 25.0 and SwiftShader break it. */
static void choose_constants(const Gpu *gpu, Interface *interface)
{
    static const struct { const char *feature, *extension; } robust[] = {
        {"robust_buffer_access", ""},
        {"robust_buffer_access2", "VK_EXT_robustness2"},
        {"robust_image_access", "VK_EXT_image_robustness"}};
    VkPhysicalDeviceProperties device;
    vkGetPhysicalDeviceProperties(gpu->physical, &device);
    Features offered = NO_FEATURES;
    read_features(gpu, &offered);
    size_t count = sizeof robust / sizeof *robust;
    if (device.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU) count--;
    for (uint32_t i = 0; i < interface->specialization.count; i++)
        for (size_t kind = 0; kind < count; kind++) {
            const char *name = robust[kind].feature, *extension = robust[kind].extension;
            if (strcmp(interface->specialization.names[i], name)) continue;
            if (!*find_feature(&offered, name).flag) continue;
            if (*extension && !has_extension(gpu, extension)) continue;
            add_name(&interface->features, name);
            if (*extension) add_name(&interface->extensions, extension);
            interface->constants[interface->set_constants++] = interface->constant_ids[i];
        }
}

static void open_gpu(Interface *interface, Gpu *gpu)
{
    VkApplicationInfo application = {
        .sType = VK_STRUCTURE_TYPE_APPLICATION_INFO, .apiVersion = interface->api_version};
    VkInstanceCreateInfo made = {
        .sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO, .pApplicationInfo = &application};
    check(vkCreateInstance(&made, NULL, &gpu->instance), "vkCreateInstance");
    uint32_t one = 1;
    VkResult found = vkEnumeratePhysicalDevices(gpu->instance, &one, &gpu->physical);
    if ((found != VK_SUCCESS && found != VK_INCOMPLETE) || !one) fail("no device", "");

    uint32_t count = 16;
    VkQueueFamilyProperties families[16];
    vkGetPhysicalDeviceQueueFamilyProperties(gpu->physical, &count, families);
    while (gpu->family < count && !(families[gpu->family].queueFlags & VK_QUEUE_COMPUTE_BIT))
        gpu->family++;
    if (gpu->family == count) fail("the device has no queue for compute", "");
    choose_constants(gpu, interface);
    float priority = 1;
    const Names *named = &interface->extensions;
    const char *extensions[MAX_NAMES];
    for (uint32_t i = 0; i < named->count; i++) extensions[i] = named->names[i];
    VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
        .queueFamilyIndex = gpu->family, .queueCount = 1, .pQueuePriorities = &priority};
    Features enabled;
    choose_features(gpu, &interface->features, &enabled);
    check_float_controls(gpu, &interface->float_controls);
    check_extensions(gpu, named);
    VkDeviceCreateInfo device = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
        .pNext = &enabled.core, .queueCreateInfoCount = 1, .pQueueCreateInfos = &queue,
        .enabledExtensionCount = named->count, .ppEnabledExtensionNames = extensions};
    check(vkCreateDevice(gpu->physical, &device, NULL, &gpu->device), "vkCreateDevice");
    vkGetDeviceQueue(gpu->device, gpu->family, 0, &gpu->queue);
}

static uint32_t memory_type(const Gpu *gpu, uint32_t allowed, VkMemoryPropertyFlags wanted)
{
    VkPhysicalDeviceMemoryProperties memory;
    vkGetPhysicalDeviceMemoryProperties(gpu->physical, &memory);
    for (uint32_t i = 0; i < memory.memoryTypeCount; i++)
        if ((allowed >> i & 1) && (memory.memoryTypes[i].propertyFlags & wanted) == wanted)
            return i;
    fail("no memory that is suitable", "");
    return 0;
}

static VkDeviceMemory allocate_memory(const Gpu *gpu, const VkMemoryRequirements *needed,
                                      VkMemoryPropertyFlags wanted)
{
    VkMemoryAllocateInfo made = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
        .allocationSize = needed->size,
        .memoryTypeIndex = memory_type(gpu, needed->memoryTypeBits, wanted)};
    VkDeviceMemory memory;
    check(vkAllocateMemory(gpu->device, &made, NULL, &memory), "vkAllocateMemory");
    return memory;
}

/* The buffer is as long as the D3D view, for the module takes its bounds from the descriptor;
 * a constant buffer that is shorter than the shader's is filled up with zeros. */
static void make_buffer(const Gpu *gpu, Binding *binding, VkBufferUsageFlags usage,
                        const void *data, size_t bytes)
{
    if (binding->stride && bytes % binding->stride)
        refuse(binding->name, "a size of %llu bytes is no multiple of the stride, %lu",
               (unsigned long long)bytes, (unsigned long)binding->stride);
    binding->bytes = bytes > binding->least_bytes ? bytes : binding->least_bytes;
    VkBufferCreateInfo made = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
        .size = binding->bytes, .usage = usage};
    check(vkCreateBuffer(gpu->device, &made, NULL, &binding->buffer), "vkCreateBuffer");
    VkMemoryRequirements needed;
    vkGetBufferMemoryRequirements(gpu->device, binding->buffer, &needed);
    binding->memory = allocate_memory(gpu, &needed,
        VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT);
    check(vkBindBufferMemory(gpu->device, binding->buffer, binding->memory, 0),
          "vkBindBufferMemory");
    void *mapped;
    check(vkMapMemory(gpu->device, binding->memory, 0, VK_WHOLE_SIZE, 0, &mapped), "vkMapMemory");
    memset(mapped, 0, (size_t)binding->bytes);
    memcpy(mapped, data, bytes);
    vkUnmapMemory(gpu->device, binding->memory);
    if (!is_texel_buffer(binding->type)) return;
    VkBufferViewCreateInfo view = {.sType = VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO,
        .buffer = binding->buffer, .format = binding->format, .range = VK_WHOLE_SIZE};
    check(vkCreateBufferView(gpu->device, &view, NULL, &binding->view), "vkCreateBufferView");
}

static VkBufferUsageFlags usage_of(VkDescriptorType type)
{
    switch (type) {
    case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER: return VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT;
    case VK_DESCRIPTOR_TYPE_STORAGE_BUFFER: return VK_BUFFER_USAGE_STORAGE_BUFFER_BIT;
    case VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER: return VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT;
    case VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER: return VK_BUFFER_USAGE_STORAGE_TEXEL_BUFFER_BIT;
    default: return VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT;
    }
}

/* ---- textures and samplers ------------------------------------------------------------------- */

/* WIDTH[xHEIGHT[xDEPTH]]; the last number of an array, and of a cube, counts layers. */
static void read_size(char *size, Binding *binding)
{
    uint32_t sides[3] = {1, 1, 1};
    int count = read_sides(size, MAX_SIDE, sides), wanted = 2, layered = 0;
    switch (binding->view_type) {
    case VK_IMAGE_VIEW_TYPE_1D: wanted = 1; break;
    case VK_IMAGE_VIEW_TYPE_1D_ARRAY: layered = 1; break;
    case VK_IMAGE_VIEW_TYPE_2D: break;
    case VK_IMAGE_VIEW_TYPE_3D: wanted = 3; break;
    default: wanted = 3, layered = 1; break;
    }
    if (count != wanted) fail("has another number of sides than its texture", binding->name);
    binding->layers = layered ? sides[wanted - 1] : 1;
    if (layered) sides[wanted - 1] = 1;
    binding->extent = (VkExtent3D){sides[0], sides[1], sides[2]};
}

static VkImageAspectFlags aspect_of(const Binding *binding)
{
    return binding->format == VK_FORMAT_D32_SFLOAT ? VK_IMAGE_ASPECT_DEPTH_BIT
                                                   : VK_IMAGE_ASPECT_COLOR_BIT;
}

static VkImageType image_type(VkImageViewType view)
{
    if (view == VK_IMAGE_VIEW_TYPE_1D || view == VK_IMAGE_VIEW_TYPE_1D_ARRAY)
        return VK_IMAGE_TYPE_1D;
    return view == VK_IMAGE_VIEW_TYPE_3D ? VK_IMAGE_TYPE_3D : VK_IMAGE_TYPE_2D;
}

/* An image of one mip. Its texels lie in the buffer, row after row, layer after layer. */
static void make_image(const Gpu *gpu, Binding *binding)
{
    const VkExtent3D extent = binding->extent;
    uint64_t texels = (uint64_t)extent.width * extent.height * extent.depth * binding->layers;
    uint64_t wanted = texels * binding->texel_bytes;
    if (!texels || wanted != binding->bytes)
        refuse(binding->name, "the file has %llu bytes, a texture of this size and format %llu"
                              " (sm5vk translate --format sets the format)",
               (unsigned long long)binding->bytes, (unsigned long long)wanted);
    int cube = binding->view_type == VK_IMAGE_VIEW_TYPE_CUBE ||
               binding->view_type == VK_IMAGE_VIEW_TYPE_CUBE_ARRAY;
    VkImageCreateInfo made = {.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
        .flags = cube ? VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT : 0,
        .imageType = image_type(binding->view_type), .format = binding->format,
        .extent = extent, .mipLevels = 1, .arrayLayers = binding->layers,
        .samples = VK_SAMPLE_COUNT_1_BIT,
        .usage = VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT |
                 (binding->type == VK_DESCRIPTOR_TYPE_STORAGE_IMAGE ? VK_IMAGE_USAGE_STORAGE_BIT
                                                                    : VK_IMAGE_USAGE_SAMPLED_BIT)};
    check(vkCreateImage(gpu->device, &made, NULL, &binding->image), "vkCreateImage");
    VkMemoryRequirements needed;
    vkGetImageMemoryRequirements(gpu->device, binding->image, &needed);
    binding->image_memory = allocate_memory(gpu, &needed, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT);
    check(vkBindImageMemory(gpu->device, binding->image, binding->image_memory, 0),
          "vkBindImageMemory");
    VkImageViewCreateInfo view = {.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
        .image = binding->image, .viewType = binding->view_type, .format = binding->format,
        .subresourceRange = {aspect_of(binding), 0, 1, 0, binding->layers}};
    check(vkCreateImageView(gpu->device, &view, NULL, &binding->image_view), "vkCreateImageView");
}

static int find_word(const char *word, const char *const *words, int count)
{
    for (int i = 0; i < count; i++)
        if (!strcmp(word, words[i])) return i;
    return -1;
}

/* Words with commas between them, in any order; linear and clamp without. */
static void make_sampler(const Gpu *gpu, Binding *binding, char *words)
{
    static const char *const filters[] = {"point", "linear"};
    static const char *const modes[] = {"wrap", "mirror", "clamp"}; /* as VkSamplerAddressMode */
    static const char *const comparisons[] = {"never", "less", "equal", "less_equal", "greater",
                                              "not_equal", "greater_equal", "always"};
    int filter = VK_FILTER_LINEAR, mode = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE, comparison = -1;
    for (char *word = strtok(words, ","); word; word = strtok(NULL, ",")) {
        int found;
        if ((found = find_word(word, filters, 2)) >= 0) filter = found;
        else if ((found = find_word(word, modes, 3)) >= 0) mode = found;
        else if ((found = find_word(word, comparisons, 8)) >= 0) comparison = found;
        else fail("is no word of a sampler", word);
    }
    if (binding->compares != (comparison >= 0))
        fail(binding->compares ? "a comparison is needed for" : "no comparison is for",
             binding->name);
    VkSamplerCreateInfo made = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
        .magFilter = (VkFilter)filter, .minFilter = (VkFilter)filter,
        .mipmapMode = (VkSamplerMipmapMode)filter, .addressModeU = (VkSamplerAddressMode)mode,
        .addressModeV = (VkSamplerAddressMode)mode, .addressModeW = (VkSamplerAddressMode)mode,
        .compareEnable = binding->compares ? VK_TRUE : VK_FALSE,
        .compareOp = (VkCompareOp)(comparison < 0 ? 0 : comparison), .maxLod = VK_LOD_CLAMP_NONE};
    check(vkCreateSampler(gpu->device, &made, NULL, &binding->sampler), "vkCreateSampler");
}

/* All commands see an image in one layout; between buffer and image texels are copied. */
static void barrier(VkCommandBuffer commands, VkPipelineStageFlags before,
                    VkPipelineStageFlags after, VkAccessFlags written, VkAccessFlags used)
{
    VkMemoryBarrier memory = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
        .srcAccessMask = written, .dstAccessMask = used};
    vkCmdPipelineBarrier(commands, before, after, 0, 1, &memory, 0, NULL, 0, NULL);
}

static VkBufferImageCopy whole_image(const Binding *binding)
{
    return (VkBufferImageCopy){.imageSubresource = {aspect_of(binding), 0, 0, binding->layers},
                               .imageExtent = binding->extent};
}

static void record_uploads(VkCommandBuffer commands, const Interface *interface)
{
    for (uint32_t i = 0; i < interface->count; i++) {
        const Binding *binding = &interface->bindings[i];
        if (!binding->image) continue;
        VkImageMemoryBarrier first = {.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
            .dstAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT,
            .oldLayout = VK_IMAGE_LAYOUT_UNDEFINED, .newLayout = VK_IMAGE_LAYOUT_GENERAL,
            .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
            .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED, .image = binding->image,
            .subresourceRange = {aspect_of(binding), 0, 1, 0, binding->layers}};
        vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT,
                             VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 0, NULL, 0, NULL, 1, &first);
        VkBufferImageCopy whole = whole_image(binding);
        vkCmdCopyBufferToImage(commands, binding->buffer, binding->image, VK_IMAGE_LAYOUT_GENERAL,
                               1, &whole);
    }
    barrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
            VK_ACCESS_TRANSFER_WRITE_BIT, VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT);
}

static void record_downloads(VkCommandBuffer commands, const Interface *interface)
{
    barrier(commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
            VK_PIPELINE_STAGE_HOST_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT,
            VK_ACCESS_SHADER_WRITE_BIT, VK_ACCESS_HOST_READ_BIT | VK_ACCESS_TRANSFER_READ_BIT);
    for (uint32_t i = 0; i < interface->count; i++) {
        const Binding *binding = &interface->bindings[i];
        if (!binding->image || !binding->output) continue;
        VkBufferImageCopy whole = whole_image(binding);
        vkCmdCopyImageToBuffer(commands, binding->image, VK_IMAGE_LAYOUT_GENERAL, binding->buffer,
                               1, &whole);
    }
    barrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_HOST_BIT,
            VK_ACCESS_TRANSFER_WRITE_BIT, VK_ACCESS_HOST_READ_BIT);
}

/* ---- arguments ------------------------------------------------------------------------------- */

static Binding *find_binding(Interface *interface, const char *name)
{
    for (uint32_t i = 0; i < interface->count; i++)
        if (!strcmp(interface->bindings[i].name, name)) return &interface->bindings[i];
    fail("the shader has no register", name);
    return NULL;
}

/* A file, or a number of bytes that are zero */
static void *read_input(const char *name, const char *input, size_t *bytes)
{
    void *data;
    if (!*input) fail("is empty", name);
    if (input[strspn(input, DIGITS)]) data = read_file(input, bytes);
    else data = allocate(*bytes = whole_number(input, UINT32_MAX));
    if (!*bytes) fail("is empty", name);
    return data;
}

/* REGISTER[@SIZE]=IN[:OUT], or REGISTER=WORDS of a sampler */
static void bind_argument(const Gpu *gpu, Interface *interface, char *argument)
{
    char *input = strchr(argument, '=');
    if (!input) fail("not REGISTER=IN[:OUT]", argument);
    *input++ = 0;
    char *size = strchr(argument, '@');
    if (size) *size++ = 0;
    Binding *binding = find_binding(interface, argument);
    if (binding->type == VK_DESCRIPTOR_TYPE_SAMPLER) {
        make_sampler(gpu, binding, input);
        return;
    }
    if (is_image(binding->type) != (size != NULL))
        fail(size ? "is no texture" : "is a texture, REGISTER@WIDTHxHEIGHT", binding->name);
    char *output = strchr(input, ':');
    if (output) *output++ = 0;
    binding->output = output;
    size_t bytes;
    void *data = read_input(argument, input, &bytes);
    make_buffer(gpu, binding, usage_of(binding->type), data, bytes);
    free(data);
    if (!size) return;
    read_size(size, binding);
    make_image(gpu, binding);
}

static void write_output(const Gpu *gpu, const Binding *binding)
{
    void *mapped;
    check(vkMapMemory(gpu->device, binding->memory, 0, VK_WHOLE_SIZE, 0, &mapped), "vkMapMemory");
    FILE *file = fopen(binding->output, "wb");
    if (!file || fwrite(mapped, 1, (size_t)binding->bytes, file) != binding->bytes || fclose(file))
        fail("cannot be written", binding->output);
    vkUnmapMemory(gpu->device, binding->memory);
}

/* ---- pipeline and dispatch ------------------------------------------------------------------- */

static void make_set_layouts(const Gpu *gpu, const Interface *interface,
                             VkDescriptorSetLayout *sets)
{
    for (uint32_t set = 0; set < interface->set_count; set++) { /* one that is unused is empty */
        VkDescriptorSetLayoutBinding rows[MAX_BINDINGS];
        uint32_t count = 0;
        for (uint32_t i = 0; i < interface->count; i++)
            if (!interface->bindings[i].pushed && interface->bindings[i].set == set)
                rows[count++] = (VkDescriptorSetLayoutBinding){
                    .binding = interface->bindings[i].binding,
                    .descriptorType = interface->bindings[i].type,
                    .descriptorCount = 1, .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT};
        VkDescriptorSetLayoutCreateInfo made = {
            .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
            .bindingCount = count, .pBindings = rows};
        check(vkCreateDescriptorSetLayout(gpu->device, &made, NULL, &sets[set]),
              "vkCreateDescriptorSetLayout");
    }
}

static VkPipeline make_pipeline(const Gpu *gpu, const char *path, const Interface *interface,
                                const VkDescriptorSetLayout *sets, VkPipelineLayout *layout)
{
    VkShaderModuleCreateInfo code = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
        .codeSize = interface->code_bytes, .pCode = interface->code};
    VkShaderModule module;
    check(vkCreateShaderModule(gpu->device, &code, NULL, &module), "vkCreateShaderModule");
    VkPushConstantRange pushed = {VK_SHADER_STAGE_COMPUTE_BIT, 0, interface->push_bytes};
    VkPipelineLayoutCreateInfo bound = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
        .setLayoutCount = interface->set_count, .pSetLayouts = sets,
        .pushConstantRangeCount = interface->push_bytes > 0, .pPushConstantRanges = &pushed};
    check(vkCreatePipelineLayout(gpu->device, &bound, NULL, layout), "vkCreatePipelineLayout");
    VkSpecializationMapEntry entries[MAX_NAMES];
    VkBool32 on[MAX_NAMES];
    for (uint32_t i = 0; i < interface->set_constants; i++) {
        uint32_t offset = (uint32_t)(i * sizeof *on);
        entries[i] = (VkSpecializationMapEntry){interface->constants[i], offset, sizeof *on};
        on[i] = VK_TRUE;
    }
    VkSpecializationInfo constants = {interface->set_constants, entries,
                                      interface->set_constants * sizeof *on, on};
    VkComputePipelineCreateInfo made = {.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                  .stage = VK_SHADER_STAGE_COMPUTE_BIT, .module = module,
                  .pName = interface->entry_point, .pSpecializationInfo = &constants},
        .layout = *layout};
    VkPipeline pipeline;
    VkResult result =
        vkCreateComputePipelines(gpu->device, VK_NULL_HANDLE, 1, &made, NULL, &pipeline);
    if (result) refuse(path, "vkCreateComputePipelines gave VkResult %d", (int)result);
    vkDestroyShaderModule(gpu->device, module, NULL);
    return pipeline;
}

static VkDescriptorPool make_sets(const Gpu *gpu, const Interface *interface,
                                  const VkDescriptorSetLayout *layouts, VkDescriptorSet *sets)
{
    VkDescriptorPoolSize sizes[MAX_BINDINGS];
    for (uint32_t i = 0; i < interface->count; i++)
        sizes[i] = (VkDescriptorPoolSize){interface->bindings[i].type, 1};
    VkDescriptorPoolCreateInfo made = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
        .maxSets = interface->set_count, .poolSizeCount = interface->count, .pPoolSizes = sizes};
    VkDescriptorPool pool;
    check(vkCreateDescriptorPool(gpu->device, &made, NULL, &pool), "vkCreateDescriptorPool");
    VkDescriptorSetAllocateInfo wanted = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
        .descriptorPool = pool, .descriptorSetCount = interface->set_count, .pSetLayouts = layouts};
    check(vkAllocateDescriptorSets(gpu->device, &wanted, sets), "vkAllocateDescriptorSets");
    for (uint32_t i = 0; i < interface->count; i++) {
        const Binding *binding = &interface->bindings[i];
        if (!binding->buffer && !binding->sampler) fail("nothing is bound to", binding->name);
        if (binding->pushed) continue;
        VkDescriptorBufferInfo whole = {binding->buffer, 0, binding->bytes};
        VkDescriptorImageInfo image = {binding->sampler, binding->image_view,
                                       VK_IMAGE_LAYOUT_GENERAL};
        VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
            .dstSet = sets[binding->set], .dstBinding = binding->binding, .descriptorCount = 1,
            .descriptorType = binding->type, .pBufferInfo = &whole,
            .pImageInfo = &image, .pTexelBufferView = &binding->view};
        vkUpdateDescriptorSets(gpu->device, 1, &write, 0, NULL);
    }
    return pool;
}

static void submit(const Gpu *gpu, VkCommandBuffer commands)
{
    VkFenceCreateInfo made = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    VkFence fence;
    check(vkCreateFence(gpu->device, &made, NULL, &fence), "vkCreateFence");
    VkSubmitInfo work = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
        .commandBufferCount = 1, .pCommandBuffers = &commands};
    check(vkQueueSubmit(gpu->queue, 1, &work, fence), "vkQueueSubmit");
    check(vkWaitForFences(gpu->device, 1, &fence, VK_TRUE, TIMEOUT_S * UINT64_C(1000000000)),
          "vkWaitForFences");
    vkDestroyFence(gpu->device, fence, NULL);
}

static void push_constants(const Gpu *gpu, VkCommandBuffer commands, VkPipelineLayout layout,
                           const Binding *binding)
{
    void *mapped;
    check(vkMapMemory(gpu->device, binding->memory, 0, VK_WHOLE_SIZE, 0, &mapped), "vkMapMemory");
    vkCmdPushConstants(commands, layout, VK_SHADER_STAGE_COMPUTE_BIT, binding->push_offset,
                       (uint32_t)binding->least_bytes, mapped);
    vkUnmapMemory(gpu->device, binding->memory);
}

static void dispatch(const Gpu *gpu, VkPipeline pipeline, VkPipelineLayout layout,
                     const VkDescriptorSet *sets, const Interface *interface, const Groups *groups)
{
    VkCommandPoolCreateInfo made = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
        .queueFamilyIndex = gpu->family};
    VkCommandPool pool;
    check(vkCreateCommandPool(gpu->device, &made, NULL, &pool), "vkCreateCommandPool");
    VkCommandBufferAllocateInfo wanted = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
        .commandPool = pool, .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY, .commandBufferCount = 1};
    VkCommandBuffer commands;
    check(vkAllocateCommandBuffers(gpu->device, &wanted, &commands), "vkAllocateCommandBuffers");
    VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    check(vkBeginCommandBuffer(commands, &begin), "vkBeginCommandBuffer");
    record_uploads(commands, interface);
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0,
                            interface->set_count, sets, 0, NULL);
    for (uint32_t i = 0; i < interface->count; i++)
        if (interface->bindings[i].pushed)
            push_constants(gpu, commands, layout, &interface->bindings[i]);
    const uint32_t *count = groups->count;
    if (groups->arguments.buffer)
        vkCmdDispatchIndirect(commands, groups->arguments.buffer, groups->offset);
    else
        vkCmdDispatch(commands, count[0], count[1], count[2]);
    record_downloads(commands, interface);
    check(vkEndCommandBuffer(commands), "vkEndCommandBuffer");
    submit(gpu, commands);
    vkDestroyCommandPool(gpu->device, pool, NULL);
}

static void run(const Gpu *gpu, const char *path, const Interface *interface, const Groups *groups)
{
    VkDescriptorSetLayout layouts[MAX_SETS];
    VkDescriptorSet sets[MAX_SETS];
    VkPipelineLayout layout;
    make_set_layouts(gpu, interface, layouts);
    VkPipeline pipeline = make_pipeline(gpu, path, interface, layouts, &layout);
    VkDescriptorPool pool = make_sets(gpu, interface, layouts, sets);
    dispatch(gpu, pipeline, layout, sets, interface, groups);
    vkDestroyDescriptorPool(gpu->device, pool, NULL);
    vkDestroyPipeline(gpu->device, pipeline, NULL);
    vkDestroyPipelineLayout(gpu->device, layout, NULL);
    for (uint32_t set = 0; set < interface->set_count; set++)
        vkDestroyDescriptorSetLayout(gpu->device, layouts[set], NULL);
}

static void destroy_binding(const Gpu *gpu, const Binding *binding)
{
    vkDestroySampler(gpu->device, binding->sampler, NULL);
    vkDestroyImageView(gpu->device, binding->image_view, NULL);
    vkDestroyImage(gpu->device, binding->image, NULL);
    vkFreeMemory(gpu->device, binding->image_memory, NULL);
    vkDestroyBufferView(gpu->device, binding->view, NULL);
    vkDestroyBuffer(gpu->device, binding->buffer, NULL);
    vkFreeMemory(gpu->device, binding->memory, NULL);
}

/* As many groups as have these threads: WIDTH[xHEIGHT[xDEPTH]] */
static void count_groups(const Interface *interface, const char *word, uint32_t *groups)
{
    uint32_t threads[3] = {1, 1, 1};
    char *size = allocate(strlen(word));
    strcpy(size, word + strlen(THREADS));
    if (read_sides(size, UINT32_MAX, threads) > 3) fail("more than three sides", word);
    for (int i = 0; i < 3; i++) {
        uint32_t of_a_group = interface->thread_group[i];
        groups[i] = threads[i] / of_a_group + (threads[i] % of_a_group != 0);
        if (groups[i] > MAX_GROUPS) refuse(word, "more than %d groups", MAX_GROUPS);
    }
    free(size);
}

static int are_threads(const char *word)
{
    return !strncmp(word, THREADS, strlen(THREADS));
}

/* X Y Z, threads=SIZE or indirect FILE OFFSET */
static void read_groups(const Gpu *gpu, const Interface *interface, char **words, Groups *groups)
{
    if (are_threads(words[0])) {
        count_groups(interface, words[0], groups->count);
        return;
    }
    if (strcmp(words[0], "indirect")) {
        for (int i = 0; i < 3; i++) groups->count[i] = whole_number(words[i], MAX_GROUPS);
        return;
    }
    size_t bytes;
    void *data = read_input(words[0], words[1], &bytes);
    groups->offset = whole_number(words[2], UINT32_MAX);
    if (groups->offset % 4 || groups->offset + 12 > bytes) fail("no groups are there", words[2]);
    groups->arguments.type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
    make_buffer(gpu, &groups->arguments, VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT, data, bytes);
    free(data);
}

int main(int count, char **words)
{
    static Interface interface;
    static Groups groups;
    Gpu gpu = {0};
    int wants_help = count == 2 && !strcmp(words[1], "--help");
    int first = count > 3 && are_threads(words[3]) ? 4 : 6; /* of the resources */
    if (count < first) {
        fputs(USAGE, wants_help ? stdout : stderr);
        return !wants_help;
    }
    read_interface(words[2], words[1], &interface);
    open_gpu(&interface, &gpu);
    read_groups(&gpu, &interface, words + 3, &groups);
    for (int i = first; i < count; i++) bind_argument(&gpu, &interface, words[i]);
    run(&gpu, words[1], &interface, &groups);
    for (uint32_t i = 0; i < interface.count; i++)
        if (interface.bindings[i].output) write_output(&gpu, &interface.bindings[i]);
    for (uint32_t i = 0; i < interface.count; i++) destroy_binding(&gpu, &interface.bindings[i]);
    destroy_binding(&gpu, &groups.arguments);
    free(interface.code);
    vkDestroyDevice(gpu.device, NULL);
    vkDestroyInstance(gpu.instance, NULL);
    return 0;
}
