#include "gpu.hpp"

#include <algorithm>
#include <cctype>
#include <cjson/cJSON.h>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <map>
#include <memory>
#include <stdexcept>
#include <vulkan/vulkan_format_traits.hpp>

namespace {

constexpr std::uint32_t MAX_SETS = 128, MAX_DESCRIPTORS = 512;
constexpr std::uint64_t TIMEOUT_NS = 60'000'000'000;
// The buffer that a kernel has on a driver that ends loops (docs/messages.md)
const std::string MESSAGES = "messages";
constexpr std::size_t MESSAGES_BYTES = 32, ENDED_LOOP_WORD = 6;
constexpr vk::ImageSubresourceRange WHOLE_RANGE{
    .aspectMask = vk::ImageAspectFlagBits::eColor, .levelCount = 1, .layerCount = 1};

[[noreturn]] void fail(const std::string &what) { throw std::runtime_error(what); }

// ---- the interface ------------------------------------------------------------------------------

using Json = std::unique_ptr<cJSON, decltype(&cJSON_Delete)>;

const cJSON *member(const cJSON *object, const char *name)
{
    const cJSON *found = cJSON_GetObjectItemCaseSensitive(object, name);
    return found ? found : (fail(std::string("the interface lacks ") + name), nullptr);
}

std::string text(const cJSON *object, const char *name)
{
    const char *value = cJSON_GetStringValue(member(object, name));
    return value ? value : (fail(std::string("no text: ") + name), nullptr);
}

// Empty if there is none
std::string optional_text(const cJSON *object, const char *name)
{
    const char *value = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, name));
    return value ? value : "";
}

std::uint32_t number(const cJSON *object, const char *name)
{
    return static_cast<std::uint32_t>(member(object, name)->valuedouble);
}

std::uint32_t optional_number(const cJSON *object, const char *name)
{
    const cJSON *found = cJSON_GetObjectItemCaseSensitive(object, name);
    return found ? static_cast<std::uint32_t>(found->valuedouble) : 0;
}

Names names(const cJSON *object, const char *name)
{
    Names found;
    const cJSON *row = nullptr;
    cJSON_ArrayForEach(row, member(object, name)) found.emplace(cJSON_GetStringValue(row));
    return found;
}

vk::DescriptorType descriptor_type(const std::string &name)
{
    using enum vk::DescriptorType;
    static const std::map<std::string, vk::DescriptorType> known{
        {"uniform_buffer", eUniformBuffer},
        {"storage_buffer", eStorageBuffer},
        {"uniform_texel_buffer", eUniformTexelBuffer},
        {"storage_texel_buffer", eStorageTexelBuffer},
        {"sampled_image", eSampledImage},
        {"storage_image", eStorageImage},
        {"sampler", eSampler}};
    const auto found = known.find(name);
    if (found == known.end()) fail("no such descriptor: " + name);
    return found->second;
}

// As Vulkan-Hpp calls a format: R32Uint for VK_FORMAT_R32_UINT
std::string short_name(const std::string &format)
{
    std::string made;
    unsigned char before = '_';
    for (const unsigned char letter : format.substr(std::strlen("VK_FORMAT_"))) {
        if (letter != '_')
            made += static_cast<char>(std::isalpha(before) ? std::tolower(letter) : letter);
        before = letter;
    }
    return made;
}

Binding binding_of(const cJSON *row)
{
    const std::string kind = text(row, "kind"); // messages have no name in the HLSL
    Binding made{kind == MESSAGES ? kind : text(row, "name"), text(row, "register"),
                 number(row, "binding"), descriptor_type(text(row, "descriptor_type")),
                 optional_number(row, "size_bytes"), optional_number(row, "stride"),
                 optional_text(row, "dimension"), optional_text(row, "component"), ""};
    if (!optional_text(row, "format").empty()) made.format = short_name(text(row, "vk_format"));
    if (number(row, "set") != 0) fail("the program has one set: " + made.name);
    if (number(row, "count") != 1) fail("the program has no arrays: " + made.name);
    return made;
}

// The CRC-32 of PNG and gzip
std::uint32_t crc32(Bytes data)
{
    std::uint32_t crc = UINT32_MAX;
    for (const std::byte byte : data) {
        crc ^= std::to_integer<std::uint32_t>(byte);
        for (int bit = 0; bit < 8; bit++) crc = crc >> 1 ^ (crc & 1 ? 0xEDB88320 : 0);
    }
    return ~crc;
}

std::uint32_t version_of(const std::string &target)
{
    unsigned major = 0, minor = 0;
    if (std::sscanf(target.c_str(), "vulkan%u.%u", &major, &minor) != 2) fail("target: " + target);
    return VK_MAKE_API_VERSION(0, major, minor, 0);
}

// ---- the device ---------------------------------------------------------------------------------

using Features = vk::StructureChain<vk::PhysicalDeviceFeatures2,
                                    vk::PhysicalDeviceImageRobustnessFeaturesEXT,
                                    vk::PhysicalDeviceRobustness2FeaturesEXT>;
using Modes = vk::PhysicalDeviceFloatControlsProperties;

// The flag of a feature of the interface
vk::Bool32 &feature_flag(Features &features, const std::string &name)
{
    vk::PhysicalDeviceFeatures &core = features.get().features;
    auto &images = features.get<vk::PhysicalDeviceImageRobustnessFeaturesEXT>();
    auto &robustness2 = features.get<vk::PhysicalDeviceRobustness2FeaturesEXT>();
    const std::map<std::string, vk::Bool32 *> known{
        {"float64", &core.shaderFloat64},
        {"image_gather_extended", &core.shaderImageGatherExtended},
        {"robust_buffer_access", &core.robustBufferAccess},
        {"robust_buffer_access2", &robustness2.robustBufferAccess2},
        {"robust_image_access", &images.robustImageAccess},
        {"storage_image_extended_formats", &core.shaderStorageImageExtendedFormats},
        {"storage_image_read_without_format", &core.shaderStorageImageReadWithoutFormat},
        {"storage_image_write_without_format", &core.shaderStorageImageWriteWithoutFormat}};
    if (const auto found = known.find(name); found != known.end()) return *found->second;
    std::string names;
    for (const auto &[feature, flag] : known) names += feature + ", ";
    fail("the program enables " + names + "and not the feature: " + name);
}

// Float modes of the interface are not enabled: the device has them or not.
const std::map<std::string, vk::Bool32 Modes::*> mode_flags{
    {"denorm_flush_to_zero_32", &Modes::shaderDenormFlushToZeroFloat32},
    {"denorm_preserve_16", &Modes::shaderDenormPreserveFloat16},
    {"denorm_preserve_32", &Modes::shaderDenormPreserveFloat32},
    {"denorm_preserve_64", &Modes::shaderDenormPreserveFloat64},
    {"signed_zero_inf_nan_preserve_16", &Modes::shaderSignedZeroInfNanPreserveFloat16},
    {"signed_zero_inf_nan_preserve_32", &Modes::shaderSignedZeroInfNanPreserveFloat32},
    {"signed_zero_inf_nan_preserve_64", &Modes::shaderSignedZeroInfNanPreserveFloat64},
    {"rounding_mode_rte_32", &Modes::shaderRoundingModeRTEFloat32},
    {"rounding_mode_rte_64", &Modes::shaderRoundingModeRTEFloat64},
    {"rounding_mode_rtz_16", &Modes::shaderRoundingModeRTZFloat16}};

// The names that any module has in a list of its interface
Names all(std::span<const Module> modules, Names Module::*list)
{
    Names names;
    for (const Module &module : modules)
        names.insert((module.*list).begin(), (module.*list).end());
    return names;
}

Features choose_features(const vk::raii::PhysicalDevice &physical, const Names &names)
{
    Features enabled, offered = physical.getFeatures2<vk::PhysicalDeviceFeatures2,
                                                      vk::PhysicalDeviceImageRobustnessFeaturesEXT,
                                                      vk::PhysicalDeviceRobustness2FeaturesEXT>();
    for (const std::string &name : names) {
        if (name == "non_semantic_info") continue; // no more than an extension
        if (!feature_flag(offered, name)) fail("the device lacks the feature: " + name);
        feature_flag(enabled, name) = VK_TRUE;
    }
    if (!enabled.get<vk::PhysicalDeviceImageRobustnessFeaturesEXT>().robustImageAccess)
        enabled.unlink<vk::PhysicalDeviceImageRobustnessFeaturesEXT>();
    if (!enabled.get<vk::PhysicalDeviceRobustness2FeaturesEXT>().robustBufferAccess2)
        enabled.unlink<vk::PhysicalDeviceRobustness2FeaturesEXT>();
    return enabled;
}

void check_float_controls(const vk::raii::PhysicalDevice &physical, const Names &names)
{
    const auto properties = physical.getProperties2<vk::PhysicalDeviceProperties2, Modes>();
    for (const std::string &name : names)
        if (const auto mode = mode_flags.find(name);
            mode == mode_flags.end() || !(properties.get<Modes>().*(mode->second)))
            fail("the device lacks the float mode: " + name);
}

void check_extensions(const vk::raii::PhysicalDevice &physical, const Names &names)
{
    Names offered;
    for (const auto &extension : physical.enumerateDeviceExtensionProperties())
        offered.insert(extension.extensionName);
    for (const std::string &name : names)
        if (!offered.contains(name)) fail("the device lacks the extension: " + name);
}

vk::raii::Instance make_instance(const vk::raii::Context &context, std::span<const Module> modules)
{
    std::uint32_t version = VK_API_VERSION_1_1;
    for (const Module &module : modules) version = std::max(version, module.api_version);
    const vk::ApplicationInfo application{.apiVersion = version};
    return {context, vk::InstanceCreateInfo{.pApplicationInfo = &application}};
}

std::uint32_t compute_family(const vk::raii::PhysicalDevice &physical)
{
    const auto families = physical.getQueueFamilyProperties();
    const auto found = std::ranges::find_if(families, [](const auto &family) {
        return bool(family.queueFlags & vk::QueueFlagBits::eCompute);
    });
    if (found == families.end()) fail("the device has no queue for compute");
    return static_cast<std::uint32_t>(found - families.begin());
}

vk::raii::Device make_device(const vk::raii::PhysicalDevice &physical, std::uint32_t family,
                             std::span<const Module> modules)
{
    const Features features = choose_features(physical, all(modules, &Module::features));
    check_float_controls(physical, all(modules, &Module::float_controls));
    const Names extensions = all(modules, &Module::extensions);
    check_extensions(physical, extensions);
    std::vector<const char *> names;
    for (const std::string &name : extensions) names.push_back(name.c_str());
    const float priority = 1;
    const vk::DeviceQueueCreateInfo queue{
        .queueFamilyIndex = family, .queueCount = 1, .pQueuePriorities = &priority};
    const vk::DeviceCreateInfo info{.pNext = &features.get(),
                                    .queueCreateInfoCount = 1, .pQueueCreateInfos = &queue,
                                    .enabledExtensionCount =
                                        static_cast<std::uint32_t>(names.size()),
                                    .ppEnabledExtensionNames = names.data()};
    return {physical, info};
}

vk::raii::DescriptorPool make_descriptors(const vk::raii::Device &device)
{
    using enum vk::DescriptorType;
    std::vector<vk::DescriptorPoolSize> sizes;
    for (const auto type : {eUniformBuffer, eStorageBuffer, eUniformTexelBuffer,
                            eStorageTexelBuffer, eSampledImage, eStorageImage, eSampler})
        sizes.push_back({.type = type, .descriptorCount = MAX_DESCRIPTORS});
    return {device, vk::DescriptorPoolCreateInfo{
                        .maxSets = MAX_SETS,
                        .poolSizeCount = static_cast<std::uint32_t>(sizes.size()),
                        .pPoolSizes = sizes.data()}};
}

vk::raii::CommandBuffer make_commands(const vk::raii::Device &device,
                                      const vk::raii::CommandPool &pool)
{
    vk::raii::CommandBuffers made(device, {.commandPool = *pool,
                                           .level = vk::CommandBufferLevel::ePrimary,
                                           .commandBufferCount = 1});
    return std::move(made.front());
}

vk::BufferImageCopy whole(const Texture &texture)
{
    return {.imageSubresource = {.aspectMask = vk::ImageAspectFlagBits::eColor, .layerCount = 1},
            .imageExtent = texture.extent};
}

template <typename Kind>
Kind resource_of(const Binding &binding, const Resource &resource, const std::string &kind)
{
    const Kind *found = std::get_if<Kind>(&resource);
    if (!found) fail("no " + kind + " is bound to: " + binding.name);
    return *found;
}

// The format that the module was translated for, or any that has the shader's numbers
void check_format(const Binding &binding, vk::Format bound)
{
    const std::string kind = vk::componentNumericFormat(bound, 0), format = vk::to_string(bound);
    const std::string component = kind == "UINT" ? "uint" : kind == "SINT" ? "sint" : "float";
    if (!binding.format.empty() && binding.format != format)
        fail("the format is " + format + ", not " + binding.format + ": " + binding.name);
    if (binding.format.empty() && binding.component != component)
        fail("the format " + format + " is not read as " + binding.component + ": " + binding.name);
}

const Texture &texture_for(const Binding &binding, const Resource &resource)
{
    const auto &texture = *resource_of<const Texture *>(binding, resource, "texture");
    if (texture.dimension != binding.dimension)
        fail("the texture is " + texture.dimension + ", not " + binding.dimension + ": " +
             binding.name);
    check_format(binding, texture.format);
    return texture;
}

// A hidden counter has its buffer's name, and a register of its own.
const Buffer &buffer_for(const Binding &binding, const Resource &resource)
{
    const auto *buffer = resource_of<const Buffer *>(binding, resource, "buffer");
    if (binding.register_.ends_with(".counter")) buffer = buffer->counter;
    if (!buffer) fail("no counter is bound to: " + binding.name);
    if (buffer->bytes < binding.least_bytes) fail("a longer buffer is needed: " + binding.name);
    if (binding.stride && buffer->bytes % binding.stride)
        fail("a size of " + std::to_string(buffer->bytes) +
             " bytes is no multiple of the stride, " + std::to_string(binding.stride) + ": " +
             binding.name);
    return *buffer;
}

const Buffer &typed_buffer_for(const Binding &binding, const Resource &resource)
{
    const Buffer &buffer = buffer_for(binding, resource);
    if (!*buffer.view) fail("no typed buffer is bound to: " + binding.name);
    check_format(binding, buffer.format);
    return buffer;
}

} // namespace

std::vector<std::byte> read_file(const std::string &path)
{
    std::ifstream file(path, std::ios::binary | std::ios::ate);
    if (!file) fail("cannot be read: " + path);
    std::vector<std::byte> data(static_cast<std::size_t>(file.tellg()));
    file.seekg(0);
    file.read(reinterpret_cast<char *>(data.data()), static_cast<std::streamsize>(data.size()));
    if (!file) fail("cannot be read: " + path);
    return data;
}

std::size_t texel_bytes(vk::Format format) { return vk::blockSize(format); }

Module::Module(const std::string &folder, const std::string &name)
    : name(name), words(read_file(folder + "/" + name + ".spv"))
{
    const std::string path = folder + "/" + name;
    const std::vector<std::byte> contents = read_file(path + ".json");
    const Json root(cJSON_ParseWithLength(reinterpret_cast<const char *>(contents.data()),
                                          contents.size()),
                    cJSON_Delete);
    if (!root) fail("no JSON: " + name);
    const cJSON *crc = cJSON_GetObjectItemCaseSensitive(root.get(), "spirv_crc32");
    if (crc && crc->valuedouble != crc32(words))
        fail(path + ".json is not the interface of " + path + ".spv");
    for (int i = 0; i < 3; i++)
        thread_group[i] = static_cast<std::uint32_t>(
            cJSON_GetArrayItem(member(root.get(), "thread_group"), i)->valuedouble);
    entry_point = text(root.get(), "entry_point");
    api_version = version_of(text(root.get(), "target"));
    features = names(root.get(), "features");
    extensions = names(root.get(), "extensions");
    float_controls = names(root.get(), "float_controls");
    const cJSON *row;
    cJSON_ArrayForEach(row, member(root.get(), "bindings")) bindings.push_back(binding_of(row));
    if (cJSON_GetArraySize(member(root.get(), "windows"))) fail("windows are not pushed: " + name);
}

Gpu::Gpu(std::span<const Module> modules)
    : instance_(make_instance(context_, modules)),
      physical_(std::move(vk::raii::PhysicalDevices(instance_).front())),
      family_(compute_family(physical_)),
      device_(make_device(physical_, family_, modules)),
      queue_(device_.getQueue(family_, 0)),
      descriptors_(make_descriptors(device_)),
      pool_(device_, vk::CommandPoolCreateInfo{
                         .flags = vk::CommandPoolCreateFlagBits::eResetCommandBuffer,
                         .queueFamilyIndex = family_}),
      commands_(make_commands(device_, pool_))
{
    messages_ = &buffer(MESSAGES_BYTES);
    begin();
}

// Begins a frame: without commands, sets and messages
void Gpu::begin()
{
    commands_.begin({.flags = vk::CommandBufferUsageFlagBits::eOneTimeSubmit});
    descriptors_.reset();
    std::fill_n(messages_->data, MESSAGES_BYTES, std::byte{0});
}

vk::raii::Pipeline Gpu::pipeline(const Module &module, vk::PipelineLayout layout) const
try {
    const vk::raii::ShaderModule code(
        device_, {.codeSize = module.words.size(),
                  .pCode = reinterpret_cast<const std::uint32_t *>(module.words.data())});
    return {device_, nullptr,
            vk::ComputePipelineCreateInfo{.stage = {.stage = vk::ShaderStageFlagBits::eCompute,
                                                    .module = *code,
                                                    .pName = module.entry_point.c_str()},
                                          .layout = layout}};
} catch (const vk::Error &error) {
    fail(error.what() + (": " + module.name));
}

Kernel Gpu::kernel(const Module &module) const
{
    std::vector<vk::DescriptorSetLayoutBinding> rows;
    for (const Binding &binding : module.bindings)
        rows.push_back({.binding = binding.binding, .descriptorType = binding.type,
                        .descriptorCount = 1,
                        .stageFlags = vk::ShaderStageFlagBits::eCompute});
    vk::raii::DescriptorSetLayout set_layout(
        device_, {.bindingCount = static_cast<std::uint32_t>(rows.size()),
                  .pBindings = rows.data()});
    vk::raii::PipelineLayout layout(device_,
                                    {.setLayoutCount = 1, .pSetLayouts = &*set_layout});
    vk::raii::Pipeline made = pipeline(module, *layout);
    return {module.name,           module.thread_group, module.bindings,
            std::move(set_layout), std::move(layout),   std::move(made)};
}

Groups Kernel::groups_for(std::uint32_t width, std::uint32_t height) const
{
    return {(width + thread_group[0] - 1) / thread_group[0],
            (height + thread_group[1] - 1) / thread_group[1]};
}

// ---- buffers, textures, samplers ----------------------------------------------------------------

vk::raii::DeviceMemory Gpu::allocate(vk::MemoryRequirements needed, vk::MemoryPropertyFlags wanted)
{
    const auto memory = physical_.getMemoryProperties();
    for (std::uint32_t i = 0; i < memory.memoryTypeCount; i++)
        if ((needed.memoryTypeBits >> i & 1) &&
            (memory.memoryTypes[i].propertyFlags & wanted) == wanted)
            return {device_, {.allocationSize = needed.size, .memoryTypeIndex = i}};
    fail("no memory of the right type");
}

Buffer &Gpu::buffer(std::size_t bytes, Bytes data)
{
    using enum vk::BufferUsageFlagBits;
    if (!data.empty() && data.size() != bytes)
        fail("the data has " + std::to_string(data.size()) + " bytes, the resource " +
             std::to_string(bytes));
    vk::raii::Buffer made(
        device_, {.size = bytes,
                  .usage = eUniformBuffer | eStorageBuffer | eUniformTexelBuffer |
                           eStorageTexelBuffer | eIndirectBuffer | eTransferSrc | eTransferDst});
    auto memory = allocate(made.getMemoryRequirements(),
                           vk::MemoryPropertyFlagBits::eHostVisible |
                               vk::MemoryPropertyFlagBits::eHostCoherent);
    made.bindMemory(*memory, 0);
    auto *mapped = static_cast<std::byte *>(memory.mapMemory(0, VK_WHOLE_SIZE));
    std::fill_n(mapped, bytes, std::byte{0});
    std::ranges::copy(data, mapped);
    return buffers_.emplace_back(Buffer{bytes, std::move(made), std::move(memory), mapped});
}

Buffer &Gpu::typed_buffer(std::size_t bytes, vk::Format format)
{
    Buffer &made = buffer(bytes);
    made.format = format;
    made.view = vk::raii::BufferView(
        device_, {.buffer = *made.buffer, .format = format, .range = VK_WHOLE_SIZE});
    return made;
}

Buffer &Gpu::counted_buffer(std::size_t bytes)
{
    Buffer &made = buffer(bytes);
    made.counter = &buffer(sizeof(std::uint32_t));
    return made;
}

Texture &Gpu::texture_1d(std::uint32_t width, vk::Format format)
{
    return texture(vk::ImageType::e1D, {width, 1, 1}, format, {});
}

Texture &Gpu::texture_2d(std::uint32_t width, std::uint32_t height, vk::Format format, Bytes data)
{
    return texture(vk::ImageType::e2D, {width, height, 1}, format, data);
}

Texture &Gpu::texture(vk::ImageType dimension, vk::Extent3D extent, vk::Format format, Bytes data)
{
    using enum vk::ImageUsageFlagBits;
    vk::raii::Image image(device_, {.imageType = dimension, .format = format, .extent = extent,
                                    .mipLevels = 1, .arrayLayers = 1,
                                    .usage = eSampled | eStorage | eTransferSrc | eTransferDst});
    auto memory = allocate(image.getMemoryRequirements(),
                           vk::MemoryPropertyFlagBits::eDeviceLocal);
    image.bindMemory(*memory, 0);
    const bool is_1d = dimension == vk::ImageType::e1D;
    vk::raii::ImageView view(
        device_, {.image = *image,
                  .viewType = is_1d ? vk::ImageViewType::e1D : vk::ImageViewType::e2D,
                  .format = format, .subresourceRange = WHOLE_RANGE});
    const std::size_t bytes = texel_bytes(format) * extent.width * extent.height;
    Texture &made =
        textures_.emplace_back(Texture{extent, format, is_1d ? "1d" : "2d", bytes, std::move(image),
                                       std::move(memory), std::move(view)});
    fill(made, data);
    return made;
}

// All textures are in the layout "general", in which shaders read, sample and write them.
void Gpu::fill(const Texture &texture, Bytes data)
{
    const vk::ImageMemoryBarrier first{
        .dstAccessMask = vk::AccessFlagBits::eTransferWrite,
        .oldLayout = vk::ImageLayout::eUndefined, .newLayout = vk::ImageLayout::eGeneral,
        .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .image = *texture.image, .subresourceRange = WHOLE_RANGE};
    commands_.pipelineBarrier(vk::PipelineStageFlagBits::eTopOfPipe,
                              vk::PipelineStageFlagBits::eTransfer, {}, {}, {}, first);
    commands_.copyBufferToImage(*buffer(texture.bytes, data).buffer, *texture.image,
                                vk::ImageLayout::eGeneral, whole(texture));
    barrier();
}

vk::Sampler Gpu::linear_sampler()
{
    using enum vk::SamplerAddressMode;
    return *samplers_.emplace_back(
        device_, vk::SamplerCreateInfo{
                     .magFilter = vk::Filter::eLinear, .minFilter = vk::Filter::eLinear,
                     .mipmapMode = vk::SamplerMipmapMode::eLinear, .addressModeU = eClampToEdge,
                     .addressModeV = eClampToEdge, .addressModeW = eClampToEdge,
                     .maxLod = VK_LOD_CLAMP_NONE});
}

// ---- commands -----------------------------------------------------------------------------------

void Gpu::write_descriptor(vk::DescriptorSet set, const Binding &binding, const Resource &resource)
{
    using enum vk::DescriptorType;
    vk::DescriptorBufferInfo range;
    vk::DescriptorImageInfo image{.imageLayout = vk::ImageLayout::eGeneral};
    vk::BufferView texels;
    switch (binding.type) {
    case eSampler: image.sampler = resource_of<vk::Sampler>(binding, resource, "sampler"); break;
    case eSampledImage:
    case eStorageImage:
        image.imageView = *texture_for(binding, resource).view;
        break;
    case eUniformTexelBuffer:
    case eStorageTexelBuffer:
        texels = *typed_buffer_for(binding, resource).view;
        break;
    default: {
        const Buffer &buffer = buffer_for(binding, resource);
        range.setBuffer(*buffer.buffer).setRange(buffer.bytes);
    }
    }
    device_.updateDescriptorSets(
        vk::WriteDescriptorSet{.dstSet = set, .dstBinding = binding.binding, .descriptorCount = 1,
                               .descriptorType = binding.type, .pImageInfo = &image,
                               .pBufferInfo = &range, .pTexelBufferView = &texels},
        {});
}

void Gpu::bind(const Kernel &kernel, Arguments arguments)
{
    for (const auto &[name, resource] : arguments)
        if (std::ranges::find(kernel.bindings, name, &Binding::name) == kernel.bindings.end())
            fail(kernel.name + " has no resource of this name: " + name);
    arguments.emplace(MESSAGES, messages_);
    const vk::DescriptorSetAllocateInfo wanted{.descriptorPool = *descriptors_,
                                               .descriptorSetCount = 1,
                                               .pSetLayouts = &*kernel.set_layout};
    const vk::DescriptorSet set = (*device_).allocateDescriptorSets(wanted).front();
    for (const Binding &binding : kernel.bindings) {
        const auto found = arguments.find(binding.name);
        if (found == arguments.end()) fail("nothing is bound to: " + binding.name);
        write_descriptor(set, binding, found->second);
    }
    commands_.bindPipeline(vk::PipelineBindPoint::eCompute, *kernel.pipeline);
    commands_.bindDescriptorSets(vk::PipelineBindPoint::eCompute, *kernel.layout, 0, set, {});
}

void Gpu::dispatch(const Kernel &kernel, Groups groups, Arguments arguments)
{
    bind(kernel, std::move(arguments));
    commands_.dispatch(groups.x, groups.y, 1);
    barrier();
}

void Gpu::dispatch_indirect(const Kernel &kernel, const Buffer &groups, Arguments arguments)
{
    bind(kernel, std::move(arguments));
    commands_.dispatchIndirect(*groups.buffer, 0);
    barrier();
}

void Gpu::copy_counter(const Buffer &from, const Buffer &to)
{
    commands_.copyBuffer(*from.counter->buffer, *to.buffer,
                         vk::BufferCopy{.size = sizeof(std::uint32_t)});
    barrier();
}

void Gpu::set_counter(const Buffer &buffer, std::uint32_t value)
{
    commands_.fillBuffer(*buffer.counter->buffer, 0, sizeof value, value);
    barrier();
}

const Buffer &Gpu::download(const Texture &texture)
{
    const Buffer &made = buffer(texture.bytes);
    commands_.copyImageToBuffer(*texture.image, vk::ImageLayout::eGeneral, *made.buffer,
                                whole(texture));
    barrier();
    return made;
}

// What is recorded from now on sees all that was written before, and so does the host.
void Gpu::barrier()
{
    using enum vk::AccessFlagBits;
    using Stage = vk::PipelineStageFlagBits;
    const vk::PipelineStageFlags work = Stage::eComputeShader | Stage::eTransfer;
    const vk::MemoryBarrier all{.srcAccessMask = eShaderWrite | eTransferWrite,
                                .dstAccessMask = eShaderRead | eShaderWrite | eUniformRead |
                                                 eTransferRead | eTransferWrite |
                                                 eIndirectCommandRead | eHostRead};
    commands_.pipelineBarrier(work, work | Stage::eDrawIndirect | Stage::eHost, {}, all, {}, {});
}

void Gpu::run()
{
    commands_.end();
    const vk::raii::Fence fence(device_, vk::FenceCreateInfo{});
    queue_.submit(vk::SubmitInfo{.commandBufferCount = 1, .pCommandBuffers = &*commands_}, *fence);
    if (device_.waitForFences(*fence, VK_TRUE, TIMEOUT_NS) != vk::Result::eSuccess)
        fail("the device did not finish in time");
    const auto ended_loop =
        reinterpret_cast<const std::uint32_t *>(messages_->data)[ENDED_LOOP_WORD];
    begin();
    if (ended_loop) fail("the driver ended a loop of a kernel");
}
