// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NumPy's .npz: archives whose members are .npy files.
#include "run/interop/npy_stream.hpp"
#include "run/interop/zip.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

namespace sinter::detail {

using namespace sinter::runtime;

namespace {

constexpr std::string_view ending = ".npy";

std::string array_name(const std::string& member) {
    return member.ends_with(ending) ? member.substr(0, member.size() - ending.size()) : member;
}

std::vector<std::string> names_of(const std::vector<ZipMember>& members) {
    std::vector<std::string> names;
    for (const ZipMember& member : members) names.push_back(array_name(member.name));
    return names;
}

}  // namespace

void save_npz(const std::string& path, const NpzMember* members, std::size_t count, location where) {
    for (std::size_t k = 0; k < count; ++k)
        for (std::size_t other = 0; other < k; ++other)
            if (members[k].name == members[other].name)
                throw UsageError(fmt::format("save_npz: two arrays are called {}", members[k].name), where);
    File file("save_npz", path, "wb", where);
    ZipWriter zip(file);
    for (std::size_t k = 0; k < count; ++k) {
        const NpzMember& member = members[k];
        const NpyImage image =
            make_npy_image(member.element, member.shape.data(), member.shape.size(), member.leaves, "save_npz", where);
        const std::span header(reinterpret_cast<const unsigned char*>(image.header.data()), image.header.size());
        zip.add(member.name + std::string(ending), std::array{header, image.elements});
    }
    zip.finish();
    file.close();
}

void load_npz(const std::string& path, const std::string& name, FileElement element, std::size_t rank, bool convert,
              LeafRef* out, location where) {
    File file("load_npz", path, "rb", where);
    const Bytes archive = file.rest();
    const std::vector<ZipMember> members = list_zip(file, archive);
    const auto found = std::find_if(members.begin(), members.end(),
                                    [&](const ZipMember& member) { return array_name(member.name) == name; });
    if (found == members.end()) file.fail(fmt::format("has no array {}, but: {}", name, fmt::join(names_of(members), ", ")));
    const Bytes bytes = extract(file, archive, *found);
    MemorySource source("load_npz", fmt::format("{} of {}", name, path), bytes, where);
    read_npy(source, element, rank, convert, out);
}

std::vector<std::string> npz_names(const std::string& path, location where) {
    File file("npz_names", path, "rb", where);
    return names_of(list_zip(file, file.rest()));
}

}  // namespace sinter::detail
