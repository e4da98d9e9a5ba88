// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions that run() and compiled functions call: leaves of the graph in, manifest leaves out.
#include <sinter/detail/run.hpp>

#include "front/frame.hpp"
#include "run/engine.hpp"
#include "run/entry.hpp"
#include "run/options.hpp"
#include "support/stack_array.hpp"

#include <atomic>
#include <memory>
#include <optional>

namespace sinter::detail {

namespace {

using sinter::runtime::Engine;
using sinter::runtime::enter;
using sinter::runtime::Prepared;
using sinter::runtime::RunOptions;

/// Turns results into leaves of the graph.
class LeafWriter final : public sinter::runtime::ResultSink {
  public:
    LeafWriter(std::span<const Scalar> scalars, location where, LeafRef* out)
        : scalar_(scalars.data()), where_(where), out_(out) {}

    void take(BufferRef buffer, std::span<const std::int64_t> shape) override {
        *out_++ = front::to_ref({front::make_input(std::move(buffer), *scalar_++, shape, where_), 0});
    }

  private:
    const Scalar* scalar_;
    location where_;
    LeafRef* out_;
};

std::vector<Scalar> scalars_of(const std::vector<front::Leaf>& leaves) {
    std::vector<Scalar> scalars;
    for (const front::Leaf& leaf : leaves) scalars.push_back(front::type_of(leaf).scalar);
    return scalars;
}

}  // namespace

void run(const LeafRef* leaves, std::size_t count, const Options& options, location where, LeafRef* out) {
    enter("run", where, [&] {
        const RunOptions resolved = sinter::runtime::resolve(options, where);
        std::vector<front::Leaf> roots = front::to_leaves(leaves, count, where);
        const Prepared prepared = Engine::shared().prepare(roots, {}, true, resolved);
        const std::vector<Scalar> scalars = scalars_of(roots);
        LeafWriter results(scalars, where, out);
        std::optional<RunControl> room;
        Engine::execute(prepared, {}, resolved, where, results, RunControl::of(options, room));
    });
}

void run_given(LeafRef* leaves, std::size_t count, const Options& options, location where, LeafRef* out) {
    enter("run", where, [&] {
        const RunOptions resolved = sinter::runtime::resolve(options, where);
        std::vector<front::Leaf> roots = front::to_leaves(leaves, count, where);
        Prepared prepared = Engine::shared().prepare(roots, {}, true, resolved);
        const std::vector<Scalar> scalars = scalars_of(roots);
        roots.clear();
        for (std::size_t k = 0; k < count; ++k) leaves[k] = LeafRef();
        LeafWriter results(scalars, where, out);
        std::optional<RunControl> room;
        Engine::execute_once(std::move(prepared), resolved, where, results, RunControl::of(options, room));
    });
}

struct Executable {
    std::atomic<std::uint32_t> references{1};
    Executable* original = nullptr;  ///< if set, this executes the program of `original` with other options; held
    Options asked;                   ///< what ends calls early, and to whom they report
    sinter::runtime::RunOptions options;
    sinter::runtime::Prepared prepared;
    std::vector<front::LeafType> parameters;
    std::vector<Scalar> results;
};

void retain(Executable* executable) noexcept { executable->references.fetch_add(1, std::memory_order_relaxed); }

void release(Executable* executable) noexcept {
    if (executable->references.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
    if (executable->original) release(executable->original);
    delete executable;
}

Executable* compile(const LeafRef* parameters, std::size_t parameter_count, const LeafRef* results, std::size_t result_count,
                    const Options& options, location where) {
    return enter("compile", where, [&] {
        auto executable = std::make_unique<Executable>();
        executable->options = sinter::runtime::resolve(options, where);
        executable->asked = options;
        std::vector<front::Leaf> roots = front::to_leaves(results, result_count, where);
        std::vector<front::NodeRef> nodes;
        for (const front::Leaf& leaf : front::to_leaves(parameters, parameter_count, where)) {
            nodes.push_back(leaf.node);
            executable->parameters.push_back(front::type_of(leaf));
        }
        executable->results = scalars_of(roots);
        executable->prepared = Engine::shared().prepare(roots, nodes, false, executable->options);
        return executable.release();
    });
}

Executable* with_options(Executable* executable, const Options& options, location where) {
    return enter("with", where, [&] {
        const Options usual;
        if (options.target != usual.target || options.fusion != usual.fusion || options.bounds != usual.bounds ||
            options.contract != usual.contract || options.tf32 != usual.tf32 || options.tape != usual.tape)
            throw UsageError(
                "with: a compiled function has its target, fusion, bounds, contract, tf32 and tape already: give them to "
                "compile",
                where);
        auto result = std::make_unique<Executable>();
        result->asked = options;
        result->options = executable->options;
        if (options.debug) result->options.debug = options.debug;
        result->original = executable->original ? executable->original : executable;
        retain(result->original);
        return result.release();
    });
}

namespace {

sinter::runtime::InputView view_of(const Argument& argument, location where) {
    if (!argument.array) return {&argument.bits, nullptr, nullptr, {}};
    const LeafRef& leaf = *argument.array;   // belongs to the caller and outlives the call
    if (!leaf) front::to_leaf(leaf, where);  // throws
    auto* input = std::get_if<front::Input>(&leaf.node()->op);
    if (!input) throw UsageError("a compiled function takes manifest arrays: run() the argument first", where);
    const bool given =
        !argument.lent && leaf.node()->references.load(std::memory_order_acquire) == 1 && input->buffer.use_count() == 1;
    return {input->buffer->data, &input->buffer, given ? &input->buffer : nullptr, leaf.node()->types[leaf.result()].shape};
}

}  // namespace

void call(Executable* executable, const Argument* arguments, LeafRef* out, location where) {
    enter("a call of a compiled function", where, [&] {
        const Executable& program = executable->original ? *executable->original : *executable;
        const std::vector<std::size_t>& input_of = program.prepared.input_of;
        const std::size_t count = program.parameters.size();
        StackArray<sinter::runtime::InputView, 12> views(count + 1);  // after the inputs there is one that nobody needs
        for (std::size_t k = 0; k < count; ++k) views[input_of.empty() ? k : input_of[k]] = view_of(arguments[k], where);
        LeafWriter results(program.results, where, out);
        std::optional<RunControl> room;
        Engine::execute(program.prepared, views, executable->options, where, results,
                        RunControl::of(executable->asked, room));
    });
}

}  // namespace sinter::detail
