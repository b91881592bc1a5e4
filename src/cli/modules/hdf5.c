// SPDX-License-Identifier: Apache-2.0
// The module holdfast-hdf5.so: recordings and friction-contact problems in HDF5 files.
#include "cli/modules/module.h"

extern const hf_hdf5_module hf_module_hdf5;
const hf_hdf5_module hf_module_hdf5 = {.module = {HF_VERSION},
                                       .create = hf_hdf5_create,
                                       .read = hf_hdf5_read,
                                       .table_write = hf_hdf5_table_write,
                                       .table_read = hf_hdf5_table_read,
                                       .fclib_read = hf_fclib_read,
                                       .fclib_clear = hf_fclib_clear,
                                       .fclib_write = hf_fclib_write,
                                       .fclib_write_rolling = hf_fclib_write_rolling};
