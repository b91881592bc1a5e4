// SPDX-License-Identifier: Apache-2.0
// The files that a model needs, and where they lie in an FMU: in resources/FOLDER, with the same
// paths relative to each other as where they come from.
#ifndef HF_FMI_FILES_H
#define HF_FMI_FILES_H

#include <holdfast/models.h>

#include "base/arena.h"

typedef struct hf_fmu_file {
    const char *place; // true path of what it contains; NULL: it is `text`
    const char *seen;  // path under which the model finds it
    const char *entry; // path in resources
    const char *text;
    size_t length;
} hf_fmu_file;

typedef struct hf_fmu_files {
    hf_arena arena;
    hf_fmu_file *items;
    int count, capacity;
    const char *folder; // true path of the model's; "": it has none
    bool robots;        // some are named by a robot's file
    bool failed;        // out of memory
} hf_fmu_files;

// Begins the list with the model itself, whose text is not copied.
HF_NODISCARD hf_status hf_fmu_files_begin(hf_fmu_files *files, const char *text, size_t length,
                                          const char *label, const char *folder, hf_error *error);
// For hf_overrides.files: adds those that the model names.
hf_file_visitor hf_fmu_files_visitor(hf_fmu_files *files);
// Gives all of them their paths in resources. The first is the model.
HF_NODISCARD hf_status hf_fmu_files_place(hf_fmu_files *files, hf_error *error);
void hf_fmu_files_free(hf_fmu_files *files);

#endif
