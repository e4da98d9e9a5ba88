// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Heat in a plate, with checks along the way: expectations about every element, sums without loss of accuracy, results as
// files.
//
// Writes heat.png.
//
//   heat [size] [steps]
#include <sinter/npz.hpp>
#include <sinter/png.hpp>
#include <sinter/sinter.hpp>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <iostream>

using namespace sinter;

/// A hot disc in a cold plate.
static Array<float, 2> plate(std::int64_t size) {
    return run(generate(shape(size, size), [=](auto i, auto j) {
        auto x = cast<float>(i) - static_cast<float>(size) / 2, y = cast<float>(j) - static_cast<float>(size) / 3;
        return select(x * x + y * y < static_cast<float>(size * size) / 50, 100.f, 20.f);
    }));
}

/// One step of diffusion; nothing gets warmer than its neighbourhood, for rates up to 1/4.
static auto diffuse(const Delayed<float, 2>& heat, Exp<float> rate) {
    return stencil(
        [=](auto s) {
            auto next = s(0, 0) + rate * (s(-1, 0) + s(1, 0) + s(0, -1) + s(0, 1) - 4.f * s(0, 0));
            expect(next < 100.01f && next > 19.99f, "the temperature stays between those at the start");
            return next;
        },
        boundary::clamp, heat);
}

static float total(const Array<float, 2>& heat) { return run(sum(heat, axes(0, 1), compensated)).item(); }

/// Colours from black over red and yellow to white.
static Array<std::uint8_t, 3> glowing(const Array<float, 2>& heat) {
    return run(generate(shape(heat.shape()[0], heat.shape()[1], 3), [=](auto i, auto j, auto channel) {
        auto part = (heat(i, j) - 20.f) / 27.f - cast<float>(channel);
        return cast<std::uint8_t>(255.f * min(max(part, Exp<float>(0.f)), Exp<float>(1.f)));
    }));
}

int main(int argc, char** argv) {
    const std::int64_t size = argc > 2 ? std::atoll(argv[1]) : 512, steps = argc > 2 ? std::atoll(argv[2]) : 200;
    auto step = compile([](Delayed<float, 2> heat, Exp<float> rate) { return diffuse(heat, rate); });
    const Array<float, 2> start = plate(size);
    Array<float, 2> heat = start;
    for (std::int64_t k = 0; k < steps; ++k) heat = step(std::move(heat), 0.2f);
    const float lost = std::abs(total(heat) - total(start)) / total(start);
    std::cout << "lost of the heat: " << lost << '\n';

    std::string message;
    try {
        Array<float, 2> unstable = start;
        for (std::int64_t k = 0; k < steps; ++k) unstable = step(unstable, 0.6f);
    } catch (const ExpectationError& error) {
        message = error.what();
    }
    std::cout << "too long a step: " << message << '\n';

    auto warmth = heat - mean(heat, axes(0, 1), keep);
    auto counts = histogram(
        8, [](auto x, auto y) { return x + y; }, 0, flatten(cast<int>(heat / 10.f)), fill(shape(size * size), 1),
        Outside::clamp);
    auto [deviation, bins] = run(warmth, counts);
    std::cout << "tens of degrees:";
    for (int n : bins.to_vector()) std::cout << ' ' << n;
    std::cout << '\n';

    save_npz("heat.npz", "heat", heat, "deviation", deviation);
    save_png("heat.png", glowing(heat));
    const bool same = load_npz<float, 2>("heat.npz", "heat").to_vector() == heat.to_vector();
    const bool is_image = load_png("heat.png").size() == 3 * heat.size();
    std::remove("heat.npz");
    const bool complete = run(sum(bins)).item() == size * size && message.find("stays between") != std::string::npos;
    return lost < 1e-4f && same && is_image && complete ? 0 : 1;
}
