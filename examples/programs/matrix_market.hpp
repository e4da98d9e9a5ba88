// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Sparse matrices as text: the coordinate form of Matrix Market.
#pragma once

#include "spmv.hpp"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <istream>
#include <ostream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

namespace programs {

namespace matrix_market {

/// (row, column, value), counted from 0.
using Entry = std::tuple<std::int64_t, std::int64_t, double>;

/// The next line that is neither blank nor a comment.
inline std::istringstream next_line(std::istream& in) {
    for (std::string line; std::getline(in, line);)
        if (line.find_first_not_of(" \t\r") != std::string::npos && line[0] != '%') return std::istringstream(line);
    throw std::runtime_error("Matrix Market: the file ends too early");
}

/// Sorted by row and column; values in the same place are added.
inline SparseMatrix<double> compressed(std::int64_t rows, std::int64_t columns, std::vector<Entry> entries) {
    const auto place = [](const Entry& e) { return std::pair(std::get<0>(e), std::get<1>(e)); };
    std::sort(entries.begin(), entries.end());
    std::vector<std::int64_t> lengths(static_cast<std::size_t>(rows));
    std::vector<std::int32_t> column;
    std::vector<double> value;
    for (std::size_t e = 0; e < entries.size(); ++e) {
        const auto& [i, j, v] = entries[e];
        if (e > 0 && place(entries[e]) == place(entries[e - 1])) {
            value.back() += v;
            continue;
        }
        ++lengths[static_cast<std::size_t>(i)];
        column.push_back(static_cast<std::int32_t>(j));
        value.push_back(v);
    }
    return {rows, columns, from(lengths), from(column), from(value)};
}

}  // namespace matrix_market

inline SparseMatrix<double> read_matrix_market(std::istream& in) {
    using namespace matrix_market;
    std::string header;
    std::getline(in, header);
    std::transform(header.begin(), header.end(), header.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    std::string mark, matrix, form, field, symmetry;
    std::istringstream(header) >> mark >> matrix >> form >> field >> symmetry;
    const bool pattern = field == "pattern", symmetric = symmetry == "symmetric", skew = symmetry == "skew-symmetric";
    if (mark != "%%matrixmarket" || matrix != "matrix" || form != "coordinate")
        throw std::runtime_error("Matrix Market: not a matrix in coordinate form: " + header);
    if ((field != "real" && field != "integer" && !pattern) || (symmetry != "general" && !symmetric && !skew))
        throw std::runtime_error("Matrix Market: entries of this kind cannot be read: " + header);

    std::int64_t rows = 0, columns = 0, count = 0;
    next_line(in) >> rows >> columns >> count;
    std::vector<Entry> entries;
    for (; count > 0; --count) {
        auto line = next_line(in);
        std::int64_t i = 0, j = 0;
        double v = 1;
        line >> i >> j;
        if (!pattern) line >> v;
        if (!line || i < 1 || i > rows || j < 1 || j > columns)
            throw std::runtime_error("Matrix Market: not an entry: " + line.str());
        entries.emplace_back(i - 1, j - 1, v);
        if ((symmetric || skew) && i != j) entries.emplace_back(j - 1, i - 1, skew ? -v : v);
    }
    return compressed(rows, columns, std::move(entries));
}

inline void write_matrix_market(std::ostream& out, const SparseMatrix<double>& a) {
    out << "%%MatrixMarket matrix coordinate real general\n" << a.rows << ' ' << a.columns << ' ' << a.value.size() << '\n';
    out.precision(17);
    std::int64_t e = 0;
    for (std::int64_t i = 0; i < a.rows; ++i)
        for (const std::int64_t end = e + a.lengths(i); e < end; ++e)
            out << i + 1 << ' ' << a.column(e) + 1 << ' ' << a.value(e) << '\n';
}

}  // namespace programs
