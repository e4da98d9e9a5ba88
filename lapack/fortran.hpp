// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The routines of LAPACK that are called, overloaded for float and double. Matrices are column-major.
#pragma once

#define SINTER_FORTRAN(T, p)                                                                                                \
    extern "C" {                                                                                                            \
    void p##getrf_(const int* m, const int* n, T* a, const int* lda, int* pivots, int* info);                               \
    void p##getrs_(const char* trans, const int* n, const int* nrhs, const T* a, const int* lda, const int* pivots, T* b,   \
                   const int* ldb, int* info, unsigned long);                                                               \
    void p##potrf_(const char* uplo, const int* n, T* a, const int* lda, int* info, unsigned long);                         \
    void p##geqrf_(const int* m, const int* n, T* a, const int* lda, T* tau, T* work, const int* lwork, int* info);         \
    void p##orgqr_(const int* m, const int* n, const int* k, T* a, const int* lda, const T* tau, T* work, const int* lwork, \
                   int* info);                                                                                              \
    void p##syevd_(const char* jobz, const char* uplo, const int* n, T* a, const int* lda, T* w, T* work, const int* lwork, \
                   int* iwork, const int* liwork, int* info, unsigned long, unsigned long);                                 \
    void p##geev_(const char* jobvl, const char* jobvr, const int* n, T* a, const int* lda, T* wr, T* wi, T* vl,            \
                  const int* ldvl, T* vr, const int* ldvr, T* work, const int* lwork, int* info, unsigned long,             \
                  unsigned long);                                                                                           \
    void p##gesdd_(const char* jobz, const int* m, const int* n, T* a, const int* lda, T* s, T* u, const int* ldu, T* vt,   \
                   const int* ldvt, T* work, const int* lwork, int* iwork, int* info, unsigned long);                       \
    }                                                                                                                       \
    namespace sinter::lapack {                                                                                              \
    inline void getrf(int m, int n, T* a, int* pivots, int* info) { p##getrf_(&m, &n, a, &m, pivots, info); }               \
    inline void getrs(char trans, int n, int nrhs, const T* a, const int* pivots, T* b, int* info) {                        \
        p##getrs_(&trans, &n, &nrhs, a, &n, pivots, b, &n, info, 1);                                                        \
    }                                                                                                                       \
    inline void potrf(char uplo, int n, T* a, int* info) { p##potrf_(&uplo, &n, a, &n, info, 1); }                          \
    inline void geqrf(int m, int n, T* a, T* tau, T* work, int lwork, int* info) {                                          \
        p##geqrf_(&m, &n, a, &m, tau, work, &lwork, info);                                                                  \
    }                                                                                                                       \
    inline void orgqr(int m, int n, T* a, const T* tau, T* work, int lwork, int* info) {                                    \
        p##orgqr_(&m, &n, &n, a, &m, tau, work, &lwork, info);                                                              \
    }                                                                                                                       \
    inline void syevd(char uplo, int n, T* a, T* w, T* work, int lwork, int* iwork, int liwork, int* info) {                \
        const char vectors = 'V';                                                                                           \
        p##syevd_(&vectors, &uplo, &n, a, &n, w, work, &lwork, iwork, &liwork, info, 1, 1);                                 \
    }                                                                                                                       \
    inline void geev(int n, T* a, T* wr, T* wi, T* vr, T* work, int lwork, int* info) {                                     \
        const char none = 'N', vectors = 'V';                                                                               \
        p##geev_(&none, &vectors, &n, a, &n, wr, wi, nullptr, &n, vr, &n, work, &lwork, info, 1, 1);                        \
    }                                                                                                                       \
    inline void gesdd(int m, int n, int k, T* a, T* s, T* u, T* vt, T* work, int lwork, int* iwork, int* info) {            \
        const char small = 'S';                                                                                             \
        p##gesdd_(&small, &m, &n, a, &m, s, u, &m, vt, &k, work, &lwork, iwork, info, 1);                                   \
    }                                                                                                                       \
    }
SINTER_FORTRAN(float, s)
SINTER_FORTRAN(double, d)
#undef SINTER_FORTRAN
