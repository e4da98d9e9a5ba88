// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The value type of value.hpp that records instructions in the block builder set by a Recording on this thread.
#pragma once

#include "ir/builder.hpp"

#include <bit>
#include <cstdint>
#include <tuple>
#include <utility>

namespace sinter::ir::math {

/// While it exists, operations on Traced values of this thread append to `builder`.
class Recording {
  public:
    explicit Recording(BlockBuilder& builder) : previous_(std::exchange(current_, &builder)) {}
    ~Recording() { current_ = previous_; }
    Recording(const Recording&) = delete;
    Recording& operator=(const Recording&) = delete;
    static BlockBuilder& builder() { return *current_; }

  private:
    static inline thread_local BlockBuilder* current_ = nullptr;
    BlockBuilder* previous_;
};

template <class T>
struct ScalarOf;
#define SINTER_SCALAR_OF(T, name)                     \
    template <>                                       \
    struct ScalarOf<T> {                              \
        static constexpr Scalar value = Scalar::name; \
    }
SINTER_SCALAR_OF(bool, boolean);
SINTER_SCALAR_OF(std::int32_t, i32);
SINTER_SCALAR_OF(std::int64_t, i64);
SINTER_SCALAR_OF(std::uint32_t, u32);
SINTER_SCALAR_OF(std::uint64_t, u64);
SINTER_SCALAR_OF(float, f32);
SINTER_SCALAR_OF(double, f64);
#undef SINTER_SCALAR_OF

template <class T>
std::uint64_t bits_of_value(T value) {
    if constexpr (std::is_same_v<T, float>)
        return std::bit_cast<std::uint32_t>(value);
    else if constexpr (std::is_same_v<T, double>)
        return std::bit_cast<std::uint64_t>(value);
    else if constexpr (std::is_same_v<T, std::int32_t>)
        return static_cast<std::uint32_t>(value);
    else
        return static_cast<std::uint64_t>(value);
}

template <class T>
struct Traced {
    Local local;

    Traced() = default;
    explicit Traced(Local l) : local(l) {}
    Traced(T value) : local(Recording::builder().constant(ScalarOf<T>::value, bits_of_value(value))) {}

    friend Traced operator+(Traced a, Traced b) { return emit(Op::add, a, b); }
    friend Traced operator-(Traced a, Traced b) { return emit(Op::sub, a, b); }
    friend Traced operator*(Traced a, Traced b) { return emit(Op::mul, a, b); }
    friend Traced operator/(Traced a, Traced b) { return emit(Op::div, a, b); }
    friend Traced operator-(Traced a) { return emit(Op::negate, a); }
    friend Traced operator&(Traced a, Traced b) { return emit(Op::bit_and, a, b); }
    friend Traced operator|(Traced a, Traced b) { return emit(Op::bit_or, a, b); }
    friend Traced operator^(Traced a, Traced b) { return emit(Op::bit_xor, a, b); }
    friend Traced operator!(Traced a) { return emit(Op::bit_not, a); }
    friend Traced operator<<(Traced a, Traced b) { return emit(Op::shift_left, a, b); }
    friend Traced operator>>(Traced a, Traced b) { return emit(Op::shift_right, a, b); }
    friend Traced<bool> operator<(Traced a, Traced b) { return compare(Op::less, a, b); }
    friend Traced<bool> operator<=(Traced a, Traced b) { return compare(Op::less_equal, a, b); }
    friend Traced<bool> operator>(Traced a, Traced b) { return compare(Op::greater, a, b); }
    friend Traced<bool> operator>=(Traced a, Traced b) { return compare(Op::greater_equal, a, b); }
    friend Traced<bool> operator==(Traced a, Traced b) { return compare(Op::equal, a, b); }
    friend Traced<bool> operator!=(Traced a, Traced b) { return compare(Op::not_equal, a, b); }

    friend Traced fma(Traced a, Traced b, Traced c) { return emit(Op::fma, a, b, c); }
    friend Traced scale(Traced a, Traced n) { return emit(Op::scale, a, n); }
    friend Traced sqrt(Traced a) { return emit(Op::sqrt, a); }
    friend Traced abs(Traced a) { return emit(Op::abs, a); }
    friend Traced copysign(Traced a, Traced b) { return emit(Op::copysign, a, b); }
    friend Traced rint(Traced a) { return emit(Op::rint, a); }
    friend Traced floor(Traced a) { return emit(Op::floor, a); }
    friend Traced trunc(Traced a) { return emit(Op::trunc, a); }
    friend Traced select(Traced<bool> c, Traced a, Traced b) { return emit(Op::select, c, a, b); }

  private:
    template <class... V>
    static Traced emit(Op op, V... operands) {
        return Traced(Recording::builder().emit(op, {operands.local...}));
    }
    static Traced<bool> compare(Op op, Traced a, Traced b) {
        return Traced<bool>(Recording::builder().emit(op, {a.local, b.local}));
    }
};

/// The same bits as another type.
template <class U, class T>
Traced<U> as(Traced<T> a) {
    return Traced<U>(Recording::builder().bit_cast(ScalarOf<U>::value, a.local));
}

/// The same number as another type.
template <class U, class T>
Traced<U> to(Traced<T> a) {
    return Traced<U>(Recording::builder().cast(ScalarOf<U>::value, a.local));
}

/// A cond instruction; both sides return a tuple of values of the same types.
template <class Then, class Otherwise>
auto cond(Traced<bool> condition, Then then, Otherwise otherwise) -> decltype(then()) {
    BlockBuilder& builder = Recording::builder();
    auto block = [&](auto& side) {
        builder.open({});
        return builder.close(std::apply([](auto... v) { return std::vector<Local>{v.local...}; }, side()));
    };
    return [&]<class... T>(std::tuple<Traced<T>...>*) {
        Inst inst{Op::cond, {ScalarOf<T>::value...}, 0, {condition.local}, {}};
        inst.blocks.push_back(block(then));
        inst.blocks.push_back(block(otherwise));
        std::size_t next = builder.emit(std::move(inst)).index;
        auto result = [&] { return Local(next++); };
        return std::tuple<Traced<T>...>{Traced<T>(result())...};
    }(static_cast<decltype(then())*>(nullptr));
}

}  // namespace sinter::ir::math
