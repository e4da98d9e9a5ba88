// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Derivatives of functions of arrays and scalars: exact, by transformation of the program (automatic differentiation). They
/// are ordinary expressions, which compose with all others and with each other.
#pragma once

#include <sinter/combinators/make.hpp>
#include <sinter/combinators/vmap.hpp>
#include <sinter/detail/derivative.hpp>

namespace sinter {

/// grad(f)(x, y): the gradient of f with respect to x; grad<1>(f): with respect to y; grad<0, 1>(f): with respect to both,
/// as a std::tuple. f returns one floating-point number. The gradient has the argument's type; components that are not
/// floating-point numbers are 0 in it. Arrays and Exps that f uses from outside are constants of this derivative.
template <int... I, class F>
auto grad(F&& f, location where = location::current()) {
    return detail::make_gradient<detail::TakeGradient, F, I...>(std::forward<F>(f), where);
}
template <int... I, class F, detail::StateLike... A>
    requires(sizeof...(A) > 0)
auto grad(const F&, const A&... a) {
    return detail::derivative_of_arguments<F>(a...);
}

/// The same with the value: a std::pair of f(x, y) and its gradient, which are computed together.
template <int... I, class F>
auto value_and_grad(F&& f, location where = location::current()) {
    return detail::make_gradient<detail::TakeValueAndGradient, F, I...>(std::forward<F>(f), where);
}
template <int... I, class F, detail::StateLike... A>
    requires(sizeof...(A) > 0)
auto value_and_grad(const F&, const A&... a) {
    return detail::derivative_of_arguments<F>(a...);
}

namespace detail {

template <class... A>
struct Primals {
    std::tuple<A...> arguments;
};
template <class... A>
struct Tangents {
    std::tuple<A...> arguments;
};

template <class F, class... A, class... D>
auto jvp_of(location where, F& f, const std::tuple<A...>& primals, const std::tuple<D...>& tangents) {
    static_assert(sizeof...(A) == sizeof...(D), "jvp: one tangent for each argument");
    return [&]<std::size_t... K>(std::index_sequence<K...>) {
        if constexpr (ScalarArguments<A...> && !MakesArrays<F, A...>) {
            const DerivativeBlock<F, reified_t<A>...> block("jvp", where, f, convert<reified_t<A>>(std::get<K>(primals))...);
            return block.forward(convert<reified_t<A>>(std::get<K>(tangents))...);
        } else {
            static_assert(((ArrayState<A>::rank == ArrayState<D>::rank) && ...),
                          "jvp: a tangent has the rank of its argument");
            StateLeaves<A...> seeds;
            (seeds.template push<A>(std::get<K>(tangents), "jvp", where), ...);
            return DerivativeScope<F, A...>("jvp", where, f, std::get<K>(primals)...).forward(seeds.leaf);
        }
    }(std::index_sequence_for<A...>{});
}

}  // namespace detail

/// The arguments of the function, for jvp and hvp.
template <class... A>
detail::Primals<A...> primals(const A&... a) {
    return {{a...}};
}
/// The direction of the derivative: one value per argument, of its type and shape.
template <class... A>
detail::Tangents<A...> tangents(const A&... a) {
    return {{a...}};
}

/// f and its derivative in one direction (forward mode): a std::pair of the results and their tangents.
/// ShapeError if a tangent has another shape than its argument.
template <class F, class... A, class... D>
auto jvp(F&& f, const detail::Primals<A...>& primals, const detail::Tangents<D...>& tangents,
         location where = location::current()) {
    return detail::jvp_of(where, f, primals.arguments, tangents.arguments);
}
template <class F, detail::StateLike A, detail::StateLike... B>
auto jvp(const F&, const A& first, const B&...) {
    static_assert(detail::never<F>,
                  "jvp: write jvp(f, primals(x, y), tangents(dx, dy)), with one tangent for each argument");
    return std::pair(first, first);
}

namespace detail {

/// The second result of vjp.
template <class F, class... A>
class Pullback {
  public:
    Pullback(F f, location where, const A&... a) : f_(std::move(f)), where_(where), arguments_(a...) {}

    /// The adjoints of all arguments as a std::tuple, given the cotangents of the results.
    template <class... C>
    auto operator()(const C&... cotangents) const {
        using Numbers = std::make_integer_sequence<int, sizeof...(A)>;
        return std::apply(
            [&](const auto&... a) {
                if constexpr (ScalarArguments<A...>) {
                    const DerivativeBlock<const F, reified_t<A>...> block("vjp", where_, f_, convert<reified_t<A>>(a)...);
                    using R = typename decltype(block)::R;
                    if constexpr (sizeof...(C) == 1)
                        return block.reverse(Numbers(), convert<R>(cotangents...)).second;
                    else
                        return block.reverse(Numbers(), convert<R>(std::tuple(cotangents...))).second;
                } else {
                    const DerivativeScope<const F, A...> scope("vjp", where_, f_, a...);
                    typename decltype(scope)::Results seeds;
                    if constexpr (sizeof...(C) == 1)
                        seeds.push_result((cotangents, ...), "vjp", where_);
                    else
                        seeds.push_result(std::tuple(cotangents...), "vjp", where_);
                    return scope.reverse(Numbers(), seeds.leaf).second;
                }
            },
            arguments_);
    }

  private:
    F f_;
    location where_;
    std::tuple<A...> arguments_;
};

/// What a function is given for an argument where it is called directly.
template <class V>
decltype(auto) plain_argument(const V& v) {
    if constexpr (ArrayLike<V>)
        return Delayed<element_t<V>, rank_v<V>>(v);
    else
        return (v);
}

}  // namespace detail

/// f and its transposed derivative (reverse mode): a std::pair of f(a...) and a function that takes one cotangent per result
/// of f and returns a std::tuple of the adjoints of the arguments. What the two have in common is computed once.
template <class F, class A, class... B>
auto vjp(F&& f, detail::Operand<A> first, const B&... rest) {
    detail::Pullback<std::decay_t<F>, A, B...> back(f, first.where, *first.array, rest...);
    return std::pair{f(detail::plain_argument(*first.array), detail::plain_argument(rest)...), std::move(back)};
}
/// The same for scalars, in a function or program.
template <class F, Expression V, Expression... W>
    requires detail::ScalarArguments<V, W...>
auto vjp(F&& f, const V& first, const W&... rest) {
    detail::Pullback<std::decay_t<F>, V, W...> back(f, location(), first, rest...);
    return std::pair{reify(f(first, rest...)), std::move(back)};
}

/// x as a constant of derivatives: they do not pass through what changes the type of bits.
template <class T>
Exp<T> stop_gradient(Exp<T> x) {
    constexpr auto scalars = detail::scalars_of<T>;
    for (std::size_t k = 0; k < x.leaves; ++k) {
        if (!detail::is_float(scalars.scalars[k])) continue;
        const int size = detail::size_of(scalars.scalars[k]);
        const detail::Scalar bits = size == 2 ? detail::Scalar::u16 : size == 4 ? detail::Scalar::u32 : detail::Scalar::u64;
        const detail::Handle there = detail::apply(detail::Op::bit_cast, bits, &x.handles[k], 1);
        x.handles[k] = detail::apply(detail::Op::bit_cast, scalars.scalars[k], &there, 1);
    }
    return x;
}
template <ArrayLike A>
auto stop_gradient(const A& x, location where = location::current()) {
    return detail::lift("stop_gradient", where, [](const auto& e) { return stop_gradient(e); }, x);
}

// Whole derivatives

namespace detail {

/// g(i...) for all indices: `positions` holds one array per axis, whose elements are the indices along it.
template <class G, class... P>
auto each_index(const G& g, const P&... positions) {
    if constexpr ((is_exp<P> && ...))
        return g(positions...);
    else
        return vmap([&](const auto&... rows) { return each_index(g, rows...); }, positions...);
}

/// For each element of `like`: g of an array of that shape that is 1 there and 0 elsewhere. The axes of `like` come first.
template <class T, int Rank, class G>
auto each_unit(const char* what, location where, const Delayed<T, Rank>& like, const G& g) {
    static_assert(FloatingScalar<T>, "a Jacobian: the elements are floating-point numbers");
    const LeafRef& leaf = like.leaves().leaf[0];
    return [&]<std::size_t... Axis>(std::index_sequence<Axis...> axes) {
        auto position = [&](auto axis) {
            auto index = [](const auto&... i) { return std::get<decltype(axis)::value>(std::tuple(i...)); };
            return generate_like(axes, what, where, leaf, index);
        };
        return each_index(
            [&](const auto&... at) {
                auto unit = [&](const auto&... i) { return select((... && (i == at)), T(1), T(0)); };
                return g(generate_like(axes, what, where, leaf, unit));
            },
            position(std::integral_constant<std::size_t, Axis>())...);
    }(std::make_index_sequence<static_cast<std::size_t>(Rank)>{});
}

template <class V>
using delayed_t = Delayed<element_t<V>, rank_v<V>>;

/// What a function returns, as an array; a number becomes an array of rank 0.
template <class V>
auto as_array(const V& value, const char* what, location where) {
    return state_array_t<V>(state_leaves<state_element_t<V>, ArrayState<V>::rank>(value, what, where));
}

template <class F, class A>
auto jacobian_reverse(location where, F& f, const A& x) {
    auto y = as_array(f(x), "jacobian", where);
    using T = element_t<decltype(y)>;
    auto row = [&](const Delayed<T, rank_v<decltype(y)>>& seed) {
        return std::get<0>(DerivativeScope<F, A>("jacobian", where, f, x)
                               .reverse(std::integer_sequence<int, 0>(), seed.leaves().leaf)
                               .second);
    };
    if constexpr (rank_v<decltype(y)> == 0)
        return row(Delayed<T, 0>(scalar_leaves<T>(T(1), "jacobian", where)));
    else
        return each_unit("jacobian", where, y, row);
}

/// Moves the axes of x, which come first, to the end.
template <class F, class A>
auto jacobian_forward(location where, F& f, const A& x) {
    auto column = [&](const A& direction) {
        return as_array(DerivativeScope<F, A>("jacobian", where, f, x).forward(direction.leaves().leaf).second, "jacobian",
                        where);
    };
    if constexpr (rank_v<A> == 0) {
        using T = element_t<A>;
        return column(A(scalar_leaves<T>(T(1), "jacobian", where)));
    } else {
        auto columns = each_unit("jacobian", where, x, column);
        constexpr int rank = rank_v<decltype(columns)>, of_x = rank_v<A>;
        std::int64_t axes[static_cast<std::size_t>(rank)];
        for (int k = 0; k < rank; ++k) axes[k] = (k + of_x) % rank;
        Leaves<element_t<decltype(columns)>> leaves;
        leaves.leaf[0] = detail::transpose(columns.leaves().leaf[0], axes, static_cast<std::size_t>(rank), where);
        return Delayed<element_t<decltype(columns)>, rank>(std::move(leaves));
    }
}

/// Forward mode costs one run per element of x, reverse mode one per element of the result.
template <class F, class A>
auto jacobian_cheaper(location where, F& f, const A& x) {
    auto y = as_array(f(x), "jacobian", where);
    using R = decltype(jacobian_reverse(where, f, x));
    const std::int64_t columns = known_count(x.leaves().leaf[0]), rows = known_count(y.leaves().leaf[0]);
    const bool known = columns >= 0 && rows >= 0;
    if (known ? columns < rows : rank_v<A> < rank_v<decltype(y)>) return R(jacobian_forward(where, f, x));
    return jacobian_reverse(where, f, x);
}

enum class JacobianMode { cheaper, forward, reverse };

template <JacobianMode Mode, int I, class F, class Parameters>
class Jacobian;
template <JacobianMode Mode, int I, class F>
class Jacobian<Mode, I, F, void> {
  public:
    Jacobian(F f, location where) : f_(std::move(f)), where_(where) {}

    template <class... A>
    auto operator()(const A&... a) const {
        static_assert(I >= 0 && static_cast<std::size_t>(I) < sizeof...(A), "jacobian: the function has no such argument");
        const auto& x = std::get<static_cast<std::size_t>(I)>(std::tie(a...));
        static_assert(ArrayLike<std::remove_cvref_t<decltype(x)>>, "jacobian: the argument is an array");
        auto of_x = [&]<std::size_t... K>(std::index_sequence<K...>) {
            return [&](const delayed_t<std::remove_cvref_t<decltype(x)>>& changed) { return f_(pick<K>(changed, a)...); };
        }(std::index_sequence_for<A...>{});
        const delayed_t<std::remove_cvref_t<decltype(x)>> at(x);
        if constexpr (Mode == JacobianMode::forward)
            return jacobian_forward(where_, of_x, at);
        else if constexpr (Mode == JacobianMode::reverse)
            return jacobian_reverse(where_, of_x, at);
        else
            return jacobian_cheaper(where_, of_x, at);
    }

  private:
    template <std::size_t K, class X, class V>
    static decltype(auto) pick(const X& x, const V& other) {
        if constexpr (K == static_cast<std::size_t>(I))
            return (x);
        else
            return plain_argument(other);
    }

    F f_;
    location where_;
};
template <JacobianMode Mode, int I, class F, class... P>
class Jacobian<Mode, I, F, std::tuple<P...>> {
  public:
    Jacobian(F f, location where) : of_(std::move(f), where) {}
    auto operator()(const P&... a) const { return of_(a...); }

  private:
    Jacobian<Mode, I, F, void> of_;
};

template <JacobianMode Mode, int I, class F>
auto make_jacobian(F&& f, location where) {
    using Function = std::decay_t<F>;
    return Jacobian<Mode, I, Function, typename ParametersOf<Function>::type>(std::forward<F>(f), where);
}

}  // namespace detail

/// jacobian(f)(x, y): an array of all derivatives of f's result with respect to the elements of x; jacobian<1>(f): with
/// respect to those of y. The axes of the result come first, then those of the argument. Forward mode is used if the
/// argument is known to have fewer elements than the result, else reverse mode; jacfwd and jacrev fix the mode. The unit
/// vectors are made where they are used, and the function itself is executed once.
template <int I = 0, class F>
auto jacobian(F&& f, location where = location::current()) {
    return detail::make_jacobian<detail::JacobianMode::cheaper, I>(std::forward<F>(f), where);
}
template <int I = 0, class F, detail::StateLike... A>
    requires(sizeof...(A) > 0)
auto jacobian(const F&, const A&... a) {
    return detail::derivative_of_arguments<F>(a...);
}
template <int I = 0, class F>
auto jacfwd(F&& f, location where = location::current()) {
    return detail::make_jacobian<detail::JacobianMode::forward, I>(std::forward<F>(f), where);
}
template <int I = 0, class F>
auto jacrev(F&& f, location where = location::current()) {
    return detail::make_jacobian<detail::JacobianMode::reverse, I>(std::forward<F>(f), where);
}

/// hessian(f)(x): all second derivatives of a function that returns one number. The result has the axes of x twice.
template <int I = 0, class F>
auto hessian(F&& f, location where = location::current()) {
    return jacfwd<I>(grad<I>(std::forward<F>(f), where), where);
}
template <int I = 0, class F, detail::StateLike... A>
    requires(sizeof...(A) > 0)
auto hessian(const F&, const A&... a) {
    return detail::derivative_of_arguments<F>(a...);
}

/// The Hessian of f with respect to its first argument times a direction, without forming the Hessian: one derivative of the
/// gradient.
template <class F, class A, class... B, class D>
auto hvp(F&& f, const detail::Primals<A, B...>& primals, const detail::Tangents<D>& tangents,
         location where = location::current()) {
    auto gradient = [&](const auto& x) {
        return std::apply(
            [&](const auto&, const auto&... rest) { return grad(f, where)(x, detail::plain_argument(rest)...); },
            primals.arguments);
    };
    return detail::jvp_of(where, gradient, std::tuple<A>(std::get<0>(primals.arguments)), tangents.arguments).second;
}

}  // namespace sinter
