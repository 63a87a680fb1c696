// The frame of shaders/frame, ported to Vulkan: its kernels as SPIR-V with the JSON of their
// interfaces, the rest by hand, as an engine with Vulkan-Hpp has it.
//
//     c++ -std=c++20 frame.cpp gpu.cpp -o frame -lvulkan -lcjson
//     ./frame KERNELS INPUTS OUTPUTS
//
// KERNELS has NAME.spv and NAME.json of each kernel, INPUTS the files depth, lights, scene, pairs,
// waves and twiddles: shaders/frame/README.md has the command that writes both. What the passes
// give is written into OUTPUTS.
#include "gpu.hpp"

#include <fstream>
#include <iostream>
#include <map>
#include <stdexcept>
#include <utility>

namespace {

constexpr std::uint32_t WIDTH = 100, HEIGHT = 70, LIGHTS = 200, MAX_PER_TILE = 32;
constexpr std::uint32_t BINS = 256;
constexpr std::uint32_t STEPS = 6, EMITTED = 100, CAPACITY = 1024, PARTICLE_BYTES = 32;
constexpr std::uint32_t PAIRS = 5000, DIGITS = 16, DIGIT_BITS = 4, PAIR_BYTES = 8;
constexpr std::uint32_t LENGTH = 256;
constexpr vk::Format WAVES = vk::Format::eR32G32Sfloat;
constexpr const char *KERNELS[] = {
    "light_culling", "tone_mapping_count", "tone_mapping_make_curve", "tone_mapping_apply",
    "particles_emit", "particles_size_dispatch", "particles_update",
    "radix_sort_count", "radix_sort_scan", "radix_sort_scatter", "fft"};

// The constant buffers, as "constants" in the interfaces has their members; as long as whole vectors
// of 16 bytes, which is what "size_bytes" asks for.
struct alignas(16) Camera {
    float world_to_view[4][4]; // column-major: [column][row]
    float tangents[2];
    float near, far;
    std::uint32_t light_count;
};

struct alignas(16) Tone {
    float equalisation;
};

struct alignas(16) Step {
    std::uint32_t first_id, emitted;
    float seconds, lifetime;
    float gravity[3], bounce;
};

struct alignas(16) Digit {
    std::uint32_t count_of_pairs, shift;
};

struct alignas(16) Transform {
    std::uint32_t along_columns, backwards;
    float scale;
};

class Frame {
public:
    Frame(std::span<const Module> modules, std::string inputs)
        : gpu_(modules), inputs_(std::move(inputs))
    {
        for (std::size_t i = 0; i < modules.size(); i++)
            kernels_.emplace(KERNELS[i], gpu_.kernel(modules[i]));
    }

    void cull_lights()
    {
        const Kernel &kernel = kernels_.at("light_culling");
        const Groups tiles = kernel.groups_for(WIDTH, HEIGHT);
        const Texture &depth = texture("depth", WIDTH, HEIGHT, vk::Format::eR32Sfloat);
        const Texture &counts = gpu_.texture_2d(tiles.x, tiles.y, vk::Format::eR32Uint);
        const Buffer &lists =
            gpu_.typed_buffer(tiles.x * tiles.y * MAX_PER_TILE * 4, vk::Format::eR32Uint);
        const Camera camera{
            .world_to_view = {{0, 0, -1, 0}, {0, 1, 0, 0}, {1, 0, 0, 0}, {-3, -2, 1, 1}},
            .tangents = {0.75f, 0.5f}, .near = 0.5f, .far = 50, .light_count = LIGHTS};
        gpu_.dispatch(kernel, tiles,
                      {{"depth_buffer", &depth},
                       {"lights", &buffer("lights", LIGHTS * 16)},
                       {"tile_counts", &counts},
                       {"tile_lights", &lists},
                       {"Camera", gpu_.constants(camera)}});
        save("tile_counts", gpu_.download(counts));
        save("tile_lights", lists);
    }

    void map_tones()
    {
        const Texture &scene = texture("scene", WIDTH, HEIGHT, vk::Format::eR16G16B16A16Sfloat);
        const Buffer &histogram = gpu_.buffer(BINS * 4);
        const Texture &curve = gpu_.texture_1d(BINS, vk::Format::eR32Sfloat);
        const Texture &picture = gpu_.texture_2d(WIDTH, HEIGHT, vk::Format::eR8G8B8A8Unorm);
        const Kernel &count = kernels_.at("tone_mapping_count");
        const Kernel &apply = kernels_.at("tone_mapping_apply");
        gpu_.dispatch(count, count.groups_for(WIDTH, HEIGHT),
                      {{"scene", &scene}, {"histogram", &histogram}});
        gpu_.dispatch(kernels_.at("tone_mapping_make_curve"), {1, 1},
                      {{"bin_counts", &histogram},
                       {"new_curve", &curve},
                       {"Tone", gpu_.constants(Tone{.equalisation = 0.625f})}});
        gpu_.dispatch(apply, apply.groups_for(WIDTH, HEIGHT),
                      {{"scene", &scene},
                       {"curve", &curve},
                       {"linear_clamp", gpu_.linear_sampler()},
                       {"picture", &picture}});
        save("histogram", histogram);
        save("curve", gpu_.download(curve));
        save("picture", gpu_.download(picture));
    }

    void move_particles()
    {
        const Buffer *living = &gpu_.counted_buffer(CAPACITY * PARTICLE_BYTES);
        const Buffer *spare = &gpu_.counted_buffer(CAPACITY * PARTICLE_BYTES);
        const Buffer &alive = gpu_.buffer(4);
        const Buffer &arguments = gpu_.typed_buffer(3 * 4, vk::Format::eR32Uint);
        const Kernel &emit = kernels_.at("particles_emit");
        for (std::uint32_t step = 0; step < STEPS; step++) {
            const Buffer *constants = gpu_.constants(
                Step{.first_id = step * EMITTED, .emitted = EMITTED, .seconds = 0.25f,
                     .lifetime = 1.1f, .gravity = {0, -9.81f, 0}, .bounce = 0.625f});
            gpu_.dispatch(emit, emit.groups_for(EMITTED, 1),
                          {{"living", living}, {"Step", constants}});
            gpu_.copy_counter(*living, alive);
            gpu_.dispatch(kernels_.at("particles_size_dispatch"), {1, 1},
                          {{"alive", &alive}, {"arguments", &arguments}});
            gpu_.set_counter(*spare, 0);
            gpu_.dispatch_indirect(
                kernels_.at("particles_update"), arguments,
                {{"alive", &alive}, {"before", living}, {"living", spare}, {"Step", constants}});
            std::swap(living, spare);
        }
        save("particles", *living);
        save("alive", *living->counter);
        save("arguments", arguments);
    }

    void sort_pairs()
    {
        const Groups blocks = kernels_.at("radix_sort_count").groups_for(PAIRS, 1);
        const Buffer *pairs = &buffer("pairs", PAIRS * PAIR_BYTES);
        const Buffer *spare = &gpu_.buffer(PAIRS * PAIR_BYTES);
        const Buffer &counts = gpu_.buffer(blocks.x * DIGITS * 4);
        for (std::uint32_t shift = 0; shift < 32; shift += DIGIT_BITS) {
            const Buffer *digit =
                gpu_.constants(Digit{.count_of_pairs = PAIRS, .shift = shift});
            gpu_.dispatch(kernels_.at("radix_sort_count"), blocks,
                          {{"pairs", pairs}, {"counts", &counts}, {"Digit", digit}});
            gpu_.dispatch(kernels_.at("radix_sort_scan"), {1, 1},
                          {{"counts", &counts}, {"Digit", digit}});
            gpu_.dispatch(
                kernels_.at("radix_sort_scatter"), blocks,
                {{"pairs", pairs}, {"begins", &counts}, {"sorted", spare}, {"Digit", digit}});
            std::swap(pairs, spare);
        }
        save("sorted", *pairs);
    }

    void transform_waves()
    {
        const Texture &waves = texture("waves", LENGTH, LENGTH, WAVES);
        const Texture &spectrum = gpu_.texture_2d(LENGTH, LENGTH, WAVES);
        const Texture &again = gpu_.texture_2d(LENGTH, LENGTH, WAVES);
        transform(waves, spectrum, 0, 1);
        transform(spectrum, again, 1, 1.0f / LENGTH);
        save("spectrum", gpu_.download(spectrum));
        save("waves_again", gpu_.download(again));
    }

    void run(const std::string &folder)
    {
        gpu_.run();
        for (const auto &[name, buffer] : outputs_) {
            std::ofstream file(folder + "/" + name, std::ios::binary);
            file.write(reinterpret_cast<const char *>(buffer->data),
                       static_cast<std::streamsize>(buffer->bytes));
            if (!file.flush()) throw std::runtime_error("cannot be written: " + name);
        }
    }

private:
    // Rows, then columns.
    void transform(const Texture &source, const Texture &target, std::uint32_t backwards,
                   float scale)
    {
        const Buffer &twiddles = buffer("twiddles", LENGTH * 8);
        const Texture &rows = gpu_.texture_2d(LENGTH, LENGTH, WAVES);
        const std::pair<const Texture *, const Texture *> steps[] = {{&source, &rows},
                                                                     {&rows, &target}};
        for (std::uint32_t along_columns : {0, 1}) {
            const auto [from, to] = steps[along_columns];
            const Transform constants{along_columns, backwards, scale};
            gpu_.dispatch(kernels_.at("fft"), {LENGTH, 1},
                          {{"source", from},
                           {"twiddles", &twiddles},
                           {"target", to},
                           {"Transform", gpu_.constants(constants)}});
        }
    }

    std::vector<std::byte> input(const std::string &name, std::size_t bytes) const
    {
        std::vector<std::byte> data = read_file(inputs_ + "/" + name);
        if (data.size() != bytes) throw std::runtime_error("has the wrong size: " + name);
        return data;
    }

    const Buffer &buffer(const std::string &name, std::size_t bytes)
    {
        return gpu_.buffer(bytes, input(name, bytes));
    }

    const Texture &texture(const std::string &name, std::uint32_t width, std::uint32_t height,
                           vk::Format format)
    {
        const std::size_t bytes = texel_bytes(format) * width * height;
        return gpu_.texture_2d(width, height, format, input(name, bytes));
    }

    void save(const std::string &name, const Buffer &buffer) { outputs_[name] = &buffer; }

    Gpu gpu_;
    std::string inputs_;
    std::map<std::string, Kernel> kernels_;
    std::map<std::string, const Buffer *> outputs_;
};

} // namespace

int main(int count, char **words)
try {
    if (count != 4) throw std::runtime_error("usage: frame KERNELS INPUTS OUTPUTS");
    std::vector<Module> modules;
    for (const char *name : KERNELS) modules.emplace_back(words[1], name);
    Frame frame(modules, words[2]);
    frame.cull_lights();
    frame.map_tones();
    frame.move_particles();
    frame.sort_pairs();
    frame.transform_waves();
    frame.run(words[3]);
} catch (const std::exception &error) {
    std::cerr << "frame: " << error.what() << '\n';
    return 1;
}
