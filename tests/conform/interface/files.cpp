// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Files: .npy with conversion, .npz archives, PNG images. What others have written is here as bytes: an archive by Python's
// zipfile, images with palettes, few bits, and every filter.
#include "conform/support.hpp"

#include <sinter/npz.hpp>
#include <sinter/png.hpp>
#include <sinter/text.hpp>

#include <complex>
#include <filesystem>
#include <fstream>

using namespace sinter;

namespace {

/// A file of its own that is removed again.
struct TemporaryFile {
    std::string path;
    explicit TemporaryFile(const char* name)
        : path((std::filesystem::temp_directory_path() / ("sinter_files_" + std::string(name))).string()) {}
    TemporaryFile(const char* name, const std::string& contents) : TemporaryFile(name) { write(contents); }
    ~TemporaryFile() { std::filesystem::remove(path); }
    void write(const std::string& contents) const { std::ofstream(path, std::ios::binary) << contents; }
    std::string read() const {
        std::ifstream in(path, std::ios::binary);
        return {std::istreambuf_iterator<char>(in), {}};
    }
};

std::string bytes(std::initializer_list<int> values) {
    std::string text;
    for (int value : values) text += static_cast<char>(value);
    return text;
}

std::string npy(const std::string& dictionary, const std::string& elements) {
    std::string header = dictionary;
    header.resize(118, ' ');
    return bytes({0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0, 118, 0}) + header + elements;
}

// clang-format off
const std::string compressed_npz = bytes({80, 75, 3, 4, 20, 0, 0, 0, 8, 0, 0, 0, 33, 0, 45, 111, 34, 38, 102, 0, 0, 0, 176, 0, 0, 0, 5, 0, 0, 0, 120, 46, 110, 112, 121, 155, 236, 23, 234, 27, 16, 201, 200, 80, 198, 80, 173, 158, 146, 90, 156, 92, 164, 110, 165, 160, 110, 147, 102, 162, 174, 163, 160, 158, 150, 95, 84, 82, 148, 152, 23, 159, 95, 148, 146, 10, 18, 119, 75, 204, 41, 78, 5, 138, 23, 103, 36, 22, 164, 2, 249, 26, 198, 58, 10, 38, 154, 58, 10, 181, 10, 100, 3, 46, 6, 48, 104, 176, 7, 18, 14, 64, 4, 196, 13, 64, 188, 0, 136, 15, 0, 241, 3, 32, 102, 112, 100, 96, 16, 0, 98, 5, 32, 54, 112, 4, 0, 80, 75, 3, 4, 20, 0, 0, 0, 8, 0, 0, 0, 33, 0, 140, 80, 49, 162, 217, 1, 0, 0, 48, 5, 0, 0, 8, 0, 0, 0, 108, 111, 110, 103, 46, 110, 112, 121, 237, 145, 203, 75, 27, 81, 28, 70, 143, 168, 72, 69, 169, 5, 91, 145, 10, 6, 12, 78, 3, 17, 210, 42, 46, 36, 208, 68, 163, 160, 193, 38, 98, 149, 6, 31, 37, 52, 227, 139, 224, 99, 226, 131, 214, 100, 229, 194, 141, 20, 33, 8, 90, 187, 41, 184, 113, 209, 116, 161, 46, 45, 162, 86, 40, 40, 42, 130, 96, 165, 66, 113, 83, 23, 5, 165, 184, 112, 231, 231, 191, 224, 78, 112, 102, 51, 115, 103, 238, 239, 126, 223, 57, 201, 87, 45, 141, 193, 80, 26, 163, 140, 27, 17, 51, 246, 206, 50, 170, 108, 134, 187, 247, 133, 225, 180, 25, 93, 3, 214, 176, 21, 238, 127, 59, 96, 69, 204, 155, 245, 186, 112, 52, 102, 106, 61, 214, 19, 30, 52, 245, 254, 172, 210, 229, 114, 58, 156, 182, 132, 237, 214, 87, 54, 164, 145, 193, 3, 242, 40, 196, 206, 115, 60, 52, 17, 225, 61, 211, 44, 178, 201, 31, 50, 41, 165, 158, 126, 102, 248, 206, 25, 79, 105, 96, 156, 20, 167, 20, 243, 134, 36, 123, 228, 211, 194, 44, 191, 113, 96, 177, 202, 67, 58, 249, 70, 22, 237, 44, 241, 136, 40, 63, 41, 227, 35, 23, 180, 177, 142, 139, 121, 114, 137, 243, 15, 147, 95, 180, 178, 75, 128, 109, 130, 236, 19, 226, 132, 62, 254, 51, 193, 99, 22, 168, 98, 135, 110, 210, 249, 140, 155, 35, 18, 148, 176, 197, 32, 69, 252, 96, 4, 131, 67, 166, 240, 113, 197, 10, 49, 202, 57, 103, 153, 15, 84, 147, 195, 1, 95, 24, 162, 134, 2, 254, 178, 198, 39, 241, 124, 77, 5, 79, 184, 228, 152, 13, 190, 50, 199, 36, 99, 244, 210, 65, 51, 126, 106, 241, 242, 82, 183, 87, 79, 126, 173, 116, 232, 203, 152, 254, 152, 211, 159, 27, 218, 113, 169, 157, 21, 154, 48, 170, 73, 107, 154, 88, 160, 201, 67, 58, 225, 64, 39, 85, 235, 196, 101, 157, 92, 174, 4, 43, 74, 226, 83, 162, 67, 37, 27, 81, 194, 34, 37, 221, 82, 226, 132, 146, 187, 213, 32, 93, 77, 118, 212, 104, 65, 205, 38, 212, 176, 79, 77, 67, 106, 28, 84, 243, 128, 8, 180, 138, 132, 41, 34, 113, 145, 153, 23, 161, 117, 145, 186, 16, 177, 50, 145, 139, 138, 224, 146, 72, 102, 137, 104, 167, 200, 174, 138, 176, 67, 164, 103, 69, 60, 95, 228, 147, 50, 80, 44, 19, 41, 25, 105, 144, 153, 51, 25, 154, 145, 169, 122, 25, 203, 148, 185, 77, 25, 156, 150, 201, 136, 140, 122, 100, 214, 46, 195, 121, 50, 157, 33, 227, 247, 214, 239, 173, 223, 77, 235, 215, 80, 75, 1, 2, 20, 3, 20, 0, 0, 0, 8, 0, 0, 0, 33, 0, 45, 111, 34, 38, 102, 0, 0, 0, 176, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 128, 1, 0, 0, 0, 0, 120, 46, 110, 112, 121, 80, 75, 1, 2, 20, 3, 20, 0, 0, 0, 8, 0, 0, 0, 33, 0, 140, 80, 49, 162, 217, 1, 0, 0, 48, 5, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 128, 1, 137, 0, 0, 0, 108, 111, 110, 103, 46, 110, 112, 121, 80, 75, 5, 6, 0, 0, 0, 0, 2, 0, 2, 0, 105, 0, 0, 0, 136, 2, 0, 0, 0, 0});
const std::string palette_png = bytes({137, 80, 78, 71, 13, 10, 26, 10, 0, 0, 0, 13, 73, 72, 68, 82, 0, 0, 0, 5, 0, 0, 0, 2, 2, 3, 0, 0, 0, 237, 4, 254, 206, 0, 0, 0, 12, 80, 76, 84, 69, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 110, 120, 198, 72, 119, 223, 0, 0, 0, 2, 116, 82, 78, 83, 0, 128, 155, 43, 78, 24, 0, 0, 0, 14, 73, 68, 65, 84, 120, 218, 99, 144, 102, 96, 120, 226, 0, 0, 2, 149, 1, 64, 22, 124, 159, 151, 0, 0, 0, 0, 73, 69, 78, 68, 174, 66, 96, 130});
const std::string filtered_png = bytes({137, 80, 78, 71, 13, 10, 26, 10, 0, 0, 0, 13, 73, 72, 68, 82, 0, 0, 0, 6, 0, 0, 0, 5, 8, 2, 0, 0, 0, 233, 58, 10, 177, 0, 0, 0, 49, 73, 68, 65, 84, 120, 218, 99, 96, 112, 235, 209, 200, 219, 18, 48, 237, 78, 197, 62, 150, 5, 207, 116, 78, 240, 133, 48, 50, 123, 246, 107, 160, 2, 38, 102, 76, 192, 166, 233, 35, 6, 5, 211, 32, 4, 11, 166, 34, 0, 212, 150, 14, 99, 37, 175, 141, 185, 0, 0, 0, 0, 73, 69, 78, 68, 174, 66, 96, 130});
const std::string bits_png = bytes({137, 80, 78, 71, 13, 10, 26, 10, 0, 0, 0, 13, 73, 72, 68, 82, 0, 0, 0, 9, 0, 0, 0, 1, 1, 0, 0, 0, 0, 36, 185, 185, 208, 0, 0, 0, 11, 73, 68, 65, 84, 120, 218, 99, 216, 212, 0, 0, 1, 231, 1, 51, 61, 187, 148, 253, 0, 0, 0, 0, 73, 69, 78, 68, 174, 66, 96, 130});
// clang-format on

}  // namespace

TEST_CASE(".npy files are converted on request", "[files]") {
    TemporaryFile file("converted.npy");
    save_npy(file.path, from({1.5, -2.7, 1e10, 300.}));
    CHECK(load_npy<float>(file.path, convert).to_vector() == std::vector<float>{1.5f, -2.7f, 1e10f, 300.f});
    CHECK(load_npy<int>(file.path, convert).to_vector() == std::vector<int>{1, -2, 2147483647, 300});
    CHECK(load_npy<double>(file.path, convert)(3) == 300.);
    auto complex = load_npy<std::complex<float>>(file.path, convert).to_vector();
    CHECK(complex[0] == std::complex<float>(1.5f, 0));
    CHECK_THROWS_AS(load_npy<float>(file.path), UsageError);
    CHECK_THROWS_AS((load_npy<float, 2>(file.path, convert)), ShapeError);
    save_npy(file.path, from(std::vector<std::int64_t>{-1, 256, 0}));
    CHECK(load_npy<std::uint8_t>(file.path, convert).to_vector() == std::vector<std::uint8_t>{255, 0, 0});
    CHECK(load_npy<bool>(file.path, convert).to_vector() == std::vector<bool>{true, true, false});
    save_npy(file.path, from(std::vector<std::complex<double>>{{1, 2}}));
    CHECK(load_npy<std::complex<float>>(file.path, convert).to_vector()[0] == std::complex<float>(1, 2));
    CHECK_THROWS_AS(load_npy<double>(file.path, convert), UsageError);
    file.write(
        npy("{'descr': '>i2', 'fortran_order': True, 'shape': (2, 3), }", bytes({0, 1, 1, 0, 0, 2, 2, 0, 0, 3, 255, 253})));
    CHECK(load_npy<std::int16_t, 2>(file.path, convert).to_vector() == std::vector<std::int16_t>{1, 2, 3, 256, 512, -3});
    CHECK(load_npy<float, 2>(file.path, convert).to_vector() == std::vector<float>{1, 2, 3, 256, 512, -3});
    CHECK_THROWS_AS((load_npy<std::int16_t, 2>(file.path)), UsageError);
    file.write(npy("{'descr': '<U4', 'fortran_order': False, 'shape': (1,), }", std::string(16, 'x')));
    CHECK_THROWS_AS(load_npy<int>(file.path, convert), UsageError);
}

TEST_CASE(".npz files keep several arrays", "[files]") {
    TemporaryFile file("several.npz");
    Array<float, 2> x = run(reshape(cast<float>(iota(12)), shape(3, 4)));
    Array<std::int64_t, 0> steps = run(sum(iota(5)));
    Array<std::complex<double>> z = from(std::vector<std::complex<double>>{{1, 2}, {3, 4}});
    Array<bool> none = from(std::vector<bool>{});
    save_npz(file.path, "x", x, "steps", steps, "z", z, std::string("none"), none);
    CHECK(npz_names(file.path) == std::vector<std::string>{"x", "steps", "z", "none"});
    CHECK(load_npz<float, 2>(file.path, "x").to_vector() == x.to_vector());
    CHECK(load_npz<float, 2>(file.path, "x").shape() == x.shape());
    CHECK(load_npz<std::int64_t, 0>(file.path, "steps").item() == 10);
    CHECK(load_npz<std::complex<double>>(file.path, "z").to_vector() == z.to_vector());
    CHECK(load_npz<bool>(file.path, "none").size() == 0);
    CHECK(load_npz<double, 2>(file.path, "x", convert)(2, 3) == 11.);
    CHECK_THROWS_AS((load_npz<double, 2>(file.path, "x")), UsageError);
    CHECK_THROWS_AS((load_npz<float, 1>(file.path, "x")), ShapeError);
    CHECK_THROWS_AS((load_npz<float, 1>(file.path, "y")), UsageError);
    CHECK_THROWS_AS(save_npz(file.path, "x", x, "x", x), UsageError);
    CHECK_THROWS_AS(save_npz("/no such folder/a.npz", "x", x), UsageError);
    CHECK_THROWS_AS((load_npz<float, 2>("/no such file.npz", "x")), UsageError);
}

TEST_CASE("tables of text", "[files][one_process]") {
    TemporaryFile file("table.txt", "# x  y\n 1 2.5\n\n+3\t-4e3 # the last\n");
    CHECK(load_txt<double, 2>(file.path).to_vector() == std::vector<double>{1, 2.5, 3, -4000});
    CHECK(load_txt<double, 2>(file.path).shape() == std::array<std::int64_t, 2>{2, 2});
    CHECK_THROWS_WITH(load_txt<double>(file.path), Catch::Contains("have rank 2"));
    CHECK_THROWS_WITH((load_txt<int, 2>(file.path)), Catch::Contains("line 2: no number of the element type: 2.5"));
    CHECK_THROWS_AS(load_txt<double>("/no such file.txt"), UsageError);
    CHECK_THROWS_AS(save_txt("/no such folder/a.txt", from({1.})), UsageError);
    file.write("1, 2\n3,4,5\n");
    CHECK_THROWS_WITH((load_txt<int, 2>(file.path, ',')), Catch::Contains("line 2: another number of numbers"));
    file.write("1,,2\n");
    CHECK_THROWS_WITH((load_txt<int, 2>(file.path, ',')), Catch::Contains("line 1: no number"));
    file.write("300\n");
    CHECK_THROWS_AS(load_txt<std::uint8_t>(file.path), UsageError);
    file.write("");
    CHECK(load_txt<double, 2>(file.path).size() == 0);
    const Array<float, 2> kept = from(std::vector<float>{0.1f, -1e-40f, 3e38f, 7, INFINITY, 16777216}, shape(2, 3));
    save_txt(file.path, kept, ',');
    CHECK(load_txt<float, 2>(file.path, ',').to_vector() == kept.to_vector());
    const Array<std::int8_t> small = from(std::vector<std::int8_t>{-128, 0, 127});
    save_txt(file.path, small);
    CHECK(load_txt<std::int8_t>(file.path).to_vector() == small.to_vector());
}

TEST_CASE(".npz files that are compressed", "[files][one_process]") {
    TemporaryFile file("compressed.npz", compressed_npz);
    CHECK(npz_names(file.path) == std::vector<std::string>{"x", "long"});
    CHECK(load_npz<float, 2>(file.path, "x").to_vector() == run(cast<float>(iota(12))).to_vector());
    auto squares = load_npz<std::int16_t>(file.path, "long").to_vector();
    REQUIRE(squares.size() == 600);
    for (int i = 0; i < 600; ++i) REQUIRE(squares[static_cast<std::size_t>(i)] == i * i % 251);
}

TEST_CASE("files that are damaged are errors", "[files][one_process]") {
    TemporaryFile file("damaged");
    auto try_all = [&](const std::string& contents) {
        file.write(contents);
        try {
            load_npz<std::int16_t>(file.path, "long");
        } catch (const Error&) {
        }
        try {
            load_png(file.path);
        } catch (const Error&) {
        }
    };
    for (const std::string& good : {compressed_npz, palette_png, filtered_png, bits_png})
        for (std::size_t k = 0; k < good.size(); ++k) {
            try_all(good.substr(0, k));
            for (int change : {1, 0x80, 0xff}) {
                std::string bad = good;
                bad[k] = static_cast<char>(bad[k] ^ change);
                try_all(bad);
            }
        }
    for (const std::string& good : {palette_png, filtered_png, bits_png}) {  // everything has a check sum
        std::string bad = good;
        bad[good.size() / 2] = static_cast<char>(bad[good.size() / 2] ^ 1);
        file.write(bad);
        CHECK_THROWS_AS(load_png(file.path), UsageError);
    }
}

TEST_CASE("PNG files of several kinds", "[files][one_process]") {
    using Bytes = std::vector<std::uint8_t>;
    TemporaryFile file("image.png", palette_png);
    auto image = load_png(file.path);
    CHECK(image.shape() == std::array<std::int64_t, 3>{2, 5, 4});
    CHECK(image.to_vector() == Bytes{10,  20,  30, 0,   40, 50, 60,  128, 70,  80,  90, 255, 100, 110,
                                     120, 255, 10, 20,  30, 0,  100, 110, 120, 255, 70, 80,  90,  255,
                                     40,  50,  60, 128, 10, 20, 30,  0,   40,  50,  60, 128});
    file.write(filtered_png);
    image = load_png(file.path);
    REQUIRE(image.shape() == std::array<std::int64_t, 3>{5, 6, 3});
    for (int y = 0; y < 5; ++y)
        for (int x = 0; x < 6; ++x)
            for (int c = 0; c < 3; ++c) REQUIRE(image(y, x, c) == (x * 40 + y * 3 + c * 70) % 256);
    file.write(bits_png);
    image = load_png(file.path);
    CHECK(image.to_vector() == Bytes{255, 0, 255, 255, 0, 0, 255, 0, 255});
}

TEST_CASE("PNG files are read as they were written", "[files]") {
    TemporaryFile file("written.png");
    for (std::int64_t channels : {1, 2, 3, 4}) {
        Array<std::uint8_t, 3> image = run(generate(shape(37, 300, channels), [](auto y, auto x, auto c) {
            return cast<std::uint8_t>(x * y / 16 + c * 31 + select(y > 20, x * 7919 % 255, x - x));
        }));
        save_png(file.path, image);
        CHECK(load_png(file.path).shape() == image.shape());
        CHECK(load_png(file.path).to_vector() == image.to_vector());
        CHECK(file.read().size() < static_cast<std::size_t>(image.size()));
    }
    Array<std::uint8_t, 2> grey = run(fill(shape(100, 100), std::uint8_t{7}));
    save_png(file.path, grey);
    CHECK(load_png(file.path).to_vector() == grey.to_vector());
    CHECK(file.read().size() < 400);
    CHECK_THROWS_AS(save_png(file.path, run(fill(shape(2, 2, 5), std::uint8_t{0}))), ShapeError);
    CHECK_THROWS_AS(save_png(file.path, run(fill(shape(0, 2), std::uint8_t{0}))), ShapeError);
    CHECK_THROWS_AS(save_png("/no such folder/a.png", grey), UsageError);
    CHECK_THROWS_AS(load_png("/no such file.png"), UsageError);
    file.write("no image");
    CHECK_THROWS_AS(load_png(file.path), UsageError);
}
