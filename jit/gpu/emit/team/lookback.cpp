// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/gpu/emit/team/lookback.hpp"

namespace sinter::gpu {

namespace {

constexpr unsigned flag_bit = card::tuning::packed_bits;
constexpr unsigned count_bits = 56;  ///< of the value of a compact, which is a number of elements

/// If there is room, the values of a chunk are stored in one word together with the flag that says that they are there;
/// otherwise each value is stored in an array of its own, and the flag, which is written after them, releases them.
class Lookback {
  public:
    explicit Lookback(const Point& point)
        : c_(point.code),
          ir(c_.ir),
          builtins_(point.builtins),
          team_(*point.team),
          types_(point.chunk.loop->types),
          packed_(std::get<card::ScanChunks>(point.schedule.way).packed),
          arrays_(point.chunk.arrays),
          index_(point.chunk.index),
          count_(point.chunk.count) {
        // See card::lookback_entries.
        llvm::Value* entries = ir.CreateAdd(ir.CreateAdd(count_, ir.CreateLShr(count_, 4)), c_.i64(1));
        first_ = ir.CreateMul(point.number, entries);
    }

    Few before(const Few& own, const Few& absent, Team::Merge merge);

  private:
    Few climb(const Few& own, const Few& absent, Team::Merge merge);
    void publish(const Few& values, llvm::Value* entry);
    Few await(llvm::Value* entry, const Few& like);
    llvm::Value* word(llvm::Value* entry);
    llvm::Value* element(std::size_t k, llvm::Value* entry);
    llvm::Value* pattern(llvm::Value* v);  ///< the bits of a value, in a word
    llvm::Value* value(llvm::Value* pattern, llvm::Type* type);
    llvm::Value* pack(const Few& values);
    Few unpack(llvm::Value* word);
    llvm::Value* wait_for(llvm::Value* entry);

    emit::Code& c_;
    llvm::IRBuilder<>& ir;
    Builtins& builtins_;
    Team& team_;
    const std::vector<lower::Scalar>& types_;
    const bool packed_;
    const std::vector<llvm::Value*>& arrays_;  ///< words, the first of which does not belong to an entry, followed by the
                                               ///< values
    llvm::Value *index_, *count_;              ///< number of the chunk, and number of chunks
    llvm::Value* first_;                       ///< entry of the point's first chunk
};

llvm::Value* Lookback::word(llvm::Value* entry) {
    return ir.CreateInBoundsGEP(ir.getInt64Ty(), arrays_[0], ir.CreateAdd(entry, c_.i64(1)));
}

llvm::Value* Lookback::element(std::size_t k, llvm::Value* entry) {
    return ir.CreateInBoundsGEP(ir.getInt64Ty(), arrays_[k + 1], entry);
}

unsigned bits_of(llvm::Type* type) { return static_cast<unsigned>(type->getPrimitiveSizeInBits().getFixedValue()); }

llvm::Value* Lookback::pattern(llvm::Value* v) {
    return ir.CreateZExt(ir.CreateBitCast(v, ir.getIntNTy(bits_of(v->getType()))), ir.getInt64Ty());
}

llvm::Value* Lookback::value(llvm::Value* pattern, llvm::Type* type) {
    return ir.CreateBitCast(ir.CreateTrunc(pattern, ir.getIntNTy(bits_of(type))), type);
}

/// The bit patterns of the values side by side, and the flag.
llvm::Value* Lookback::pack(const Few& values) {
    llvm::Value* word = ir.getInt64(std::uint64_t{1} << flag_bit);
    unsigned at = 0;
    for (std::size_t k = 0; k < types_.size(); ++k) {
        word = ir.CreateOr(word, ir.CreateShl(pattern(values[k]), at));
        at += bits_of(values[k]->getType());
    }
    return word;
}

Few Lookback::unpack(llvm::Value* word) {
    Few values;
    unsigned at = 0;
    for (lower::Scalar scalar : types_) {
        llvm::Type* type = c_.type(scalar);
        llvm::Value* pattern = ir.CreateLShr(word, at);
        if (bits_of(type) == 64) pattern = ir.CreateAnd(pattern, (std::uint64_t{1} << count_bits) - 1);
        values.push_back(value(pattern, type));
        at += bits_of(type);
    }
    return values;
}

/// Executed by one thread. A word is written at once; otherwise the values are written before the flag.
void Lookback::publish(const Few& values, llvm::Value* entry) {
    if (packed_) return builtins_.store_relaxed(word(entry), pack(values));
    for (std::size_t k = 0; k < types_.size(); ++k) builtins_.store_relaxed(element(k, entry), pattern(values[k]));
    builtins_.store_release(word(entry), c_.i64(1));
}

llvm::Value* Lookback::wait_for(llvm::Value* entry) {
    llvm::Value* at = word(entry);
    auto look = [&] { return packed_ ? builtins_.load_relaxed(at) : builtins_.load_acquire(at); };
    Few seen{look()};
    c_.loop_from_top(
        seen, [&] { return ir.CreateIsNull(seen[0]); },
        [&] {
            builtins_.pause();
            seen[0] = look();
        });
    return seen[0];
}

Few Lookback::await(llvm::Value* entry, const Few& like) {
    llvm::Value* seen = wait_for(entry);
    Few result;
    if (packed_) {
        result = unpack(seen);
    } else {
        for (std::size_t k = 0; k < types_.size(); ++k)
            result.push_back(value(builtins_.load_relaxed(element(k, entry)), like[k]->getType()));
    }
    if (like.size() > result.size()) result.push_back(ir.getTrue());
    return result;
}

Few Lookback::before(const Few& own, const Few& absent, Team::Merge merge) {
    llvm::Value* of_first_warp = ir.CreateIsNull(team_.warp());
    const Few result = c_.either(of_first_warp, [&] { return climb(own, absent, merge); }, [&] { return absent; });
    return team_.from_first(result);
}

/// Goes up level by level: chunks, groups of them, ...; each lane of a warp waits for one sibling.
Few Lookback::climb(const Few& own, const Few& absent, Team::Merge merge) {
    const std::size_t n = absent.size();
    Few state = absent;                                    // what is known about what comes before
    state.append(own);                                     // the total of the group that ends here
    state.append({ir.getTrue(), index_, first_, count_});  // if a group ends here, which one, where this level begins,
                                                           // number of groups
    c_.loop_while(state, [&] {
        Few before(state.begin(), state.begin() + n), group(state.begin() + n, state.begin() + 2 * n);
        llvm::Value *ends = state[2 * n], *item = state[2 * n + 1], *level = state[2 * n + 2], *items = state[2 * n + 3];
        Few none;
        c_.when(ir.CreateAnd(ends, team_.is_first()), none, [&] { publish(group, ir.CreateAdd(level, item)); });
        llvm::Value* position = ir.CreateAnd(item, c_.i64(warp_threads - 1));
        llvm::Value* lane = ir.CreateZExt(team_.lane(), ir.getInt64Ty());
        llvm::Value* sibling = ir.CreateAdd(level, ir.CreateAdd(ir.CreateSub(item, position), lane));
        const Few seen =
            c_.either(ir.CreateICmpULT(lane, position), [&] { return await(sibling, absent); }, [&] { return absent; });
        const Few left = team_.reduce_warp(seen, merge);
        llvm::Value* is_last = ir.CreateICmpEQ(position, c_.i64(warp_threads - 1));
        state = merge(left, before);
        state.append(merge(left, group));
        state.append(
            {ir.CreateAnd(ends, is_last), ir.CreateLShr(item, 5), ir.CreateAdd(level, items), ir.CreateLShr(items, 5)});
        return ir.CreateICmpUGE(item, c_.i64(warp_threads - 1));
    });
    return Few(state.begin(), state.begin() + n);
}

}  // namespace

Few look_back(const Point& point, const Few& own, const Few& absent, Team::Merge merge) {
    return Lookback(point).before(own, absent, merge);
}

}  // namespace sinter::gpu
