// SPDX-License-Identifier: Apache-2.0
// Part of fail_allocation.c: calls of HDF5 that fail on purpose (HF_FAIL_KIND=hdf5), as on a file
// that is damaged or a disk that is full. Every function has its own name here; what it takes is
// not known and goes through as it is, in registers and on the stack. x86-64, System V.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stddef.h>

#include "fail_allocation.h"

// Name, and what it returns when it fails.
#define FUNCTIONS(X)                                                                               \
    X(H5Acreate2, -1)                                                                              \
    X(H5Aexists, -1)                                                                               \
    X(H5Aget_space, -1)                                                                            \
    X(H5Aget_type, -1)                                                                             \
    X(H5Aiterate2, -1)                                                                             \
    X(H5Aopen, -1)                                                                                 \
    X(H5Aread, -1)                                                                                 \
    X(H5Awrite, -1)                                                                                \
    X(H5Dcreate2, -1)                                                                              \
    X(H5Dget_create_plist, -1)                                                                     \
    X(H5Dget_space, -1)                                                                            \
    X(H5Dget_storage_size, 0)                                                                      \
    X(H5Dget_type, -1)                                                                             \
    X(H5Dopen2, -1)                                                                                \
    X(H5Dread, -1)                                                                                 \
    X(H5Dset_extent, -1)                                                                           \
    X(H5Dwrite, -1)                                                                                \
    X(H5Dclose, -1)                                                                                \
    X(H5FDregister, -1)                                                                            \
    X(H5Fclose, -1)                                                                                \
    X(H5Fcreate, -1)                                                                               \
    X(H5Fflush, -1)                                                                                \
    X(H5Fget_file_image, -1)                                                                       \
    X(H5Fget_vfd_handle, -1)                                                                       \
    X(H5Fopen, -1)                                                                                 \
    X(H5Gcreate2, -1)                                                                              \
    X(H5Gget_info, -1)                                                                             \
    X(H5Gopen2, -1)                                                                                \
    X(H5Lexists, -1)                                                                               \
    X(H5Lget_info, -1)                                                                             \
    X(H5Literate, -1)                                                                              \
    X(H5Oget_info_by_name, -1)                                                                     \
    X(H5Pcreate, -1)                                                                               \
    X(H5Pget_external_count, -1)                                                                   \
    X(H5Pget_layout, -1)                                                                           \
    X(H5Pget_nfilters, -1)                                                                         \
    X(H5Pset_alignment, -1)                                                                        \
    X(H5Pset_chunk, -1)                                                                            \
    X(H5Pset_create_intermediate_group, -1)                                                        \
    X(H5Pset_driver, -1)                                                                           \
    X(H5Pset_fapl_core, -1)                                                                        \
    X(H5Pset_fill_time, -1)                                                                        \
    X(H5Pset_fill_value, -1)                                                                       \
    X(H5Pset_istore_k, -1)                                                                         \
    X(H5Pset_libver_bounds, -1)                                                                    \
    X(H5Pset_obj_track_times, -1)                                                                  \
    X(H5Screate, -1)                                                                               \
    X(H5Screate_simple, -1)                                                                        \
    X(H5Sget_simple_extent_dims, -1)                                                               \
    X(H5Sget_simple_extent_ndims, -1)                                                              \
    X(H5Sget_simple_extent_npoints, -1)                                                            \
    X(H5Sselect_hyperslab, -1)                                                                     \
    X(H5Tcopy, -1)                                                                                 \
    X(H5Tcreate, -1)                                                                               \
    X(H5Tget_class, -1)                                                                            \
    X(H5Tget_cset, -1)                                                                             \
    X(H5Tget_member_name, 0)                                                                       \
    X(H5Tget_member_type, -1)                                                                      \
    X(H5Tget_nmembers, -1)                                                                         \
    X(H5Tget_size, 0)                                                                              \
    X(H5Tinsert, -1)                                                                               \
    X(H5Tis_variable_str, -1)                                                                      \
    X(H5Tset_cset, -1)                                                                             \
    X(H5Tset_size, -1)                                                                             \
    X(H5Tset_strpad, -1)

// The function of HDF5, or NULL: the call fails.
__attribute__((used, visibility("hidden"))) void *hf_fail_hdf5(const char *name, const void *caller)
{
    return hf_fail_now(HF_FAIL_HDF5, caller) ? NULL : dlsym(RTLD_NEXT, name);
}

// Arguments are kept, hf_fail_hdf5(name, return address) is asked, and its answer is gone to.
#define X(name, value)                                                                             \
    __asm__(".section .rodata\n2: .string \"" #name "\"\n.text\n"                                  \
            ".globl " #name "\n.type " #name ", @function\n" #name ":\n.cfi_startproc\n"           \
            "push %rdi\npush %rsi\npush %rdx\npush %rcx\npush %r8\npush %r9\nsub $8, %rsp\n"       \
            ".cfi_adjust_cfa_offset 56\n"                                                          \
            "lea 2b(%rip), %rdi\nmov 56(%rsp), %rsi\ncall hf_fail_hdf5\n"                          \
            "add $8, %rsp\npop %r9\npop %r8\npop %rcx\npop %rdx\npop %rsi\npop %rdi\n"             \
            ".cfi_adjust_cfa_offset -56\n"                                                         \
            "test %rax, %rax\njz 1f\njmp *%rax\n"                                                  \
            "1: mov $" #value ", %rax\nret\n.cfi_endproc\n");
FUNCTIONS(X)
#undef X
