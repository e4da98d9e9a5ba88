// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/gpu/emit/kernel.hpp"

#include "jit/gpu/emit/grid.hpp"
#include "jit/gpu/emit/instructions.hpp"
#include "jit/gpu/emit/tile/register_tiles.hpp"
#include "jit/gpu/emit/tile/transposed_squares.hpp"
#include "jit/gpu/emit/update/bins.hpp"
#include "jit/gpu/emit/update/notes.hpp"
#include "support/match.hpp"

#include <bit>

namespace sinter::gpu {

namespace {

/// There are no vectors: a lane is a thread.
emit::Machine machine() {
    emit::Machine m;
    m.masked_memory = false;
    m.nontemporal = false;
    return m;
}

constexpr std::uint64_t access_bytes = 16;  ///< of the widest load; all arrays have this alignment

class Entry {
  public:
    Entry(llvm::Function& function, const lower::Kernel& kernel, const card::Schedule& schedule, Role role)
        : machine_(machine()),
          code_(function, machine_),
          ir(code_.ir),
          builtins_(ir, *function.getParent()),
          grid_(code_, builtins_),
          emitter_(code_, kernel, nullptr, nullptr),
          point_{code_,  builtins_, emitter_,
                 kernel, schedule,  function.getArg(static_cast<unsigned>(kernel.buffers.size() + kernel.sizes.count()))},
          instructions_(point_),
          function_(function),
          kernel_(kernel),
          schedule_(schedule) {
        bind(role);
    }

    void emit() {
        leave_unless_wanted();
        emit_body();
        ir.CreateBr(code_.leave());
    }

    std::size_t shared_bytes() const { return builtins_.shared_bytes(); }

  private:
    /// All threads do the same here, before any of them waits for another.
    void leave_unless_wanted() {
        llvm::BasicBlock *look = code_.block(), *on = code_.block();
        ir.CreateCondBr(ir.CreateIsNull(ir.CreatePtrToInt(guard_, ir.getInt64Ty())), on, look);
        code_.enter(look);
        ir.CreateCondBr(ir.CreateIsNull(ir.CreateLoad(ir.getInt8Ty(), guard_)), code_.leave(), on);
        code_.enter(on);
    }

    void emit_body() {
        Team team(code_, builtins_, std::holds_alternative<card::Warps>(schedule_.way) ? warp_threads : block_threads);
        auto execute_at = [&](const Values& indices, const emit::Prepared* known) { execute(indices, known); };
        match(
            schedule_.way, [&](const card::Points& w) { w.group > 1 ? each_group(w.group) : each_point_by_thread(); },
            [&](const card::Squares&) { each_square(); },
            [&](const card::TransposedSquares& w) { emit_transposed_squares(point_, grid_, w, execute_at); },
            [&](const card::RegisterTiles& w) { emit_register_tiles(point_, grid_, w, execute_at); },
            [&](const card::Warps&) {
                point_.team = &team;
                each_point(grid_.global_warp(), grid_.total_warps());
            },
            [&](const card::Blocks&) {
                point_.team = &team;
                each_point(grid_.block(), grid_.blocks());
            },
            [&](const card::ReduceChunks&) {
                point_.team = &team;
                point_.chunk.role == Role::partial ? each_chunk() : each_point(grid_.block(), grid_.blocks());
            },
            [&](const card::ScanChunks&) {
                point_.team = &team;
                each_ticket(team);
            },
            [&](const card::CopiesInAnyOrder& w) { emit_copies(w); }, [&](const card::CopiesInOrder& w) { emit_copies(w); },
            [&](const card::Sorted& w) { emit_notes(*w.update); }, [](const card::OnHost&) {});
    }

    void emit_notes(const CapturedUpdate& update) {
        const Chunk& chunk = point_.chunk;
        Notes notes(code_, emitter_, update, chunk.arrays, chunk.points);
        instructions_.notes = &notes;
        grid_.stride(grid_.global_thread(), grid_.total_threads(), chunk.points, [&](llvm::Value* i) {
            if (chunk.role == Role::apply) return notes.apply(i);
            notes.begin(i);
            execute(i);
        });
    }

    void emit_copies(const card::CopiesInAnyOrder& way) {
        Team team(code_, builtins_, block_threads);
        llvm::Value* count = destinations(*way.update);
        Bins bins(code_, emitter_, builtins_, team, *way.update, count, point_.chunk.count, true);
        instructions_.bins = &bins;
        count_points(bins);
    }

    void emit_copies(const card::CopiesInOrder& way) {
        const Chunk& chunk = point_.chunk;
        Team team(code_, builtins_, chunk.role == Role::merge ? warp_threads : block_threads);
        llvm::Value* count = destinations(*way.update);
        Bins bins(code_, emitter_, builtins_, team, *way.update, count, code_.i64(block_warps), false);
        instructions_.bins = &bins;
        if (chunk.role == Role::update) return update_chunks(bins, team);
        grid_.stride(grid_.global_warp(), grid_.total_warps(), count,
                     [&](llvm::Value* bin) { bins.merge(chunk.arrays, chunk.count, bin); });
    }

    llvm::Value* destinations(const CapturedUpdate& update) {
        return emitter_.fields.size(kernel_.buffers[update.buffer].elements);
    }

    void count_points(Bins& bins) {
        bins.clear();
        each_point(grid_.global_thread(), grid_.total_threads());
        bins.add_to_destinations();
    }

    void update_chunks(Bins& bins, Team& team) {
        const Chunk& chunk = point_.chunk;
        grid_.stride(grid_.block(), grid_.blocks(), chunk.count, [&](llvm::Value* index) {
            bins.clear();
            llvm::Value* begin = ir.CreateMul(index, chunk.length);
            llvm::Value* end =
                ir.CreateBinaryIntrinsic(llvm::Intrinsic::smin, ir.CreateAdd(begin, chunk.length), chunk.points);
            Few none;
            code_.loop(begin, end, block_threads, none, [&](llvm::Value* base) {
                llvm::Value* point = ir.CreateAdd(base, team.rank());
                bins.forget_note();
                code_.when(ir.CreateICmpSLT(point, end), none, [&] { execute(point); });
                bins.apply_note();
            });
            bins.store_partials(chunk.arrays, index);
        });
    }

    void bind(Role role) {
        auto* next = function_.arg_begin();
        std::vector<llvm::Value*> buffers;
        for (std::size_t k = 0; k < kernel_.buffers.size(); ++k) buffers.push_back(next++);
        emitter_.addresses.bind(std::move(buffers));
        for (std::size_t k = 0; k < kernel_.sizes.count(); ++k) emitter_.fields.bind_size(k, next++);
        ++next;
        guard_ = next++;
        Chunk& chunk = point_.chunk;
        chunk.loop = card::chunked_loop(schedule_.way);
        chunk.role = role;
        chunk.points = next++;
        chunk.count = next++;
        chunk.length = next++;
        if (schedule_.is_part) {
            point_.part.first = next++;
            if (!chunk.loop) point_.part.first = ir.CreateMul(point_.part.first, code_.i64(card::unit_of(kernel_)));
            point_.part.extent = next++;
        }
        for (std::size_t k = card::states_of(schedule_.way, {}).size(); k > 0; --k) chunk.arrays.push_back(next++);
        while (next != function_.arg_end()) instructions_.scattered.claims.push_back(next++);
    }

    void each_point(llvm::Value* first, llvm::Value* step) {
        grid_.stride(first, step, point_.chunk.points, [&](llvm::Value* point) { execute(point); });
    }

    void each_point_by_thread() { each_point(grid_.global_thread(), grid_.total_threads()); }

    /// A thread takes a group of neighbouring points at once, whose loads and stores then become wide; the remaining points
    /// follow.
    void each_group(std::int64_t group_points) {
        llvm::Value *first = grid_.global_thread(), *step = grid_.total_threads(), *points = point_.chunk.points;
        llvm::Value* groups = ir.CreateLShr(points, std::countr_zero(static_cast<std::uint64_t>(group_points)));
        grid_.stride(first, step, groups, [&](llvm::Value* group) {
            llvm::Value* point = ir.CreateNSWMul(group, code_.i64(group_points));
            for (std::int64_t k = 0; k < group_points; ++k) execute(ir.CreateNSWAdd(point, code_.i64(k)));
        });
        llvm::Value* rest = ir.CreateAdd(first, ir.CreateAnd(points, code_.i64(-group_points)));
        grid_.stride(rest, step, points, [&](llvm::Value* point) { execute(point); });
    }

    llvm::Value* extent(std::size_t axis) { return emitter_.fields.size(kernel_.space[axis]); }

    /// The bits of thread number t in its block are distributed over row and column such that a warp is 4 rows by 8 columns:
    /// it touches whole memory sectors along either axis.
    void each_square() {
        llvm::Value* thread = grid_.thread();
        auto bits = [&](unsigned from, std::uint64_t mask, unsigned to) {
            return ir.CreateShl(ir.CreateAnd(ir.CreateLShr(thread, from), mask), to);
        };
        llvm::Value *row = ir.CreateOr(bits(3, 3, 0), bits(6, 3, 2)), *column = ir.CreateOr(bits(0, 7, 0), bits(5, 1, 3));
        constexpr std::int64_t edge = card::tuning::square_edge;
        TilesOfPoints tiles(point_, grid_, {kernel_.space.size() - 2, edge, edge});
        tiles.each([&](const TilesOfPoints::Tile& tile) {
            const Values indices = tiles.at(tile, row, column);
            Few none;
            code_.when(tiles.exists(indices), none, [&] { execute(indices); });
        });
    }

    void each_chunk() {
        Chunk& chunk = point_.chunk;
        const Part& part = point_.part;
        llvm::Value* count = part.first ? part.extent : chunk.count;
        grid_.stride(grid_.block(), grid_.blocks(), ir.CreateMul(chunk.points, count), [&](llvm::Value* task) {
            chunk.index = ir.CreateURem(task, count);
            if (part.first) chunk.index = ir.CreateAdd(chunk.index, part.first);
            execute(ir.CreateUDiv(task, count));
        });
    }

    /// Blocks take chunks in the order in which they begin, so that none waits for one that has not begun.
    void each_ticket(Team& team) {
        Chunk& chunk = point_.chunk;
        llvm::Value* tasks = ir.CreateMul(chunk.points, chunk.count);
        Few none;
        code_.loop_while(none, [&] {
            const Few drawn = code_.either(team.is_first(), [&] { return Few{draw()}; }, [&] { return Few{code_.i64(0)}; });
            llvm::Value* ticket = team.from_first(drawn)[0];
            llvm::Value* is_task = ir.CreateICmpSLT(ticket, tasks);
            code_.when(is_task, none, [&] {
                chunk.index = ir.CreateURem(ticket, chunk.count);
                execute(ir.CreateUDiv(ticket, chunk.count));
            });
            return is_task;
        });
    }

    llvm::Value* draw() {
        return ir.CreateAtomicRMW(llvm::AtomicRMWInst::Add, point_.chunk.arrays[0], code_.i64(1), {},
                                  llvm::AtomicOrdering::Monotonic);
    }

    void execute(llvm::Value* point) {
        point_.number = point;
        execute_body(indices(point), nullptr);
    }

    void execute(const Values& indices, const emit::Prepared* known = nullptr) {
        point_.number = code_.i64(0);
        for (std::size_t axis = 0; axis < indices.size(); ++axis)
            point_.number = ir.CreateAdd(ir.CreateMul(point_.number, extent(axis)), indices[axis].scalars[0]);
        execute_body(indices, known);
    }

    void execute_body(const Values& indices, const emit::Prepared* known) {
        point_.done = code_.block();
        emitter_.block(kernel_.body, indices, known);
        ir.CreateBr(point_.done);
        code_.enter(point_.done);
    }

    Values indices(llvm::Value* point) {
        Values result(kernel_.space.size());
        for (std::size_t axis = result.size(); axis-- > 1;) {
            llvm::Value* extent = emitter_.fields.size(kernel_.space[axis]);
            result[axis] = emit::Value::index(ir.CreateURem(point, extent));
            point = ir.CreateUDiv(point, extent);
        }
        if (point_.is_cut(0)) point = ir.CreateAdd(point, point_.part.first);
        if (!result.empty()) result[0] = emit::Value::index(point);
        return result;
    }

    emit::Machine machine_;
    emit::Code code_;
    llvm::IRBuilder<>& ir;
    Builtins builtins_;
    Grid grid_;
    emit::Emitter emitter_;
    Point point_;
    Instructions instructions_;
    llvm::Function& function_;
    llvm::Value* guard_ = nullptr;
    const lower::Kernel& kernel_;
    const card::Schedule& schedule_;
};

llvm::Function* declare(llvm::Module& module, const lower::Kernel& kernel, const card::Schedule& schedule, Role role) {
    llvm::LLVMContext& context = module.getContext();
    auto* pointer = llvm::PointerType::get(context, 0);
    auto* i64 = llvm::Type::getInt64Ty(context);
    std::vector<llvm::Type*> types(kernel.buffers.size(), pointer);
    types.insert(types.end(), kernel.sizes.count(), i64);
    types.insert(types.end(), 2, pointer);
    types.insert(types.end(), schedule.is_part ? 5 : 3, i64);
    types.insert(types.end(), card::states_of(schedule.way, {}).size() + schedule.scatters->claimed.size(), pointer);
    auto* type = llvm::FunctionType::get(llvm::Type::getVoidTy(context), types, false);
    auto* function = llvm::Function::Create(type, llvm::Function::ExternalLinkage, card::name_of(role), module);
    function->setDoesNotThrow();
    if (const int blocks = card::blocks_each(schedule.way))
        function->addFnAttr(blocks_each_attribute, std::to_string(blocks));
    for (std::size_t k = 0; k < kernel.buffers.size(); ++k) {
        const auto n = static_cast<unsigned>(k);
        function->addParamAttr(n, llvm::Attribute::getWithAlignment(context, llvm::Align(access_bytes)));
        const std::optional<std::size_t>& dest = kernel.buffers[k].dest;
        // they may be the same array
        if (lower::is_overwritten(kernel, k) || (dest && lower::is_overwritten(kernel, *dest))) continue;
        function->addParamAttr(n, llvm::Attribute::NoAlias);
        if (!kernel.buffers[k].output) function->addParamAttr(n, llvm::Attribute::ReadOnly);
    }
    return function;
}

}  // namespace

std::size_t emit_kernels(llvm::Module& module, const lower::Kernel& kernel, const card::Schedule& schedule) {
    std::size_t shared = 0;
    for (Role role : card::roles_of(schedule.way)) {
        Entry entry(*declare(module, kernel, schedule, role), kernel, schedule, role);
        entry.emit();
        shared = std::max(shared, entry.shared_bytes());
    }
    return shared;
}

}  // namespace sinter::gpu
