// What a program needs of an engine, in Vulkan-Hpp's RAII style: kernels from SPIR-V and the JSON of
// their interfaces, buffers, textures, and a command buffer that dispatches them. Whatever fails
// throws. A Gpu's buffers and textures live as long as it does.
//
// It has textures of one and two dimensions, and enables the features of feature_flag (gpu.cpp): a
// kernel that needs others is refused. host.cpp enables all.
#pragma once

#define VULKAN_HPP_NO_STRUCT_CONSTRUCTORS
#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>
#include <vulkan/vulkan_raii.hpp>

using Bytes = std::span<const std::byte>;
using Names = std::set<std::string>;

std::vector<std::byte> read_file(const std::string &path);
std::size_t texel_bytes(vk::Format format);

struct Binding { // one entry of "bindings" in the interface
    std::string name, register_;
    std::uint32_t binding;
    vk::DescriptorType type;
    std::uint32_t least_bytes, stride;
    // Of a texture or typed buffer; the format is empty if any of the component will do
    std::string dimension, component, format;
};

struct Groups {
    std::uint32_t x, y;
};

// FOLDER/NAME.spv and what the host has to know of FOLDER/NAME.json
struct Module {
    Module(const std::string &folder, const std::string &name);

    std::string name;
    std::vector<std::byte> words;
    std::string entry_point;
    std::array<std::uint32_t, 3> thread_group;
    std::uint32_t api_version;
    Names features, extensions, float_controls;
    std::vector<Binding> bindings;
};

struct Kernel {
    Groups groups_for(std::uint32_t width, std::uint32_t height) const; // with this many threads

    std::string name;
    std::array<std::uint32_t, 3> thread_group;
    std::vector<Binding> bindings;
    vk::raii::DescriptorSetLayout set_layout;
    vk::raii::PipelineLayout layout;
    vk::raii::Pipeline pipeline;
};

struct Buffer {
    vk::DeviceSize bytes;
    vk::raii::Buffer buffer;
    vk::raii::DeviceMemory memory;
    std::byte *data; // mapped as long as the buffer lives
    vk::raii::BufferView view = nullptr; // of a typed buffer, as the format
    vk::Format format = vk::Format::eUndefined;
    const Buffer *counter = nullptr; // of an append or consume buffer
};

struct Texture {
    vk::Extent3D extent;
    vk::Format format;
    std::string dimension; // as in the interface: 1d or 2d
    std::size_t bytes;
    vk::raii::Image image;
    vk::raii::DeviceMemory memory;
    vk::raii::ImageView view;
};

// What is bound under a name of the HLSL
using Resource = std::variant<const Buffer *, const Texture *, vk::Sampler>;
using Arguments = std::map<std::string, Resource>;

class Gpu {
public:
    explicit Gpu(std::span<const Module> modules); // all that will run, for what they need

    Kernel kernel(const Module &module) const;
    // Without data they begin with zeros; otherwise it has all their bytes.
    Buffer &buffer(std::size_t bytes, Bytes data = {});
    Buffer &typed_buffer(std::size_t bytes, vk::Format format);
    Buffer &counted_buffer(std::size_t bytes);
    Texture &texture_1d(std::uint32_t width, vk::Format format);
    Texture &texture_2d(std::uint32_t width, std::uint32_t height, vk::Format format,
                        Bytes data = {});
    vk::Sampler linear_sampler();

    template <typename Constants>
    const Buffer *constants(const Constants &value)
    {
        static_assert(sizeof value % 16 == 0, "a constant buffer has whole vectors of 16 bytes");
        return &buffer(sizeof value, std::as_bytes(std::span(&value, 1)));
    }

    // These are recorded; each waits for what was recorded before.
    void dispatch(const Kernel &kernel, Groups groups, Arguments arguments);
    void dispatch_indirect(const Kernel &kernel, const Buffer &groups, Arguments arguments);
    void copy_counter(const Buffer &from, const Buffer &to);
    void set_counter(const Buffer &buffer, std::uint32_t value);
    const Buffer &download(const Texture &texture);

    // Executes what was recorded, to its end, and begins the next frame, whose commands have to be
    // recorded anew. Buffers and textures keep their contents.
    void run();

private:
    vk::raii::DeviceMemory allocate(vk::MemoryRequirements needed, vk::MemoryPropertyFlags wanted);
    void begin();
    vk::raii::Pipeline pipeline(const Module &module, vk::PipelineLayout layout) const;
    Texture &texture(vk::ImageType dimension, vk::Extent3D extent, vk::Format format, Bytes data);
    void fill(const Texture &texture, Bytes data);
    void bind(const Kernel &kernel, Arguments arguments);
    void write_descriptor(vk::DescriptorSet set, const Binding &binding, const Resource &resource);
    void barrier();

    vk::raii::Context context_;
    vk::raii::Instance instance_;
    vk::raii::PhysicalDevice physical_;
    std::uint32_t family_;
    vk::raii::Device device_;
    vk::raii::Queue queue_;
    vk::raii::DescriptorPool descriptors_;
    vk::raii::CommandPool pool_;
    vk::raii::CommandBuffer commands_;
    std::deque<Buffer> buffers_;
    const Buffer *messages_ = nullptr; // of all kernels: loops that the driver ended
    std::deque<Texture> textures_;
    std::deque<vk::raii::Sampler> samplers_;
};
