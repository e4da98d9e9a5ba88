// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays from and to .npy files and DLPack tensors.
#include "conform/support.hpp"

#include <sinter/dlpack.hpp>
#include <sinter/npy.hpp>

#include <complex>
#include <cstdio>
#include <filesystem>
#include <fstream>

using namespace sinter;

namespace {

/// A file that is gone afterwards.
struct TemporaryFile {
    std::string path;
    explicit TemporaryFile(const char* name)
        : path((std::filesystem::temp_directory_path() / ("sinter_interop_" + std::string(name) + ".npy")).string()) {}
    ~TemporaryFile() { std::remove(path.c_str()); }

    void write(const std::string& bytes) const { std::ofstream(path, std::ios::binary) << bytes; }
    std::string read() const {
        std::ifstream file(path, std::ios::binary);
        return {std::istreambuf_iterator<char>(file), {}};
    }
};

/// A file's bytes as NumPy writes them.
std::string npy(int version, const std::string& dictionary, const std::string& elements) {
    std::string text = dictionary + "\n", bytes = "\x93NUMPY";
    bytes += static_cast<char>(version);
    bytes += '\0';
    for (int k = 0; k < (version == 1 ? 2 : 4); ++k) bytes += static_cast<char>(text.size() >> 8 * k & 255);
    return bytes + text + elements;
}

template <class T>
std::string bytes_of(const std::vector<T>& values) {
    return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

/// What an error of kind E says.
template <class E, class F>
std::string message_of(F action) {
    try {
        action();
    } catch (const E& error) {
        REQUIRE(std::string(error.where().file_name()).find("interop.cpp") != std::string::npos);
        return error.what();
    }
    FAIL("no error");
    return {};
}

bool contains(const std::string& text, std::initializer_list<const char*> words) {
    for (const char* word : words)
        if (text.find(word) == std::string::npos) return false;
    return true;
}

template <class T>
void require_npy_round_trip(const char* descr) {
    TemporaryFile file("round_trip");
    std::vector<T> values;
    for (int i = 0; i < 24; ++i) values.push_back(static_cast<T>(i % 5));
    Array<T, 3> a = from(values, shape(2, 3, 4));
    save_npy(file.path, a);
    std::string bytes = file.read();
    CAPTURE(descr);
    REQUIRE(contains(bytes, {descr, "'fortran_order': False", "'shape': (2, 3, 4)"}));
    REQUIRE((bytes.size() - 24 * sizeof(T)) % 64 == 0);
    Array<T, 3> b = load_npy<T, 3>(file.path);
    REQUIRE(b.shape() == a.shape());
    REQUIRE(b.to_vector() == values);
}

using dlpack::DLManagedTensor;

/// A tensor of the user's that counts how often it is deleted.
template <class T>
struct UserTensor {
    std::vector<T> memory;
    std::vector<std::int64_t> shape, strides;
    int deleted = 0;
    DLManagedTensor tensor{};

    UserTensor(std::vector<T> values, std::vector<std::int64_t> extents, std::vector<std::int64_t> steps = {})
        : memory(std::move(values)), shape(std::move(extents)), strides(std::move(steps)) {
        constexpr auto type = detail::tensor_type<T>();
        auto& t = tensor.dl_tensor;
        t = {memory.data(),
             {dlpack::kDLCPU, 0},
             static_cast<int>(shape.size()),
             {type.code, type.bits, 1},
             shape.data(),
             strides.empty() ? nullptr : strides.data(),
             0};
        tensor.manager_ctx = this;
        tensor.deleter = [](DLManagedTensor* self) { ++static_cast<UserTensor*>(self->manager_ctx)->deleted; };
    }
};

/// The struct as another header would declare it.
struct ForeignTensor {
    dlpack::DLTensor dl_tensor;
    void* manager_ctx;
    void (*deleter)(ForeignTensor* self);
};

}  // namespace

TEST_CASE(".npy files keep elements of every type", "[interop]") {
    require_npy_round_trip<std::int8_t>("'|i1'");
    require_npy_round_trip<std::int16_t>("'<i2'");
    require_npy_round_trip<std::int32_t>("'<i4'");
    require_npy_round_trip<std::int64_t>("'<i8'");
    require_npy_round_trip<std::uint8_t>("'|u1'");
    require_npy_round_trip<std::uint16_t>("'<u2'");
    require_npy_round_trip<std::uint32_t>("'<u4'");
    require_npy_round_trip<std::uint64_t>("'<u8'");
    require_npy_round_trip<half>("'<f2'");
    require_npy_round_trip<float>("'<f4'");
    require_npy_round_trip<double>("'<f8'");
    require_npy_round_trip<std::complex<float>>("'<c8'");
    require_npy_round_trip<std::complex<double>>("'<c16'");

    TemporaryFile file("bool");
    save_npy(file.path, from(std::vector<bool>{true, false, true}));
    REQUIRE(contains(file.read(), {"'|b1'", "'shape': (3,)"}));
    REQUIRE(load_npy<bool>(file.path).to_vector() == std::vector<bool>{true, false, true});
}

TEST_CASE(".npy files of rank 0 and without elements", "[interop]") {
    TemporaryFile file("edges");
    save_npy(file.path, run(sum(from(std::vector<float>{1, 2, 3}))));
    REQUIRE(contains(file.read(), {"'shape': ()"}));
    REQUIRE(load_npy<float, 0>(file.path).item() == 6.f);
    save_npy(file.path, from(std::vector<float>{}, shape(3, 0)));
    REQUIRE(load_npy<float, 2>(file.path).shape() == std::array<std::int64_t, 2>{3, 0});
}

TEST_CASE(".npy files that others wrote", "[interop]") {
    TemporaryFile file("others");
    std::vector<float> values = {0, 10, 1, 11, 2, 12};
    for (int version : {1, 2, 3}) {
        file.write(npy(version, "{'descr': '<f4', 'fortran_order': True, 'shape': (2, 3), }  ", bytes_of(values)));
        auto a = load_npy<float, 2>(file.path);
        REQUIRE(a.shape() == std::array<std::int64_t, 2>{2, 3});
        REQUIRE(a.to_vector() == std::vector<float>{0, 1, 2, 10, 11, 12});
    }
    file.write(npy(1, "{\"shape\":(6L,),\"fortran_order\":False,\"descr\":\"<f4\"}", bytes_of(values)));
    REQUIRE(load_npy<float>(file.path).to_vector() == values);
    file.write(npy(1, "{'descr': '<c8', 'fortran_order': True, 'shape': (3, 1, 1)}", bytes_of(values)));
    REQUIRE(load_npy<std::complex<float>, 3>(file.path)(1, 0, 0) == std::complex<float>(1, 11));
    std::string order;
    for (int i = 0; i < 24; ++i) order += static_cast<char>(i);
    file.write(npy(1, "{'descr': '|u1', 'fortran_order': True, 'shape': (2, 3, 4)}", order));
    auto cube = load_npy<std::uint8_t, 3>(file.path);
    for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 3; ++j)
            for (int k = 0; k < 4; ++k) REQUIRE(cube(i, j, k) == i + 2 * j + 6 * k);
}

TEST_CASE("a .npy file that is not what was asked for is an error that says what it is", "[interop]") {
    TemporaryFile file("wrong");
    save_npy(file.path, from(std::vector<float>(6), shape(2, 3)));
    const char* name = file.path.c_str();
    REQUIRE(contains(message_of<UsageError>([&] { load_npy<double, 2>(file.path); }), {name, "<f4", "<f8"}));
    REQUIRE(contains(message_of<ShapeError>([&] { load_npy<float, 1>(file.path); }), {name, "rank 2", "[2, 3]", "rank 1"}));
    file.write(npy(1, "{'descr': '>f4', 'fortran_order': False, 'shape': (1,)}", "abcd"));
    REQUIRE(contains(message_of<UsageError>([&] { load_npy<float>(file.path); }), {name, ">f4", "<f4"}));
    file.write(npy(1, "{'descr': [('x', '<f4')], 'fortran_order': False, 'shape': (1,)}", "abcd"));
    REQUIRE(contains(message_of<UsageError>([&] { load_npy<float>(file.path); }), {name, "[('x', '<f4')]"}));
    file.write(npy(1, "{'descr': '<f4', 'fortran_order': False, 'shape': (2,)}", "abcdefg"));
    REQUIRE(contains(message_of<UsageError>([&] { load_npy<float>(file.path); }), {name, "ends within"}));
    for (const char* text : {"", "\x93NUM", "\x93NUMPY\x09", "not an array"}) {
        file.write(text);
        REQUIRE(contains(message_of<UsageError>([&] { load_npy<float>(file.path); }), {name}));
    }
    for (const char* text : {"", "{}", "{'descr': '<f4'}", "{'descr': '<f4', 'fortran_order': False, 'shape': (-1,)}",
                             "{'descr': '<f4', 'fortran_order': 0, 'shape': (1,)}", "{'descr': '<f4, 'shape': (1,"}) {
        file.write(npy(1, text, "abcd"));
        REQUIRE(contains(message_of<UsageError>([&] { load_npy<float>(file.path); }), {name, "header"}));
    }
    REQUIRE(contains(message_of<UsageError>([&] { load_npy<float>("/no/such/file.npy"); }), {"/no/such/file.npy"}));
    REQUIRE(contains(message_of<UsageError>([&] { save_npy("/no/such/file.npy", from({1.f})); }), {"/no/such/file.npy"}));
}

TEST_CASE("a DLPack tensor is used in place and deleted when the last reference goes", "[interop]") {
    UserTensor<float> user({1, 2, 3, 4, 5, 6}, {2, 3});
    {
        auto a = from_dlpack<float, 2>(&user.tensor);
        REQUIRE(a.data() == user.memory.data());
        REQUIRE(a.shape() == std::array<std::int64_t, 2>{2, 3});
        REQUIRE(conform::everywhere(sum(a)).to_vector() == std::vector<float>{6, 15});
        auto later = a * 2.f;
        a = {};
        REQUIRE(user.deleted == 0);
        REQUIRE(run(later)(1, 2) == 12.f);
    }
    REQUIRE(user.deleted == 1);
}

TEST_CASE("a DLPack tensor with gaps or of complex numbers is copied", "[interop]") {
    UserTensor<float> columns({1, 2, 3, 4, 5, 6}, {3, 2}, {1, 3});
    columns.tensor.dl_tensor.byte_offset = 0;
    REQUIRE(from_dlpack<float, 2>(&columns.tensor).to_vector() == std::vector<float>{1, 4, 2, 5, 3, 6});
    REQUIRE(columns.deleted == 1);
    UserTensor<std::int16_t> offset({1, 2, 3, 4, 5, 6}, {2}, {2});
    offset.tensor.dl_tensor.byte_offset = 2;
    REQUIRE(from_dlpack<std::int16_t>(&offset.tensor).to_vector() == std::vector<std::int16_t>{2, 4});
    UserTensor<std::complex<float>> complex({{1, 2}, {3, 4}}, {2});
    REQUIRE(from_dlpack<std::complex<float>>(&complex.tensor)(1) == std::complex<float>(3, 4));
    REQUIRE(complex.deleted == 1);
    UserTensor<double> scalar({7}, {});
    REQUIRE(from_dlpack<double, 0>(&scalar.tensor).item() == 7.0);
    REQUIRE(scalar.deleted == 1);
    UserTensor<std::uint8_t> bytes({0, 1, 0, 0, 0, 2, 0, 0, 0}, {2});
    bytes.tensor.dl_tensor.dtype = {dlpack::kDLInt, 32, 1};
    bytes.tensor.dl_tensor.byte_offset = 1;  // not aligned
    REQUIRE(from_dlpack<std::int32_t>(&bytes.tensor).to_vector() == std::vector<std::int32_t>{1, 2});
    REQUIRE(bytes.deleted == 1);
    // A stride of an axis of extent 1 means nothing.
    UserTensor<int> row({1, 2, 3}, {1, 3}, {99, 1});
    REQUIRE(from_dlpack<int, 2>(&row.tensor).data() == row.memory.data());
    UserTensor<int> empty({}, {0, 3}, {1, 5});
    REQUIRE(from_dlpack<int, 2>(&empty.tensor).size() == 0);
}

TEST_CASE("bytes of a DLPack tensor of booleans are 0 or true", "[interop]") {
    std::vector<std::uint8_t> memory(40);
    for (std::size_t k = 0; k < memory.size(); ++k) memory[k] = k % 3 == 0 ? 2 : k % 3 == 1 ? 255 : 0;
    auto import = [&](std::vector<std::int64_t> shape, std::vector<std::int64_t> strides) {
        UserTensor<std::uint8_t> user(memory, std::move(shape), std::move(strides));
        user.tensor.dl_tensor.dtype = {dlpack::kDLBool, 8, 1};
        auto a = from_dlpack<bool>(&user.tensor);
        REQUIRE(user.deleted == 1);
        return a;
    };
    auto a = import({40}, {});
    REQUIRE(conform::everywhere(count(a)).item() == 27);
    REQUIRE(conform::everywhere(sum(map([](auto b) { return cast<int>(b); }, a))).item() == 27);
    REQUIRE(conform::everywhere(count(!a)).item() == 13);
    REQUIRE(conform::everywhere(count(import({20}, {2}))).item() == 13);
    UserTensor<std::uint8_t> valid({1, 0, 1}, {3});
    valid.tensor.dl_tensor.dtype = {dlpack::kDLBool, 8, 1};
    const void* own = valid.memory.data();
    REQUIRE(static_cast<const void*>(from_dlpack<bool>(&valid.tensor).data()) == own);
}

TEST_CASE("a DLPack tensor that does not fit stays the caller's", "[interop]") {
    UserTensor<float> user({1, 2, 3, 4}, {4});
    REQUIRE(contains(message_of<UsageError>([&] { from_dlpack<double>(&user.tensor); }), {"float32", "float64"}));
    REQUIRE(contains(message_of<ShapeError>([&] { from_dlpack<float, 2>(&user.tensor); }), {"rank 1", "2"}));
    user.shape[0] = -1;
    REQUIRE(contains(message_of<ShapeError>([&] { from_dlpack<float>(&user.tensor); }), {"extent -1"}));
    UserTensor<float> large({1}, {std::int64_t{1} << 32, std::int64_t{1} << 32}, {0, 0});
    REQUIRE(contains(message_of<ShapeError>([&] { from_dlpack<float, 2>(&large.tensor); }), {"4294967296", "2^63"}));
    REQUIRE(large.deleted == 0);
    user.tensor.dl_tensor.dtype.lanes = 4;
    REQUIRE(contains(message_of<UsageError>([&] { from_dlpack<float>(&user.tensor); }), {"4 lanes of float32"}));
    user.tensor.dl_tensor.device.device_type = static_cast<dlpack::DLDeviceType>(2);
    REQUIRE(contains(message_of<UsageError>([&] { from_dlpack<float>(&user.tensor); }), {"device of type 2"}));
    REQUIRE(user.deleted == 0);
}

TEST_CASE("an array as a DLPack tensor", "[interop]") {
    Array<std::int32_t, 2> a = from(std::vector<std::int32_t>{1, 2, 3, 4, 5, 6}, shape(2, 3));
    const void* memory = a.data();
    DLManagedTensor* tensor = to_dlpack(a);
    a = {};  // the tensor keeps the memory
    REQUIRE(tensor->dl_tensor.data == memory);
    REQUIRE(tensor->dl_tensor.ndim == 2);
    REQUIRE(tensor->dl_tensor.strides[0] == 3);
    REQUIRE(tensor->dl_tensor.dtype.code == dlpack::kDLInt);
    REQUIRE(tensor->dl_tensor.dtype.bits == 32);
    auto back = from_dlpack<std::int32_t, 2>(tensor);
    REQUIRE(back.data() == memory);
    REQUIRE(back(1, 0) == 4);

    auto complex = to_dlpack(from(std::vector<std::complex<double>>{{1, 2}, {3, 4}}));
    REQUIRE(complex->dl_tensor.dtype.bits == 128);
    REQUIRE(static_cast<const double*>(complex->dl_tensor.data)[3] == 4.0);
    complex->deleter(complex);

    ForeignTensor* foreign = to_dlpack<ForeignTensor>(from(std::vector<bool>{true, false}));
    REQUIRE(foreign->dl_tensor.dtype.code == dlpack::kDLBool);
    REQUIRE(from_dlpack<bool>(foreign).to_vector() == std::vector<bool>{true, false});
}
