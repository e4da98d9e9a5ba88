// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/gpu/emit/sort/sort_kernels.hpp"

#include "jit/gpu/emit/sort/sort_code.hpp"

#include <algorithm>

namespace sinter::gpu {

namespace {

constexpr std::int64_t warps = block_warps;

class Pass : public SortCode {
  public:
    Pass(llvm::Function& function, const SortKind& kind, int team_threads)
        : SortCode(function, team_threads),
          kind_(kind),
          bits_(8 * static_cast<unsigned>(detail::size_of(kind.key))),
          type_(ir.getIntNTy(bits_)),
          rows_(argument(6)),
          length_(argument(7)),
          parts_(argument(8)),
          part_length_(argument(9)),
          shift_(ir.CreateZExtOrTrunc(argument(10), type_)) {}

    void count() {
        llvm::Value* seen = builtins_.shared(sort_digits * 4);
        each_part([&](llvm::Value* row, llvm::Value* part, llvm::Value* begin, llvm::Value* end) {
            ir.CreateStore(ir.getInt32(0), word(seen, team_.rank()));
            builtins_.barrier();
            Few none;
            code_.loop(begin, end, block_threads, none, [&](llvm::Value* base) {
                llvm::Value* i = ir.CreateAdd(base, team_.rank());
                const Few key = key_at(row, i, end);
                llvm::Value* digit = digit_of(key);
                llvm::Value* peers = builtins_.peers(digit);
                code_.when(ir.CreateAnd(key[1], is_first_of(peers)), none, [&] {
                    ir.CreateAtomicRMW(llvm::AtomicRMWInst::Add, word(seen, wide(digit)), population(peers), {},
                                       llvm::AtomicOrdering::Monotonic);
                });
            });
            builtins_.barrier();
            // Each thread clears the word that it reads here, so the next part needs no further barrier.
            ir.CreateStore(load_word(seen, team_.rank()), word(counts(), count_index(row, part)));
        });
    }

    /// One warp per digit of a row.
    void place() {
        auto add = [&](const Few& a, const Few& b) { return Few{ir.CreateAdd(a[0], b[0])}; };
        llvm::Value* own = ir.CreateLShr(wide(builtins_.thread()), 5);
        llvm::Value* warp = ir.CreateAdd(ir.CreateMul(wide(builtins_.block()), i64(warps)), own);
        llvm::Value* all = ir.CreateMul(wide(builtins_.blocks()), i64(warps));
        stride(warp, all, ir.CreateMul(rows_, i64(sort_digits)), [&](llvm::Value* line) {
            llvm::Value* first = ir.CreateMul(line, parts_);
            Few before{ir.getInt32(0)};
            code_.loop(i64(0), parts_, warp_threads, before, [&](llvm::Value* base) {
                llvm::Value* part = ir.CreateAdd(base, team_.rank());
                llvm::Value *inside = ir.CreateICmpSLT(part, parts_), *index = ir.CreateAdd(first, part);
                const Few count = code_.either(
                    inside, [&] { return Few{load_word(counts(), index)}; }, [&] { return Few{ir.getInt32(0)}; });
                const Team::Prefixes prefixes = team_.scan({count}, {ir.getInt32(0)}, add);
                Few none;
                code_.when(inside, none,
                           [&] { ir.CreateStore(ir.CreateAdd(before[0], prefixes.before[0][0]), word(counts(), index)); });
                before = add(before, prefixes.total);
            });
            Few none;
            code_.when(team_.is_first(), none, [&] { ir.CreateStore(before[0], word(totals(), line)); });
        });
    }

    void move() {
        each_part([&](llvm::Value* row, llvm::Value* part, llvm::Value* begin, llvm::Value* end) {
            begin_places(row, part);
            Few none;
            code_.loop(begin, end, sort_tile(kind_), none, [&](llvm::Value* base) { move_tile(row, base, end); });
        });
    }

  private:
    struct Item {
        llvm::Value *index, *key, *inside, *digit, *rank;
    };

    llvm::Value* counts() { return argument(4); }
    llvm::Value* totals() { return argument(5); }
    llvm::Value* population(llvm::Value* lanes) { return ir.CreateUnaryIntrinsic(llvm::Intrinsic::ctpop, lanes); }
    llvm::Value* lanes_below() { return ir.CreateSub(ir.CreateShl(ir.getInt32(1), team_.lane()), ir.getInt32(1)); }
    llvm::Value* is_first_of(llvm::Value* peers) { return ir.CreateIsNull(ir.CreateAnd(peers, lanes_below())); }
    /// The index for this thread's digit.
    llvm::Value* count_index(llvm::Value* row, llvm::Value* part) {
        llvm::Value* line = ir.CreateAdd(ir.CreateMul(row, i64(sort_digits)), team_.rank());
        return ir.CreateAdd(ir.CreateMul(line, parts_), part);
    }

    /// Executes body(row, part, its first element, the one after its last); blocks take parts in turn.
    void each_part(llvm::function_ref<void(llvm::Value*, llvm::Value*, llvm::Value*, llvm::Value*)> body) {
        by_blocks(ir.CreateMul(rows_, parts_), [&](llvm::Value* task) {
            llvm::Value *row = ir.CreateUDiv(task, parts_), *part = ir.CreateURem(task, parts_);
            llvm::Value* begin = ir.CreateMul(part, part_length_);
            llvm::Value* end = ir.CreateAdd(begin, part_length_);
            body(row, part, begin, ir.CreateBinaryIntrinsic(llvm::Intrinsic::smin, end, length_));
        });
    }

    llvm::Value* place_in(llvm::Value* row, llvm::Value* i) { return ir.CreateAdd(ir.CreateMul(row, length_), i); }

    /// The key, and a flag that says if there is one.
    Few key_at(llvm::Value* row, llvm::Value* i, llvm::Value* end) {
        llvm::Value* inside = ir.CreateICmpSLT(i, end);
        Few key = code_.either(
            inside, [&] { return Few{ir.CreateLoad(type_, at(type_, argument(0), place_in(row, i)))}; },
            [&] { return Few{llvm::ConstantInt::get(type_, 0)}; });
        key.push_back(inside);
        return key;
    }

    /// The digit of the key; for no element, a number that is not a digit.
    llvm::Value* digit_of(const Few& key) {
        llvm::Value* digit = ir.CreateAnd(ir.CreateLShr(ordered(key[0]), shift_), sort_digits - 1);
        return ir.CreateSelect(key[1], ir.CreateZExtOrTrunc(digit, ir.getInt32Ty()), ir.getInt32(sort_digits));
    }

    /// The unsigned integer that compares like the key (run/execute/sort_order.hpp).
    llvm::Value* ordered(llvm::Value* raw) {
        const llvm::APInt sign = llvm::APInt::getSignMask(bits_), ones = llvm::APInt::getAllOnes(bits_);
        auto number = [&](const llvm::APInt& n) { return llvm::ConstantInt::get(type_, n); };
        if (!detail::is_float(kind_.key)) {
            llvm::APInt flip = detail::is_signed_integer(kind_.key) ? sign : llvm::APInt(bits_, 0);
            if (kind_.descending) flip ^= ones;
            return ir.CreateXor(raw, number(flip));
        }
        const unsigned fraction = bits_ == 64 ? 52 : bits_ == 32 ? 23 : 10;
        const llvm::APInt infinity = llvm::APInt::getBitsSet(bits_, fraction, bits_ - 1);
        llvm::Value *magnitude = ir.CreateAnd(raw, number(~sign)), *negative = ir.CreateAShr(raw, bits_ - 1);
        llvm::Value* value = ir.CreateXor(ir.CreateSub(ir.CreateXor(magnitude, negative), negative), number(sign));
        if (kind_.descending) value = ir.CreateNot(value);
        return ir.CreateSelect(ir.CreateICmpUGT(magnitude, number(infinity)), number(ones), value);
    }

    // The block's memory: [warp][digit] counts, which become positions, of the warps; [digit] the next position of the
    // block.
    llvm::Value* memory() { return builtins_.shared((warps + 1) * sort_digits * 4); }
    llvm::Value* of_warp(llvm::Value* warp, llvm::Value* digit) {
        return word(memory(), ir.CreateAdd(ir.CreateMul(warp, i64(sort_digits)), digit));
    }
    llvm::Value* of_block() { return of_warp(i64(warps), team_.rank()); }

    /// Each thread has one digit.
    void begin_places(llvm::Value* row, llvm::Value* part) {
        auto add = [&](const Few& a, const Few& b) { return Few{ir.CreateAdd(a[0], b[0])}; };
        const Few total{load_word(totals(), ir.CreateAdd(ir.CreateMul(row, i64(sort_digits)), team_.rank()))};
        llvm::Value* smaller = team_.scan({total}, {ir.getInt32(0)}, add).before[0][0];
        ir.CreateStore(ir.CreateAdd(smaller, load_word(counts(), count_index(row, part))), of_block());
    }

    void move_tile(llvm::Value* row, llvm::Value* base, llvm::Value* end) {
        for (std::int64_t w = 0; w < warps; ++w) ir.CreateStore(ir.getInt32(0), of_warp(i64(w), team_.rank()));
        builtins_.barrier();
        const std::int64_t each = sort_tile(kind_) / block_threads;
        llvm::Value* first = ir.CreateAdd(base, ir.CreateMul(team_.warp(), i64(each * warp_threads)));
        first = ir.CreateAdd(first, wide(team_.lane()));
        std::vector<llvm::Value*> indices;
        std::vector<Few> keys;  // all are on their way before the first is used
        for (std::int64_t k = 0; k < each; ++k) {
            indices.push_back(ir.CreateAdd(first, i64(k * warp_threads)));
            keys.push_back(key_at(row, indices.back(), end));
        }
        std::vector<Item> items;
        for (std::size_t k = 0; k < keys.size(); ++k) {
            if (k > 0) builtins_.warp_barrier();
            items.push_back(rank(indices[k], keys[k]));
        }
        builtins_.barrier();
        place_warps();
        builtins_.barrier();
        for (const Item& item : items) {
            Few none;
            code_.when(item.inside, none, [&] { store(row, item); });
        }
        builtins_.barrier();
    }

    /// The number of the warp's elements with the same digit that come before this one.
    Item rank(llvm::Value* i, const Few& key) {
        llvm::Value *digit = digit_of(key), *peers = builtins_.peers(digit);
        const Few counted = code_.either(
            key[1], [&] { return Few{ir.CreateLoad(ir.getInt32Ty(), of_warp(team_.warp(), wide(digit)))}; },
            [&] { return Few{ir.getInt32(0)}; });
        builtins_.warp_barrier();
        Few none;
        code_.when(ir.CreateAnd(key[1], is_first_of(peers)), none,
                   [&] { ir.CreateStore(ir.CreateAdd(counted[0], population(peers)), of_warp(team_.warp(), wide(digit))); });
        llvm::Value* rank = ir.CreateAdd(counted[0], population(ir.CreateAnd(peers, lanes_below())));
        return {i, key[0], key[1], digit, rank};
    }

    /// Turns counts into positions, warp after warp; each thread has one digit.
    void place_warps() {
        llvm::Value* next = ir.CreateLoad(ir.getInt32Ty(), of_block());
        for (std::int64_t w = 0; w < warps; ++w) {
            llvm::Value* slot = of_warp(i64(w), team_.rank());
            llvm::Value* count = ir.CreateLoad(ir.getInt32Ty(), slot);
            ir.CreateStore(next, slot);
            next = ir.CreateAdd(next, count);
        }
        ir.CreateStore(next, of_block());
    }

    void store(llvm::Value* row, const Item& item) {
        llvm::Value* begin = ir.CreateLoad(ir.getInt32Ty(), of_warp(team_.warp(), wide(item.digit)));
        llvm::Value* to = place_in(row, wide(ir.CreateAdd(begin, item.rank)));
        ir.CreateStore(item.key, at(type_, argument(2), to));
        if (!kind_.indexed) return;
        const Few position = code_.either(
            ir.CreateIsNull(argument(1)), [&] { return Few{ir.CreateTrunc(item.index, ir.getInt32Ty())}; },
            [&] { return Few{load_word(argument(1), place_in(row, item.index))}; });
        ir.CreateStore(position[0], word(argument(3), to));
    }

    const SortKind& kind_;
    unsigned bits_;
    llvm::Type* type_;
    llvm::Value *rows_, *length_, *parts_, *part_length_, *shift_;
};

}  // namespace

std::size_t emit_sort(llvm::Module& module, const SortKind& kind) {
    std::size_t shared = 0;
    auto kernel = [&](const char* name, int team_threads, void (Pass::*body)()) {
        Pass pass(declare_sort(module, name, 6, 5), kind, team_threads);
        (pass.*body)();
        pass.end();
        shared = std::max(shared, pass.shared_bytes());
    };
    kernel("count", block_threads, &Pass::count);
    kernel("place", warp_threads, &Pass::place);
    kernel("move", block_threads, &Pass::move);
    return shared;
}

}  // namespace sinter::gpu
