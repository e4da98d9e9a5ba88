// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Handles on objects that the library owns: scalars of a trace, and results of array nodes.
#pragma once

#include <sinter/detail/export.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>

namespace sinter::front {
struct Node;
}

namespace sinter::detail {

/// A scalar of the trace with this serial number. Trace 0 does not exist: the handle has no value.
struct Handle {
    std::uint64_t trace = 0;
    std::uint32_t local = 0;
};

SINTER_API void retain(front::Node* node) noexcept;
SINTER_API void release(front::Node* node) noexcept;

/// Owning reference to one result of an array node: an array of scalars.
class LeafRef {
  public:
    LeafRef() = default;
    /// Takes over one reference that the caller holds.
    static LeafRef adopt(front::Node* node, std::uint32_t result) {
        LeafRef leaf;
        leaf.node_ = node;
        leaf.result_ = result;
        return leaf;
    }
    LeafRef(const LeafRef& other) noexcept : node_(other.node_), result_(other.result_) {
        if (node_) retain(node_);
    }
    LeafRef(LeafRef&& other) noexcept : node_(std::exchange(other.node_, nullptr)), result_(other.result_) {}
    LeafRef& operator=(LeafRef other) noexcept {
        std::swap(node_, other.node_);
        std::swap(result_, other.result_);
        return *this;
    }
    ~LeafRef() {
        if (node_) release(node_);
    }

    front::Node* node() const { return node_; }
    std::uint32_t result() const { return result_; }
    explicit operator bool() const { return node_ != nullptr; }

  private:
    front::Node* node_ = nullptr;
    std::uint32_t result_ = 0;
};

/// A size given to a combinator: a literal, or a scalar of the enclosing program.
struct SizeArgument {
    std::int64_t literal = 0;
    Handle scalar;  ///< if its trace is 0, the literal is used
};

}  // namespace sinter::detail
