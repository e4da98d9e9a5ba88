// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/text/print_size.hpp"

#include "ir/text/print_function.hpp"

#include <limits>

namespace sinter::ir {

namespace {

bool is_compound(const Size& size) { return size.left.valid(); }

}  // namespace

bool SizePrinter::is_deep(SizeId id) const {
    const Size& size = sizes_[id];
    return is_compound(size) && (is_compound(sizes_[size.left]) || is_compound(sizes_[size.right]));
}

void SizePrinter::use(SizeId root) {
    if (!is_deep(root)) return;
    names_.resize(sizes_.count());
    std::vector<SizeId> stack{root};
    while (!stack.empty()) {
        SizeId id = stack.back();
        std::size_t before = stack.size();
        if (names_[id.index] == 0)
            for (SizeId operand : {sizes_[id].right, sizes_[id].left})
                if (is_deep(operand) && names_[operand.index] == 0) stack.push_back(operand);
        if (stack.size() > before) continue;
        stack.pop_back();
        if (names_[id.index] != 0) continue;
        out_ += "size s", append_number(out_, declared_), out_ += " = ";
        append_definition(id);
        out_ += '\n';
        names_[id.index] = ++declared_;
    }
}

void SizePrinter::append(SizeId id) {
    if (declare_ && is_deep(id))
        out_ += 's', append_number(out_, names_[id.index] - 1);
    else
        append_definition(id);
}

void SizePrinter::append_infix(const char* symbol, const Size& size) {
    out_ += '(', append(size.left), out_ += symbol, append(size.right), out_ += ')';
}

void SizePrinter::append_call(const char* name, const Size& size) {
    out_ += name, out_ += '(', append(size.left), out_ += ", ", append(size.right), out_ += ')';
}

void SizePrinter::append_definition(SizeId id) {
    const Size& size = sizes_[id];
    switch (size.kind) {
        case Size::Kind::input_extent:
            out_ += 'n', append_number(out_, size.index);
            if (size.axis != 0) out_ += '.', append_number(out_, size.axis);
            break;
        case Size::Kind::argument:
            out_ += 'a', append_number(out_, size.index);
            break;
        case Size::Kind::value:
            out_ += '%', append_number(out_, size.index);
            break;
        case Size::Kind::constant:
            append_number(out_, size.index);
            break;
        case Size::Kind::add: {
            const Size& right = sizes_[size.right];
            bool negative = right.kind == Size::Kind::constant && right.index < 0;
            if (!negative || right.index == std::numeric_limits<std::int64_t>::min()) return append_infix(" + ", size);
            out_ += '(', append(size.left), out_ += " - ", append_number(out_, -right.index), out_ += ')';
            break;
        }
        case Size::Kind::sub:
            append_infix(" - ", size);
            break;
        case Size::Kind::mul:
            append_infix(" * ", size);
            break;
        case Size::Kind::ceil_div:
            append_call("ceil_div", size);
            break;
        case Size::Kind::minimum:
            append_call("min", size);
            break;
        case Size::Kind::maximum:
            append_call("max", size);
            break;
    }
}

void SizePrinter::append(const Type& type) {
    out_ += detail::name_of(type.scalar);
    if (type.rank() == 0) return;
    for (std::size_t axis = 0; axis < type.rank(); ++axis) out_ += axis == 0 ? "[" : ", ", append(type.shape[axis]);
    out_ += ']';
}

}  // namespace sinter::ir
