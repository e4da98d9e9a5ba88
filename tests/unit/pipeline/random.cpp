// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Passes on random input: simplified functions compute the same bits, programs stay well-formed.
#include "ir/text/print.hpp"
#include "ir/verify/verify.hpp"
#include "opt/algebra/simplify_function.hpp"
#include "opt/trim.hpp"
#include "pipeline/lists.hpp"
#include "pipeline/pipeline.hpp"
#include "tests/unit/ir/random_program.hpp"

#include <catch2/catch.hpp>

#include <limits>

using namespace sinter;
using namespace sinter::test;

namespace {

using Bits = std::vector<std::uint64_t>;

/// Executes functions without arrays, math and while_loop, by the definition of each instruction.
class Evaluator {
  public:
    Bits run(const Block& block, const Bits& params) {
        std::size_t base = values_.size();
        values_.insert(values_.end(), params.begin(), params.end());
        types_.insert(types_.end(), block.params.begin(), block.params.end());
        for (const Inst& inst : block.insts) {
            Bits results = instruction(inst);
            values_.insert(values_.end(), results.begin(), results.end());
            types_.insert(types_.end(), inst.types.begin(), inst.types.end());
        }
        Bits results = values_of(block.results);
        values_.resize(base);
        types_.resize(base);
        return results;
    }

  private:
    Bits values_of(const std::vector<Local>& locals) {
        Bits values;
        for (Local local : locals) values.push_back(values_[local.index]);
        return values;
    }

    Bits instruction(const Inst& inst) {
        Bits operands = values_of(inst.operands);
        if (inst.op == Op::constant) return {inst.bits};
        if (inst.op == Op::cond) return run(inst.blocks[operands[0] == 1 ? 0 : 1], {});
        if (inst.op == Op::for_loop) {
            Bits states(operands.begin() + 1, operands.end());
            for (std::uint64_t i = 0; static_cast<std::int64_t>(i) < static_cast<std::int64_t>(operands[0]); ++i) {
                Bits params = states;
                params.insert(params.begin(), i);
                states = run(inst.blocks[0], params);
            }
            return states;
        }
        std::vector<Scalar> types;
        for (Local operand : inst.operands) types.push_back(types_[operand.index]);
        return {evaluate(inst.op, inst.type(), types, operands)};
    }

    Bits values_;
    std::vector<Scalar> types_;
};

bool is_nan(Scalar type, std::uint64_t bits) {
    return detail::is_float(type) && to_double(type, bits) != to_double(type, bits);
}

std::uint64_t interesting(std::mt19937& random, Scalar type) {
    constexpr double infinity = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
    constexpr double values[] = {0, -0.0, 1, -1, 0.5, -7, 255, 1e20, 1.0 / 3, infinity, nan};
    if (type == Scalar::boolean) return random() % 2;
    if (detail::is_float(type)) return from_double(type, values[random() % std::size(values)]);
    return from_int64(type,
                      random() % 2 == 0 ? static_cast<std::int64_t>(random()) : static_cast<std::int64_t>(random() % 5) - 2);
}

void check_same(const Fn& before, const Fn& after, std::mt19937& random) {
    std::vector<Scalar> types = result_types(before);
    for (int trial = 0; trial < 8; ++trial) {
        Bits params;
        for (Scalar type : before.body.params) params.push_back(interesting(random, type));
        Bits expected = Evaluator().run(before.body, params), actual = Evaluator().run(after.body, params);
        for (std::size_t i = 0; i < types.size(); ++i) {
            if (is_nan(types[i], expected[i]) && is_nan(types[i], actual[i])) continue;
            INFO(print(before) << "\n" << print(after));
            REQUIRE(expected[i] == actual[i]);
        }
    }
}

}  // namespace

TEST_CASE("random: simplified functions compute the same bits", "[opt]") {
    RandomFunction::Options options;
    options.math = false;
    options.reads = false;
    options.may_fail = false;
    const std::vector<Scalar> params{Scalar::f32,     Scalar::f32, Scalar::i32, Scalar::u8,
                                     Scalar::boolean, Scalar::f16, Scalar::i64};
    int checked = 0;
    for (unsigned seed = 0; seed < 6000; ++seed) {
        INFO("seed " << seed);
        std::mt19937 random(seed);
        options.length = seed % 2 == 0 ? 12 : 40;
        Fn fn = RandomFunction(random, options).make({}, params, {Scalar::f32, Scalar::i32, Scalar::u8, Scalar::boolean});
        Fn simple = opt::simplify(fn);
        verify(simple);
        REQUIRE(simple.body.params == fn.body.params);
        if (print(fn).find("while_loop") != std::string::npos) continue;
        check_same(fn, simple, random);
        ++checked;
    }
    CHECK(checked > 2000);
}

TEST_CASE("random: every pass keeps programs well-formed, with the same inputs and types of results", "[opt]") {
    for (unsigned seed = 0; seed < 1500; ++seed) {
        INFO("seed " << seed);
        std::mt19937 random(seed);
        Program program = RandomProgram(random, {}).make();
        std::vector<Type> inputs = program.body.params, types = types_of(program.body);
        std::vector<std::string> results;
        for (ValueId result : program.body.results)
            results.push_back(print(program.sizes, types[result.index]).substr(0, 4));
        for (const pipeline::Pass& pass : pipeline::optimisation()) {
            INFO(pass.name << " on\n" << print(program));
            program = pass.function(std::move(program));
            verify(program);
            REQUIRE(program.body.params == inputs);
            types = types_of(program.body);
            for (std::size_t i = 0; i < results.size(); ++i)
                REQUIRE(print(program.sizes, types[program.body.results[i].index]).substr(0, 4) == results[i]);
        }
    }
}

TEST_CASE("random: simplify, cse and dead_code have nothing to do on their own results", "[opt]") {
    for (unsigned seed = 0; seed < 300; ++seed) {
        std::mt19937 random(seed);
        Program program = pipeline::optimise(RandomProgram(random, {}).make());
        for (const pipeline::Pass& pass : pipeline::optimisation()) {
            if (pass.name != "cse" && pass.name != "dead_code") continue;
            INFO("seed " << seed << ", " << pass.name << " on\n" << print(program));
            Program once = pass.function(program);
            REQUIRE(print(pass.function(once)) == print(once));
        }
    }
}

TEST_CASE("passes are linear on long chains", "[opt]") {
    Program program;
    program.body.params = {{Scalar::f32, {program.sizes.input_extent(0, 0)}}, {Scalar::f32, {}}};
    BlockBuilder builder;
    Local x = builder.open({Scalar::f32, Scalar::f32});
    Fn fn{{}, builder.close({x})};
    builder.open({Scalar::f32, Scalar::f32});
    fn.body = builder.close({});
    fn.body.insts = {Inst{Op::sub, {Scalar::f32}, 0, {Local(0), Local(1)}, {}}};
    fn.body.results = {Local(2)};
    ValueId array(0), scalar(1);
    for (std::size_t i = 0; i < 20000; ++i) {
        program.body.bindings.push_back({Map{fn, {array}, {{scalar}, {}}, false}, {program.body.params[0]}, {}});
        array = ValueId(2 + 2 * i);
        program.body.bindings.push_back({Map{fn, {scalar, ValueId(1)}, {}, false}, {Type{Scalar::f32, {}}}, {}});
        scalar = ValueId(3 + 2 * i);
    }
    program.body.results = {array, scalar};
    verify(program);
    std::vector<pipeline::PassTime> times;
    Program optimised = pipeline::optimise(std::move(program), &times);
    for (const pipeline::PassTime& time : times) {
        INFO(time.pass);
        CHECK(time.seconds < 20);  // some 0.1 s
    }
    CHECK(optimised.body.bindings.size() == 40000);
}
