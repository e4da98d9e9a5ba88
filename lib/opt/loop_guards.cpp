// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Drops guards that hold whatever the iteration: slice(a, range(i, i + 1)) in a loop over the rows of a.
#include "opt/passes.hpp"
#include "opt/size_walk.hpp"

namespace sinter::opt {

using namespace ir;

namespace {

class LoopGuards : public SizeWalk {
  public:
    explicit LoopGuards(Program& program) : SizeWalk(program) { run(); }

  private:
    void leave(Binding&, Body& body, std::size_t) override {
        std::erase_if(body.guards, [&](const Guard& guard) {
            const auto condition = bounds_.sufficient(guard);
            return condition && bounds_.is_certain(*condition);
        });
    }
};

}  // namespace

Program loop_guards(Program program) {
    LoopGuards{program};
    return program;
}

}  // namespace sinter::opt
