// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What run() and compiled functions call: leaves of the graph in, manifest leaves out.
#include <sinter/detail/run.hpp>

#include "front/frame.hpp"
#include "run/engine.hpp"
#include "run/options.hpp"
#include "support/stack_array.hpp"

#include <atomic>

namespace sinter::detail {

namespace {

using runtime::Engine;

/// Arrays as leaves of the graph.
void write_arrays(std::vector<runtime::Array> arrays, const std::vector<Scalar>& scalars, location where, LeafRef* out) {
    for (std::size_t k = 0; k < arrays.size(); ++k) {
        std::vector<front::LeafType> types(1);
        types[0] = {scalars[k], std::move(arrays[k].shape)};
        front::NodeRef node = front::make_node(front::Input{std::move(arrays[k].buffer)}, std::move(types), where);
        out[k] = front::to_ref({std::move(node), 0});
    }
}

std::vector<Scalar> scalars_of(const std::vector<front::Leaf>& leaves) {
    std::vector<Scalar> scalars;
    for (const front::Leaf& leaf : leaves) scalars.push_back(front::type_of(leaf).scalar);
    return scalars;
}

}  // namespace

void run(const LeafRef* leaves, std::size_t count, const Options& options, location where, LeafRef* out) {
    sinter::runtime::RunOptions resolved = sinter::runtime::resolve(options, where);
    std::vector<front::Leaf> roots = front::to_leaves(leaves, count, where);
    sinter::runtime::Prepared prepared = Engine::shared().prepare(roots, {}, true, resolved);
    write_arrays(Engine::shared().execute(prepared, {}, resolved, where), scalars_of(roots), where, out);
}

void run_given(LeafRef* leaves, std::size_t count, const Options& options, location where, LeafRef* out) {
    sinter::runtime::RunOptions resolved = sinter::runtime::resolve(options, where);
    std::vector<front::Leaf> roots = front::to_leaves(leaves, count, where);
    sinter::runtime::Prepared prepared = Engine::shared().prepare(roots, {}, true, resolved);
    std::vector<Scalar> scalars = scalars_of(roots);
    roots.clear();
    for (std::size_t k = 0; k < count; ++k) leaves[k] = LeafRef();
    write_arrays(Engine::execute_once(std::move(prepared), resolved, where), scalars, where, out);
}

struct Executable {
    std::atomic<std::uint32_t> references{1};
    sinter::runtime::RunOptions options;
    sinter::runtime::Prepared prepared;
    std::vector<front::LeafType> parameters;
    std::vector<Scalar> results;
};

void retain(Executable* executable) noexcept { executable->references.fetch_add(1, std::memory_order_relaxed); }

void release(Executable* executable) noexcept {
    if (executable->references.fetch_sub(1, std::memory_order_acq_rel) == 1) delete executable;
}

Executable* compile(const LeafRef* parameters, std::size_t parameter_count, const LeafRef* results, std::size_t result_count,
                    const Options& options, location where) {
    auto executable = std::make_unique<Executable>();
    executable->options = sinter::runtime::resolve(options, where);
    std::vector<front::Leaf> roots = front::to_leaves(results, result_count, where);
    std::vector<front::NodeRef> nodes;
    for (const front::Leaf& leaf : front::to_leaves(parameters, parameter_count, where)) {
        nodes.push_back(leaf.node);
        executable->parameters.push_back(front::type_of(leaf));
    }
    executable->results = scalars_of(roots);
    executable->prepared = Engine::shared().prepare(roots, nodes, false, executable->options);
    return executable.release();
}

void call(Executable* executable, const Argument* arguments, LeafRef* out, location where) {
    StackArray<sinter::runtime::InputView, 12> views(executable->parameters.size());
    for (std::size_t k = 0; k < views.size(); ++k) {
        if (!arguments[k].array) {
            views[k].data = &arguments[k].bits;
            continue;
        }
        const LeafRef& leaf = *arguments[k].array;  // the caller's: it outlives the call
        if (!leaf) front::to_leaf(leaf, where);     // throws
        const auto* input = std::get_if<front::Input>(&leaf.node()->op);
        if (!input) throw UsageError("a compiled function takes manifest arrays: run() the argument first", where);
        views[k] = {input->buffer->data, &input->buffer, nullptr, leaf.node()->types[leaf.result()].shape};
        bool given = leaf.node()->references.load(std::memory_order_acquire) == 1 && input->buffer.use_count() == 1;
        if (given) views[k].given = &std::get<front::Input>(leaf.node()->op).buffer;
    }
    write_arrays(Engine::shared().execute(executable->prepared, views, executable->options, where), executable->results,
                 where, out);
}

}  // namespace sinter::detail
