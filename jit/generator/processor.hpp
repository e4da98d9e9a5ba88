// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The processor this process runs on.
#pragma once

#include <string>

namespace sinter::codegen {

/// Features that are there and may be used: the system saves their registers.
struct Processor {
    bool x86 = false, fma = false, avx2 = false;
    bool avx512 = false;   ///< f, bw, dq and vl
    bool vbmi2 = false;    ///< of AVX-512
    bool amd_zen = false;  ///< the family, with all that followed it
    std::string identity;  ///< all that its manufacturer and the system say of it, as numbers
};

Processor this_processor();

}  // namespace sinter::codegen
