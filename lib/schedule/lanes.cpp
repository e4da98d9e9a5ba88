// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "schedule/lanes.hpp"

#include "ir/walk.hpp"
#include "lower/loops.hpp"
#include "schedule/tuning.hpp"

#include <algorithm>

namespace sinter::schedule {

using ir::Op;
using lower::Block;
using lower::Inst;

namespace {

/// The number of lanes: those of a vector of the widest type that matters.
int choose_width(const Machine& machine, const Profile& profile) {
    const double total = profile.instructions();
    for (int k = 3; k >= 0; --k)
        if (profile.operations[k] >= tuning::deciding_share * total && profile.operations[k] > 0)
            return std::min(tuning::most_lanes, machine.vector_bits / (8 << k));
    return machine.vector_bits / 8;
}

/// The number of vectors side by side.
int choose_columns(const Profile& profile, std::size_t accumulators) {
    const double scale = profile.inner > 0 ? tuning::inner_iterations : 1;
    const double size = profile.instructions() / scale;
    if (profile.divergent) return size <= tuning::body_of_two ? 2 : 1;
    if (accumulators > tuning::many_accumulators) return 1;
    const double two = profile.waits ? tuning::waiting_body_of_two : tuning::body_of_two;
    return size <= tuning::body_of_four ? 4 : size <= two ? 2 : 1;
}

/// The same for a large body, which keeps constants in memory: it has so many steps that wait for one another that
/// processors do not look far enough ahead to begin the next vector.
int columns_of_large(const Machine& machine) {
    return machine.vector_bits >= tuning::many_registers ? tuning::columns_of_large : 2;
}

/// True if lanes that end at different times, and load their elements one by one, take longer than points one after another.
bool gathers_too_much(const Machine& machine, const Profile& profile, int width) {
    if (!profile.divergent || machine.gather) return false;
    const double others = profile.instructions() - profile.gathers + tuning::division * profile.expensive;
    const double lanes = others / width + tuning::gathered_lane * profile.gathers;
    const double scalar = profile.instructions() + tuning::scalar_division * profile.expensive;
    return lanes * tuning::divergent_wait > scalar + tuning::scalar_loop * profile.inner;
}

/// True if an operator may be given elements that are not adjacent: it cannot fail, and it terminates.
bool is_harmless(const Block& b) {
    return !ir::any_inst(b, [](const Inst& inst) {
        return inst.op == Op::check_index || inst.op == Op::check_divisor || inst.op == Op::expect || inst.op == Op::print ||
               inst.op == Op::while_loop;
    });
}

Lanes lanes_of_compact(const Machine& machine, const Profile& profile) {
    Lanes lanes = choose_lanes(machine, profile, 1);
    lanes.covering = false;
    return lanes;
}

/// Visits the loops of a kernel that no lane loop surrounds: all locals around them are the same for all lanes.
class LoopVisit {
  public:
    LoopVisit(const Machine& machine, const lower::Kernel& kernel, const ControlFlow& control, const Inst* chunked)
        : machine_(machine), kernel_(kernel), control_(control), chunked_(chunked) {}

    LoopLanes operator()() {
        block(kernel_.body);
        return std::move(lanes_);
    }

  private:
    void block(const Block& b) {
        const std::size_t base = environment_.size();
        push(b.params);
        for (const Inst& inst : b.insts) {
            if (lower::is_loop(inst.op)) lanes_.emplace(&inst, lanes_of(inst));
            for (const Block& inner : inst.blocks) block(inner);
            push(inst.types);
        }
        environment_.resize(base);
    }

    void push(const std::vector<lower::Scalar>& types) {
        for (lower::Scalar type : types) environment_.push_back({Pattern::Kind::uniform, {}, type});
    }

    static std::vector<Pattern> params(const Inst& inst) {
        std::vector<Pattern> result(lower::loop_rank(inst));
        result.back() = Pattern::lane();
        return result;
    }

    Lanes lanes_of(const Inst& inst) const {
        const Profile profile = schedule::profile(kernel_, control_, inst.blocks[0], environment_, params(inst));
        switch (inst.op) {
            case Op::reduce:
                return choose_lanes(machine_, profile, inst.types.size());
            case Op::scan:
                return is_harmless(inst.blocks[1]) ? lanes_of_scan(profile, inst) : Lanes{};
            case Op::compact:
                return lanes_of_compact(machine_, profile);
            default:
                if (chunked_) return choose_lanes(machine_, profile, 0);
                return lanes_for_effects(machine_, profile,
                                         borders_of(kernel_, control_, inst.blocks[0], environment_, params(inst)));
        }
    }

    /// Accumulators are the same for all lanes, whose values are combined first.
    Lanes lanes_of_scan(const Profile& profile, const Inst& inst) const {
        Lanes lanes = choose_lanes(machine_, profile, inst.types.size());
        lanes.columns = 1;
        lanes.covering = false;
        lanes.in_turn = ir::any_inst(inst.blocks[2], [](const Inst& each) { return each.op == Op::update; });
        return lanes;
    }

    const Machine& machine_;
    const lower::Kernel& kernel_;
    const ControlFlow& control_;
    const Inst* chunked_;
    std::vector<Pattern> environment_;
    LoopLanes lanes_;
};

}  // namespace

Lanes choose_lanes(const Machine& machine, const Profile& profile, std::size_t accumulators) {
    Lanes lanes;
    lanes.single_tail = machine.single_tail(profile.narrow_stores);
    if (machine.vector_bits == 0 || profile.empty || profile.ragged) return lanes;
    const bool light = profile.shared_updates == 0 && profile.instructions() <= tuning::light_body;
    if (profile.in_turn > 0 && light) return lanes;
    const int width = choose_width(machine, profile);
    if (gathers_too_much(machine, profile, width)) return lanes;
    lanes.in_turn = profile.in_turn > 0;
    lanes.width = width;
    lanes.columns = lanes.width == 1 ? 1 : choose_columns(profile, accumulators);
    // A huge body is emitted once in any case, because compiling it again costs more than masks do.
    const double size = profile.instructions();
    const bool large = accumulators == 0 && profile.inner == 0 && size > tuning::large_body;
    if (lanes.vector() && (large || size > tuning::huge_body) && !lanes.single_tail) {
        lanes.covering = true;
        if (!profile.divergent && size < tuning::largest_unrolled) lanes.columns = columns_of_large(machine);
        if (accumulators > 0) lanes.columns = 1;  // those of masked lanes are one vector
    }
    return lanes;
}

Lanes lanes_for_effects(const Machine& machine, const Profile& profile, Borders borders, bool reads_shifted) {
    Lanes lanes = choose_lanes(machine, profile, 0);
    if (lanes.covering && borders == Borders::overlapping && reads_shifted &&
        profile.instructions() <= tuning::largest_with_borders) {
        lanes.covering = false;
        lanes.columns = 1;
    }
    const bool once = borders == Borders::overlapping && (lanes.covering || lanes.in_turn);
    if (lanes.vector() && !once) lanes.borders = borders;
    const bool small = profile.inner == 0 && profile.instructions() <= tuning::small_body;
    if (!lanes.vector() && machine.vector_bits > 0 && small) lanes.together = tuning::indices_together;
    return lanes;
}

LoopLanes lanes_of_loops(const Machine& machine, const lower::Kernel& kernel, const ControlFlow& control,
                         const Inst* chunked) {
    return LoopVisit(machine, kernel, control, chunked)();
}

}  // namespace sinter::schedule
