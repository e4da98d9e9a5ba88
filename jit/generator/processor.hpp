// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The processor on which this process runs.
#pragma once

#include <string>

namespace sinter::codegen {

/// The features that exist and may be used, because the system saves their registers.
struct Processor {
    bool x86 = false, fma = false, avx2 = false;
    bool avx512 = false;   ///< f, bw, dq and vl
    bool vbmi2 = false;    ///< part of AVX-512
    bool amd_zen = false;  ///< the family and all that followed it
    std::string identity;  ///< everything that its manufacturer and the system say about it, as numbers
};

Processor this_processor();

}  // namespace sinter::codegen
