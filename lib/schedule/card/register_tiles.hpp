// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Matrix products and everything of their form: a reduce whose elements combine what depends on the row with what depends
/// on the column. A block takes a tile of points; what its rows and its columns need for the next few elements of the reduce
/// is loaded, or computed, once, and kept in the memory of the block; each thread has the results of a few rows times a few
/// columns in registers (Volkov and Demmel, Benchmarking GPUs to Tune Dense Linear Algebra, 2008).
///
/// The reduce of a point combines its elements one after another, in order, as the interpreter does.
#pragma once

#include "schedule/card/tuning.hpp"
#include "schedule/facts/facts.hpp"
#include "support/shared.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace sinter::schedule::card {

/// Points per thread along either axis.
struct ThreadTile {
    std::int64_t rows = 0, columns = 0;
    bool operator==(const ThreadTile&) const = default;
};

/// What is known of such a kernel before extents are.
struct RegisterTiles {
    /// Instructions by number, of the body before the reduce and of its element.
    struct Slice {
        std::vector<bool> body, element;
    };
    /// A value of an element that is the same in all columns, or in all rows.
    struct Kept {
        std::size_t inst, result;  ///< of the element block
        ir::Scalar type;
        bool of_columns;
    };
    /// What depends on rows, or on columns.
    struct Side {
        Slice slice;  ///< what it is computed from
        bool along_axis =
            false;  ///< neighbours along the axis are contiguous in memory; otherwise neighbours along the reduce
    };

    std::size_t row_axis = 0;
    std::size_t reduce = 0;  ///< its number in the body
    std::vector<Kept> kept;
    Side rows, columns;
    Slice here;             ///< what every point executes for every element, and what that needs of the body
    double arithmetic = 0;  ///< instructions per point and element
    /// Instead of `kept`, if elements are products that are added as floats in any way: the row's factor and the column's,
    /// halves before they are widened, or floats that may be rounded to TF32.
    std::vector<Kept> factors;
    bool tensor_cores = false;  ///< the warps of a block multiply tiles of such factors
    ThreadTile wide, narrow;    ///< many points for each thread, and fewer, where there are too few tiles of many
    ThreadTile broad = {};      ///< still more, for tensor cores
    ThreadTile tile = {};       ///< the one that is taken

    bool is_narrow() const { return tile == narrow && !(narrow == wide); }
    bool is_broad() const { return tensor_cores && tile == broad; }
    /// The same tiles for cards with tensor cores; there are factors.
    RegisterTiles by_tensor_cores() const;
    /// Elements of the reduce in a stage.
    std::int64_t steps() const {
        return tensor_cores ? tuning::tensor_bytes / detail::size_of(kept[0].type) : tuning::tile_steps;
    }
    bool tf32() const { return tensor_cores && kept[0].type == ir::Scalar::f32; }
    /// Points of a block along an axis.
    SINTER_SHARED std::int64_t block_rows() const;
    SINTER_SHARED std::int64_t block_columns() const;
    /// Bytes from element to element of the reduce in a block's memory; for tensor cores, from row to row or from column to
    /// column.
    SINTER_SHARED std::int64_t pitch(const Kept& value) const;
    /// Where the values of one stage begin; the last number is the size of a stage, of which there are two.
    SINTER_SHARED std::vector<std::int64_t> offsets() const;
    std::int64_t bytes() const { return 2 * offsets().back(); }
};

/// The tiles of a kernel; nothing if it does not have this form, or would not gain.
std::optional<RegisterTiles> register_tiles(const lower::Kernel& kernel, const Facts& facts);

}  // namespace sinter::schedule::card
