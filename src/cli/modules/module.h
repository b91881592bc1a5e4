// SPDX-License-Identifier: Apache-2.0
// Parts of the command that need heavy libraries (IPOPT with its BLAS, HDF5) are modules: files
// that the command loads when a run asks for them. A run that does not stays small and starts fast.
#ifndef HF_CLI_MODULES_MODULE_H
#define HF_CLI_MODULES_MODULE_H

#include <holdfast/fclib.h>
#include <holdfast/nlp.h>

#include "record/reader.h"
#include "record/table.h"
#include "record/writer.h"

// The first member of every module's table: modules and command must be of one version.
typedef struct hf_module {
    const char *version; // HF_VERSION
} hf_module;

// holdfast-nlp.so: symbol hf_module_nlp
typedef struct hf_nlp_module {
    hf_module module;
    const hf_method_table *(*methods)(void);
} hf_nlp_module;

// holdfast-hdf5.so: symbol hf_module_hdf5
typedef struct hf_hdf5_module {
    hf_module module;
    hf_writer *(*create)(const char *path, const hf_run_facts *facts, hf_error *error);
    hf_status (*read)(const char *path, hf_recording *recording, hf_error *error);
    hf_status (*table_write)(const char *place, const char *path, const hf_table_plan *plan,
                             hf_error *error);
    hf_status (*table_read)(const char *path, hf_table *table, hf_error *error);
    hf_status (*fclib_read)(const char *path, hf_fclib *file, hf_error *error);
    void (*fclib_clear)(hf_fclib *file);
    hf_status (*fclib_write)(const char *path, const hf_fc3d_problem *problem, const char *title,
                             const char *description, const double *reactions, hf_error *error);
    hf_status (*fclib_write_rolling)(const char *path, const hf_fc3d_problem *problem,
                                     const char *title, const char *description,
                                     const double *reactions, hf_error *error);
} hf_hdf5_module;

// The path of a module's file; false with the error filled. Modules are looked for beside the
// command: in lib/holdfast (build tree), then where `make install` puts them.
enum { HF_MODULE_PATH = 4096 };
bool hf_module_find(const char *name, char path[HF_MODULE_PATH], hf_error *error);
// Loads a module ("nlp", "hdf5") and returns its table; NULL on error.
const hf_module *hf_module_load(const char *name, hf_error *error);

#endif
