// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Element types with the names of their components, for files that keep them.
#pragma once

#include <sinter/element.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace sinter::detail {

struct StoredElement {
    enum class Kind { scalar, record, array };
    Kind kind = Kind::scalar;
    Scalar scalar = Scalar::boolean;
    std::int64_t count = 1;            ///< of an array
    bool by_position = false;          ///< of a record: names are of no importance
    std::string name;                  ///< as a component of a record
    std::vector<StoredElement> parts;  ///< components; of an array the only one
};

/// The name at the end of the compiler's own for a pointer to a member, "... pointer = &Body::mass]".
template <auto pointer>
std::string member_name() {
    constexpr std::string_view text = __PRETTY_FUNCTION__;
    constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
    constexpr std::size_t colons = text.find("::", text.find("pointer = "));
    constexpr std::size_t bracket = text.find_first_of(";]", colons);
    constexpr std::size_t end = text.find_last_of(letters, bracket) + 1;
    constexpr std::size_t begin = text.find_last_not_of(letters, end - 1) + 1;
    return std::string(text.substr(begin, end - begin));
}

template <class T>
inline constexpr bool is_std_array = false;
template <class E, std::size_t N>
inline constexpr bool is_std_array<std::array<E, N>> = true;

template <class T>
StoredElement stored_element() {
    StoredElement element;
    if constexpr (is_scalar<T>) {
        element.scalar = scalar_v<T>;
    } else if constexpr (is_std_array<T>) {
        element.kind = StoredElement::Kind::array;
        element.count = std::tuple_size_v<T>;
        element.parts.push_back(stored_element<typename T::value_type>());
    } else {
        element.kind = StoredElement::Kind::record;
        constexpr bool has_names = requires { Product<T>::pointers; };
        element.by_position = !has_names;
        [&]<std::size_t... I>(std::index_sequence<I...>) {
            (element.parts.push_back(stored_element<component_t<I, T>>()), ...);
            if constexpr (has_names)
                ((element.parts[I].name = member_name<std::get<I>(Product<T>::pointers)>()), ...);
            else
                ((element.parts[I].name = is_complex<T> ? (I == 0 ? "r" : "i") : "f" + std::to_string(I)), ...);
        }(component_indices<T>{});
    }
    return element;
}

}  // namespace sinter::detail
