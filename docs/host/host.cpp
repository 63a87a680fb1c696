// A Vulkan host in C++20 for compute shaders that sm5vk translated, as an engine would have it: with
// Vulkan-Hpp's RAII classes, a Shader that is made of a module and its interface, and resources that
// are bound by register. It takes the same words as host.c, and knows nothing else of sm5vk.
//
//     sm5vk translate shader.dxbc -o shader.spv --interface shader.json --for desktop
//     c++ -std=c++20 host.cpp -o host_cpp -lvulkan -lcjson
//     ./host_cpp --help
#include <cjson/cJSON.h>

#include <array>
#include <charconv>
#include <cstring>
#include <fstream>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>
#include <vulkan/vulkan_format_traits.hpp>
#include <vulkan/vulkan_raii.hpp>

namespace {

const char USAGE[] =
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

constexpr uint32_t MAX_GROUPS = 65535, MAX_SIDE = 16384; // D3D's limits in a dimension
constexpr std::string_view THREADS = "threads=";

using Bytes = std::vector<char>;
using Names = std::map<std::string_view, int>;

struct Failure : std::runtime_error {
    explicit Failure(const std::string &what, const std::string &which = "")
        : std::runtime_error(which.empty() ? what : what + ": " + which) {}
};

Bytes read_file(const std::string &path)
{
    std::ifstream file(path, std::ios::binary);
    if (!file) throw Failure("cannot be read", path);
    return {std::istreambuf_iterator<char>(file), {}};
}

uint32_t whole_number(const std::string &word, uint32_t most)
{
    uint32_t value = 0;
    const char *const end = word.data() + word.size();
    const auto [stop, error] = std::from_chars(word.data(), end, value);
    if (error != std::errc{} || stop != end || value > most)
        throw Failure("no whole number up to " + std::to_string(most), word);
    return value;
}

std::vector<std::string> split(const std::string &text, char separator)
{
    std::vector<std::string> parts;
    std::istringstream stream(text);
    for (std::string part; std::getline(stream, part, separator);) parts.push_back(part);
    return parts;
}

// Numbers with an x between them
std::vector<uint32_t> read_sides(const std::string &text, uint32_t most)
{
    std::vector<uint32_t> sides;
    for (const std::string &part : split(text + 'x', 'x')) // an empty last part counts
        sides.push_back(whole_number(part, most));
    return sides;
}

template <typename Enum> Enum named(const Names &names, const std::string &name, const char *what)
{
    const auto found = names.find(name);
    if (found == names.end()) throw Failure(what, name);
    return static_cast<Enum>(found->second);
}

// ---- the interface ------------------------------------------------------------------------------

#define NAME(name) {#name, name}
const Names formats = {
    NAME(VK_FORMAT_R32_UINT), NAME(VK_FORMAT_R32_SINT), NAME(VK_FORMAT_R32_SFLOAT),
    NAME(VK_FORMAT_D32_SFLOAT), NAME(VK_FORMAT_R32G32_UINT), NAME(VK_FORMAT_R32G32_SINT),
    NAME(VK_FORMAT_R32G32_SFLOAT), NAME(VK_FORMAT_R32G32B32_UINT), NAME(VK_FORMAT_R32G32B32_SINT),
    NAME(VK_FORMAT_R32G32B32_SFLOAT), NAME(VK_FORMAT_R32G32B32A32_UINT),
    NAME(VK_FORMAT_R32G32B32A32_SINT), NAME(VK_FORMAT_R32G32B32A32_SFLOAT),
    NAME(VK_FORMAT_R16G16B16A16_SFLOAT), NAME(VK_FORMAT_R16_SFLOAT), NAME(VK_FORMAT_R8_UINT),
    NAME(VK_FORMAT_R8_UNORM), NAME(VK_FORMAT_R8G8B8A8_UNORM), NAME(VK_FORMAT_R8G8B8A8_UINT),
    NAME(VK_FORMAT_B8G8R8A8_UNORM), NAME(VK_FORMAT_B10G11R11_UFLOAT_PACK32)};
const Names views = {
    NAME(VK_IMAGE_VIEW_TYPE_1D), NAME(VK_IMAGE_VIEW_TYPE_1D_ARRAY), NAME(VK_IMAGE_VIEW_TYPE_2D),
    NAME(VK_IMAGE_VIEW_TYPE_2D_ARRAY), NAME(VK_IMAGE_VIEW_TYPE_3D), NAME(VK_IMAGE_VIEW_TYPE_CUBE),
    NAME(VK_IMAGE_VIEW_TYPE_CUBE_ARRAY)};
#undef NAME
const Names descriptors = {{"uniform_buffer", VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER},
                           {"storage_buffer", VK_DESCRIPTOR_TYPE_STORAGE_BUFFER},
                           {"uniform_texel_buffer", VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER},
                           {"storage_texel_buffer", VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER},
                           {"sampled_image", VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE},
                           {"storage_image", VK_DESCRIPTOR_TYPE_STORAGE_IMAGE},
                           {"sampler", VK_DESCRIPTOR_TYPE_SAMPLER}};

struct Binding { // one entry of "bindings"
    std::string name;
    uint32_t set = 0, binding = 0;
    std::optional<uint32_t> push_offset = std::nullopt; // of a constant buffer that is push constants
    vk::DescriptorType type{};
    vk::Format format{};
    vk::ImageViewType view{};
    bool compares = false;
    uint32_t least_bytes = 0, stride = 0;

    bool is_image() const
    {
        return type == vk::DescriptorType::eSampledImage || type == vk::DescriptorType::eStorageImage;
    }
    bool is_texel_buffer() const
    {
        return type == vk::DescriptorType::eUniformTexelBuffer ||
               type == vk::DescriptorType::eStorageTexelBuffer;
    }
};

struct Interface {
    std::string module; // the path of the SPIR-V
    Bytes code;
    std::string entry_point;
    uint32_t api_version = 0, set_count = 0, push_bytes = 0;
    std::array<uint32_t, 3> thread_group{};
    std::vector<std::string> features, extensions, float_controls;
    std::map<std::string, uint32_t> specialization; // ids of constants by name
    std::vector<Binding> bindings;

    Interface(const std::string &path, const std::string &module);
    const Binding &operator[](const std::string &name) const
    {
        for (const Binding &binding : bindings)
            if (binding.name == name) return binding;
        throw Failure("the shader has no register", name);
    }

  private:
    void add(const cJSON *row);
};

const cJSON *member(const cJSON *object, const char *name)
{
    const cJSON *found = cJSON_GetObjectItemCaseSensitive(object, name);
    if (!found) throw Failure("the interface lacks", name);
    return found;
}

std::string text(const cJSON *object, const char *name)
{
    const char *value = cJSON_GetStringValue(member(object, name));
    if (!value) throw Failure("the interface has no text for", name);
    return value;
}

uint32_t integer(const cJSON *object, const char *name)
{
    return static_cast<uint32_t>(member(object, name)->valuedouble);
}

uint32_t optional_integer(const cJSON *object, const char *name)
{
    const cJSON *found = cJSON_GetObjectItemCaseSensitive(object, name);
    return found ? static_cast<uint32_t>(found->valuedouble) : 0;
}

std::vector<std::string> texts(const cJSON *object, const char *name)
{
    std::vector<std::string> found;
    const cJSON *row = nullptr;
    cJSON_ArrayForEach(row, member(object, name)) found.emplace_back(cJSON_GetStringValue(row));
    return found;
}

// The CRC-32 of PNG and gzip
uint32_t crc32(const Bytes &data)
{
    uint32_t crc = UINT32_MAX;
    for (const char byte : data) {
        crc ^= static_cast<unsigned char>(byte);
        for (int bit = 0; bit < 8; bit++) crc = crc >> 1 ^ (crc & 1 ? 0xEDB88320 : 0);
    }
    return ~crc;
}

Interface::Interface(const std::string &path, const std::string &module)
    : module(module), code(read_file(module))
{
    Bytes contents = read_file(path);
    contents.push_back(0);
    const std::unique_ptr<cJSON, decltype(&cJSON_Delete)> root(cJSON_Parse(contents.data()),
                                                                cJSON_Delete);
    if (!root) throw Failure("is not JSON", path);
    const cJSON *crc = cJSON_GetObjectItemCaseSensitive(root.get(), "spirv_crc32");
    if (crc && crc->valuedouble != crc32(code))
        throw Failure(path + " is not the interface of " + module);
    for (int i = 0; i < 3; i++)
        thread_group[i] = static_cast<uint32_t>(
            cJSON_GetArrayItem(member(root.get(), "thread_group"), i)->valuedouble);
    entry_point = text(root.get(), "entry_point");
    unsigned major = 0, minor = 0;
    if (std::sscanf(text(root.get(), "target").c_str(), "vulkan%u.%u", &major, &minor) != 2)
        throw Failure("no such target", text(root.get(), "target"));
    api_version = VK_MAKE_API_VERSION(0, major, minor, 0);
    features = texts(root.get(), "features");
    extensions = texts(root.get(), "extensions");
    float_controls = texts(root.get(), "float_controls");
    const cJSON *row = nullptr;
    cJSON_ArrayForEach(row, cJSON_GetObjectItemCaseSensitive(root.get(), "specialization"))
        specialization[text(row, "name")] = integer(row, "id");
    cJSON_ArrayForEach(row, member(root.get(), "bindings")) add(row);
    if (!set_count) throw Failure("the shader has no descriptors", path);
    if (cJSON_GetArraySize(member(root.get(), "windows")))
        throw Failure("this host pushes no windows");
}

void Interface::add(const cJSON *row)
{
    Binding made{.name = text(row, "register")};
    if (integer(row, "count") != 1) throw Failure("this host binds no arrays of resources", made.name);
    made.least_bytes = optional_integer(row, "size_bytes");
    if (text(row, "descriptor_type") == "push_constants") {
        made.type = vk::DescriptorType::eUniformBuffer; // of the buffer with its bytes
        made.push_offset = integer(row, "push_offset");
        push_bytes = std::max(push_bytes, *made.push_offset + made.least_bytes);
        bindings.push_back(std::move(made));
        return;
    }
    made.set = integer(row, "set");
    made.binding = integer(row, "binding");
    made.type = named<vk::DescriptorType>(descriptors, text(row, "descriptor_type"),
                                          "this host binds no");
    made.stride = optional_integer(row, "stride");
    if (made.is_image() || made.is_texel_buffer())
        made.format = named<vk::Format>(formats, text(row, "vk_format"), "this host knows no format");
    if (made.is_image()) {
        made.view = named<vk::ImageViewType>(views, text(row, "vk_view_type"), "there is no");
        if (text(row, "dimension").starts_with("2dms"))
            throw Failure("this host binds no multisampled textures", made.name);
    }
    if (made.type == vk::DescriptorType::eSampler)
        made.compares = cJSON_IsTrue(member(row, "comparison"));
    set_count = std::max(set_count, made.set + 1);
    bindings.push_back(std::move(made));
}

// ---- device and resources -----------------------------------------------------------------------

using Core = vk::PhysicalDeviceFeatures2;
using Images = vk::PhysicalDeviceImageRobustnessFeaturesEXT;
using Robustness2 = vk::PhysicalDeviceRobustness2FeaturesEXT;
using Indexing = vk::PhysicalDeviceDescriptorIndexingFeatures;
using Halves = vk::PhysicalDeviceShaderFloat16Int8Features;
using Features = vk::StructureChain<Core, Images, Robustness2, Indexing, Halves>;
using Modes = vk::PhysicalDeviceFloatControlsProperties;
using Subgroups = vk::PhysicalDeviceSubgroupProperties;

// The flag of a feature of the interface; null if nothing is enabled for it.
vk::Bool32 *feature_flag(Features &features, const std::string &name)
{
    vk::PhysicalDeviceFeatures &core = features.get().features;
    auto &robustness2 = features.get<Robustness2>();
    auto &indexing = features.get<Indexing>();
    const std::map<std::string_view, vk::Bool32 *> known = {
        {"float16", &features.get<Halves>().shaderFloat16},
        {"float64", &core.shaderFloat64},
        {"image_cube_array", &core.imageCubeArray},
        {"image_gather_extended", &core.shaderImageGatherExtended},
        {"non_semantic_info", nullptr}, // no more than an extension
        {"resource_min_lod", &core.shaderResourceMinLod},
        {"robust_buffer_access", &core.robustBufferAccess},
        {"robust_buffer_access2", &robustness2.robustBufferAccess2},
        {"robust_image_access", &features.get<Images>().robustImageAccess},
        {"robust_image_access2", &robustness2.robustImageAccess2},
        {"runtime_descriptor_array", &indexing.runtimeDescriptorArray},
        {"sampled_image_dynamic_indexing", &core.shaderSampledImageArrayDynamicIndexing},
        {"sampled_image_non_uniform_indexing",
         &indexing.shaderSampledImageArrayNonUniformIndexing},
        {"storage_buffer_dynamic_indexing", &core.shaderStorageBufferArrayDynamicIndexing},
        {"storage_buffer_non_uniform_indexing",
         &indexing.shaderStorageBufferArrayNonUniformIndexing},
        {"storage_image_dynamic_indexing", &core.shaderStorageImageArrayDynamicIndexing},
        {"storage_image_extended_formats", &core.shaderStorageImageExtendedFormats},
        {"storage_image_non_uniform_indexing",
         &indexing.shaderStorageImageArrayNonUniformIndexing},
        {"storage_image_read_without_format", &core.shaderStorageImageReadWithoutFormat},
        {"storage_image_write_without_format", &core.shaderStorageImageWriteWithoutFormat},
        {"storage_texel_buffer_dynamic_indexing",
         &indexing.shaderStorageTexelBufferArrayDynamicIndexing},
        {"storage_texel_buffer_non_uniform_indexing",
         &indexing.shaderStorageTexelBufferArrayNonUniformIndexing},
        {"subgroup_ballot", nullptr}, // a property
        {"uniform_buffer_dynamic_indexing", &core.shaderUniformBufferArrayDynamicIndexing},
        {"uniform_buffer_non_uniform_indexing",
         &indexing.shaderUniformBufferArrayNonUniformIndexing},
        {"uniform_texel_buffer_dynamic_indexing",
         &indexing.shaderUniformTexelBufferArrayDynamicIndexing},
        {"uniform_texel_buffer_non_uniform_indexing",
         &indexing.shaderUniformTexelBufferArrayNonUniformIndexing}};
    const auto found = known.find(name);
    if (found == known.end()) throw Failure("this host does not enable the feature", name);
    return found->second;
}

// Float modes of the interface are not enabled: the device has them or not.
const std::map<std::string_view, vk::Bool32 Modes::*> mode_flags = {
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

// Takes a struct without flags out of the chain: it may be of an extension that is not enabled.
template <typename Struct> void unlink_unused(Features &features)
{
    Struct made = features.get<Struct>();
    made.pNext = nullptr;
    if (made == Struct()) features.unlink<Struct>();
}

// The features to enable. Throws Failure if the device lacks one of them, or a float mode.
Features choose_features(const vk::raii::PhysicalDevice &physical, const Interface &interface)
{
    Features enabled;
    Features offered = physical.getFeatures2<Core, Images, Robustness2, Indexing, Halves>();
    const auto properties =
        physical.getProperties2<vk::PhysicalDeviceProperties2, Modes, Subgroups>();
    const auto &subgroups = properties.get<Subgroups>();
    const bool has_ballots =
        (subgroups.supportedOperations & vk::SubgroupFeatureFlagBits::eBallot) &&
        (subgroups.supportedStages & vk::ShaderStageFlagBits::eCompute);
    for (const std::string &name : interface.features) {
        const vk::Bool32 *flag = feature_flag(offered, name);
        if (flag ? !*flag : name == "subgroup_ballot" && !has_ballots)
            throw Failure("the device lacks the feature", name);
        if (flag) *feature_flag(enabled, name) = VK_TRUE;
    }
    for (const std::string &name : interface.float_controls)
        if (const auto mode = mode_flags.find(name);
            mode == mode_flags.end() || !(properties.get<Modes>().*(mode->second)))
            throw Failure("the device lacks the float mode", name);
    unlink_unused<Images>(enabled);
    unlink_unused<Robustness2>(enabled);
    unlink_unused<Indexing>(enabled);
    unlink_unused<Halves>(enabled);
    return enabled;
}

std::set<std::string> extensions_of(const vk::raii::PhysicalDevice &physical)
{
    std::set<std::string> offered;
    for (const auto &extension : physical.enumerateDeviceExtensionProperties())
        offered.insert(extension.extensionName);
    return offered;
}

void check_extensions(const vk::raii::PhysicalDevice &physical, const Interface &interface)
{
    const std::set<std::string> offered = extensions_of(physical);
    for (const std::string &name : interface.extensions)
        if (!offered.contains(name)) throw Failure("the device lacks the extension", name);
}

// The specialization constants for the robust accesses that the device offers; these become
// features of the interface. On CPUs none of images: lavapipe up to Mesa 25.0 and SwiftShader
// break it.
std::vector<uint32_t> choose_constants(const vk::raii::PhysicalDevice &physical,
                                       Interface &interface)
{
    const std::map<std::string, std::string> robust = {
        {"robust_buffer_access", ""},
        {"robust_buffer_access2", "VK_EXT_robustness2"},
        {"robust_image_access", "VK_EXT_image_robustness"}};
    const bool is_cpu = physical.getProperties().deviceType == vk::PhysicalDeviceType::eCpu;
    const std::set<std::string> extensions = extensions_of(physical);
    Features offered = physical.getFeatures2<Core, Images, Robustness2, Indexing, Halves>();
    std::vector<uint32_t> ids;
    for (const auto &[name, extension] : robust) {
        const auto found = interface.specialization.find(name);
        if (found == interface.specialization.end() || !*feature_flag(offered, name)) continue;
        if (is_cpu && name == "robust_image_access") continue;
        if (!extension.empty() && !extensions.contains(extension)) continue;
        interface.features.push_back(name);
        if (!extension.empty()) interface.extensions.push_back(extension);
        ids.push_back(found->second);
    }
    return ids;
}

struct Gpu {
    vk::raii::Context context;
    vk::raii::Instance instance;
    vk::raii::PhysicalDevice physical;
    uint32_t family;
    std::vector<uint32_t> constants; // the ids of specialization constants that are set
    vk::raii::Device device;
    vk::raii::Queue queue;

    explicit Gpu(Interface &interface)
        : instance(make_instance(context, interface.api_version)),
          physical(vk::raii::PhysicalDevices(instance).front()), family(compute_family(physical)),
          constants(choose_constants(physical, interface)), device(make_device(physical, family, interface)), queue(device, family, 0)
    {
    }

    vk::raii::DeviceMemory allocate(const vk::MemoryRequirements &needed,
                                    vk::MemoryPropertyFlags wanted) const
    {
        const auto memory = physical.getMemoryProperties();
        for (uint32_t type = 0; type < memory.memoryTypeCount; type++)
            if ((needed.memoryTypeBits >> type & 1) &&
                (memory.memoryTypes[type].propertyFlags & wanted) == wanted)
                return {device, vk::MemoryAllocateInfo(needed.size, type)};
        throw Failure("no memory that is suitable");
    }

  private:
    static vk::raii::Instance make_instance(const vk::raii::Context &context, uint32_t api_version)
    {
        const vk::ApplicationInfo application(nullptr, 0, nullptr, 0, api_version);
        return {context, vk::InstanceCreateInfo({}, &application)};
    }
    static uint32_t compute_family(const vk::raii::PhysicalDevice &physical)
    {
        const auto families = physical.getQueueFamilyProperties();
        for (uint32_t family = 0; family < families.size(); family++)
            if (families[family].queueFlags & vk::QueueFlagBits::eCompute) return family;
        throw Failure("the device has no queue for compute");
    }
    static vk::raii::Device make_device(const vk::raii::PhysicalDevice &physical, uint32_t family,
                                        const Interface &interface)
    {
        const float priority = 1;
        const vk::DeviceQueueCreateInfo queue({}, family, 1, &priority);
        std::vector<const char *> extensions;
        for (const std::string &name : interface.extensions) extensions.push_back(name.c_str());
        const Features features = choose_features(physical, interface);
        check_extensions(physical, interface);
        vk::DeviceCreateInfo info({}, queue, {}, extensions);
        info.pNext = &features.get();
        return {physical, info};
    }
};

// As long as the D3D view, for the module takes its bounds from the descriptor; constants that are
// shorter than the shader's are filled up with zeros.
struct Buffer {
    size_t bytes;
    vk::raii::Buffer buffer;
    vk::raii::DeviceMemory memory;
    char *mapped;

    Buffer(const Gpu &gpu, vk::BufferUsageFlags usage, const Bytes &data, size_t least)
        : bytes(std::max(data.size(), least)),
          buffer(gpu.device, vk::BufferCreateInfo({}, bytes, usage)),
          memory(gpu.allocate(buffer.getMemoryRequirements(),
                              vk::MemoryPropertyFlagBits::eHostVisible |
                                  vk::MemoryPropertyFlagBits::eHostCoherent))
    {
        buffer.bindMemory(*memory, 0);
        mapped = static_cast<char *>(memory.mapMemory(0, VK_WHOLE_SIZE));
        std::memset(mapped, 0, bytes);
        std::copy(data.begin(), data.end(), mapped);
    }

    void write(const std::string &path) const
    {
        std::ofstream file(path, std::ios::binary);
        if (!file.write(mapped, static_cast<std::streamsize>(bytes)))
            throw Failure("cannot be written", path);
    }
};

struct Extent {
    vk::Extent3D size{1, 1, 1};
    uint32_t layers = 1;
};

// WIDTH[xHEIGHT[xDEPTH]]; the last number of an array, and of a cube, counts layers.
Extent read_extent(const std::string &text, const Binding &binding)
{
    using View = vk::ImageViewType;
    std::vector<uint32_t> sides = read_sides(text, MAX_SIDE);
    const View view = binding.view;
    const size_t wanted = view == View::e1D                                 ? 1
                          : view == View::e2D || view == View::e1DArray ? 2
                                                                            : 3;
    if (sides.size() != wanted)
        throw Failure("has another number of sides than its texture", binding.name);
    sides.resize(3, 1);
    Extent made;
    if (view != View::e1D && view != View::e2D && view != View::e3D)
        made.layers = std::exchange(sides[wanted - 1], 1);
    made.size = vk::Extent3D(sides[0], sides[1], sides[2]);
    return made;
}

// One mip, in one layout; its texels lie in a buffer before and after.
struct Image {
    Extent extent;
    vk::ImageSubresourceLayers layers;
    vk::raii::Image image;
    vk::raii::DeviceMemory memory;
    vk::raii::ImageView view;

    Image(const Gpu &gpu, const Binding &binding, const Extent &extent)
        : extent(extent), layers(aspect(binding), 0, 0, extent.layers),
          image(gpu.device, describe(binding, extent)),
          memory(gpu.allocate(image.getMemoryRequirements(),
                              vk::MemoryPropertyFlagBits::eDeviceLocal)),
          view(bound(gpu, binding))
    {
    }

    vk::BufferImageCopy whole() const { return {0, 0, 0, layers, {}, extent.size}; }
    vk::ImageSubresourceRange range() const
    {
        return {layers.aspectMask, 0, 1, 0, layers.layerCount};
    }

  private:
    static vk::ImageAspectFlags aspect(const Binding &binding)
    {
        return binding.format == vk::Format::eD32Sfloat ? vk::ImageAspectFlagBits::eDepth
                                                        : vk::ImageAspectFlagBits::eColor;
    }
    static vk::ImageCreateInfo describe(const Binding &binding, const Extent &extent)
    {
        using View = vk::ImageViewType;
        const View view = binding.view;
        const bool is_cube = view == View::eCube || view == View::eCubeArray;
        const auto kind = view == View::e3D                            ? vk::ImageType::e3D
                          : view == View::e1D || view == View::e1DArray ? vk::ImageType::e1D
                                                                        : vk::ImageType::e2D;
        const auto use = binding.type == vk::DescriptorType::eStorageImage
                             ? vk::ImageUsageFlagBits::eStorage
                             : vk::ImageUsageFlagBits::eSampled;
        return {is_cube ? vk::ImageCreateFlagBits::eCubeCompatible : vk::ImageCreateFlags{},
                kind, binding.format, extent.size, 1, extent.layers, vk::SampleCountFlagBits::e1,
                vk::ImageTiling::eOptimal,
                use | vk::ImageUsageFlagBits::eTransferSrc | vk::ImageUsageFlagBits::eTransferDst};
    }
    vk::raii::ImageView bound(const Gpu &gpu, const Binding &binding)
    {
        image.bindMemory(*memory, 0);
        return {gpu.device, vk::ImageViewCreateInfo({}, *image, binding.view, binding.format, {},
                                                    range())};
    }
};

// Words with commas between them, in any order; linear and clamp without.
vk::raii::Sampler make_sampler(const Gpu &gpu, const Binding &binding, const std::string &words)
{
    static const Names filters = {{"point", 0}, {"linear", 1}};
    static const Names modes = {{"wrap", 0}, {"mirror", 1}, {"clamp", 2}};
    static const Names comparisons = {{"never", 0},   {"less", 1},      {"equal", 2},
                                      {"less_equal", 3}, {"greater", 4},   {"not_equal", 5},
                                      {"greater_equal", 6}, {"always", 7}};
    int filter = 1, mode = 2, comparison = -1;
    for (const std::string &word : split(words, ',')) {
        if (filters.contains(word)) filter = filters.at(word);
        else if (modes.contains(word)) mode = modes.at(word);
        else if (comparisons.contains(word)) comparison = comparisons.at(word);
        else throw Failure("is no word of a sampler", word);
    }
    if (binding.compares != (comparison >= 0))
        throw Failure(binding.compares ? "a comparison is needed for" : "no comparison is for",
                      binding.name);
    const auto address = static_cast<vk::SamplerAddressMode>(mode);
    const auto kind = static_cast<vk::Filter>(filter);
    vk::SamplerCreateInfo made({}, kind, kind, static_cast<vk::SamplerMipmapMode>(filter), address,
                               address, address);
    made.compareEnable = binding.compares;
    made.compareOp = static_cast<vk::CompareOp>(std::max(comparison, 0));
    made.maxLod = VK_LOD_CLAMP_NONE;
    return {gpu.device, made};
}

struct Resource { // what is bound to a register
    std::optional<Buffer> buffer;
    std::optional<vk::raii::BufferView> texels;
    std::optional<Image> image;
    std::optional<vk::raii::Sampler> sampler;
    std::string output;
};

// ---- shader and dispatch ------------------------------------------------------------------------

class Shader {
  public:
    Shader(const Gpu &gpu, const Interface &interface)
        : gpu(gpu), interface(interface), set_layouts(make_set_layouts()),
          layout_handles(set_layouts.size()), layout(make_layout()), pipeline(make_pipeline())
    {
    }

    void bind(const std::string &name, Resource resource)
    {
        resources.insert_or_assign(name, std::move(resource));
    }

    // Waits for the end; `record` has the dispatch itself, direct or indirect.
    template <typename Record> void dispatch(Record record)
    {
        const auto pool = make_pool();
        const auto sets = vk::raii::DescriptorSets(
            gpu.device, vk::DescriptorSetAllocateInfo(*pool, layout_handles));
        for (const Binding &binding : interface.bindings) write_descriptor(binding, sets);
        const vk::raii::CommandPool commands(gpu.device, {{}, gpu.family});
        const auto buffers = vk::raii::CommandBuffers(
            gpu.device, {*commands, vk::CommandBufferLevel::ePrimary, 1});
        const vk::raii::CommandBuffer &work = buffers.front();
        work.begin({vk::CommandBufferUsageFlagBits::eOneTimeSubmit});
        upload(work);
        work.bindPipeline(vk::PipelineBindPoint::eCompute, *pipeline);
        std::vector<vk::DescriptorSet> bound;
        for (const auto &set : sets) bound.push_back(*set);
        work.bindDescriptorSets(vk::PipelineBindPoint::eCompute, *layout, 0, bound, {});
        for (const Binding &binding : interface.bindings)
            if (binding.push_offset)
                work.pushConstants<char>(*layout, vk::ShaderStageFlagBits::eCompute,
                                         *binding.push_offset,
                                         vk::ArrayProxy<const char>(
                                             binding.least_bytes,
                                             resources.at(binding.name).buffer->mapped));
        record(work);
        download(work);
        work.end();
        const vk::raii::Fence fence(gpu.device, vk::FenceCreateInfo());
        gpu.queue.submit(vk::SubmitInfo({}, {}, *work), *fence);
        if (gpu.device.waitForFences(*fence, true, 60'000'000'000) != vk::Result::eSuccess)
            throw Failure("the dispatch did not end");
    }

    void write_outputs() const
    {
        for (const auto &[name, resource] : resources)
            if (!resource.output.empty()) resource.buffer->write(resource.output);
    }

  private:
    const Gpu &gpu;
    const Interface &interface;
    std::vector<vk::raii::DescriptorSetLayout> set_layouts;
    std::vector<vk::DescriptorSetLayout> layout_handles;
    vk::raii::PipelineLayout layout;
    vk::raii::Pipeline pipeline;
    std::map<std::string, Resource> resources;

    vk::raii::PipelineLayout make_layout()
    {
        for (size_t set = 0; set < set_layouts.size(); set++)
            layout_handles[set] = *set_layouts[set];
        const vk::PushConstantRange pushed(vk::ShaderStageFlagBits::eCompute, 0, interface.push_bytes);
        vk::PipelineLayoutCreateInfo info({}, layout_handles);
        if (interface.push_bytes) info.setPushConstantRanges(pushed);
        return {gpu.device, info};
    }

    std::vector<vk::raii::DescriptorSetLayout> make_set_layouts() const
    {
        std::vector<vk::raii::DescriptorSetLayout> made;
        for (uint32_t set = 0; set < interface.set_count; set++) { // one that is unused is empty
            std::vector<vk::DescriptorSetLayoutBinding> rows;
            for (const Binding &binding : interface.bindings)
                if (!binding.push_offset && binding.set == set)
                    rows.emplace_back(binding.binding, binding.type, 1,
                                      vk::ShaderStageFlagBits::eCompute);
            made.emplace_back(gpu.device, vk::DescriptorSetLayoutCreateInfo({}, rows));
        }
        return made;
    }

    vk::raii::Pipeline make_pipeline() const
    try {
        std::vector<uint32_t> words(interface.code.size() / sizeof(uint32_t));
        std::memcpy(words.data(), interface.code.data(), words.size() * sizeof(uint32_t));
        const vk::raii::ShaderModule module(gpu.device, vk::ShaderModuleCreateInfo({}, words));
        std::vector<vk::SpecializationMapEntry> entries;
        const std::vector<vk::Bool32> on(gpu.constants.size(), VK_TRUE);
        for (const uint32_t id : gpu.constants)
            entries.emplace_back(id, static_cast<uint32_t>(entries.size() * sizeof(vk::Bool32)),
                                 sizeof(vk::Bool32));
        const vk::SpecializationInfo constants(static_cast<uint32_t>(entries.size()),
                                               entries.data(), on.size() * sizeof(vk::Bool32),
                                               on.data());
        const vk::PipelineShaderStageCreateInfo stage({}, vk::ShaderStageFlagBits::eCompute, *module,
                                                      interface.entry_point.c_str(), &constants);
        return {gpu.device, nullptr, vk::ComputePipelineCreateInfo({}, stage, *layout)};
    } catch (const vk::Error &error) {
        throw Failure(error.what(), interface.module);
    }

    vk::raii::DescriptorPool make_pool() const
    {
        std::vector<vk::DescriptorPoolSize> sizes;
        for (const Binding &binding : interface.bindings) sizes.emplace_back(binding.type, 1);
        return {gpu.device, vk::DescriptorPoolCreateInfo(
                                vk::DescriptorPoolCreateFlagBits::eFreeDescriptorSet,
                                interface.set_count, sizes)};
    }

    void write_descriptor(const Binding &binding, const vk::raii::DescriptorSets &sets) const
    {
        const auto found = resources.find(binding.name);
        if (found == resources.end()) throw Failure("nothing is bound to", binding.name);
        const Resource &resource = found->second;
        if (binding.push_offset) return;
        vk::WriteDescriptorSet write(*sets[binding.set], binding.binding, 0, 1, binding.type);
        vk::DescriptorImageInfo image({}, {}, vk::ImageLayout::eGeneral);
        vk::DescriptorBufferInfo range;
        vk::BufferView texels;
        if (resource.image) image.imageView = *resource.image->view;
        if (resource.sampler) image.sampler = **resource.sampler;
        if (resource.buffer) 
            range = vk::DescriptorBufferInfo(*resource.buffer->buffer, 0, resource.buffer->bytes);
        if (resource.texels) texels = **resource.texels;
        write.pImageInfo = &image;
        write.pBufferInfo = &range;
        write.pTexelBufferView = &texels;
        gpu.device.updateDescriptorSets(write, {});
    }

    void upload(const vk::raii::CommandBuffer &work) const
    {
        for (const auto &[name, resource] : resources) {
            if (!resource.image) continue;
            const Image &image = *resource.image;
            const vk::ImageMemoryBarrier first({}, vk::AccessFlagBits::eTransferWrite,
                                               vk::ImageLayout::eUndefined, vk::ImageLayout::eGeneral,
                                               VK_QUEUE_FAMILY_IGNORED, VK_QUEUE_FAMILY_IGNORED,
                                               *image.image, image.range());
            work.pipelineBarrier(vk::PipelineStageFlagBits::eTopOfPipe,
                                 vk::PipelineStageFlagBits::eTransfer, {}, {}, {}, first);
            work.copyBufferToImage(*resource.buffer->buffer, *image.image, vk::ImageLayout::eGeneral,
                                   image.whole());
        }
        const vk::MemoryBarrier before(vk::AccessFlagBits::eTransferWrite,
                                       vk::AccessFlagBits::eShaderRead |
                                           vk::AccessFlagBits::eShaderWrite);
        work.pipelineBarrier(vk::PipelineStageFlagBits::eTransfer,
                             vk::PipelineStageFlagBits::eComputeShader, {}, before, {}, {});
    }

    void download(const vk::raii::CommandBuffer &work) const
    {
        const auto host = vk::PipelineStageFlagBits::eHost;
        const auto transfer = vk::PipelineStageFlagBits::eTransfer;
        const vk::MemoryBarrier after(vk::AccessFlagBits::eShaderWrite,
                                      vk::AccessFlagBits::eHostRead |
                                          vk::AccessFlagBits::eTransferRead);
        work.pipelineBarrier(vk::PipelineStageFlagBits::eComputeShader, host | transfer, {}, after,
                             {}, {});
        for (const auto &[name, resource] : resources)
            if (resource.image && !resource.output.empty())
                work.copyImageToBuffer(*resource.image->image, vk::ImageLayout::eGeneral,
                                       *resource.buffer->buffer, resource.image->whole());
        const vk::MemoryBarrier last(vk::AccessFlagBits::eTransferWrite,
                                     vk::AccessFlagBits::eHostRead);
        work.pipelineBarrier(transfer, host, {}, last, {}, {});
    }
};

// ---- arguments ----------------------------------------------------------------------------------

// A file, or a number of bytes that are zero
Bytes read_input(const std::string &name, const std::string &input)
{
    if (input.empty()) throw Failure("is empty", name);
    const bool is_file = input.find_first_not_of("0123456789") != std::string::npos;
    Bytes data = is_file ? read_file(input) : Bytes(whole_number(input, UINT32_MAX));
    if (data.empty()) throw Failure("is empty", name);
    return data;
}

vk::BufferUsageFlags usage_of(vk::DescriptorType type)
{
    switch (type) {
    case vk::DescriptorType::eUniformBuffer: return vk::BufferUsageFlagBits::eUniformBuffer;
    case vk::DescriptorType::eStorageBuffer: return vk::BufferUsageFlagBits::eStorageBuffer;
    case vk::DescriptorType::eUniformTexelBuffer:
        return vk::BufferUsageFlagBits::eUniformTexelBuffer;
    case vk::DescriptorType::eStorageTexelBuffer:
        return vk::BufferUsageFlagBits::eStorageTexelBuffer;
    default:
        return vk::BufferUsageFlagBits::eTransferSrc | vk::BufferUsageFlagBits::eTransferDst;
    }
}

// REGISTER[@SIZE]=IN[:OUT], or REGISTER=WORDS of a sampler
void bind_argument(const Gpu &gpu, const Interface &interface, Shader &shader,
                   const std::string &argument)
{
    const size_t equals = argument.find('=');
    if (equals == std::string::npos) throw Failure("not REGISTER=IN[:OUT]", argument);
    std::string name = argument.substr(0, equals), input = argument.substr(equals + 1), size;
    const size_t at = name.find('@');
    const bool has_size = at != std::string::npos;
    if (has_size) size = name.substr(at + 1), name.resize(at);
    const Binding &binding = interface[name];
    Resource made;
    if (binding.type == vk::DescriptorType::eSampler) {
        made.sampler = make_sampler(gpu, binding, input);
        shader.bind(name, std::move(made));
        return;
    }
    if (binding.is_image() != has_size)
        throw Failure(has_size ? "is no texture" : "is a texture, REGISTER@WIDTHxHEIGHT", name);
    if (const size_t colon = input.find(':'); colon != std::string::npos)
        made.output = input.substr(colon + 1), input.resize(colon);
    const Bytes data = read_input(name, input);
    if (binding.stride && data.size() % binding.stride)
        throw Failure("a size of " + std::to_string(data.size()) +
                          " bytes is no multiple of the stride, " + std::to_string(binding.stride),
                      name);
    made.buffer.emplace(gpu, usage_of(binding.type), data, binding.least_bytes);
    if (binding.is_texel_buffer())
        made.texels.emplace(gpu.device, vk::BufferViewCreateInfo({}, *made.buffer->buffer,
                                                                 binding.format, 0, VK_WHOLE_SIZE));
    if (has_size) {
        const Extent extent = read_extent(size, binding);
        const uint64_t texels = uint64_t{extent.size.width} * extent.size.height *
                                extent.size.depth * extent.layers;
        const uint64_t wanted = texels * vk::blockSize(binding.format);
        if (!texels || wanted != data.size())
            throw Failure("the file has " + std::to_string(data.size()) + " bytes, a texture of" +
                              " this size and format " + std::to_string(wanted) +
                              " (sm5vk translate --format sets the format)",
                          name);
        made.image.emplace(gpu, binding, extent);
    }
    shader.bind(name, std::move(made));
}

// X Y Z, or as many groups as have the threads of threads=WIDTH[xHEIGHT[xDEPTH]]
std::array<uint32_t, 3> read_groups(const Interface &interface, std::span<const std::string> words)
{
    std::array<uint32_t, 3> groups{};
    if (!words[0].starts_with(THREADS)) {
        for (size_t i = 0; i < 3; i++) groups[i] = whole_number(words[i], MAX_GROUPS);
        return groups;
    }
    std::vector<uint32_t> threads = read_sides(words[0].substr(THREADS.size()), UINT32_MAX);
    if (threads.size() > 3) throw Failure("more than three sides", words[0]);
    threads.resize(3, 1);
    for (size_t i = 0; i < 3; i++) {
        const uint32_t of_a_group = interface.thread_group[i];
        groups[i] = threads[i] / of_a_group + (threads[i] % of_a_group != 0);
        if (groups[i] > MAX_GROUPS)
            throw Failure("more than " + std::to_string(MAX_GROUPS) + " groups", words[0]);
    }
    return groups;
}

// X Y Z, threads=SIZE or indirect FILE OFFSET
void dispatch(const Gpu &gpu, const Interface &interface, Shader &shader,
              std::span<const std::string> words)
{
    if (words[0] != "indirect") {
        const std::array<uint32_t, 3> groups = read_groups(interface, words);
        shader.dispatch([&](const vk::raii::CommandBuffer &work) {
            work.dispatch(groups[0], groups[1], groups[2]);
        });
        return;
    }
    const Bytes data = read_input(words[0], words[1]);
    const uint64_t offset = whole_number(words[2], UINT32_MAX);
    if (offset % 4 || offset + 12 > data.size()) throw Failure("no groups are there", words[2]);
    const Buffer groups(gpu, vk::BufferUsageFlagBits::eIndirectBuffer, data, 0);
    shader.dispatch(
        [&](const vk::raii::CommandBuffer &work) { work.dispatchIndirect(*groups.buffer, offset); });
}

// `first` is the first word that binds a resource.
void run(const std::vector<std::string> &words, size_t first)
{
    Interface interface(words[1], words[0]);
    const Gpu gpu(interface);
    Shader shader(gpu, interface);
    for (size_t i = first; i < words.size(); i++) bind_argument(gpu, interface, shader, words[i]);
    dispatch(gpu, interface, shader, std::span(words).subspan(2, first - 2));
    shader.write_outputs();
}

} // namespace

int main(int count, char **words)
{
    const bool wants_help = count == 2 && std::string_view(words[1]) == "--help";
    const int first = count > 3 && std::string_view(words[3]).starts_with(THREADS) ? 4 : 6;
    if (count < first) {
        (wants_help ? std::cout : std::cerr) << USAGE;
        return !wants_help;
    }
    try {
        run({words + 1, words + count}, static_cast<size_t>(first - 1));
    } catch (const std::exception &error) {
        std::cerr << "host: " << error.what() << '\n';
        return 1;
    }
    return 0;
}
