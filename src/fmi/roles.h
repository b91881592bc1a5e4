// SPDX-License-Identifier: Apache-2.0
// Which parameters a running machine takes, and which follow from others: found by trying.
#ifndef HF_FMI_ROLES_H
#define HF_FMI_ROLES_H

#include "fmi/manifest.h"

// Fills `fixed` and `calculated` of the manifest, for the machine `model` that `file` is with the
// manifest's changes. Compiles once or twice for each parameter.
HF_NODISCARD hf_status hf_fmu_find_roles(hf_fmu_manifest *manifest, const hf_model_file *file,
                                         const hf_model *model, hf_error *error);

#endif
