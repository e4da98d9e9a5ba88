// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Exp<T>: a scalar expression inside a function given to a combinator. Using one records an operation; it has no value yet.
///
/// Exp is trivially copyable: it has one handle per scalar leaf of T. Arithmetic literals convert to it, and tuples, pairs
/// and arrays of expressions convert to an Exp of a product. A product has structured bindings: `auto [x, y] = p;`.
#pragma once

#include <sinter/detail/trace.hpp>
#include <sinter/element.hpp>

#include <iosfwd>

namespace sinter {

template <Element T>
class Exp;

namespace detail {

template <class V>
inline constexpr bool is_exp = false;
template <class T>
inline constexpr bool is_exp<Exp<T>> = true;

/// The element type that a value in a function stands for: T for Exp<T>, its own type for a literal, componentwise for
/// tuples. `type` is missing where there is none.
template <class V>
struct Reified {};
template <class V>
    requires Element<V>
struct Reified<V> {
    using type = V;
};
template <class T>
struct Reified<Exp<T>> {
    using type = T;
};
template <class V>
concept IsReified = requires { typename Reified<V>::type; };
template <class... V>
    requires(!Element<std::tuple<V...>> && (IsReified<V> && ...))
struct Reified<std::tuple<V...>> {
    using type = std::tuple<typename Reified<V>::type...>;
};
template <class A, class B>
    requires(!Element<std::pair<A, B>> && IsReified<A> && IsReified<B>)
struct Reified<std::pair<A, B>> {
    using type = std::pair<typename Reified<A>::type, typename Reified<B>::type>;
};
template <class V, std::size_t N>
    requires(!Element<std::array<V, N>> && IsReified<V>)
struct Reified<std::array<V, N>> {
    using type = std::array<typename Reified<V>::type, N>;
};

}  // namespace detail

/// What a function given to a combinator may return: an Exp, a literal, or a tuple, pair or array of them.
template <class V>
concept Expression = detail::IsReified<std::remove_cvref_t<V>>;

/// The element type of the array made of such values.
template <Expression V>
using reified_t = typename detail::Reified<std::remove_cvref_t<V>>::type;

namespace detail {

template <class V>
inline constexpr std::size_t value_components = 0;
template <class V>
    requires IsProduct<V>
inline constexpr std::size_t value_components<V> = component_count<V>;
template <class T>
    requires IsProduct<T>
inline constexpr std::size_t value_components<Exp<T>> = component_count<T>;

/// Component I of an Exp of a product, a tuple of expressions, or a product literal.
template <std::size_t I, class V>
auto component(const V& value) {
    if constexpr (is_exp<V>)
        return value.template get<I>();
    else
        return Product<V>::template get<I>(value);
}

/// A literal, or a tuple of expressions and literals, that converts to an Exp<T> implicitly. Exps must have the right type.
template <class V, class T>
constexpr bool converts_implicitly() {
    if constexpr (!IsReified<V>)
        return false;
    else if constexpr (is_exp<V>)
        return std::is_same_v<V, Exp<T>>;
    else if constexpr (is_scalar<T>)
        return is_scalar<V>;
    else if constexpr (is_complex<T> && is_scalar<V>)
        return true;
    else if constexpr (value_components<V> != component_count<T>)
        return false;
    else
        return []<std::size_t... I>(std::index_sequence<I...>) {
            return (converts_implicitly<decltype(component<I>(std::declval<V>())), component_t<I, T>>() && ...);
        }(component_indices<T>{});
}

template <class T, class V>
Exp<T> convert(const V& value);

template <class...>
inline constexpr bool never = false;

template <class B>
void fail_for_condition() {
    static_assert(
        never<B>,
        "an Exp has no value yet, so if, ?:, while and for cannot test it: write select(c, a, b) to choose between "
        "two values, cond(c, f, g) to compute only one of them, while_loop or for_loop to repeat");
}

template <class V>
void fail_for_assignment() {
    static_assert(never<V>,
                  "an array never changes, so an assignment to a(i) would be lost: write "
                  "update(std::move(a), index(i), v) for an array with another element, scatter(a, "
                  "indices, values) for one with many");
}

}  // namespace detail

template <Element T>
class Exp {
  public:
    static constexpr std::size_t leaves = detail::leaf_count<T>;
    using element_type = T;

    /// Has no value; one can be assigned.
    Exp() = default;
    Exp(const Exp&) = default;
    Exp& operator=(const Exp&) & = default;

    /// A literal, or a tuple of expressions for a product.
    template <class V>
        requires(!detail::is_exp<V> && detail::converts_implicitly<V, T>())
    Exp(const V& value) : Exp(detail::convert<T>(value)) {}

    /// As cast<T>(other).
    template <class U>
        requires(!std::is_same_v<T, U> && detail::is_scalar<T> && detail::is_scalar<U>)
    explicit Exp(Exp<U> other) : Exp(detail::convert<T>(other)) {}

    /// Component I of a product.
    template <std::size_t I>
        requires detail::IsProduct<T>
    auto get() const {
        Exp<detail::component_t<I, T>> result;
        for (std::size_t i = 0; i < result.leaves; ++i) result.handles[i] = handles[detail::leaf_offset<I, T> + i];
        return result;
    }

    /// Element i of a std::array; i is known while the function is traced.
    auto operator[](std::size_t i) const
        requires detail::IsProduct<T> && requires(T t) { t[i]; }
    {
        Exp<detail::component_t<0, T>> result;
        for (std::size_t k = 0; k < result.leaves; ++k) result.handles[k] = handles[i * result.leaves + k];
        return result;
    }

    /// Deleted because there is no value to branch on: the message says what to write instead.
    template <class B>
        requires std::is_same_v<B, bool>
    explicit operator B() const {
        detail::fail_for_condition<B>();
        return false;
    }
    /// Deleted for the same reason. Of the overloads of std::exp, only that for long double is then possible; a conversion
    /// to float or double would make them ambiguous, and c ? x : 0.f as well.
    template <class B>
        requires std::is_same_v<B, long double>
    operator B() const = delete;  // an Exp has no value yet: write exp(x) without std::
    template <class Traits>
    friend std::basic_ostream<char, Traits>& operator<<(std::basic_ostream<char, Traits>& out, const Exp&) {
        static_assert(detail::never<Traits>,
                      "an Exp has no value yet, so it cannot be printed: return it from the function, "
                      "and print what run() returns");
        return out;
    }

    /// Deleted because an element read from an array, as a(i), cannot be assigned to.
    template <class V>
    Exp& operator=(const V&) && {
        detail::fail_for_assignment<V>();
        return *this;
    }

#define SINTER_COMPOUND(symbol)                            \
    template <class V>                                     \
    Exp& operator symbol##=(const V & v)& {                \
        return *this = detail::convert<T>(*this symbol v); \
    }                                                      \
    template <class V>                                     \
    Exp& operator symbol##=(const V&)&& {                  \
        detail::fail_for_assignment<V>();                  \
        return *this;                                      \
    }
    SINTER_COMPOUND(+)
    SINTER_COMPOUND(-)
    SINTER_COMPOUND(*)
    SINTER_COMPOUND(/)
#undef SINTER_COMPOUND

    detail::Handle handles[leaves] = {};  ///< one per leaf; for the library only
};

/// A value as an Exp of its own type: Exps unchanged, literals and tuples converted.
template <Expression V>
Exp<reified_t<V>> reify(const V& value) {
    return detail::convert<reified_t<V>>(value);
}

namespace detail {

template <class T, class V>
Handle literal_handle(const V& value) {
    constexpr bool is_integer = std::is_integral_v<T> && !std::is_same_v<T, bool>;
    if constexpr (is_integer && !std::is_integral_v<V>)
        return integer_constant(scalar_v<T>, static_cast<double>(value));
    else
        return constant(scalar_v<T>, detail::bits_of<T>(static_cast<T>(value)));
}

/// An expression or literal as an Exp<T>: between scalar types this is a cast.
template <class T, class V>
Exp<T> convert(const V& value) {
    if constexpr (std::is_same_v<V, Exp<T>>) {
        return value;
    } else if constexpr (is_scalar<T>) {
        static_assert(is_scalar<V> || is_exp<V>, "a scalar expression is needed here, not a product");
        Exp<T> result;
        if constexpr (is_exp<V>) {
            static_assert(V::leaves == 1, "a scalar expression is needed here, not a product");
            result.handles[0] = apply(Op::cast, scalar_v<T>, value.handles, 1);
        } else {
            result.handles[0] = detail::literal_handle<T>(value);
        }
        return result;
    } else if constexpr (is_complex<T> && value_components<V> == 0) {  // a real value
        using F = component_t<0, T>;
        return detail::convert<T>(std::tuple(detail::convert<F>(value), F(0)));
    } else {
        static_assert(value_components<V> == component_count<T>, "a product with as many components is needed here");
        Exp<T> result;
        [&]<std::size_t... I>(std::index_sequence<I...>) {
            auto put = [&](auto part, std::size_t offset) {
                for (std::size_t i = 0; i < part.leaves; ++i) result.handles[offset + i] = part.handles[i];
            };
            (put(detail::convert<component_t<I, T>>(component<I>(value)), leaf_offset<I, T>), ...);
        }(component_indices<T>{});
        return result;
    }
}

}  // namespace detail

/// Component I of a product.
template <std::size_t I, class T>
auto get(Exp<T> e) {
    return e.template get<I>();
}

/// A struct's member: field<&Particle::mass>(p).
template <auto member, class S>
    requires detail::IsProduct<S>
auto field(Exp<S> e) {
    constexpr std::size_t index = detail::Product<S>::template index_of<member>();
    constexpr bool found = index < detail::component_count<S>;
    static_assert(found, "field: not a member that BOOST_HANA_ADAPT_STRUCT names");
    return e.template get<found ? index : 0>();
}

/// A product from its components: record<Particle>(x, y, z, m).
template <class S, Expression... V>
    requires detail::IsProduct<S>
Exp<S> record(const V&... component) {
    static_assert(sizeof...(V) == detail::component_count<S>, "record: one value a component is needed");
    return detail::convert<S>(std::tuple<V...>(component...));
}

/// Converts as C++ does, except that floats to integers saturate and NaN becomes 0.
template <Element U, class T>
Exp<U> cast(Exp<T> e) {
    return detail::convert<U>(e);
}

/// The same bits, as another type of the same size.
template <Element U, class T>
    requires(detail::is_scalar<U> && detail::is_scalar<T>)
Exp<U> bit_cast(Exp<T> e) {
    static_assert(sizeof(U) == sizeof(T), "bit_cast: the types differ in size");
    Exp<U> result;
    result.handles[0] = detail::apply(detail::Op::bit_cast, detail::scalar_v<U>, e.handles, 1);
    return result;
}

}  // namespace sinter

template <sinter::detail::IsProduct T>
struct std::tuple_size<sinter::Exp<T>> : std::integral_constant<std::size_t, sinter::detail::component_count<T>> {};
template <std::size_t I, sinter::detail::IsProduct T>
struct std::tuple_element<I, sinter::Exp<T>> {
    using type = sinter::Exp<sinter::detail::component_t<I, T>>;
};
