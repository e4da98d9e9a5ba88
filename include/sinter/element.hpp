// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The element types of arrays: scalars, and products of elements: std::tuple, std::pair, std::array, std::complex and
/// structs adapted with Boost.Hana. An array of products is stored in one buffer per scalar leaf.
#pragma once

#include <sinter/detail/adapt_struct.hpp>
#include <sinter/detail/scalar.hpp>
#include <sinter/half.hpp>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <type_traits>
#include <utility>

// std::complex is only named here: anyone who uses it has included <complex>, which is too heavy for everyone else.
#if defined(_LIBCPP_VERSION)
#include <complex>
#else
namespace std {
template <typename>
class complex;
}
#endif

namespace sinter {

namespace detail {

template <class T>
inline constexpr bool is_scalar = std::is_same_v<T, half> || (std::is_integral_v<T> && sizeof(T) <= 8) ||
                                  std::is_same_v<T, float> || std::is_same_v<T, double>;
template <class T>
    requires(std::is_const_v<T> || std::is_volatile_v<T>)
inline constexpr bool is_scalar<T> = false;
template <>
inline constexpr bool is_scalar<void> = false;

constexpr Scalar integer_scalar(bool is_signed, std::size_t size) {
    int log = size == 1 ? 0 : size == 2 ? 1 : size == 4 ? 2 : 3;
    return static_cast<Scalar>(static_cast<int>(is_signed ? Scalar::i8 : Scalar::u8) + log);
}

template <class T>
    requires is_scalar<T>
inline constexpr Scalar scalar_v = std::is_same_v<T, bool>     ? Scalar::boolean
                                   : std::is_same_v<T, half>   ? Scalar::f16
                                   : std::is_same_v<T, float>  ? Scalar::f32
                                   : std::is_same_v<T, double> ? Scalar::f64
                                                               : integer_scalar(std::is_signed_v<T>, sizeof(T));

/// The scalar's bit pattern, zero-extended.
template <class T>
constexpr std::uint64_t bits_of(T value) {
    if constexpr (sizeof(T) == 1)
        return static_cast<std::uint8_t>(value);
    else if constexpr (sizeof(T) == 2)
        return std::bit_cast<std::uint16_t>(value);
    else if constexpr (sizeof(T) == 4)
        return std::bit_cast<std::uint32_t>(value);
    else
        return std::bit_cast<std::uint64_t>(value);
}

/// How a product is split into components and put together: Components (a std::tuple of the component types, never
/// instantiated), get<I>(value) and make(components...). Product types specialise it.
template <class T>
struct Product {};

template <class... E>
struct Product<std::tuple<E...>> {
    using Components = std::tuple<E...>;
    template <std::size_t I>
    static constexpr const auto& get(const std::tuple<E...>& value) {
        return std::get<I>(value);
    }
    static constexpr std::tuple<E...> make(const E&... component) { return {component...}; }
};

template <class A, class B>
struct Product<std::pair<A, B>> {
    using Components = std::tuple<A, B>;
    template <std::size_t I>
    static constexpr const auto& get(const std::pair<A, B>& value) {
        return std::get<I>(value);
    }
    static constexpr std::pair<A, B> make(const A& a, const B& b) { return {a, b}; }
};

template <class E, class Index>
struct Repeat;
template <class E, std::size_t... I>
struct Repeat<E, std::index_sequence<I...>> {
    template <std::size_t>
    using Same = E;
    using Components = std::tuple<Same<I>...>;
};

template <class E, std::size_t N>
struct Product<std::array<E, N>> : Repeat<E, std::make_index_sequence<N>> {
    template <std::size_t I>
    static constexpr const E& get(const std::array<E, N>& value) {
        return value[I];
    }
    template <class... C>
    static constexpr std::array<E, N> make(const C&... component) {
        return {component...};
    }
};

template <class F>
struct Product<std::complex<F>> {
    using Components = std::tuple<F, F>;
    template <std::size_t I>
    static constexpr F get(const std::complex<F>& value) {
        return I == 0 ? value.real() : value.imag();
    }
    static constexpr std::complex<F> make(F real, F imag) { return {real, imag}; }
};

/// A struct's members as Boost.Hana knows them.
template <class Accessors>
struct Members {};
template <class S, class... Name, class... Member, Member S::*... pointer>
struct Members<
    boost::hana::tuple<boost::hana::pair<Name, boost::hana::struct_detail::member_ptr<Member S::*, pointer>>...>> {
    using Components = std::tuple<Member...>;
    static constexpr std::tuple<Member S::*...> pointers{pointer...};
    template <std::size_t I>
    static constexpr const auto& get(const S& value) {
        return value.*std::get<I>(pointers);
    }
    static constexpr S make(const Member&... component) {
        S value{};
        ((value.*pointer = component), ...);
        return value;
    }
    /// The position of the member `wanted`, or the number of members.
    template <auto wanted>
    static constexpr std::size_t index_of() {
        std::size_t index = 0;
        bool found = false;
        ((found = found || same<wanted, pointer>(), index += !found), ...);
        return index;
    }

  private:
    template <auto a, auto b>
    static constexpr bool same() {
        if constexpr (std::is_same_v<decltype(a), decltype(b)>)
            return a == b;
        else
            return false;
    }
};

template <class S>
    requires(std::is_class_v<S> && requires { typename std::void_t<decltype(boost::hana::accessors_impl<S>::apply())>; })
struct Product<S> : Members<decltype(boost::hana::accessors_impl<S>::apply())> {};

template <class T>
concept IsProduct = requires { typename Product<T>::Components; };

template <class T>
using components_t = typename Product<T>::Components;
template <class T>
inline constexpr std::size_t component_count = std::tuple_size_v<components_t<T>>;
template <std::size_t I, class T>
using component_t = std::tuple_element_t<I, components_t<T>>;

template <class T>
inline constexpr bool is_complex = false;
template <class F>
inline constexpr bool is_complex<std::complex<F>> = true;

/// The number of scalar leaves; 0 if T is not an element.
template <class T>
inline constexpr std::size_t leaf_count = is_scalar<T> ? 1 : 0;
template <class... C>
constexpr std::size_t count_leaves(const std::tuple<C...>*) {
    return ((leaf_count<C> != 0) && ...) ? (leaf_count<C> + ... + 0) : 0;
}
template <IsProduct T>
inline constexpr std::size_t leaf_count<T> = count_leaves(static_cast<components_t<T>*>(nullptr));

/// The first leaf of component I.
template <std::size_t I, class... C>
constexpr std::size_t first_leaf(const std::tuple<C...>*) {
    std::size_t index = 0, leaf = 0;
    ((leaf += index++ < I ? leaf_count<C> : 0), ...);
    return leaf;
}
template <std::size_t I, class T>
inline constexpr std::size_t leaf_offset = first_leaf<I>(static_cast<components_t<T>*>(nullptr));

}  // namespace detail

/// The types that an array can hold.
template <class T>
concept Element = (detail::leaf_count<T> != 0);

namespace detail {

template <std::size_t N>
struct ScalarList {
    Scalar scalars[N == 0 ? 1 : N] = {};
    std::size_t count = 0;
    constexpr void push(Scalar s) { scalars[count++] = s; }
    template <class... C>
    constexpr void push_components(const std::tuple<C...>*) {
        (push_element<C>(), ...);
    }
    template <class T>
    constexpr void push_element() {
        if constexpr (is_scalar<T>)
            push(scalar_v<T>);
        else
            push_components(static_cast<components_t<T>*>(nullptr));
    }
};

template <class... T>
constexpr auto list_scalars() {
    ScalarList<(leaf_count<T> + ... + 0)> list;
    (list.template push_element<T>(), ...);
    return list;
}
/// The scalar types of all leaves of T..., in order.
template <class... T>
inline constexpr auto scalars_of = list_scalars<T...>();

template <class T>
using component_indices = std::make_index_sequence<component_count<T>>;

/// Writes element `index` of an array of structures to the buffers of the leaves.
template <class T>
void store(void* const* leaves, std::size_t index, const T& value) {
    if constexpr (is_scalar<T>) {
        static_cast<T*>(leaves[0])[index] = value;
    } else {
        [&]<std::size_t... I>(std::index_sequence<I...>) {
            (detail::store<component_t<I, T>>(leaves + leaf_offset<I, T>, index, Product<T>::template get<I>(value)), ...);
        }(component_indices<T>{});
    }
}

/// Element `index`, put together from the buffers of the leaves.
template <class T>
T load(const void* const* leaves, std::size_t index) {
    if constexpr (is_scalar<T>) {
        return static_cast<const T*>(leaves[0])[index];
    } else {
        return [&]<std::size_t... I>(std::index_sequence<I...>) {
            return Product<T>::make(detail::load<component_t<I, T>>(leaves + leaf_offset<I, T>, index)...);
        }(component_indices<T>{});
    }
}

/// The bit patterns of all leaves of a value.
template <class T>
void leaf_bits(const T& value, std::uint64_t* bits) {
    if constexpr (is_scalar<T>) {
        *bits = detail::bits_of<T>(value);
    } else {
        [&]<std::size_t... I>(std::index_sequence<I...>) {
            (detail::leaf_bits<component_t<I, T>>(Product<T>::template get<I>(value), bits + leaf_offset<I, T>), ...);
        }(component_indices<T>{});
    }
}

}  // namespace detail
}  // namespace sinter
