// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Functions with NumPy's names, made of the combinators. Unless an axis is given, it is the innermost, as for sum and
/// scans; NumPy flattens instead. Sums, products, means, extremes and sorts are in the headers of sinter.hpp.
#pragma once

#include <sinter/array_control.hpp>
#include <sinter/combinators/filter.hpp>
#include <sinter/combinators/from.hpp>
#include <sinter/combinators/pad.hpp>
#include <sinter/combinators/scan.hpp>
#include <sinter/combinators/slice.hpp>
#include <sinter/combinators/sort.hpp>
#include <sinter/combinators/vmap.hpp>
#include <sinter/control.hpp>
#include <sinter/numeric/division.hpp>
#include <sinter/numeric/making.hpp>
#include <sinter/numeric/nan.hpp>
#include <sinter/numeric/representation.hpp>
#include <sinter/numeric/search.hpp>
#include <sinter/numeric/selection.hpp>
#include <sinter/numeric/sets.hpp>
#include <sinter/numeric/signal.hpp>
#include <sinter/numeric/spread.hpp>
