// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "enable/flatten/carrying.hpp"

#include "enable/flatten/flatten_rules.hpp"

#include <algorithm>

namespace sinter::enable {

using namespace ir;

namespace {

std::vector<Scalar> part(const std::vector<Scalar>& all, std::size_t begin, std::size_t end) {
    return {all.begin() + static_cast<std::ptrdiff_t>(begin), all.begin() + static_cast<std::ptrdiff_t>(end)};
}

Locals consecutive(std::size_t first, std::size_t count) {
    Locals locals;
    for (std::size_t k = 0; k < count; ++k) locals.emplace_back(first + k);
    return locals;
}

template <class T>
void append(std::vector<T>& to, const std::vector<T>& more) {
    to.insert(to.end(), more.begin(), more.end());
}

}  // namespace

Carrying::Carrying(Flats& flats, const Fn& op, const Captures& captures, std::size_t states)
    : flats_(&flats),
      op_(&op),
      captures_(&captures),
      states_(states),
      elements_(op.body.params.size() - states - captures.scalars.size()) {
    const auto differs = [&](ValueId id) { return flats.is_flat(id) || flats.slices().use(id).batched; };
    slices_ = std::any_of(captures.arrays.begin(), captures.arrays.end(), differs);
    const auto one = [&](ValueId id) { return !differs(id) && flats.rank(id) == 0; };
    if (!slices_ && std::all_of(captures.scalars.begin(), captures.scalars.end(), one)) return;
    types_ = part(op.body.params, states_ + elements_, op.body.params.size());
    if (slices_) types_.push_back(Scalar::i64);
}

Locals Carrying::values(ElementWriter& to, Local slice, const Locals& outer) const {
    Locals made;
    if (types_.empty()) return made;
    for (ValueId id : captures_->scalars)
        made.push_back(flats_->element(to, id, slice, flats_->rank(id) == 0 ? Locals() : outer));
    if (slices_) made.push_back(slice);
    return made;
}

Locals Carrying::apply(ElementWriter& to, Locals arguments, const Locals& carried) const {
    const auto scalars = static_cast<std::ptrdiff_t>(captures_->scalars.size());
    if (types_.empty())
        for (ValueId id : captures_->scalars) arguments.push_back(flats_->element(to, id, Local(), {}));
    else
        arguments.insert(arguments.end(), carried.begin(), carried.begin() + scalars);
    return inlined(*flats_, to, *op_, captures_->arrays, std::move(arguments), slices_ ? carried.back() : Local());
}

ElementWriter::Written Carrying::write(const std::vector<Scalar>& params, const ElementWriter::Emit& emit) const {
    return ElementWriter::write([this](ValueId id) -> const Type& { return flats_->slices().type(id); }, params, emit);
}

ElementWriter::Written Carrying::next() const {
    std::vector<Scalar> params = part(op_->body.params, 0, states_ + elements_);
    append(params, types_);
    return write(params, [this](ElementWriter& to) {
        const std::size_t all = states_ + elements_;
        return apply(to, consecutive(0, all), consecutive(all, types_.size()));
    });
}

ElementWriter::Written Carrying::combine() const {
    std::vector<Scalar> params = part(op_->body.params, 0, states_);
    append(params, types_);
    append(params, part(op_->body.params, states_, 2 * states_));
    append(params, types_);
    return write(params, [this](ElementWriter& to) {
        const std::size_t later = states_ + types_.size();
        const Locals carried = consecutive(later + states_, types_.size());
        Locals arguments = consecutive(0, states_);
        append(arguments, consecutive(later, states_));
        Locals results = apply(to, std::move(arguments), carried);
        append(results, carried);
        return results;
    });
}

}  // namespace sinter::enable
