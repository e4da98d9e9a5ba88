// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A frame of the explicit stack is a node that has been entered. It walks over its operands, opens its nested scopes (their
// parameters become terms), walks over their results, and then becomes a term. So terms are in post-order, and initial
// states come before the parameters that hold them. A name is looked up once per occurrence.
//
// Differences from McDonell 2013: the occurrence map is the field Term::occurrences. Inputs and literals are named by their
// contents, so that two handles on one buffer are one input of the program.
#include "convert/sharing/prune.hpp"

#include "convert/hash_table.hpp"
#include "convert/sharing/operands.hpp"
#include "support/check.hpp"

namespace sinter::convert {

namespace {

using front::Node;

class Pruning {
  public:
    Pruned run(std::span<const front::Leaf> roots, std::span<const front::NodeRef> parameters);

  private:
    struct Frame {
        const Node* node;  ///< null for the program
        Range operands, scopes;
        Range rest;                ///< uses that have not been walked over: of the operands, then of the scopes' results
        std::uint32_t opened = 0;  ///< number of scopes opened
    };

    void open_scope(ScopeId scope, std::span<const front::NodeRef> parameters);
    void add_use(const front::Leaf& leaf, bool as_size);
    void add_results(ScopeId scope, std::span<const front::Leaf> results);
    void enter(const Node* node);
    void open_scopes(Frame& frame);
    bool has_unopened_scopes(const Frame& frame) const;
    void walk();
    void arrive(std::uint32_t use, TermId term, bool first);
    TermId finish(const Frame& frame);
    TermId append(const Node* node);
    TermId named(const Node* node);
    TermId named_by_content(const Node* node, std::uint64_t hash);

    Pruned out_;
    std::vector<const Node*> targets_;  ///< parallel to out_.uses
    std::vector<Frame> stack_;
    HashTable serials_, contents_;
    HashTable parameters_;  ///< serial numbers of the program's parameters
};

bool same_content(const Node& a, const Node& b) {
    if (a.op.index() != b.op.index() || a.types[0].scalar != b.types[0].scalar) return false;
    if (const auto* literal = std::get_if<front::Literal>(&a.op))
        return literal->bits == std::get<front::Literal>(b.op).bits;
    return std::get<front::Input>(a.op).buffer == std::get<front::Input>(b.op).buffer &&
           a.types[0].shape == b.types[0].shape;
}

std::uint64_t content_hash(const Node& node) {
    std::uint64_t hash = mix(node.op.index(), static_cast<std::uint64_t>(node.types[0].scalar));
    if (const auto* literal = std::get_if<front::Literal>(&node.op)) return mix(hash, literal->bits);
    hash = mix(hash, reinterpret_cast<std::uintptr_t>(std::get<front::Input>(node.op).buffer.get()));
    for (front::Extent extent : node.types[0].shape) hash = mix(hash, static_cast<std::uint64_t>(extent));
    return hash;
}

TermId Pruning::append(const Node* node) {
    TermId term(out_.terms.size());
    out_.terms.push_back({node, {}, {}, 0, out_.variables, {}, 0, 0});
    out_.variables += static_cast<std::uint32_t>(node->types.size());
    serials_.insert(node->serial, term.index);
    return term;
}

/// The term of an input or literal equal to `node`; it is made if there is none.
TermId Pruning::named_by_content(const Node* node, std::uint64_t hash) {
    for (std::uint32_t found; (found = contents_.find(hash)) != HashTable::none; ++hash) {
        if (!same_content(*out_.terms[found].node, *node)) continue;
        serials_.insert(node->serial, found);
        return TermId(found);
    }
    TermId term = append(node);
    contents_.insert(hash, term.index);
    return term;
}

/// The term of `node` if it has been seen or has no operands; invalid otherwise.
TermId Pruning::named(const Node* node) {
    if (std::uint32_t found = serials_.find(node->serial); found != HashTable::none) return TermId(found);
    if (std::holds_alternative<front::Parameter>(node->op)) {
        if (parameters_.find(node->serial) == HashTable::none)
            throw UsageError("an array or scalar of a function or loop body is used outside of it", node->where);
        TermId term = append(node);
        out_.terms[term.index].binder = ScopeId(0);
        return term;
    }
    if (std::holds_alternative<front::Input>(node->op) || std::holds_alternative<front::Literal>(node->op))
        return named_by_content(node, content_hash(*node));
    return {};
}

void Pruning::open_scope(ScopeId scope, std::span<const front::NodeRef> parameters) {
    auto begin = static_cast<std::uint32_t>(out_.terms.size());
    for (const front::NodeRef& parameter : parameters) {
        check(serials_.find(parameter->serial) == HashTable::none, "a parameter belongs to one scope");
        out_.terms[append(parameter.get()).index].binder = scope;
    }
    out_.scopes[scope.index].params = {begin, static_cast<std::uint32_t>(out_.terms.size())};
}

void Pruning::add_use(const front::Leaf& leaf, bool as_size) {
    out_.uses.push_back({{}, leaf.result, false, as_size});
    targets_.push_back(leaf.node.get());
}

void Pruning::add_results(ScopeId scope, std::span<const front::Leaf> results) {
    auto begin = static_cast<std::uint32_t>(out_.uses.size());
    for (const front::Leaf& leaf : results) add_use(leaf, false);
    out_.scopes[scope.index].results = {begin, static_cast<std::uint32_t>(out_.uses.size())};
}

void Pruning::enter(const Node* node) {
    auto begin = static_cast<std::uint32_t>(out_.uses.size());
    for_each_operand(node->op, [&](const front::Leaf& leaf, bool as_size) { add_use(leaf, as_size); });
    Range operands{begin, static_cast<std::uint32_t>(out_.uses.size())};
    stack_.push_back({node, operands, {}, operands, 0});
}

bool Pruning::has_unopened_scopes(const Frame& frame) const {
    return frame.node != nullptr && frame.opened < scopes_of(frame.node->op).size();
}

/// Opens all scopes, except that of a rule, which follows that of its function: its parameters are like the function's
/// results.
void Pruning::open_scopes(Frame& frame) {
    const std::vector<const front::Scope*> scopes = scopes_of(frame.node->op);
    if (frame.opened == 0) {
        frame.scopes.begin = static_cast<std::uint32_t>(out_.scopes.size());
        out_.scopes.resize(out_.scopes.size() + scopes.size());
        frame.scopes.end = static_cast<std::uint32_t>(out_.scopes.size());
    }
    const bool one_by_one = std::holds_alternative<front::Custom>(frame.node->op);
    frame.rest.begin = static_cast<std::uint32_t>(out_.uses.size());
    do {
        const front::Scope& scope = *scopes[frame.opened];
        const ScopeId id(frame.scopes.begin + frame.opened++);
        open_scope(id, scope.params);
        add_results(id, scope.results);
    } while (!one_by_one && frame.opened < scopes.size());
    frame.rest.end = static_cast<std::uint32_t>(out_.uses.size());
}

TermId Pruning::finish(const Frame& frame) {
    TermId term = append(frame.node);
    out_.terms.back().uses = frame.operands;
    out_.terms.back().scopes = frame.scopes;
    for (std::uint32_t s = frame.scopes.begin; s < frame.scopes.end; ++s) out_.scopes[s].owner = term;
    return term;
}

void Pruning::arrive(std::uint32_t use, TermId term, bool first) {
    out_.uses[use].term = term;
    out_.uses[use].first = first;
    ++out_.terms[term.index].occurrences;
}

void Pruning::walk() {
    while (true) {
        Frame& top = stack_.back();
        if (top.rest.begin < top.rest.end) {
            const Node* target = targets_[top.rest.begin];
            std::size_t before = out_.terms.size();
            TermId term = named(target);
            if (term.valid())
                arrive(top.rest.begin++, term, out_.terms.size() > before);
            else
                enter(target);
        } else if (has_unopened_scopes(top)) {
            open_scopes(top);
        } else {
            Frame done = top;
            stack_.pop_back();
            if (!done.node) return;
            TermId term = finish(done);
            arrive(stack_.back().rest.begin++, term, true);
        }
    }
}

Pruned Pruning::run(std::span<const front::Leaf> roots, std::span<const front::NodeRef> parameters) {
    for (std::uint32_t k = 0; k < parameters.size(); ++k) parameters_.insert(parameters[k]->serial, k);
    out_.scopes.emplace_back();
    open_scope(ScopeId(0), {});
    add_results(ScopeId(0), roots);
    stack_.push_back({nullptr, {}, {}, out_.scopes[0].results, 0});
    walk();
    return std::move(out_);
}

}  // namespace

Pruned prune(std::span<const front::Leaf> roots, std::span<const front::NodeRef> parameters) {
    return Pruning().run(roots, parameters);
}

}  // namespace sinter::convert
