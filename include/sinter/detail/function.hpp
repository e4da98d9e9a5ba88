// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Calls a user's function on fresh parameters.
#pragma once

#include <concepts>
#include <sinter/array.hpp>

namespace sinter::detail {

/// The components of Exps one after another: a product contributes its components, a scalar itself.
template <class T>
struct Parts {
    using type = std::tuple<T>*;
};
template <IsProduct T>
struct Parts<T> {
    using type = components_t<T>*;
};

template <class... A>
std::tuple<A...>* concatenate(std::tuple<A...>* all) {
    return all;
}
template <class... A, class... B, class... Rest>
auto concatenate(std::tuple<A...>*, std::tuple<B...>*, Rest*... rest) {
    return concatenate(static_cast<std::tuple<A..., B...>*>(nullptr), rest...);
}

/// Written out, because std::is_invocable adds a dozen lines to the message about an error in F's body.
template <class F, class... T>
concept takes = requires(F& f, Exp<T>... e) { f(e...); };

template <class F, class... C>
constexpr bool callable_with(const std::tuple<C...>*) {
    return takes<F, C...>;
}

struct NotCalled {};

/// F, or where its parameters do not fit, a function that takes anything.
template <class F>
struct OrNotCalled : F {
    using F::operator();
    NotCalled operator()(...) const;
};

/// False where F has an operator() for elements of these types, even if the compiler has found an error in its body and so
/// does not know what it returns.
template <class F, class... T>
constexpr bool refuses() {
    if constexpr (std::is_class_v<F> && !std::is_final_v<F>)
        return requires(OrNotCalled<F>& f, Exp<T>... e) {
            { f(e...) } -> std::same_as<NotCalled>;
        };
    else
        return !takes<F, T...>;
}

template <class F, class... C>
constexpr bool refuses_components(const std::tuple<C...>*) {
    return refuses<F, C...>();
}

template <class F, class Tuple, std::size_t... I>
auto call_components(F& f, Exp<Tuple> all, std::index_sequence<I...>) {
    return f(all.template get<I>()...);
}

/// The first of the types: a call is taken to return it after an error, so that no other error follows.
template <class T, class... Ts>
Exp<T> first_of(Exp<T> e, Exp<Ts>...) {
    return e;
}

/// f(e...), or f of the components of e... where f cannot take them whole (tuple shimming).
template <class F, class... T>
auto call(F& f, Exp<T>... e) {
    if constexpr (takes<F, T...>) {
        constexpr bool returns_value = Expression<decltype(f(e...))>;
        static_assert(returns_value,
                      "a function given to a combinator returns an Exp, a literal, or a tuple or pair of them");
        if constexpr (returns_value)
            return f(e...);
        else
            return first_of(e...);
    } else {
        using All = std::remove_pointer_t<decltype(concatenate(typename Parts<T>::type{}...))>;
        constexpr bool takes_components = callable_with<F>(static_cast<All*>(nullptr));
        constexpr bool wrong_parameters = refuses<F, T...>() && refuses_components<F>(static_cast<All*>(nullptr));
        static_assert(
            !wrong_parameters,
            "the function given to a combinator has the wrong parameters: it takes one Exp of the element type for each "
            "array, after one Exp<int64_t> an axis where it is given indices (two elements for operators of folds); or one "
            "for each component, if the elements are tuples");
        if constexpr (takes_components) {
            Exp<All> all;
            std::size_t position = 0;
            auto put = [&](auto part) {
                for (std::size_t i = 0; i < part.leaves; ++i) all.handles[position++] = part.handles[i];
            };
            (put(e), ...);
            return call_components(f, all, component_indices<All>{});
        } else if constexpr (wrong_parameters) {
            return first_of(e...);
        } else {
            return f(e...);  // the compiler says why not
        }
    }
}

/// The trace of a function with parameters of these types.
template <class... T>
class FunctionTrace : public OpenTrace {
  public:
    FunctionTrace(const char* combinator, location where)
        : OpenTrace(open_function(combinator, where, scalars_of<T...>.scalars, scalars_of<T...>.count)) {}

    /// f applied to the parameters; its result as an Exp.
    template <class F>
    auto call(F& f) const {
        return [&]<std::size_t... K>(std::index_sequence<K...>) {
            return reify(detail::call(f, parameter<T>(first_leaf<K>(static_cast<std::tuple<T...>*>(nullptr)))...));
        }(std::index_sequence_for<T...>{});
    }

  private:
    template <class P>
    Exp<P> parameter(std::size_t first) const {
        Exp<P> e;
        for (std::size_t i = 0; i < e.leaves; ++i) e.handles[i] = {serial(), static_cast<std::uint32_t>(first + i)};
        return e;
    }
};

/// All leaves of some arrays.
template <std::size_t N>
struct LeafList {
    LeafRef leaf[N];
    std::size_t count = 0;

    template <class T>
    void push(const Leaves<T>& leaves) {
        for (const LeafRef& one : leaves.leaf) leaf[count++] = one;
    }
};

template <class... A>
auto list_leaves(const A&... array) {
    LeafList<(leaf_count<element_t<A>> + ...)> list;
    (list.push(array.leaves()), ...);
    return list;
}

/// The array whose leaves are those of `list` from `first` on, which are moved out of it.
template <class T, int Rank, class List>
auto listed_array(List& list, std::size_t first) {
    Leaves<T> leaves;
    for (auto& leaf : leaves.leaf) leaf = std::move(list.leaf[first++]);
    return Delayed<T, Rank>(std::move(leaves));
}

/// ShapeError unless all arrays have one shape.
template <class... A>
void require_same_shape(const char* what, location where, const A&... array) {
    if constexpr (sizeof...(A) > 1) {
        const LeafRef* leaves[] = {&array.leaves().leaf[0]...};
        check_same_shape(what, leaves, sizeof...(A), where);
    }
}

template <class A, class... As>
inline constexpr bool same_rank = ((rank_v<A> == rank_v<As>) && ...);

/// True if elements of this type have floating-point components.
template <class T>
inline constexpr bool has_float = [] {
    for (std::size_t k = 0; k < scalars_of<T>.count; ++k)
        if (is_float(scalars_of<T>.scalars[k])) return true;
    return false;
}();

}  // namespace sinter::detail
