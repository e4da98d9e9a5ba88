// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/gpu/emit/team/team.hpp"

namespace sinter::gpu {

Team::Team(emit::Code& code, Builtins& builtins, int threads)
    : c_(code), ir(code.ir), builtins_(builtins), threads_(threads) {
    llvm::Value* thread = builtins.thread();
    llvm::Value* rank = ir.CreateAnd(thread, ir.getInt32(static_cast<std::uint32_t>(threads - 1)));
    rank_ = ir.CreateZExt(rank, ir.getInt64Ty());
    is_first_ = ir.CreateIsNull(rank_);
    lane_ = ir.CreateAnd(thread, ir.getInt32(warp_threads - 1));
    warp_ = ir.CreateLShr(rank_, 5);
}

void Team::synchronise() {
    if (threads_ > warp_threads) builtins_.barrier();
}

Few Team::from_lane(const Few& values, llvm::Value* lane) {
    Few result;
    for (llvm::Value* v : values) result.push_back(builtins_.from_lane(v, lane));
    return result;
}

Few Team::merge_if(llvm::Value* condition, const Few& left, const Few& right, const Few& otherwise, Merge merge) {
    return c_.either(condition, [&] { return merge(left, right); }, [&] { return otherwise; });
}

llvm::Value* Team::slot(std::size_t k, llvm::Value* warp) {
    const auto row = static_cast<std::int64_t>(k) * warps();
    llvm::Value* at = ir.CreateAdd(warp, c_.i64(row));
    llvm::Value* memory = builtins_.shared((k + 1) * static_cast<std::size_t>(warps()) * 8);
    return ir.CreateInBoundsGEP(ir.getInt64Ty(), memory, at);
}

/// Publishes the writers' values to all threads.
void Team::publish(llvm::Value* writer, const Few& values) {
    Few none;
    c_.when(writer, none, [&] {
        for (std::size_t k = 0; k < values.size(); ++k) {
            llvm::Value* v = values[k];
            if (v->getType()->isIntegerTy(1)) v = ir.CreateZExt(v, ir.getInt8Ty());
            ir.CreateAlignedStore(v, slot(k, warp_), llvm::Align(8));
        }
    });
    builtins_.barrier();
}

Few Team::published(const Few& like, llvm::Value* warp) {
    Few result;
    for (std::size_t k = 0; k < like.size(); ++k) {
        llvm::Type* type = like[k]->getType();
        const bool boolean = type->isIntegerTy(1);
        if (boolean) type = ir.getInt8Ty();
        llvm::Value* v = ir.CreateAlignedLoad(type, slot(k, warp), llvm::Align(8));
        result.push_back(boolean ? ir.CreateIsNotNull(v) : v);
    }
    return result;
}

Few Team::reduce_warp(Few values, Merge merge) {
    for (std::uint32_t by = 1; by < warp_threads; by *= 2) {
        const Few right = from_lane(values, ir.CreateAdd(lane_, ir.getInt32(by)));
        llvm::Value* takes = ir.CreateIsNull(ir.CreateAnd(lane_, ir.getInt32(2 * by - 1)));
        values = merge_if(takes, values, right, values, merge);
    }
    return from_lane(values, ir.getInt32(0));
}

Few Team::reduce(Few values, Merge merge) {
    values = reduce_warp(values, merge);
    if (threads_ == warp_threads) return values;
    publish(ir.CreateIsNull(lane_), values);
    Few total = published(values, c_.i64(0));
    c_.loop(c_.i64(1), c_.i64(warps()), 1, total, [&](llvm::Value* warp) { total = merge(total, published(values, warp)); });
    builtins_.barrier();
    return total;
}

Few Team::from_first(const Few& values) {
    if (threads_ == warp_threads) return from_lane(values, ir.getInt32(0));
    publish(is_first_, values);
    const Few result = published(values, c_.i64(0));
    builtins_.barrier();
    return result;
}

Team::Prefixes Team::scan_warp(const std::vector<Few>& values, const Few& absent, Merge merge) {
    Prefixes result{{}, absent};
    llvm::Value* first = ir.CreateIsNull(lane_);
    for (Few through : values) {
        for (std::uint32_t by = 1; by < warp_threads; by *= 2) {
            const Few left = from_lane(through, ir.CreateSub(lane_, ir.getInt32(by)));
            llvm::Value* takes = ir.CreateICmpUGE(lane_, ir.getInt32(by));
            through = merge_if(takes, left, through, through, merge);
        }
        Few previous = from_lane(through, ir.CreateSub(lane_, ir.getInt32(1)));
        for (std::size_t k = 0; k < previous.size(); ++k) previous[k] = ir.CreateSelect(first, absent[k], previous[k]);
        const Few all = from_lane(through, ir.getInt32(warp_threads - 1));
        const bool leftmost = result.before.empty();
        result.before.push_back(leftmost ? previous : merge(result.total, previous));
        result.total = leftmost ? all : merge(result.total, all);
    }
    return result;
}

Team::Prefixes Team::scan(const std::vector<Few>& values, const Few& absent, Merge merge) {
    Prefixes own = scan_warp(values, absent, merge);
    if (threads_ == warp_threads) return own;
    publish(ir.CreateIsNull(lane_), own.total);
    const std::size_t n = absent.size();
    Few both = absent;
    both.append(published(absent, c_.i64(0)));
    c_.loop(c_.i64(0), c_.i64(warps()), 1, both, [&](llvm::Value* warp) {  // before this warp, and of all warps so far
        const Few part = published(absent, warp);
        const Few before(both.begin(), both.begin() + n), through(both.begin() + n, both.end());
        both = merge_if(ir.CreateICmpULT(warp, warp_), before, part, before, merge);
        both.append(merge_if(ir.CreateIsNotNull(warp), through, part, part, merge));
    });
    builtins_.barrier();
    const Few before(both.begin(), both.begin() + n), total(both.begin() + n, both.end());
    for (Few& value : own.before) value = merge(before, value);
    return {own.before, total};
}

}  // namespace sinter::gpu
