// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Random programs as bodies of vmap, up to three deep: lifted, they compute the same bits.
#include "enable/lift/lift.hpp"
#include "enable/loops/interchange.hpp"
#include "interp/program.hpp"
#include "ir/text/print.hpp"
#include "ir/verify/verify.hpp"
#include "tests/unit/ir/random_program.hpp"

#include <catch2/catch.hpp>

using namespace sinter;
using namespace sinter::test;
using interp::ArrayValue;

namespace {

/// The program with its bindings in a vmap. Its inputs stay; those that are mapped over come again behind them, with an axis
/// in front, and are what the bindings use instead.
class IntoVmap {
  public:
    explicit IntoVmap(Program program) : program_(std::move(program)), inputs_(program_.body.params.size()) {}

    Program make(std::mt19937& random) {
        Body& body = program_.body;
        mapped_.resize(inputs_);
        while (std::find(mapped_.begin(), mapped_.end(), true) == mapped_.end())
            for (std::size_t i = 0; i < inputs_; ++i) mapped_[i] = random() % 3 == 0;
        count_ = static_cast<std::size_t>(std::count(mapped_.begin(), mapped_.end(), true));
        std::vector<Type> outer = body.params;
        Body inner{{}, std::move(body.bindings), std::move(body.results)};
        SizeId extent = program_.sizes.input_extent(inputs_, 0);
        Vmap vmap;
        for (std::size_t i = 0; i < inputs_; ++i) {
            if (!mapped_[i]) continue;
            vmap.args.push_back(ValueId(outer.size()));
            inner.params.push_back(outer[i]);
            outer.push_back(with_axis(outer[i], extent));
        }
        rename(inner);
        std::vector<Type> types = types_of(inner, outer), results;
        for (ValueId result : inner.results) results.push_back(with_axis(types[result.index], extent));
        vmap.bodies.push_back(std::move(inner));
        body = {outer, {}, {}};
        for (std::size_t i = 0; i < results.size(); ++i) body.results.push_back(ValueId(outer.size() + i));
        body.bindings.push_back({std::move(vmap), std::move(results), {}});
        return std::move(program_);
    }

  private:
    static Type with_axis(Type type, SizeId extent) {
        type.shape.insert(type.shape.begin(), extent);
        return type;
    }

    void rename(Body& body) {
        for (Binding& binding : body.bindings) {
            for_each_operand(binding.op, [&](ValueId& id) { id = renamed(id); });
            if (auto* bodies = bodies_of(binding.op))
                for (Body& nested : *bodies) rename(nested);
        }
        for (ValueId& id : body.results) id = renamed(id);
    }

    ValueId renamed(ValueId id) const {
        if (id.index >= inputs_) return ValueId(id.index + 2 * count_);
        if (!mapped_[id.index]) return id;
        auto before = std::count(mapped_.begin(), mapped_.begin() + static_cast<std::ptrdiff_t>(id.index), true);
        return ValueId(inputs_ + count_ + static_cast<std::size_t>(before));
    }

    Program program_;
    std::size_t inputs_, count_ = 0;
    std::vector<bool> mapped_;
};

std::vector<ArrayValue> random_inputs(const Program& program, bool empty, std::mt19937& random) {
    std::vector<std::int64_t> extents;  // by size
    for (std::size_t k = 0; k < program.sizes.count(); ++k)
        extents.push_back(empty && random() % 8 == 0 ? 0 : 1 + static_cast<std::int64_t>(random() % 3));
    std::vector<ArrayValue> inputs;
    for (const Type& type : program.body.params) {
        std::vector<std::int64_t> shape;
        for (SizeId size : type.shape) shape.push_back(extents[size.index]);
        ArrayValue value(type.scalar, shape);
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

void check_same(const Program& lifted, const std::vector<ArrayValue>& inputs,
                const std::optional<std::vector<ArrayValue>>& expected) {
    INFO("lifted\n" << print(lifted));
    verify(lifted);
    REQUIRE(print(lifted).find("vmap") == std::string::npos);
    if (!expected) return;
    auto actual = outcome(lifted, inputs);
    REQUIRE(actual);
    for (std::size_t i = 0; i < expected->size(); ++i) REQUIRE(same_values((*actual)[i], (*expected)[i]));
}

/// Nothing if an operator of a scatter depends on the slice, which is not lifted.
std::optional<Program> lifted(const Program& program) {
    try {
        return enable::lift(program);
    } catch (const Limitation& error) {
        REQUIRE_THAT(error.what(), Catch::Contains("scatter: the operator differs from slice to slice"));
        return std::nullopt;
    }
}

/// Where functions may fail, no extent is 0: what slices share is executed although there is none.
void check_seed(unsigned seed, bool may_fail, int& executed) {
    std::mt19937 random(seed);
    RandomFunction::Options options;
    options.loops = false;
    options.reads = options.may_fail = may_fail;
    options.length = 6;
    Program program = RandomProgram(random, options, false).make();
    for (unsigned depth = 1 + seed % 3; depth > 0; --depth) program = IntoVmap(std::move(program)).make(random);
    verify(program);
    INFO("seed " << seed << "\n" << print(program));
    std::vector<ArrayValue> inputs = random_inputs(program, !may_fail, random);
    auto after = lifted(program), functions = lifted(enable::scalar_control(program));
    if (!after || !functions) return;
    auto expected = outcome(program, inputs);
    if (expected) ++executed;
    check_same(*after, inputs, expected);
    check_same(enable::interchange(std::move(*functions)), inputs, expected);
}

}  // namespace

TEST_CASE("random: lifted programs compute the same bits", "[enable]") {
    int executed = 0;
    for (unsigned seed = 0; seed < 3000; ++seed) check_seed(seed, false, executed);
    CHECK(executed > 1500);
}

TEST_CASE("random: lifted programs do not fail where the program does not", "[enable]") {
    int executed = 0;
    for (unsigned seed = 0; seed < 3000; ++seed) check_seed(seed, true, executed);
    CHECK(executed > 500);
}
