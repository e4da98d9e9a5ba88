// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Exchange of arrays with other libraries through DLPack tensors in host memory. Not part of sinter.hpp.
///
/// The structs are declared here as in DLPack's specification; those of a <dlpack/dlpack.h> serve as well: from_dlpack takes
/// either kind, to_dlpack<::DLManagedTensor>(a) makes the latter.
#pragma once

#include <sinter/combinators/from.hpp>
#include <sinter/detail/interop.hpp>

#include <cstring>
#include <memory>

namespace sinter {

namespace dlpack {

enum DLDeviceType : std::int32_t { kDLCPU = 1, kDLCUDAHost = 3 };
enum DLDataTypeCode : std::uint8_t { kDLInt = 0, kDLUInt = 1, kDLFloat = 2, kDLComplex = 5, kDLBool = 6 };

struct DLDevice {
    DLDeviceType device_type;
    std::int32_t device_id;
};
struct DLDataType {
    std::uint8_t code;
    std::uint8_t bits;
    std::uint16_t lanes;
};
struct DLTensor {
    void* data;
    DLDevice device;
    std::int32_t ndim;
    DLDataType dtype;
    std::int64_t* shape;
    std::int64_t* strides;  ///< in elements; null: row-major without gaps
    std::uint64_t byte_offset;
};
struct DLManagedTensor {
    DLTensor dl_tensor;
    void* manager_ctx;
    void (*deleter)(DLManagedTensor* self);
};

}  // namespace dlpack

namespace detail {

template <class M>
concept ManagedTensor = requires(M m) {
    m.dl_tensor.byte_offset;
    m.manager_ctx;
    m.deleter(&m);
};

struct TensorType {
    std::uint8_t code, bits;
    bool operator==(const TensorType&) const = default;
};

template <class T>
constexpr TensorType tensor_type() {
    static_assert(is_scalar<T> || is_complex<T>, "dlpack: elements are scalars or complex numbers");
    constexpr Scalar s = scalars_of<T>.scalars[0];
    constexpr auto bits = static_cast<std::uint8_t>(8 * size_of(s) * static_cast<int>(leaf_count<T>));
    if constexpr (is_complex<T>) return {dlpack::kDLComplex, bits};
    if constexpr (is_boolean(s)) return {dlpack::kDLBool, bits};
    if constexpr (is_float(s)) return {dlpack::kDLFloat, bits};
    return {is_signed_integer(s) ? dlpack::kDLInt : dlpack::kDLUInt, bits};
}

/// Throws unless the tensor is in host memory and has this type and rank.
SINTER_API void check_tensor(std::int32_t device, TensorType type, std::uint16_t lanes, std::int32_t rank,
                             const std::int64_t* shape, TensorType expected_type, std::int32_t expected_rank,
                             location where);
/// True if the elements lie in row-major order without gaps. `strides` may be null.
SINTER_API bool is_compact(const std::int64_t* shape, const std::int64_t* strides, std::size_t rank);
/// True if all bytes are 0 or 1.
SINTER_API bool are_booleans(const char* bytes, std::size_t count);

/// An element in memory, not necessarily aligned. For booleans, every byte but 0 is true.
template <class T>
T load_element(const char* memory) {
    if constexpr (std::is_same_v<T, bool>) {
        return *memory != 0;
    } else {
        T element;
        std::memcpy(static_cast<void*>(&element), memory, sizeof(T));
        return element;
    }
}

/// The element at each index, in row-major order.
template <class T, int Rank>
Array<T, Rank> copy_strided(const char* memory, const std::int64_t* shape, const std::int64_t* strides, std::size_t count,
                            location where) {
    std::int64_t index[Rank + 1] = {}, offset = 0;
    auto at = [&](std::size_t) {
        T element = load_element<T>(memory + offset * std::int64_t{sizeof(T)});
        for (int k = Rank - 1; k >= 0; --k) {
            offset += strides[k];
            if (++index[k] < shape[k]) break;
            offset -= strides[k] * shape[k];
            index[k] = 0;
        }
        return element;
    };
    return copy_elements<T, Rank>(shape, count, nullptr, at, where);
}

}  // namespace detail

/// A tensor as an array. For aligned scalars without gaps this is the tensor's own memory, which must not change while the
/// array is in use; the deleter is called when the last reference to the array goes, possibly on another thread. Otherwise
/// the elements are copied, and the deleter is called at once. Booleans whose bytes are not all 0 or 1 are copied, too:
/// every byte but 0 is true. UsageError if the tensor is not in host memory or holds other elements; ShapeError if its rank
/// is not Rank, an extent is negative, or there are 2^63 elements or more. After an error the tensor still belongs to the
/// caller.
template <class T, int Rank = 1, detail::ManagedTensor M>
Array<T, Rank> from_dlpack(M* tensor, location where = location::current()) {
    const auto& t = tensor->dl_tensor;
    detail::check_tensor(static_cast<std::int32_t>(t.device.device_type), {t.dtype.code, t.dtype.bits}, t.dtype.lanes,
                         t.ndim, t.shape, detail::tensor_type<T>(), Rank, where);
    auto release = [](void* owner) {
        auto* m = static_cast<M*>(owner);
        if (m->deleter) m->deleter(m);
    };
    const char* memory = static_cast<const char*>(t.data) + t.byte_offset;
    bool compact = detail::is_compact(t.shape, t.strides, Rank);
    std::size_t count = 1;
    std::int64_t row_major[Rank + 1];
    for (int k = Rank - 1; k >= 0; --k) {
        row_major[k] = static_cast<std::int64_t>(count);
        count *= static_cast<std::size_t>(t.shape[k]);
    }
    if constexpr (detail::is_scalar<T>) {
        const bool is_valid = !std::is_same_v<T, bool> || (compact && detail::are_booleans(memory, count));
        if (compact && is_valid && reinterpret_cast<std::uintptr_t>(memory) % alignof(T) == 0) {
            detail::Leaves<T> leaves;
            leaves.leaf[0] = detail::adopt_array(detail::scalar_v<T>, memory, tensor, release, t.shape, Rank, where);
            return Array<T, Rank>(std::move(leaves));
        }
    }
    auto result = detail::copy_strided<T, Rank>(memory, t.shape, compact ? row_major : t.strides, count, where);
    release(tensor);
    return result;
}

/// An array as a tensor, which its deleter releases. For scalars it is the array's own memory, which the tensor keeps alive
/// and which must not be written; complex numbers are copied.
template <detail::ManagedTensor M = dlpack::DLManagedTensor, class T, int Rank>
M* to_dlpack(const Array<T, Rank>& a, location where = location::current()) {
    struct Export {
        Array<T, Rank> array;
        std::vector<T> copy;
        std::array<std::int64_t, Rank> shape, strides;
        M tensor;
    };
    auto made = std::make_unique<Export>();
    made->array = a;
    made->shape = a.shape(where);
    std::int64_t step = 1;
    for (int k = Rank - 1; k >= 0; --k) {
        made->strides[static_cast<std::size_t>(k)] = step;
        step *= made->shape[static_cast<std::size_t>(k)];
    }
    auto& t = made->tensor.dl_tensor;
    if constexpr (detail::is_scalar<T>) {
        t.data = const_cast<T*>(a.data());
    } else {
        made->copy = a.to_vector(where);
        t.data = made->copy.data();
    }
    constexpr detail::TensorType type = detail::tensor_type<T>();
    t.device = {static_cast<decltype(t.device.device_type)>(dlpack::kDLCPU), 0};
    t.ndim = Rank;
    t.dtype = {type.code, type.bits, 1};
    t.shape = made->shape.data();
    t.strides = made->strides.data();
    t.byte_offset = 0;
    made->tensor.manager_ctx = made.get();
    made->tensor.deleter = [](M* self) { delete static_cast<Export*>(self->manager_ctx); };
    return &made.release()->tensor;
}

}  // namespace sinter
