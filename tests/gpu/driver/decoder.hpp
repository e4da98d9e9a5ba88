// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// From an instruction's text to what the executor needs of it.
#pragma once

#include "ptx.hpp"

#include <string_view>

namespace driver {

class Decoder {
  public:
    explicit Decoder(Function& function);
    Function& function() { return function_; }

    void declare(const std::string& array, Space space, std::size_t offset);
    void declare_parameter(const std::string& name);
    void label(const std::string& name);
    /// Without its semicolon.
    void instruction(std::string_view text);
    /// Behind the last instruction.
    void finish();

  private:
    using Parts = std::vector<std::string_view>;

    [[noreturn]] void refuse(const Instruction& in) const;
    void drop(Instruction& in, std::string_view name);
    void guard(Instruction& in, std::string_view& text);
    void modifiers(Instruction& in, const Parts& words);
    void modifier(Instruction& in, std::string_view word);
    void types(Instruction& in, const Parts& words);
    void read_operands(Instruction& in, const Parts& parts);
    void move(Instruction& in, const Parts& parts);
    void transfer(Instruction& in, const Parts& parts);
    void call(Instruction& in, const Parts& parts);
    void address(Instruction& in, std::string_view text);
    void results(Instruction& in, std::string_view text);
    void inputs(Instruction& in, std::string_view text);
    Register operand(Instruction& in, std::string_view text);
    Register constant(std::uint64_t value);
    Register named(const std::string& name);

    Function& function_;
    std::map<std::string, Register> registers_;
    std::map<std::uint64_t, Register> constants_;
    std::map<std::string, std::size_t> labels_, parameters_, outgoing_;
    std::vector<std::pair<std::size_t, std::string>> branches_;
};

}  // namespace driver
