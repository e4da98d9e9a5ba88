// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel that a backend has no code for: the error names the operation that has most of it, and the user's line.
#include <sinter/array_operators.hpp>
#include <sinter/combinators/make.hpp>
#include <sinter/combinators/map.hpp>
#include <sinter/combinators/reduce.hpp>
#include <sinter/compile.hpp>
#include <sinter/explain.hpp>
#include <sinter/run.hpp>

#include "run/engine.hpp"
#include "run/execute/interpret.hpp"

#include <catch2/catch.hpp>

using namespace sinter;

namespace {

enum When : int { when_compiled, when_launched };

class NoKernel final : public runtime::CompiledKernel {
  public:
    void launch(const runtime::Launch&) const override { throw runtime::CodeTooLarge("too much of it"); }
};

/// Has no code for anything, and says so early or late.
class NoCode final : public runtime::Backend {
  public:
    explicit NoCode(When when) : when_(when) {}
    std::string identity() const override { return "no code"; }
    double launch_bytes() const override { return 1e6; }
    std::unique_ptr<runtime::CompiledKernel> compile(const lower::Kernel&) override {
        if (when_ == when_compiled) throw runtime::CodeTooLarge("too much of it");
        return std::make_unique<NoKernel>();
    }
    runtime::KernelTexts texts(const lower::Kernel&) override { throw runtime::CodeTooLarge("too much of it"); }

  private:
    When when_;
};

void register_targets() {
    runtime::register_backend(runtime::TargetKind::gpu,
                              [](int number, runtime::HostBackend) -> std::unique_ptr<runtime::Backend> {
                                  return std::make_unique<NoCode>(static_cast<When>(number));
                              });
}

/// The error of f(), which must be of `line`.
template <class F>
std::string error_of(F f, unsigned line) {
    try {
        f();
    } catch (const Limitation& error) {
        CHECK(error.where().line() == line);
        return error.what();
    }
    FAIL("no error");
    return {};
}

auto small = [](auto i) { return i + std::int64_t{1}; };
auto large = [](auto i) { return (i * i + std::int64_t{5}) * (i ^ std::int64_t{3}) - i; };

}  // namespace

TEST_CASE("code that is too large is the error of the operation that has most of it") {
    register_targets();
    for (const When when : {when_compiled, when_launched}) {
        const Options options{.target = Target::gpu(when)};
        const Array<std::int64_t> x = run(iota(5), {.target = Target::interpreter()});
        const auto before = map(small, x);
        const unsigned line = __LINE__ + 1;
        const auto largest = map(large, before);
        const auto all = sum(map(small, largest));
        const std::string place = "(" + std::string(location::current().file_name()) + ":" + std::to_string(line) + ")";
        CHECK(error_of([&] { run(all, options); }, line) == "map: too much of it " + place);
    }
}

TEST_CASE("code that is too large is an error of the line that asked for it, not of one with an equal program") {
    register_targets();
    for (const When when : {when_compiled, when_launched}) {
        const Options options{.target = Target::gpu(when)};
        const Array<std::int64_t> x = run(iota(5), {.target = Target::interpreter()});
        const unsigned first = __LINE__ + 1;
        error_of([&] { run(x * x - x, options); }, first);
        const unsigned second = __LINE__ + 1;
        error_of([&] { run(x * x - x, options); }, second);
    }
}

TEST_CASE("code of a compiled function that is too large names its line, too") {
    register_targets();
    const Array<std::int64_t> x = run(iota(5), {.target = Target::interpreter()});
    for (const When when : {when_compiled, when_launched}) {
        const unsigned line = __LINE__ + 1;
        auto f = [](Delayed<std::int64_t> a) { return map(large, a); };
        error_of([&] { compile(f, {.target = Target::gpu(when)})(x); }, line);
    }
}

TEST_CASE("explain() of code that is too large names the line, too") {
    register_targets();
    const Array<std::int64_t> x = run(iota(5), {.target = Target::interpreter()});
    const unsigned line = __LINE__ + 1;
    const auto all = map(large, x);
    error_of([&] { explain(all, {.target = Target::gpu(when_compiled)}).kernels(); }, line);
}
