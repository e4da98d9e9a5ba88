// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The protocol of GradBench, from the side of the tool.
#pragma once

#include "module.hpp"

namespace gradbench {

class Session {
  public:
    /// The response to a message of an evaluation. Throws if the message is not one.
    Json answer(const Json& message);
    /// The response to a line of JSON; says why there is none.
    Json answer_line(const std::string& line);

  private:
    Json define(const std::string& name);
    Json evaluate(const Json& message) const;

    std::map<std::string, Module> defined_;
};

}  // namespace gradbench
