/* A Vulkan host for compute shaders that sm5vk translated: it knows their SPIR-V and the JSON of
 * their interface, and nothing else of sm5vk.
 *
 *     sm5vk translate shader.dxbc -o shader.spv --interface shader.json
 *     cc -std=c99 host.c -o host -lvulkan -lcjson
 *     ./host shader.spv shader.json X Y Z REGISTER=IN[:OUT] ...
 *
 * X Y Z are the thread groups. Each register (t0, u0, cb0, u0.counter) is bound to a buffer: IN is
 * a file of raw bytes, or a number of bytes, all zero. What is in it after the dispatch is written
 * to the file OUT.
 * It binds buffers of every kind; textures are bound like them, as images.
 */
#include <cjson/cJSON.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vulkan/vulkan.h>

enum { MAX_BINDINGS = 64, MAX_SETS = 32, TIMEOUT_S = 60 };

typedef struct { /* one entry of "bindings" in the interface, and what is bound there */
    char name[32];
    uint32_t set, binding;
    VkDescriptorType type;
    VkFormat format; /* of a texel buffer */
    size_t least_bytes;
    const char *output;
    VkDeviceSize bytes;
    VkBuffer buffer;
    VkDeviceMemory memory;
    VkBufferView view;
} Binding;

typedef struct {
    char entry_point[64];
    uint32_t api_version, set_count, count;
    VkPhysicalDeviceFeatures features;
    Binding bindings[MAX_BINDINGS];
} Interface;

typedef struct {
    VkInstance instance;
    VkPhysicalDevice physical;
    VkDevice device;
    VkQueue queue;
    uint32_t family;
} Gpu;

static void fail(const char *what, const char *which)
{
    fprintf(stderr, "host: %s%s%s\n", what, which ? ": " : "", which ? which : "");
    exit(1);
}

static void check(VkResult result, const char *call)
{
    if (result != VK_SUCCESS) {
        fprintf(stderr, "host: %s gave VkResult %d\n", call, (int)result);
        exit(1);
    }
}

static void *allocate(size_t bytes)
{
    void *memory = calloc(1, bytes ? bytes : 1);
    if (!memory) fail("no memory", NULL);
    return memory;
}

static void *read_file(const char *path, size_t *bytes)
{
    FILE *file = fopen(path, "rb");
    if (!file || fseek(file, 0, SEEK_END)) fail("cannot be read", path);
    long size = ftell(file);
    if (size < 0) fail("cannot be read", path);
    rewind(file);
    char *data = allocate((size_t)size + 1); /* a zero behind it, for text */
    if (fread(data, 1, (size_t)size, file) != (size_t)size) fail("cannot be read", path);
    fclose(file);
    *bytes = (size_t)size;
    return data;
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

static VkDescriptorType descriptor_type(const char *name)
{
    if (!strcmp(name, "uniform_buffer")) return VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER;
    if (!strcmp(name, "storage_buffer")) return VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
    if (!strcmp(name, "uniform_texel_buffer")) return VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER;
    if (!strcmp(name, "storage_texel_buffer")) return VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER;
    fail("this host binds no", name);
    return VK_DESCRIPTOR_TYPE_MAX_ENUM;
}

/* A typed buffer may have any format with the component that the shader reads. */
static VkFormat texel_format(const char *component)
{
    if (!strcmp(component, "uint")) return VK_FORMAT_R32_UINT;
    if (!strcmp(component, "sint")) return VK_FORMAT_R32_SINT;
    return VK_FORMAT_R32_SFLOAT;
}

static int is_texel_buffer(VkDescriptorType type)
{
    return type == VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER ||
           type == VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER;
}

static void read_binding(const cJSON *row, Interface *interface)
{
    if (interface->count == MAX_BINDINGS) fail("too many bindings", NULL);
    Binding *binding = &interface->bindings[interface->count++];
    snprintf(binding->name, sizeof binding->name, "%s", text(row, "register"));
    if (number(row, "count") != 1) fail("this host binds no arrays of resources", binding->name);
    binding->set = number(row, "set");
    binding->binding = number(row, "binding");
    binding->type = descriptor_type(text(row, "descriptor_type"));
    const cJSON *least = cJSON_GetObjectItemCaseSensitive(row, "size_bytes");
    binding->least_bytes = least ? (size_t)least->valuedouble : 0;
    if (is_texel_buffer(binding->type)) binding->format = texel_format(text(row, "component"));
    if (binding->set >= MAX_SETS) fail("the set's number is too high", binding->name);
    if (binding->set >= interface->set_count) interface->set_count = binding->set + 1;
}

/* The device features that the module needs, which have to be enabled with the device. */
static void read_feature(const char *name, VkPhysicalDeviceFeatures *features)
{
    struct { const char *name; VkBool32 *flag; } const known[] = {
        {"float64", &features->shaderFloat64},
        {"robust_buffer_access", &features->robustBufferAccess},
        {"storage_image_extended_formats", &features->shaderStorageImageExtendedFormats},
        {"storage_image_read_without_format", &features->shaderStorageImageReadWithoutFormat},
        {"storage_image_write_without_format", &features->shaderStorageImageWriteWithoutFormat},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (!strcmp(known[i].name, name)) {
            *known[i].flag = VK_TRUE;
            return;
        }
    fail("this host does not enable the feature", name);
}

static uint32_t api_version(const char *target)
{
    unsigned major = 0, minor = 0;
    if (sscanf(target, "vulkan%u.%u", &major, &minor) != 2) fail("no such target", target);
    return VK_MAKE_API_VERSION(0, major, minor, 0);
}

static void read_interface(const char *path, Interface *interface)
{
    size_t bytes;
    char *contents = read_file(path, &bytes);
    cJSON *root = cJSON_Parse(contents);
    if (!root) fail("is not JSON", path);
    const cJSON *row;
    interface->api_version = api_version(text(root, "target"));
    const char *name = text(root, "entry_point");
    snprintf(interface->entry_point, sizeof interface->entry_point, "%s", name);
    cJSON_ArrayForEach(row, member(root, "features"))
        read_feature(cJSON_GetStringValue(row), &interface->features);
    cJSON_ArrayForEach(row, member(root, "bindings")) read_binding(row, interface);
    if (!interface->count) fail("the shader has no resources", path);
    if (cJSON_GetArraySize(member(root, "windows"))) fail("this host pushes no windows", NULL);
    cJSON_Delete(root);
    free(contents);
}

/* ---- device and buffers ---------------------------------------------------------------------- */

static void open_gpu(const Interface *interface, Gpu *gpu)
{
    VkApplicationInfo application = {
        .sType = VK_STRUCTURE_TYPE_APPLICATION_INFO, .apiVersion = interface->api_version};
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
    float priority = 1;
    VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
        .queueFamilyIndex = gpu->family, .queueCount = 1, .pQueuePriorities = &priority};
    VkDeviceCreateInfo device = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
        .queueCreateInfoCount = 1, .pQueueCreateInfos = &queue,
        .pEnabledFeatures = &interface->features};
    check(vkCreateDevice(gpu->physical, &device, NULL, &gpu->device), "vkCreateDevice");
    vkGetDeviceQueue(gpu->device, gpu->family, 0, &gpu->queue);
}

static uint32_t memory_type(const Gpu *gpu, uint32_t allowed)
{
    const VkMemoryPropertyFlags wanted =
        VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    VkPhysicalDeviceMemoryProperties memory;
    vkGetPhysicalDeviceMemoryProperties(gpu->physical, &memory);
    for (uint32_t i = 0; i < memory.memoryTypeCount; i++)
        if ((allowed >> i & 1) && (memory.memoryTypes[i].propertyFlags & wanted) == wanted)
            return i;
    fail("no memory that both sides see", NULL);
    return 0;
}

/* The buffer is as long as the D3D view, for the module takes its bounds from the descriptor;
 * a constant buffer that is shorter than the shader's is filled up with zeros. */
static void make_buffer(const Gpu *gpu, Binding *binding, const void *data, size_t bytes)
{
    static const VkBufferUsageFlags usage[] = {
        [VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER] = VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT,
        [VK_DESCRIPTOR_TYPE_STORAGE_BUFFER] = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT,
        [VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER] = VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT,
        [VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER] = VK_BUFFER_USAGE_STORAGE_TEXEL_BUFFER_BIT};
    binding->bytes = bytes > binding->least_bytes ? bytes : binding->least_bytes;
    VkBufferCreateInfo made = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
        .size = binding->bytes, .usage = usage[binding->type]};
    check(vkCreateBuffer(gpu->device, &made, NULL, &binding->buffer), "vkCreateBuffer");
    VkMemoryRequirements needed;
    vkGetBufferMemoryRequirements(gpu->device, binding->buffer, &needed);
    VkMemoryAllocateInfo memory = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
        .allocationSize = needed.size,
        .memoryTypeIndex = memory_type(gpu, needed.memoryTypeBits)};
    check(vkAllocateMemory(gpu->device, &memory, NULL, &binding->memory), "vkAllocateMemory");
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

static Binding *find_binding(Interface *interface, const char *name)
{
    for (uint32_t i = 0; i < interface->count; i++)
        if (!strcmp(interface->bindings[i].name, name)) return &interface->bindings[i];
    fail("the shader has no register", name);
    return NULL;
}

/* REGISTER=IN[:OUT], where IN is a file or a number of bytes */
static void bind_argument(const Gpu *gpu, Interface *interface, char *argument)
{
    char *input = strchr(argument, '=');
    if (!input) fail("not REGISTER=IN[:OUT]", argument);
    *input++ = 0;
    Binding *binding = find_binding(interface, argument);
    char *output = strchr(input, ':');
    if (output) *output++ = 0;
    binding->output = output;
    char *end;
    size_t bytes = (size_t)strtoull(input, &end, 10);
    void *data = *end ? read_file(input, &bytes) : allocate(bytes);
    if (!bytes) fail("is empty", argument);
    make_buffer(gpu, binding, data, bytes);
    free(data);
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
            if (interface->bindings[i].set == set)
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
    size_t bytes;
    uint32_t *words = read_file(path, &bytes);
    VkShaderModuleCreateInfo code = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
        .codeSize = bytes, .pCode = words};
    VkShaderModule module;
    check(vkCreateShaderModule(gpu->device, &code, NULL, &module), "vkCreateShaderModule");
    VkPipelineLayoutCreateInfo bound = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
        .setLayoutCount = interface->set_count, .pSetLayouts = sets};
    check(vkCreatePipelineLayout(gpu->device, &bound, NULL, layout), "vkCreatePipelineLayout");
    VkComputePipelineCreateInfo made = {.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                  .stage = VK_SHADER_STAGE_COMPUTE_BIT, .module = module,
                  .pName = interface->entry_point},
        .layout = *layout};
    VkPipeline pipeline;
    check(vkCreateComputePipelines(gpu->device, VK_NULL_HANDLE, 1, &made, NULL, &pipeline),
          "vkCreateComputePipelines");
    vkDestroyShaderModule(gpu->device, module, NULL);
    free(words);
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
        if (!binding->buffer) fail("nothing is bound to", binding->name);
        VkDescriptorBufferInfo whole = {binding->buffer, 0, binding->bytes};
        VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
            .dstSet = sets[binding->set], .dstBinding = binding->binding, .descriptorCount = 1,
            .descriptorType = binding->type, .pBufferInfo = &whole,
            .pTexelBufferView = &binding->view};
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

static void dispatch(const Gpu *gpu, VkPipeline pipeline, VkPipelineLayout layout,
                     const VkDescriptorSet *sets, uint32_t set_count, const uint32_t groups[3])
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
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, set_count, sets, 0,
                            NULL);
    vkCmdDispatch(commands, groups[0], groups[1], groups[2]);
    VkMemoryBarrier to_host = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
        .srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT, .dstAccessMask = VK_ACCESS_HOST_READ_BIT};
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_PIPELINE_STAGE_HOST_BIT,
                         0, 1, &to_host, 0, NULL, 0, NULL);
    check(vkEndCommandBuffer(commands), "vkEndCommandBuffer");
    submit(gpu, commands);
    vkDestroyCommandPool(gpu->device, pool, NULL);
}

static void run(const Gpu *gpu, const char *path, const Interface *interface,
                const uint32_t groups[3])
{
    VkDescriptorSetLayout layouts[MAX_SETS];
    VkDescriptorSet sets[MAX_SETS];
    VkPipelineLayout layout;
    make_set_layouts(gpu, interface, layouts);
    VkPipeline pipeline = make_pipeline(gpu, path, interface, layouts, &layout);
    VkDescriptorPool pool = make_sets(gpu, interface, layouts, sets);
    dispatch(gpu, pipeline, layout, sets, interface->set_count, groups);
    vkDestroyDescriptorPool(gpu->device, pool, NULL);
    vkDestroyPipeline(gpu->device, pipeline, NULL);
    vkDestroyPipelineLayout(gpu->device, layout, NULL);
    for (uint32_t set = 0; set < interface->set_count; set++)
        vkDestroyDescriptorSetLayout(gpu->device, layouts[set], NULL);
}

static void close_gpu(const Gpu *gpu, const Interface *interface)
{
    for (uint32_t i = 0; i < interface->count; i++) {
        vkDestroyBufferView(gpu->device, interface->bindings[i].view, NULL);
        vkDestroyBuffer(gpu->device, interface->bindings[i].buffer, NULL);
        vkFreeMemory(gpu->device, interface->bindings[i].memory, NULL);
    }
    vkDestroyDevice(gpu->device, NULL);
    vkDestroyInstance(gpu->instance, NULL);
}

int main(int count, char **words)
{
    static Interface interface;
    Gpu gpu = {0};
    uint32_t groups[3];
    if (count < 6) fail("usage: host MODULE.spv INTERFACE.json X Y Z REGISTER=IN[:OUT] ...", NULL);
    for (int i = 0; i < 3; i++) groups[i] = (uint32_t)strtoul(words[3 + i], NULL, 10);
    read_interface(words[2], &interface);
    open_gpu(&interface, &gpu);
    for (int i = 6; i < count; i++) bind_argument(&gpu, &interface, words[i]);
    run(&gpu, words[1], &interface, groups);
    for (uint32_t i = 0; i < interface.count; i++)
        if (interface.bindings[i].output) write_output(&gpu, &interface.bindings[i]);
    close_gpu(&gpu, &interface);
    return 0;
}
