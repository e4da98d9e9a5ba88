// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Linear algebra, made of the combinators: products, solutions, factorisations, eigenvalues. All of it runs on every
/// target, under vmap, and has derivatives.
#pragma once

#include <sinter/linalg/batched.hpp>
#include <sinter/linalg/eigen.hpp>
#include <sinter/linalg/factor.hpp>
#include <sinter/linalg/products.hpp>
#include <sinter/linalg/solve.hpp>
