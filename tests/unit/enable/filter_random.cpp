// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Random programs with many compacts, and maps and folds of what they keep: pushing filters keeps their bits.
#include "enable/filters/push_filters.hpp"
#include "interp/program.hpp"
#include "ir/text/print.hpp"
#include "ir/verify/verify.hpp"
#include "opt/passes.hpp"
#include "tests/unit/ir/random_function.hpp"

#include <catch2/catch.hpp>

using namespace sinter;
using namespace sinter::test;
using interp::ArrayValue;

namespace {

/// Inputs: two scalars, three arrays of numbers and two masks, all of one extent.
class FilterProgram {
  public:
    explicit FilterProgram(std::mt19937& random)
        : simple_(random, {.reads = false, .may_fail = false, .loops = false, .math = false, .length = 4}),
          any_(random, {.reads = false, .may_fail = true, .loops = false, .math = true, .length = 6}) {}

    Program make() {
        for (Scalar scalar : {Scalar::i64, Scalar::f32}) types_.push_back({scalar, {}});
        const Shape shape{program_.sizes.input_extent(2, 0)};
        for (int i = 0; i < 3; ++i) types_.push_back({number(), shape});
        for (int i = 0; i < 2; ++i) types_.push_back({Scalar::boolean, shape});
        Body body{types_, {}, {}};
        bindings(body, 10, 1);
        for (std::size_t i = 0; i < 3; ++i) body.results.push_back(recent());
        program_.body = std::move(body);
        return std::move(program_);
    }

  private:
    std::size_t below(std::size_t n) { return simple_.below(n); }
    Scalar number() {
        constexpr Scalar numbers[] = {Scalar::i64, Scalar::f32, Scalar::u8};
        return numbers[below(3)];
    }
    ValueId recent() { return ValueId(types_.size() - 1 - std::min(below(types_.size()), below(types_.size()))); }
    const Type& type(ValueId id) const { return types_[id.index]; }

    template <class Wanted>
    std::optional<ValueId> find(Wanted wanted) {
        for (int tries = 0; tries < 20; ++tries)
            if (ValueId id = recent(); wanted(type(id))) return id;
        return std::nullopt;
    }
    std::vector<ValueId> arrays_like(const Type& wanted, std::size_t count) {
        std::vector<ValueId> ids;
        for (std::size_t i = 0; i < count; ++i)
            if (auto id = find([&](const Type& t) { return t.shape == wanted.shape; })) ids.push_back(*id);
        return ids;
    }
    void bind(Body& body, ArrayOp op, std::vector<Type> types) {
        types_.insert(types_.end(), types.begin(), types.end());
        body.bindings.push_back({std::move(op), std::move(types), {}});
    }

    void bindings(Body& body, std::size_t count, int depth) {
        for (std::size_t i = 0; i < count; ++i) {
            const std::size_t kind = below(16);
            if (kind < 5)
                compact(body);
            else if (kind < 10)
                map(body);
            else if (kind < 14)
                fold(body);
            else if (kind == 14)
                reversed(body);
            else if (depth > 0)
                cond(body, depth);
        }
    }

    void compact(Body& body) {
        const auto mask = find([](const Type& t) { return t.rank() == 1 && t.scalar == Scalar::boolean; });
        if (!mask) return;
        Compact compact{*mask, arrays_like(type(*mask), 1 + below(3))};
        const SizeId extent = program_.sizes.value(ValueId(types_.size()));
        std::vector<Type> types{{Scalar::i64, {}}};
        for (ValueId arg : compact.args) types.push_back({type(arg).scalar, {extent}});
        bind(body, std::move(compact), std::move(types));
    }

    void map(Body& body) {
        const auto first = find([](const Type& t) { return t.rank() == 1; });
        if (!first) return;
        Map map{{}, arrays_like(type(*first), below(2)), {}, below(10) == 0};
        map.args.push_back(*first);
        std::vector<Scalar> params, results;
        if (map.indexed) params.push_back(Scalar::i64);
        for (ValueId arg : map.args) params.push_back(type(arg).scalar);
        if (below(3) == 0)
            if (auto scalar = find([](const Type& t) { return t.rank() == 0; })) {
                map.captures.scalars.push_back(*scalar);
                params.push_back(type(*scalar).scalar);
            }
        for (std::size_t i = 0; i < 1 + below(2); ++i) results.push_back(below(3) == 0 ? Scalar::boolean : number());
        map.fn = (below(6) == 0 ? any_ : simple_).make({}, params, results);
        std::vector<Type> types;
        for (Scalar result : results) types.push_back({result, type(*first).shape});
        bind(body, std::move(map), std::move(types));
    }

    void fold(Body& body) {
        const auto first = find([](const Type& t) { return t.rank() == 1; });
        if (!first) return;
        Fold fold{{}, {}, arrays_like(type(*first), below(2)), {}, {0}, false};
        fold.args.push_back(*first);
        std::vector<Scalar> scalars;
        for (ValueId arg : fold.args) scalars.push_back(type(arg).scalar);
        std::vector<Scalar> params = scalars;
        params.insert(params.end(), scalars.begin(), scalars.end());
        const bool captures = below(4) == 0;
        if (captures) params.push_back(Scalar::i64);
        fold.op = below(2) == 0 ? single_operations(params, scalars.size()) : simple_.make({}, params, scalars);
        for (Scalar scalar : scalars) fold.inits.push_back(init(body, scalar));
        if (captures) fold.captures.scalars.push_back(init(body, Scalar::i64));
        std::vector<Type> types;
        for (Scalar scalar : scalars) types.push_back({scalar, {}});
        bind(body, std::move(fold), std::move(types));
    }

    Fn single_operations(const std::vector<Scalar>& params, std::size_t count) {
        BlockBuilder builder(false);
        builder.open(params);
        std::vector<Local> results;
        for (std::size_t i = 0; i < count; ++i) {
            constexpr Op numbers[] = {Op::add, Op::mul, Op::minimum, Op::maximum, Op::sub},
                         bits[] = {Op::bit_or, Op::bit_xor};
            const Op op = params[i] == Scalar::boolean ? bits[below(2)] : numbers[below(5)];
            results.push_back(builder.emit(op, {Local(i), Local(count + i)}));
        }
        return {{}, builder.close(results)};
    }

    ValueId init(Body& body, Scalar scalar) {
        if (below(3) == 0)
            if (auto id = find([&](const Type& t) { return t == Type{scalar, {}}; })) return *id;
        bind(body, Map{simple_.make({}, {}, {scalar}), {}, {}, false}, {{scalar, {}}});
        return ValueId(types_.size() - 1);
    }

    void reversed(Body& body) {
        const auto arg = find([](const Type& t) { return t.rank() == 1; });
        if (!arg) return;
        SizeTable& sizes = program_.sizes;
        const Type like = type(*arg);
        bind(body, View{*arg, Slice{{sizes.sub(like.shape[0], sizes.constant(1))}, {-1}}}, {like});
    }

    void cond(Body& body, int depth) {
        const auto condition = find([](const Type& t) { return t == Type{Scalar::boolean, {}}; });
        if (!condition) return;
        Cond cond{*condition, {}};
        const std::size_t level = types_.size();
        for (int i = 0; i < 2; ++i) {
            Body branch;
            bindings(branch, 5, depth - 1);
            branch.results.push_back(init(branch, Scalar::i64));
            const auto sum = find([](const Type& t) { return t == Type{Scalar::i64, {}}; });
            if (sum) branch.results[0] = *sum;
            types_.resize(level);
            cond.bodies.push_back(std::move(branch));
        }
        bind(body, std::move(cond), {{Scalar::i64, {}}});
    }

    RandomFunction simple_, any_;
    Program program_;
    std::vector<Type> types_;
};

std::vector<ArrayValue> random_inputs(const Program& program, std::int64_t n, std::mt19937& random) {
    std::vector<ArrayValue> inputs;
    for (const Type& type : program.body.params) {
        ArrayValue value(type.scalar, std::vector<std::int64_t>(type.rank(), n));
        for (std::int64_t i = 0; i < value.count(); ++i) {
            const auto small = static_cast<std::int64_t>(random() % 6) - 2;
            if (type.scalar == Scalar::boolean)
                value.set(i, random() % 2);
            else if (detail::is_float(type.scalar))
                value.set(i, from_double(type.scalar, small == 0 ? -0.0 : 0.1 * static_cast<double>(small)));
            else
                value.set(i, from_int64(type.scalar, small));
        }
        inputs.push_back(std::move(value));
    }
    return inputs;
}

/// Nothing if the program fails.
std::optional<std::vector<ArrayValue>> outcome(const Program& program, const std::vector<ArrayValue>& inputs) {
    try {
        return interp::interpret(program, inputs, {});
    } catch (const InternalError&) {
        throw;
    } catch (const Error&) {
        return std::nullopt;
    }
}

std::size_t compacts(const Body& body) {
    std::size_t count = 0;
    for (const Binding& binding : body.bindings) {
        count += std::holds_alternative<Compact>(binding.op);
        if (const auto* bodies = bodies_of(binding.op))
            for (const Body& nested : *bodies) count += compacts(nested);
    }
    return count;
}

}  // namespace

TEST_CASE("random: pushed filters compute the same bits", "[enable]") {
    int executed = 0, fewer = 0, changed = 0;
    for (unsigned seed = 0; seed < 4000; ++seed) {
        std::mt19937 random(seed);
        const Program program = opt::dead_code(FilterProgram(random).make());
        INFO("seed " << seed << "\n" << print(program));
        verify(program);
        const Program pushed = enable::push_filters(program);
        INFO("pushed\n" << print(pushed));
        verify(pushed);
        fewer += compacts(pushed.body) < compacts(program.body);
        changed += !(pushed.body == program.body);
        for (std::int64_t n : {0, 1, 6}) {
            const std::vector<ArrayValue> inputs = random_inputs(program, n, random);
            const auto expected = outcome(program, inputs), actual = outcome(pushed, inputs);
            if (!expected) continue;
            ++executed;
            REQUIRE(actual);
            for (std::size_t i = 0; i < expected->size(); ++i) REQUIRE(same_values((*actual)[i], (*expected)[i]));
        }
    }
    CHECK(executed > 10000);
    CHECK(fewer > 2000);
    CHECK(changed > fewer + 50);
}
