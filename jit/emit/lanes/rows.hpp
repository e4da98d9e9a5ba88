// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Rows in blocks (schedule/ways/row_blocks.hpp): lanes are rows of points, and a loop along a row goes in blocks of
/// columns, which are loaded contiguously and transposed. Sequential loops along rows go in strips of steps instead.
#pragma once

#include "jit/emit/body/blocks.hpp"
#include "schedule/ways/row_blocks.hpp"

namespace sinter::emit {

class Rows {
  public:
    explicit Rows(Blocks& blocks) : blocks_(blocks) {}

    /// True if a loop that is emitted now takes blocks.
    bool takes_blocks() const { return open_ && !blocks_.code.lanes.masked(); }
    /// How a sequential loop goes in strips; null if it is an ordinary loop.
    const schedule::Strips* strips_of(const Inst& loop) const;

    /// Calls `use` with the results of the loop's first block for its innermost index in [0, n), several columns of them at
    /// a time, although the lanes have one column.
    void in_blocks(const Inst& loop, const Values& outer, Few& carried, llvm::function_ref<void(const Values&)> use);

    /// While this lives, code is emitted into lanes that are rows.
    class Opened {
      public:
        Opened(Rows& rows, const schedule::StripsOfLoops& strips)
            : rows_(rows), open_(std::exchange(rows.open_, true)), strips_(std::exchange(rows.strips_, &strips)) {}
        ~Opened() { rows_.open_ = open_, rows_.strips_ = strips_; }
        Opened(const Opened&) = delete;
        Opened& operator=(const Opened&) = delete;

      private:
        Rows& rows_;
        bool open_;
        const schedule::StripsOfLoops* strips_;
    };
    /// While this lives, code is emitted into columns already.
    class Closed {
      public:
        explicit Closed(Rows& rows) : rows_(rows), open_(std::exchange(rows.open_, false)) {}
        ~Closed() { rows_.open_ = open_; }
        Closed(const Closed&) = delete;
        Closed& operator=(const Closed&) = delete;

      private:
        Rows& rows_;
        bool open_;
    };

  private:
    Blocks& blocks_;
    bool open_ = false;
    const schedule::StripsOfLoops* strips_ = nullptr;
};

}  // namespace sinter::emit
