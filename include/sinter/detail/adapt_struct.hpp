// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// BOOST_HANA_ADAPT_STRUCT for programs that do not include Boost.Hana themselves.
///
/// Hana's own macro needs its tuple, pair and string, which cost a fifth of what this library's headers cost. All that is
/// needed here is the type of the list of accessors. This macro declares it: its use and its specialisation are the same,
/// but it defines nothing. A program that uses Hana on its structs includes <boost/hana/adapt_struct.hpp> before them; then
/// Hana's macro is taken.
#pragma once

#include <boost/hana/accessors.hpp>
#include <boost/hana/fwd/pair.hpp>
#include <boost/hana/fwd/tuple.hpp>

namespace boost::hana::struct_detail {
template <typename Memptr, Memptr ptr>
struct member_ptr;
}

#ifndef BOOST_HANA_ADAPT_STRUCT

// Recursion over macro arguments: each SINTER_EXPAND rescans, enough times for 80 members.
#define SINTER_PARENTHESES ()
#define SINTER_EXPAND(...) SINTER_EXPAND_3(SINTER_EXPAND_3(SINTER_EXPAND_3(__VA_ARGS__)))
#define SINTER_EXPAND_3(...) SINTER_EXPAND_2(SINTER_EXPAND_2(SINTER_EXPAND_2(__VA_ARGS__)))
#define SINTER_EXPAND_2(...) SINTER_EXPAND_1(SINTER_EXPAND_1(SINTER_EXPAND_1(__VA_ARGS__)))
#define SINTER_EXPAND_1(...) SINTER_EXPAND_0(SINTER_EXPAND_0(SINTER_EXPAND_0(__VA_ARGS__)))
#define SINTER_EXPAND_0(...) __VA_ARGS__

#define SINTER_ACCESSOR(type, member, ...)                                                                                  \
    ::boost::hana::pair<void, ::boost::hana::struct_detail::member_ptr<decltype(&type::member), &type::member>> __VA_OPT__( \
        , SINTER_ACCESSOR_AGAIN SINTER_PARENTHESES(type, __VA_ARGS__))
#define SINTER_ACCESSOR_AGAIN() SINTER_ACCESSOR

#define BOOST_HANA_ADAPT_STRUCT(type, ...)                                                   \
    namespace boost {                                                                        \
    namespace hana {                                                                         \
    template <>                                                                              \
    struct accessors_impl<type> {                                                            \
        static tuple<__VA_OPT__(SINTER_EXPAND(SINTER_ACCESSOR(type, __VA_ARGS__)))> apply(); \
    };                                                                                       \
    }                                                                                        \
    }                                                                                        \
    static_assert(true, "")

#endif
