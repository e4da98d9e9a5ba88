// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sinter/mdspan.hpp with a standard library that has <mdspan>. The shared library is built against another one, so the few
// functions that the header calls are defined here: an array is memory and a shape.
#include <sinter/mdspan.hpp>

#include <cstdio>

#ifndef __cpp_lib_mdspan
#error "no <mdspan>"
#endif

namespace sinter::front {
struct Node {
    int references = 1;
    std::vector<std::int64_t> shape;
    std::vector<double> memory;  // aligned for every scalar
};
}  // namespace sinter::front

namespace sinter::detail {

void retain(front::Node* node) noexcept { ++node->references; }
void release(front::Node* node) noexcept {
    if (--node->references == 0) delete node;
}
LeafRef make_array(Scalar, const std::int64_t* shape, std::size_t rank, location) {
    std::size_t count = 1;
    for (std::size_t k = 0; k < rank; ++k) count *= static_cast<std::size_t>(shape[k]);
    return LeafRef::adopt(new front::Node{1, {shape, shape + rank}, std::vector<double>(count)}, 0);
}
void* data(const LeafRef& array) { return array.node()->memory.data(); }
void known_shape(const LeafRef& array, std::int64_t* extents, const char*, location) {
    for (std::size_t k = 0; k < array.node()->shape.size(); ++k) extents[k] = array.node()->shape[k];
}

}  // namespace sinter::detail

using namespace sinter;

namespace {

int failures = 0;
void expect(bool condition, const char* what) {
    if (condition) return;
    std::printf("failed: %s\n", what);
    ++failures;
}

}  // namespace

int main() {
    std::vector<float> values = {0, 1, 2, 3, 4, 5};
    std::mdspan rows(values.data(), 2, 3);
    Array<float, 2> a = from(rows);
    expect(a.to_vector() == values, "from a row-major view");
    expect(a.shape() == std::array<std::int64_t, 2>{2, 3}, "its shape");
    values[1] = 99;
    expect(a.to_vector()[1] == 1, "it is a copy");
    values[1] = 1;

    std::mdspan<const float, std::extents<int, 3, 2>, std::layout_left> columns(values.data());
    expect(from(columns).to_vector() == std::vector<float>{0, 3, 1, 4, 2, 5}, "from a column-major view");
    std::layout_stride::mapping<std::extents<std::size_t, 2>> every_other({}, std::array<std::size_t, 1>{2});
    expect(from(std::mdspan(values.data(), every_other)).to_vector() == std::vector<float>{0, 2}, "from a view with gaps");
    expect(from(std::mdspan(values.data(), 0, 3)).to_vector().empty(), "from an empty view");

    auto view = as_mdspan(a);
    static_assert(std::is_same_v<decltype(view)::element_type, const float> && view.rank() == 2);
    expect(view.data_handle() == a.data() && view.extent(0) == 2 && view.extent(1) == 3, "a view of an array");
    std::array<int, 2> last{1, 2};
    expect(view[last] == 5, "its last element");
    return failures;
}
