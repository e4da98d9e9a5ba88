// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/explain/extents.hpp"

#include "ir/sizes/size_arithmetic.hpp"
#include "run/execute/execute.hpp"

#include <algorithm>
#include <bit>
#include <optional>

namespace sinter::runtime {

using ir::Size;

namespace {

/// The value of a symbol; nothing if the program computes it.
std::optional<std::int64_t> symbol(const ir::Program& program, const Size& size, const Call& call) {
    auto index = static_cast<std::size_t>(size.index);
    switch (size.kind) {
        case Size::Kind::input_extent:
            return call.inputs[index].shape[static_cast<std::size_t>(size.axis)];
        case Size::Kind::argument:
            return call.size_arguments[index];
        case Size::Kind::value:
            if (index >= program.body.params.size()) return std::nullopt;
            return call.inputs[index].number();
        default:
            return std::nullopt;
    }
}

std::int64_t largest_extent(const Call& call) {
    std::int64_t largest = 1;
    for (const InputView& input : call.inputs)
        for (std::int64_t extent : input.shape) largest = std::max(largest, extent);
    return largest;
}

/// The values of the sizes of a table. `symbol`: gives the value of a symbol, and whether it is an estimate.
template <class F>
class Estimates {
  public:
    Estimates(const ir::SizeTable& sizes, F symbol) : symbol_(std::move(symbol)) {
        for (std::size_t k = 0; k < sizes.count(); ++k) add(sizes[ir::SizeId(k)]);
    }
    std::vector<std::int64_t> take() { return std::move(values_); }

  private:
    void add(const Size& size) {
        if (size.kind == Size::Kind::constant) return add(size.index, false);
        if (size.left.valid()) return add_compound(size);
        const auto [value, computed] = symbol_(size);
        add(value, computed);
    }

    void add_compound(const Size& size) {
        const std::int64_t left = values_[size.left.index], value = ir::apply(size.kind, left, values_[size.right.index]);
        const bool is_computed = computed_[size.left.index] || computed_[size.right.index];
        add(is_computed && value <= 0 ? std::max<std::int64_t>(left, 1) : value, is_computed);
    }

    void add(std::int64_t value, bool computed) { values_.push_back(value), computed_.push_back(computed); }

    F symbol_;
    std::vector<std::int64_t> values_;
    std::vector<bool> computed_;
};

}  // namespace

std::vector<std::int64_t> estimate_sizes(const ir::Program& program, const Call& call, std::int64_t least) {
    const std::int64_t unknown = std::max(largest_extent(call), least);
    return Estimates(program.sizes,
                     [&](const Size& size) {
                         const std::optional<std::int64_t> known = symbol(program, size, call);
                         return std::pair(known.value_or(unknown), !known);
                     })
        .take();
}

std::vector<std::int64_t> estimate_kernel_sizes(const ir::SizeTable& sizes, std::span<const Estimate> arguments) {
    return Estimates(sizes,
                     [&](const Size& size) {
                         const Estimate& argument = arguments[static_cast<std::size_t>(size.index)];
                         return std::pair(argument.value, argument.is_computed);
                     })
        .take();
}

namespace {

/// Of a size that is made of symbols to which the call gives values.
std::int64_t value_in(const ir::Program& program, ir::SizeId id, const Call& call) {
    const Size& size = program.sizes[id];
    if (size.kind == Size::Kind::constant) return size.index;
    if (!size.left.valid()) return *symbol(program, size, call);
    return ir::apply(size.kind, value_in(program, size.left, call), value_in(program, size.right, call));
}

}  // namespace

bool holds(const ir::Program& program, const enable::Wish& wish, const Call& call) {
    auto value = [&](ir::SizeId id) { return value_in(program, id, call); };
    auto product = [&](const ir::Shape& shape) {
        double elements = 1;
        for (ir::SizeId id : shape) elements *= static_cast<double>(value(id));
        return elements;
    };
    return std::all_of(wish.equal.begin(), wish.equal.end(),
                       [&](const auto& pair) { return value(pair.first) == value(pair.second); }) &&
           product(wish.low) <= product(wish.high) &&
           std::all_of(wish.at_most.begin(), wish.at_most.end(),
                       [&](const ir::AtMost& each) { return value(each.low) <= value(each.high); });
}

std::uint64_t extents_class(const ir::Program& program, const Call& call) {
    std::uint64_t hash = 0;
    for (std::size_t k = 0; k < program.sizes.count(); ++k) {
        auto value = symbol(program, program.sizes[ir::SizeId(k)], call);
        if (value) hash = hash * 67 + std::bit_width(static_cast<std::uint64_t>(std::max<std::int64_t>(*value, 0)));
    }
    return hash;
}

}  // namespace sinter::runtime
