// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/host/code/way_code.hpp"

#include "schedule/tuning.hpp"

#include <algorithm>
#include <utility>

namespace sinter::host {

namespace {

using namespace schedule::tuning;

Effort effort_for(double work) { return work < full_code_from_ns * instructions_per_ns ? Effort::quick : Effort::full; }

}  // namespace

WayCode::WayCode(Make make, std::string kernel, std::optional<Effort> effort, double work)
    : make_(std::move(make)), name_(std::move(kernel)) {
    const HostObject object = make_(effort.value_or(effort_for(work)));
    use(first_.emplace(object.bytes, name_));
    may_improve_ = object.effort == Effort::quick && !effort;
}

WayCode::~WayCode() { Improver::shared().forget(*this); }

/// Launches that are small count as more than their work: it is little beside what surrounds them.
void WayCode::count(double work, double ns) const {
    const double counted = std::max({work / instructions_per_ns, ns, least_counted_ns});
    if (done_.fetch_add(counted) + counted < better_code_from_ns) return;
    if (may_improve_.exchange(false)) Improver::shared().add(*this);
}

void WayCode::improve() const { use(better_.emplace(make_(Effort::full).bytes, name_)); }

void WayCode::use(const LoadedObject& object) const {
    const Entries entries = object.entries();
    chain_.store(entries.chain, std::memory_order_release);
    finish_.store(entries.finish, std::memory_order_release);
    kernel_.store(entries.kernel, std::memory_order_release);
}

}  // namespace sinter::host
