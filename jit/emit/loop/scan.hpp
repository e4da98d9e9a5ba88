// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Emits one scan instruction.
///
/// A line is scanned in chunks. Within one, prefixes are *local*: of the chunk's elements alone. A vector of elements
/// becomes its prefixes in log2(width) steps (Hillis and Steele, CACM 1986), each combining with what stands 1, 2, 4, ..
/// lanes before; then the total of the vectors before is combined from the left, and last what comes before the chunk. So
/// the association is fixed by the chunks' lengths, whoever scans them, and whether they are scanned once or twice.
#pragma once

#include "jit/emit/loop/partials.hpp"
#include "jit/emit/loop/reduce.hpp"
#include "lower/loops.hpp"

namespace sinter::emit {

class Scan {
  public:
    Scan(Emitter& emitter, const Inst& inst);
    /// The totals; in a tile that executes a chunk, it leaves the point instead.
    Values emit();
    /// Combines what comes before a chunk with the chunk's total: what comes before the next one. Leaves the point.
    Values chain();
    /// What comes before the end.
    Values total();

  private:
    /// The chunk's total so far, and whether there is any.
    struct Local {
        Values total;
        llvm::Value* has;
    };
    bool is_chunked() const { return &inst_ == e_.chunked.reduce; }
    bool seeded() const { return inst_.operands.size() > 1; }
    bool exclusive() const { return lower::is_exclusive(inst_); }

    Values element_after_element();
    void find_before();
    Values run(bool emitting);
    void vector(llvm::Value* index, llvm::Value* remaining, bool emitting, Few& carried);
    Values prefixes(Values v);
    Values shifted(const Values& v, int by);
    Value last_lane(const Value& v, llvm::Value* remaining);
    void show(const Value& index, const Local& before, const Values& prefixes);
    Values show_exclusive(const Local& before, const Values& prefixes);
    Values combined(llvm::Value* has, const Values& a, const Values& b);

    Emitter& e_;
    Code& c_;
    llvm::IRBuilder<>& ir;
    const Inst& inst_;
    Reduction r_;
    Partials partials_, befores_;
    Lanes lanes_;
    Values before_;              ///< what comes before the chunk
    llvm::Value* has_before_;    ///< whether anything does
    Prepared elements_, shown_;  ///< of the element and the emit block
};

}  // namespace sinter::emit
