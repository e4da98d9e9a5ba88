// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// compile: a function of arrays and scalars, traced once and then called like a C++ function, without tracing or hashing.
#pragma once

#include <sinter/combinators/fold.hpp>
#include <sinter/detail/mistake.hpp>
#include <sinter/run.hpp>

namespace sinter {

namespace detail {

/// The parameters of a function object or pointer that is not overloaded.
template <class F>
struct Signature : Signature<decltype(&F::operator())> {};
#define SINTER_SIGNATURE(declarator)                               \
    template <class R, class... P>                                 \
    struct Signature<R declarator> {                               \
        using parameters = std::tuple<std::remove_cvref_t<P>...>*; \
    }
SINTER_SIGNATURE((*)(P...));
SINTER_SIGNATURE((P...));
#undef SINTER_SIGNATURE
template <class C, class R, class... P>
struct Signature<R (C::*)(P...)> : Signature<R (*)(P...)> {};
template <class C, class R, class... P>
struct Signature<R (C::*)(P...) const> : Signature<R (*)(P...)> {};
template <class C, class R, class... P>
struct Signature<R (C::*)(P...) noexcept> : Signature<R (*)(P...)> {};
template <class C, class R, class... P>
struct Signature<R (C::*)(P...) const noexcept> : Signature<R (*)(P...)> {};
template <class R, class... P>
struct Signature<R (*)(P...) noexcept> : Signature<R (*)(P...)> {};

/// Does not work for `auto` parameters and overloaded operators: compile<Parameters...>(f) takes those.
template <class F>
concept HasSignature =
    std::is_function_v<std::remove_pointer_t<std::decay_t<F>>> || requires { &std::decay_t<F>::operator(); };

/// A parameter of a compiled function: what a caller passes, and how it is traced and passed on.
template <class P>
struct ProgramParameter;
template <ArrayLike A>
struct ProgramParameter<A> {
    using element = element_t<A>;
    using argument = Array<element, rank_v<A>>;
    static constexpr std::size_t leaves = leaf_count<element>;

    static auto trace(LeafRef*& next) {
        Leaves<element> parameters;
        for (std::size_t i = 0; i < leaves; ++i)
            parameters.leaf[i] = *next++ = program_parameter(scalars_of<element>.scalars[i], rank_v<A>);
        return A(std::move(parameters));
    }
    static void pass(const argument& value, bool lent, Argument*& next) {
        for (const LeafRef& leaf : value.leaves().leaf) *next++ = {&leaf, 0, lent};
    }
};
template <class T>
struct ProgramParameter<Exp<T>> {
    using argument = T;
    static constexpr std::size_t leaves = leaf_count<T>;

    static auto trace(LeafRef*& next) {
        Exp<T> e;
        for (std::size_t i = 0; i < leaves; ++i) {
            *next = program_parameter(scalars_of<T>.scalars[i], 0);
            e.handles[i] = read(*next++, nullptr, 0);
        }
        return e;
    }
    static void pass(const T& value, bool, Argument*& next) {
        std::uint64_t bits[leaves];
        leaf_bits(value, bits);
        for (std::uint64_t b : bits) *next++ = {nullptr, b, false};
    }
};

template <class P>
using ArgumentOf = typename ProgramParameter<P>::argument;

/// How an A is passed for a parameter P: a variable of the argument's type is lent, anything else is moved into the call.
template <class P, class A>
using Passed = std::conditional_t<std::is_lvalue_reference_v<A> && std::is_same_v<std::remove_cvref_t<A>, ArgumentOf<P>>,
                                  const ArgumentOf<P>&, ArgumentOf<P>>;

/// If an A cannot be an argument of type To, says why.
template <class A, class To>
void check_argument() {
    if constexpr (std::is_convertible_v<A, To>)
        return;
    else if constexpr (!ArrayLike<To>)
        static_assert(never<A>, "a compiled function takes a number, or a product of numbers, for an Exp parameter");
    else if constexpr (RangeLike<A>)
        static_assert(never<A>, "a compiled function takes arrays, which a std::vector is not: write from(v)");
    else if constexpr (!ArrayLike<A>)
        static_assert(never<A>, "a compiled function takes an Array for a Delayed parameter");
    else if constexpr (rank_v<A> != rank_v<To>)
        static_assert(never<A>,
                      "a compiled function takes arrays of its parameters' ranks, and this one has "
                      "another rank: write run(reshape(a, shape(..))) or vmap");
    else if constexpr (std::is_same_v<element_t<A>, element_t<To>>)
        static_assert(never<A>, "a compiled function takes arrays that are computed, not a Delayed: write run(a)");
    else
        static_assert(
            never<A>,
            "a compiled function takes arrays of its parameters' element types: write run(cast<T>(a)), or compile the "
            "function for this type");
}

/// A result of a compiled function: an array, or a plain value where the function returns an Exp or literal.
template <class R>
struct ProgramResult;
template <ArrayLike A>
struct ProgramResult<A> {
    using element = element_t<A>;
    using type = Array<element, rank_v<A>>;
    static Leaves<element> leaves(const A& value, location) { return value.leaves(); }
    static type value(LeafRef*& next) { return manifest<A>(next); }
};
template <Expression V>
struct ProgramResult<V> {
    using element = reified_t<V>;
    using type = element;
    static Leaves<element> leaves(const V& value, location where) { return scalar_leaves<element>(value, "compile", where); }
    static type value(LeafRef*& next) { return manifest<Delayed<element, 0>>(next).item(); }
};

/// All results of a function that returns R: one, or a std::tuple or std::pair of several, which may be such themselves, as
/// those of value_and_grad<0, 1> are.
template <class R>
struct ProgramResults {
    using type = typename ProgramResult<R>::type;
    static constexpr std::size_t leaves = leaf_count<typename ProgramResult<R>::element>;
    static void collect(const R& result, LeafRef*& next, location where) {
        for (auto& leaf : ProgramResult<R>::leaves(result, where).leaf) *next++ = leaf;
    }
    static type values(LeafRef*& next) { return ProgramResult<R>::value(next); }
};
template <class... R>
    requires(!Expression<std::tuple<R...>>)
struct ProgramResults<std::tuple<R...>> {
    using type = std::tuple<typename ProgramResults<R>::type...>;
    static constexpr std::size_t leaves = (ProgramResults<R>::leaves + ...);
    static void collect(const std::tuple<R...>& results, LeafRef*& next, location where) {
        std::apply([&](const R&... r) { (ProgramResults<R>::collect(r, next, where), ...); }, results);
    }
    static type values(LeafRef*& next) { return type{ProgramResults<R>::values(next)...}; }
};
template <class A, class B>
    requires(!Expression<std::pair<A, B>>)
struct ProgramResults<std::pair<A, B>> {
    using type = std::pair<typename ProgramResults<A>::type, typename ProgramResults<B>::type>;
    static constexpr std::size_t leaves = ProgramResults<A>::leaves + ProgramResults<B>::leaves;
    static void collect(const std::pair<A, B>& results, LeafRef*& next, location where) {
        ProgramResults<A>::collect(results.first, next, where);
        ProgramResults<B>::collect(results.second, next, where);
    }
    static type values(LeafRef*& next) { return type{ProgramResults<A>::values(next), ProgramResults<B>::values(next)}; }
};

}  // namespace detail

/// A compiled function: Array<float, 2> step(Array<float, 2>, float) for Delayed<float, 2>(Delayed<float, 2>, Exp<float>).
/// Cheap to copy; may be called from any number of threads. Made by compile.
template <class R, class... P>
class Compiled {
  public:
    using results = typename detail::ProgramResults<R>::type;

    explicit Compiled(detail::Executable* executable, location where) : executable_(executable), where_(where) {}
    Compiled(const Compiled& other) noexcept : executable_(other.executable_), where_(other.where_) {
        detail::retain(executable_);
    }
    Compiled& operator=(Compiled other) noexcept {
        std::swap(executable_, other.executable_);
        std::swap(where_, other.where_);
        return *this;
    }
    ~Compiled() { detail::release(executable_); }

    /// The same function, for calls that may be stopped or that report their progress: step.with({.deadline = ..})(x).
    /// UsageError if the options set anything else, because that was decided by compile.
    Compiled with(const Options& options, location where = location::current()) const {
        return Compiled(detail::with_options(executable_, options, where), where_);
    }

    /// Arrays that are moved in are updated in place where the program allows it and nothing else refers to them.
    template <class... A>
        requires(sizeof...(A) == sizeof...(P) && (std::is_convertible_v<A, detail::ArgumentOf<P>> && ...))
    results operator()(A&&... argument) const {
        return call<A...>(static_cast<detail::Passed<P, A>>(std::forward<A>(argument))...);
    }
    /// The same for arguments that have no type of their own: {1, 2}.
    results operator()(const detail::ArgumentOf<P>&... argument) const {
        return call<const detail::ArgumentOf<P>&...>(argument...);
    }

    /// Chosen for arguments that cannot be passed: the message says what to write instead.
    template <class... A>
        requires(sizeof...(A) != sizeof...(P) || !(std::is_convertible_v<A, detail::ArgumentOf<P>> && ...))
    results operator()(A&&...) const {
        if constexpr (sizeof...(A) == sizeof...(P))
            (detail::check_argument<std::remove_cvref_t<A>, detail::ArgumentOf<P>>(), ...);
        else
            static_assert(detail::never<A...>,
                          "a compiled function takes one argument for each parameter of the function that "
                          "was compiled");
        return results();
    }

  private:
    template <class... A>
    results call(detail::Passed<P, A>... argument) const {
        detail::Argument arguments[(detail::ProgramParameter<P>::leaves + ... + 1)];
        [[maybe_unused]] detail::Argument* end = arguments;
        (detail::ProgramParameter<P>::pass(argument, std::is_reference_v<detail::Passed<P, A>>, end), ...);
        detail::LeafRef out[detail::ProgramResults<R>::leaves];
        detail::call(executable_, arguments, out, where_);
        detail::LeafRef* first = out;
        return detail::ProgramResults<R>::values(first);
    }

    detail::Executable* executable_;
    location where_;
};

namespace detail {

template <class P>
inline constexpr bool is_program_parameter = ArrayLike<P> || is_exp<P>;

template <class... P, class F>
    requires(!(is_program_parameter<P> && ...))
auto compile_traced(F&, const Options&, location where) {
    static_assert(never<P...>,
                  "the parameters of a function given to compile are Delayed<T, rank> for arrays "
                  "and Exp<T> for numbers: write Exp<float> instead of float; for a random key, take its seed as "
                  "Exp<std::uint64_t> and write random::key(seed) inside");
    return Compiled<Exp<int>>(nullptr, where);
}

template <class... P, class F>
    requires(is_program_parameter<P> && ...)
auto compile_traced(F& f, const Options& options, location where) {
    forbid_tracing("compile", where);
    OpenTrace trace(open_program("compile", where));
    LeafRef parameters[(ProgramParameter<P>::leaves + ... + 1)];
    LeafRef* next = parameters;
    std::tuple<P...> arguments{ProgramParameter<P>::trace(next)...};
    using R = std::remove_cvref_t<decltype(std::apply(f, arguments))>;
    LeafRef results[ProgramResults<R>::leaves];
    LeafRef* first = results;
    ProgramResults<R>::collect(std::apply(f, arguments), first, where);
    auto count = static_cast<std::size_t>(next - parameters);
    return Compiled<R, P...>(compile(parameters, count, results, ProgramResults<R>::leaves, options, where), where);
}

template <class... P, class F>
auto compile_signature(std::tuple<P...>*, F& f, const Options& options, location where) {
    return compile_traced<P...>(f, options, where);
}

}  // namespace detail

/// Traces f once and compiles it. f takes Delayed and Exp parameters and returns arrays, Exps, or a std::tuple of them.
template <class F>
    requires detail::HasSignature<F>
auto compile(F&& f, const Options& options = {}, location where = location::current()) {
    return detail::compile_signature(typename detail::Signature<std::remove_cvref_t<F>>::parameters{}, f, options, where);
}

/// The same where f's parameters are `auto`: compile<Delayed<float>, Exp<float>>(f).
template <class P, class... Ps, class F>
    requires(ArrayLike<P> || detail::is_exp<P>)
auto compile(F&& f, const Options& options = {}, location where = location::current()) {
    return detail::compile_traced<P, Ps...>(f, options, where);
}

}  // namespace sinter
