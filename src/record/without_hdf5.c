// SPDX-License-Identifier: Apache-2.0
// Recordings in HDF5, in a library that was built without it.
#include "base/error.h"
#include "record/reader.h"
#include "record/table.h"
#include "record/writer.h"

static hf_status refuse(const char *path, hf_error *error)
{
    return hf_error_set(
        error, HF_ERROR_UNSUPPORTED,
        "%.300s: this library was built without HDF5 (HOLDFAST_HDF5=OFF); record to "
        ".csv",
        path);
}

hf_writer *hf_hdf5_create(const char *path, const hf_run_facts *facts, hf_error *error)
{
    (void)facts;
    (void)refuse(path, error);
    return NULL;
}

hf_status hf_hdf5_read(const char *path, hf_recording *recording, hf_error *error)
{
    (void)recording;
    return refuse(path, error);
}

hf_status hf_hdf5_table_write(const char *place, const char *path, const hf_table_plan *plan,
                              hf_error *error)
{
    (void)place;
    (void)plan;
    return refuse(path, error);
}

hf_status hf_hdf5_table_read(const char *path, hf_table *table, hf_error *error)
{
    (void)table;
    return refuse(path, error);
}
