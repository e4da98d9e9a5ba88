// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ad/inline_custom.hpp"

#include "ad/sweep.hpp"

namespace sinter::ad {

using namespace ir;

namespace {

class InlineCustom final : public Sweep {
  private:
    bool before_renaming(Binding& binding) override {
        auto* custom = std::get_if<Custom>(&binding.op);
        if (custom == nullptr) return true;
        define(results_of(std::move(custom->bodies[0]), renamed(custom->args)));
        return false;
    }
};

}  // namespace

Program inline_custom(Program program) { return InlineCustom().run(std::move(program)); }

}  // namespace sinter::ad
