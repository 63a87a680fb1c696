// As bind.c: bind KERNELS KERNEL NAME=KIND...
#include "gpu.hpp"

#include <iostream>

namespace {

constexpr std::uint32_t BYTES = 96, SIDE = 4;

Resource resource(Gpu &gpu, const std::string &kind)
{
    if (kind == "texture") return &gpu.texture_2d(SIDE, SIDE, vk::Format::eR32Sfloat);
    if (kind == "sampler") return gpu.linear_sampler();
    if (kind == "typed") return &gpu.typed_buffer(BYTES, vk::Format::eR32Uint);
    if (kind == "counted") return &gpu.counted_buffer(BYTES);
    return &gpu.buffer(std::stoul(kind));
}

} // namespace

int main(int count, char **words)
try {
    const Module module(words[1], words[2]);
    Gpu gpu(std::span(&module, 1));
    const Kernel kernel = gpu.kernel(module);
    Arguments arguments;
    for (int i = 3; i < count; i++) {
        const std::string word = words[i];
        const std::size_t equals = word.find('=');
        arguments.emplace(word.substr(0, equals), resource(gpu, word.substr(equals + 1)));
    }
    gpu.dispatch(kernel, 1, 1, arguments);
    gpu.run();
} catch (const std::exception &error) {
    std::cerr << "frame: " << error.what() << '\n';
    return 1;
}
