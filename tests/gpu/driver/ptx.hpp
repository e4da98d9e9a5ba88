// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// PTX, decoded: the part of it that the library's code generator emits. Everything else is a violation when it is loaded.
#pragma once

#include "lanes.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace driver {

enum class Op : std::uint8_t {
    add,
    sub,
    mul,
    mad,
    fma,
    div,
    rem,
    min,
    max,
    abs,
    neg,
    sqrt,
    rcp,
    copysign,
    and_,
    or_,
    xor_,
    not_,
    shl,
    shr,
    shf_left,
    shf_right,
    popc,
    clz,
    brev,
    bfe,
    bfi,
    setp,
    selp,
    mov,
    pack,
    unpack,
    cvt,
    cvt_tf32,
    cvta,
    ld,
    st,
    ld_param,
    st_param,
    atom,
    membar,
    bar,
    bar_warp,
    shfl,
    match,
    vote,
    mma,
    bra,
    call,
    ret,
    exit,
    nop,
};

/// kind: b (bits), u, s, f or p (predicate).
struct Type {
    char kind = 'b';
    std::uint8_t bytes = 0;
    bool is_float() const { return kind == 'f'; }
    bool is_signed() const { return kind == 's'; }
    unsigned bits() const { return kind == 'p' ? 1u : 8u * bytes; }
};

enum class Space : std::uint8_t { generic, global, shared, local };
enum class Compare : std::uint8_t { eq, ne, lt, le, gt, ge, equ, neu, ltu, leu, gtu, geu, num, nan };
enum class Round : std::uint8_t { nearest, zero, down, up };
/// Of a load or store. What is relaxed, acquires or releases does so for the whole card; what is volatile is relaxed.
enum class Order : std::uint8_t { weak, relaxed, acquire, release };
enum class Update : std::uint8_t { add, min, max, and_, or_, xor_, exchange, compare_and_swap };

/// Index of a register. Constants, special registers and addresses of arrays have registers, too, which are set before a
/// thread begins.
using Register = std::uint32_t;
inline constexpr Register no_register = ~Register{0};

struct Instruction;
/// Executes an instruction that is alone, for some lanes.
using Compute = void (*)(const Instruction&, std::uint64_t* registers, Lanes);

struct Instruction {
    /// What is seldom needed.
    struct Words {
        std::string text, callee;
        std::vector<std::size_t> arguments;  ///< of a call: parameters that st.param has set
    };

    Register predicate = no_register;  ///< executed where it is true, if there is one
    bool unless = false;               ///< executed where the predicate is false
    bool is_alone = false;             ///< concerns the thread's registers alone
    Op op = Op::nop;
    std::uint8_t negated = 0;  ///< bit k: of operand k, a predicate
    Compute compute = nullptr;
    std::array<Register, 10> operand{};  ///< those that there are not are registers that hold 0
    std::array<Register, 4> result{};
    Type type, from;  ///< from: of a conversion's operand, of factors
    Space space = Space::generic;
    Compare compare = Compare::eq;
    Round round = Round::nearest;
    Update update = Update::add;
    bool wide = false, high = false, propagates_nan = false, to_integral = false;
    bool non_coherent = false;
    Order order = Order::weak;
    std::uint8_t results = 0, operands = 0;
    Register address = no_register;
    std::int64_t offset = 0;
    std::size_t target = 0;  ///< of a branch: an instruction; of ld.param and st.param: a parameter
    std::shared_ptr<Words> words = std::make_shared<Words>();
};

enum Special : Register { thread_register, block_register, blocks_register, threads_register, special_registers };

struct Function {
    struct Array {
        Register address;
        Space space;
        std::size_t offset;
    };
    std::string name;
    std::vector<std::size_t> parameter_bytes;
    std::vector<Instruction> code;
    std::vector<std::uint64_t> registers;  ///< their values before the first instruction, the same in all lanes
    std::vector<Array> arrays;             ///< in shared and local memory
    std::size_t shared_bytes = 0, local_bytes = 0;
    std::size_t outgoing = 0;   ///< parameters for functions that it calls
    bool communicates = false;  ///< has instructions by which blocks learn of each other
};

struct Module {
    std::map<std::string, std::unique_ptr<Function>> functions;
    bool loaded = true;
};

std::unique_ptr<Module> parse(const std::string& text);

}  // namespace driver
