// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Random arrays, delayed and without a state: random/key.hpp says what they are functions of.
#pragma once

#include <sinter/random/distributions.hpp>
#include <sinter/random/rejection.hpp>
#include <sinter/random/sobol.hpp>
#include <sinter/random/threefry.hpp>
