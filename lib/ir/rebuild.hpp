// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The one traversal that rewrites programs. It copies a program binding by binding and renames variables (in operands,
/// types, slices and nested bodies); a derived class decides what becomes of each binding.
///
/// *Old* names are those of the program being read, *new* names those of the program being written; a new name never
/// changes. binding() is called with operands, types and sizes in new names; the bodies of cond and loop still have old
/// ones.
#pragma once

#include "ir/program.hpp"

#include <vector>

namespace sinter::ir {

class Rebuilder {
  public:
    virtual ~Rebuilder() = default;
    Program run(Program program);

  protected:
    /// Is offered the binding with old names, at its address in the program being read, and may change it. If it returns
    /// false, it has called define(), and binding() is not called.
    virtual bool before_renaming(Binding&) { return true; }
    /// Has to end with define() for the binding's results, or with keep(), which calls it.
    virtual void binding(Binding&& binding) { keep(std::move(binding)); }
    /// Is offered a body's guards with old names when its bindings are being rebuilt.
    virtual void guard(Guard&& guard);
    /// Adds a guard that has new names.
    void add_guard(Guard&& guard);
    /// The order in which a body's bindings are written, each after what it needs; empty to keep the existing order.
    virtual std::vector<std::size_t> order(const std::vector<Binding>&) { return {}; }
    /// The size that stands in sizes where a number does, given its new name.
    virtual SizeId size_of(ValueId number) { return sizes().value(number); }
    /// Called when a body is entered; close() when it is left. level() is that of the outside.
    virtual void open() {}
    virtual void close() {}

    /// Copies the binding, rebuilding its bodies.
    void keep(Binding&& binding);
    /// From now on, the old binding's results have these names; one whose name is invalid must not be used any more.
    void define(const std::vector<ValueId>& names);
    /// Forgets old variables from `old_level` on, so that define() can name them differently.
    void undefine(std::size_t old_level);
    /// Adds a binding that has new names, in its bodies as well; returns its first result.
    ValueId append(Binding&& binding);
    /// Rebuilds the bindings of `body`, whose parameters have been define()d, at this place; returns its results. The body's
    /// variables are forgotten again.
    std::vector<ValueId> splice(Body& body);

    /// The same for bindings alone; their variables stay define()d.
    void write(std::vector<Binding>& bindings);
    void write(std::vector<Guard>& guards);

    /// What nested() does with a body's parameter: keep it, or replace it by a variable (invalid if it is not used).
    struct Param {
        bool keep = true;
        ValueId replacement;
    };
    /// Rebuilds a nested body. params: one per parameter. It keeps the results of the old body that are marked in
    /// keep_result (all if that is empty).
    Body nested(Body&& body, const std::vector<Param>& params, const std::vector<bool>& keep_result = {});

    /// nested() in parts, for a class that writes parameters and bindings of its own into a body. The nest must not move
    /// between enter() and leave(); leave() forgets what has been define()d since.
    struct Nest {
        Body body;
        std::size_t old_level = 0, level = 0;
        Body* outer = nullptr;
    };
    void enter(Nest& nest);
    /// The type has to have new names. The parameter is not define()d yet.
    ValueId add_parameter(Nest& nest, Type type);
    Body leave(Nest& nest, std::vector<ValueId> results);

    /// The new name of an old variable.
    ValueId rename(ValueId old) const;
    SizeId rename(SizeId old);
    Type rename(const Type& old);
    /// Renames operands and sizes of slices in place.
    void rename(ArrayOp& op);
    /// Renames the results' types in place. Extents that are results of the binding itself get names in append().
    void rename_types(Binding& binding);
    /// Removes the types of results that are not `kept`. `renamed`: the types have new names.
    void keep_results(Binding& binding, const std::vector<bool>& kept, bool renamed);

    /// The type of a variable in scope, by its new name.
    const Type& type(ValueId id) const { return types_[id.index]; }
    /// The numbers of variables in scope: of old ones (in the program being read) and of new ones.
    std::size_t old_level() const { return names_.size(); }
    std::size_t level() const { return types_.size(); }
    SizeTable& sizes() { return program_.sizes; }
    /// The call in the user's program.
    location where(SiteId site) const { return site_of(program_.sites, site).where; }
    /// The name of what the user called.
    std::string name(const Binding& binding) const { return name_of(binding, program_.sites); }
    /// True if the size depends on a variable.
    bool has_value(SizeId id);
    /// The bindings written so far into the innermost body.
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
    std::vector<char> has_value_;  ///< by size, as far as computed

    struct Renamed {
        std::size_t scope = 0;
        SizeId id;
    };
    std::vector<Renamed> renamed_sizes_;  ///< by old size: a memo, valid in its scope
    std::size_t scope_ = 1;               ///< changes whenever old variables are forgotten
};

}  // namespace sinter::ir
