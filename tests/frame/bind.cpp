// As bind.c: bind KERNELS KERNEL FRAMES NAME=KIND..., where a buffer is made from data by BYTES:DATA.
#include "gpu.hpp"

#include <iostream>
#include <sstream>

namespace {

constexpr std::uint32_t BYTES = 96, SIDE = 4;

Resource resource(Gpu &gpu, const std::string &words)
{
    std::istringstream stream(words);
    std::string kind, number, size;
    std::getline(stream, kind, ':'), std::getline(stream, number, ':'), std::getline(stream, size);
    if (kind == "sampler") return gpu.linear_sampler();
    if (kind == "counted") return &gpu.counted_buffer(BYTES);
    const std::uint32_t first = number.empty() ? 0 : std::stoul(number);
    const std::vector<std::byte> data(size.empty() ? 0 : std::stoul(size));
    const auto format = static_cast<vk::Format>(first);
    if (kind == "1d") return &gpu.texture_1d(SIDE, format);
    if (kind == "2d") return &gpu.texture_2d(SIDE, SIDE, format, data);
    if (kind == "typed") return &gpu.typed_buffer(BYTES, format);
    return &gpu.buffer(std::stoul(kind), std::vector<std::byte>(first));
}

} // namespace

int main(int count, char **words)
try {
    const Module module(words[1], words[2]);
    Gpu gpu(std::span(&module, 1));
    const Kernel kernel = gpu.kernel(module);
    Arguments arguments;
    for (int i = 4; i < count; i++) {
        const std::string word = words[i];
        const std::size_t equals = word.find('=');
        arguments.emplace(word.substr(0, equals), resource(gpu, word.substr(equals + 1)));
    }
    for (int frame = 0; frame < std::stoi(words[3]); frame++) {
        gpu.dispatch(kernel, {1, 1}, arguments);
        gpu.run();
    }
    for (const auto &[name, bound] : arguments)
        if (const auto *buffer = std::get_if<const Buffer *>(&bound))
            std::cout << name << ' '
                      << *reinterpret_cast<const std::uint32_t *>((*buffer)->data) << '\n';
} catch (const std::exception &error) {
    std::cerr << "frame: " << error.what() << '\n';
    return 1;
}
