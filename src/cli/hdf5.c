// SPDX-License-Identifier: Apache-2.0
// HDF5 in the command: the functions that libraries link, from a module that is loaded when the
// first file is read or written.
#include "cli/modules/module.h"

static const hf_hdf5_module *load(hf_error *error)
{
    return (const hf_hdf5_module *)hf_module_load("hdf5", error);
}

hf_writer *hf_hdf5_create(const char *path, const hf_run_facts *facts, hf_error *error)
{
    const hf_hdf5_module *module = load(error);
    return module == NULL ? NULL : module->create(path, facts, error);
}

hf_status hf_hdf5_read(const char *path, hf_recording *recording, hf_error *error)
{
    const hf_hdf5_module *module = load(error);
    return module == NULL ? HF_ERROR_FILE : module->read(path, recording, error);
}

hf_status hf_hdf5_table_write(const char *place, const char *path, const hf_table_plan *plan,
                              hf_error *error)
{
    const hf_hdf5_module *module = load(error);
    return module == NULL ? HF_ERROR_FILE : module->table_write(place, path, plan, error);
}

hf_status hf_hdf5_table_read(const char *path, hf_table *table, hf_error *error)
{
    const hf_hdf5_module *module = load(error);
    return module == NULL ? HF_ERROR_FILE : module->table_read(path, table, error);
}

hf_status hf_fclib_read(const char *path, hf_fclib *file, hf_error *error)
{
    const hf_hdf5_module *module = load(error);
    if (module == NULL) {
        *file = (hf_fclib){0};
        return HF_ERROR_FILE;
    }
    return module->fclib_read(path, file, error);
}

void hf_fclib_clear(hf_fclib *file)
{
    const hf_hdf5_module *module = load(NULL);
    if (module != NULL) { // otherwise none was read
        module->fclib_clear(file);
    }
}

hf_status hf_fclib_write(const char *path, const hf_fc3d_problem *problem, const char *title,
                         const char *description, const double *reactions, hf_error *error)
{
    const hf_hdf5_module *module = load(error);
    return module == NULL
               ? HF_ERROR_FILE
               : module->fclib_write(path, problem, title, description, reactions, error);
}

hf_status hf_fclib_write_rolling(const char *path, const hf_fc3d_problem *problem,
                                 const char *title, const char *description,
                                 const double *reactions, hf_error *error)
{
    const hf_hdf5_module *module = load(error);
    return module == NULL
               ? HF_ERROR_FILE
               : module->fclib_write_rolling(path, problem, title, description, reactions, error);
}
