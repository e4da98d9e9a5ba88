// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The one traversal that rewrites programs: copies a program binding by binding, renaming variables (in operands, types,
/// slices and nested bodies), while a derived class says what becomes of each binding.
///
/// *Old* names are those of the program read, *new* names those of the program written; new names never change once given.
/// binding() is called with operands, types and sizes in new names; bodies of cond and loop still have old ones.
#pragma once

#include "ir/program.hpp"

#include <vector>

namespace sinter::ir {

class Rebuilder {
  public:
    virtual ~Rebuilder() = default;
    Program run(Program program);

  protected:
    /// Offered the binding with old names, at the address it has in the program read. May change it; false: it has called
    /// define() and binding() is not called.
    virtual bool before_renaming(Binding&) { return true; }
    /// Must end in define() for the binding's results, or in keep(), which calls it.
    virtual void binding(Binding&& binding) { keep(std::move(binding)); }
    /// Offered a body's guards with old names when its bindings are rebuilt.
    virtual void guard(Guard&& guard);
    /// Adds a guard whose names are new.
    void add_guard(Guard&& guard);
    /// The order in which a body's bindings are written, if it is not that in which they stand: each after what it needs.
    virtual std::vector<std::size_t> order(const std::vector<Binding>&) { return {}; }
    /// A body is entered and left: level() is what it is outside.
    virtual void open() {}
    virtual void close() {}

    /// Copies the binding, rebuilding its bodies.
    void keep(Binding&& binding);
    /// The old binding's results are these from now on; an invalid one must not be used any more.
    void define(const std::vector<ValueId>& names);
    /// Forgets old variables from `old_level` on, to define() them otherwise.
    void undefine(std::size_t old_level);
    /// Adds a binding whose names are new (bodies included); returns its first result.
    ValueId append(Binding&& binding);
    /// Rebuilds the bindings of `body`, whose parameters are define()d, right here; returns its results. Not define()d yet.
    std::vector<ValueId> splice(Body& body);

    /// The same, but the body's variables stay define()d.
    void write(std::vector<Binding>& bindings);
    void write(std::vector<Guard>& guards);

    /// What nested() does with a body's parameter: keep it, or replace it by a variable (invalid: it is not used).
    struct Param {
        bool keep = true;
        ValueId replacement;
    };
    /// Rebuilds a nested body; params: one a parameter. Results as in the old body where keep_result (empty: all).
    Body nested(Body&& body, const std::vector<Param>& params, const std::vector<bool>& keep_result = {});

    /// nested() in parts, for a class that writes parameters and bindings of its own into a body. Between enter() and
    /// leave() the nest stays where it is; leave() forgets what was define()d since.
    struct Nest {
        Body body;
        std::size_t old_level = 0, level = 0;
        Body* outer = nullptr;
    };
    void enter(Nest& nest);
    /// Its type has new names. Not define()d yet.
    ValueId add_parameter(Nest& nest, Type type);
    Body leave(Nest& nest, std::vector<ValueId> results);

    /// New name of an old variable.
    ValueId rename(ValueId old) const;
    SizeId rename(SizeId old);
    Type rename(const Type& old);
    /// In place: operands, and sizes of slices.
    void rename(ArrayOp& op);
    /// In place: the results' types. Extents that are results of the binding itself get names in append().
    void rename_types(Binding& binding);
    /// Removes the types of results that are not `kept`. `renamed`: in new names.
    void keep_results(Binding& binding, const std::vector<bool>& kept, bool renamed);

    /// Type of a variable in scope, by its new name.
    const Type& type(ValueId id) const { return types_[id.index]; }
    /// Variables in scope: old ones (those of the program read), new ones.
    std::size_t old_level() const { return names_.size(); }
    std::size_t level() const { return types_.size(); }
    SizeTable& sizes() { return program_.sizes; }
    /// The call in the user's program.
    location where(SiteId site) const { return site_of(program_.sites, site).where; }
    /// What it has called.
    std::string name(const Binding& binding) const { return name_of(binding, program_.sites); }
    /// Whether the size depends on a variable.
    bool has_value(SizeId id);
    /// The bindings written so far in the innermost body.
    std::vector<Binding>& written() { return written_->bindings; }

  private:
    void bindings_in_order(std::vector<Binding>& bindings, const std::vector<std::size_t>& order);
    void rebuild(Binding& binding);
    template <class Name>
    SizeId substitute(SizeId id, Name name);

    Program program_;
    std::vector<ValueId> names_;   ///< by old level
    std::vector<Type> types_;      ///< by new level
    Body* written_ = nullptr;      ///< the innermost body
    std::vector<char> has_value_;  ///< by size; computed up to its length

    struct Renamed {
        std::size_t scope = 0;
        SizeId id;
    };
    std::vector<Renamed> renamed_sizes_;  ///< by old size: a memo, valid in its scope
    std::size_t scope_ = 1;               ///< changes whenever old variables are forgotten
};

}  // namespace sinter::ir
