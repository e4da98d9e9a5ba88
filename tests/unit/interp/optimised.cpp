// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Every optimisation pass, on random programs: what the interpreter computes stays the same to the last bit.
#include "interp/program.hpp"
#include "ir/text/print.hpp"
#include "pipeline/lists.hpp"
#include "pipeline/pipeline.hpp"
#include "tests/unit/ir/random_program.hpp"

#include <catch2/catch.hpp>

using namespace sinter;
using namespace sinter::test;
using interp::ArrayValue;

namespace {

std::vector<ArrayValue> random_inputs(const Program& program, std::mt19937& random) {
    std::vector<ArrayValue> inputs;
    for (const Type& type : program.body.params) {
        ArrayValue value(type.scalar, std::vector<std::int64_t>());
        for (std::size_t axis = 0; axis < type.rank(); ++axis) value.shape.push_back(1 + random() % 3);
        value = ArrayValue(type.scalar, value.shape);
        for (std::int64_t i = 0; i < value.count(); ++i) {
            auto number = static_cast<std::int64_t>(random() % 4);
            if (type.scalar == Scalar::boolean)
                value.set(i, random() % 2);
            else if (detail::is_float(type.scalar))
                value.set(i, from_double(type.scalar, 0.75 * static_cast<double>(number - 2)));
            else
                value.set(i, from_int64(type.scalar, number));
        }
        inputs.push_back(std::move(value));
    }
    return inputs;
}

/// Nothing if the program fails.
std::optional<std::vector<ArrayValue>> outcome(const Program& program, const std::vector<ArrayValue>& inputs) {
    std::vector<std::int64_t> arguments{inputs[4].shape[0], 2};
    try {
        return interp::interpret(program, inputs, arguments);
    } catch (const InternalError&) {
        throw;
    } catch (const Error&) {
        return std::nullopt;
    }
}

}  // namespace

TEST_CASE("optimised: every pass keeps results", "[interp]") {
    int executed = 0;
    for (unsigned seed = 0; seed < 3000; ++seed) {
        INFO("seed " << seed);
        std::mt19937 random(seed);
        RandomFunction::Options options;
        options.loops = false;
        options.reads = options.may_fail = seed % 3 == 0;
        options.length = 6;
        Program program = RandomProgram(random, options).make();
        std::vector<ArrayValue> inputs = random_inputs(program, random);
        auto expected = outcome(program, inputs);
        if (!expected) continue;
        ++executed;
        for (const pipeline::Pass& pass : pipeline::optimisation()) {
            std::string before = print(program);
            program = pass.function(std::move(program));
            INFO(pass.name << " on\n" << before << "\ngave\n" << print(program));
            auto actual = outcome(program, inputs);
            REQUIRE(actual);
            for (std::size_t i = 0; i < expected->size(); ++i) REQUIRE(interp::same_values((*expected)[i], (*actual)[i]));
        }
    }
    CHECK(executed > 1500);
}
