// SPDX-License-Identifier: Apache-2.0
// A law that the compiler cannot check, because it is known by its type alone.
#include <holdfast/use_law.h>

#include "base/error.h"

static hf_status check_own(const hf_spec *spec, hf_law_type law, const void *def, size_t size,
                           hf_error *error)
{
    const hf_law_info *info = hf_spec_law(spec, law);
    if (info == NULL) {
        return hf_error_set(error, HF_ERROR_NAME, "law %d is not registered on this spec",
                            (int)law);
    }
    if (def == NULL || size != info->def_size) {
        return hf_error_set(error, HF_ERROR_INPUT,
                            "a definition of law '%.60s' has %zu bytes, this one has %zu",
                            info->name, info->def_size, def == NULL ? (size_t)0 : size);
    }
    return HF_OK;
}

hf_status hf_force_use_own(hf_force_def *force, const hf_spec *spec, hf_law_type law,
                           const void *def, size_t size, hf_error *error)
{
    HF_TRY(check_own(spec, law, def, size, error));
    force->law = law;
    force->def = def;
    return HF_OK;
}

hf_status hf_spec_use_own(hf_spec *spec, hf_force force, hf_law_type law, const void *def,
                          size_t size, hf_error *error)
{
    HF_TRY(check_own(spec, law, def, size, error));
    return hf_spec_set_law(spec, force, law, def, error);
}
