// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Includes the headers of the language. Those of other subjects are included one by one: linalg.hpp, fft.hpp, numeric.hpp,
/// random.hpp, print.hpp, ranks.hpp, check_gradient.hpp, mdspan.hpp, lapack.hpp, and npy.hpp, npz.hpp, text.hpp,
/// checkpoint_file.hpp, png.hpp, hdf5.hpp, netcdf.hpp and dlpack.hpp for files and other libraries.
#pragma once

#include <sinter/array.hpp>
#include <sinter/array_control.hpp>
#include <sinter/array_math.hpp>
#include <sinter/array_operators.hpp>
#include <sinter/async.hpp>
#include <sinter/combinators/accurate.hpp>
#include <sinter/combinators/boundary.hpp>
#include <sinter/combinators/concat.hpp>
#include <sinter/combinators/custom_derivative.hpp>
#include <sinter/combinators/derivative.hpp>
#include <sinter/combinators/filter.hpp>
#include <sinter/combinators/fold.hpp>
#include <sinter/combinators/foreign.hpp>
#include <sinter/combinators/from.hpp>
#include <sinter/combinators/gather.hpp>
#include <sinter/combinators/keep.hpp>
#include <sinter/combinators/make.hpp>
#include <sinter/combinators/map.hpp>
#include <sinter/combinators/pad.hpp>
#include <sinter/combinators/recur.hpp>
#include <sinter/combinators/reduce.hpp>
#include <sinter/combinators/scan.hpp>
#include <sinter/combinators/scatter.hpp>
#include <sinter/combinators/segments.hpp>
#include <sinter/combinators/slice.hpp>
#include <sinter/combinators/sort.hpp>
#include <sinter/combinators/stencil.hpp>
#include <sinter/combinators/update.hpp>
#include <sinter/combinators/view.hpp>
#include <sinter/combinators/vmap.hpp>
#include <sinter/combinators/zip.hpp>
#include <sinter/compile.hpp>
#include <sinter/control.hpp>
#include <sinter/debug.hpp>
#include <sinter/delayed.hpp>
#include <sinter/element.hpp>
#include <sinter/error.hpp>
#include <sinter/exp.hpp>
#include <sinter/explain.hpp>
#include <sinter/half.hpp>
#include <sinter/math.hpp>
#include <sinter/options.hpp>
#include <sinter/profile.hpp>
#include <sinter/run.hpp>
#include <sinter/shape.hpp>
#include <sinter/version.hpp>
