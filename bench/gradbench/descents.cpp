// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Derivatives in searches of functions that contain derivatives: particle, saddle.
#include "functions/particle.hpp"
#include "functions/saddle.hpp"
#include "module.hpp"

namespace gradbench {

namespace {

constexpr Mode f = Mode::forward, r = Mode::reverse;

}  // namespace

Module particle() {
    auto from_place = [](Real (*search)(Real)) -> Function {
        auto compiled = compile([=](Vector starts) { return map(search, starts); });
        return [=](const Json& input) {
            return call(
                compiled, [](const Array<double>& w) { return Json(w(0)); },
                from(std::vector<double>{input.at("w").get<double>()}));
        };
    };
    return {{"ff", from_place(gradbench::particle<f, f>)},
            {"fr", from_place(gradbench::particle<f, r>)},
            {"rf", from_place(gradbench::particle<r, f>)},
            {"rr", from_place(gradbench::particle<r, r>)}};
}

Module saddle() {
    auto from_point = [](Point<4> (*search)(Point<2>)) -> Function {
        using Start = Delayed<std::array<double, 2>>;
        auto compiled = compile([=](Start starts) { return map(search, starts); });
        return [=](const Json& input) {
            auto write = [](const Array<std::array<double, 4>>& found) { return Json(found(0)); };
            return call(compiled, write,
                        from(std::vector<std::array<double, 2>>{input.at("start").get<std::array<double, 2>>()}));
        };
    };
    return {{"ff", from_point(gradbench::saddle<f, f>)},
            {"fr", from_point(gradbench::saddle<f, r>)},
            {"rf", from_point(gradbench::saddle<r, f>)},
            {"rr", from_point(gradbench::saddle<r, r>)}};
}

}  // namespace gradbench
