// SPDX-License-Identifier: Apache-2.0
// A law and its definition together, checked by the compiler: hf_force_use_spring takes an
// hf_spring_def and nothing else. hf_force_def and hf_force_info are tagged unions, whose tag is
// the law's type; these functions write and read tag and member together. A law that is known only
// when the program runs (registered, or with its definition filled by name) is given by
// hf_force_use_own or hf_spec_use_own, which compare the definition's size with the law's.
//
//   hf_spring_def spring = hf_spring_def_default();
//   hf_force_def force = hf_force_def_default();
//   hf_force_use_spring(&force, &spring);                        // not &friction: it is refused
//   const hf_spring_def *found = hf_force_info_spring(&info);    // NULL: it has another law
#ifndef HOLDFAST_USE_LAW_H
#define HOLDFAST_USE_LAW_H

#include <holdfast/model.h>
#include <holdfast/spec.h>

#ifdef __cplusplus
extern "C" {
#endif

// hf_force_use_NAME      the law of a force that is to be added; *def must live until it is added
// hf_spec_use_NAME       the law of a force that a spec has: hf_spec_set_law
// hf_force_info_NAME     the definition in a model; NULL when the force has another law
#define HF_LAW_USE(NAME, name)                                                                     \
    static inline void hf_force_use_##name(hf_force_def *force, const hf_##name##_def *def)        \
    {                                                                                              \
        force->law = HF_LAW_##NAME;                                                                \
        force->name = def;                                                                         \
    }                                                                                              \
    HF_NODISCARD static inline hf_status hf_spec_use_##name(                                       \
        hf_spec *spec, hf_force force, const hf_##name##_def *def, hf_error *error)                \
    {                                                                                              \
        return hf_spec_set_law(spec, force, HF_LAW_##NAME, def, error);                            \
    }                                                                                              \
    static inline const hf_##name##_def *hf_force_info_##name(const hf_force_info *info)           \
    {                                                                                              \
        return info->type == HF_LAW_##NAME ? info->name : NULL;                                    \
    }
HF_LAW_DEFS(HF_LAW_USE)
#undef HF_LAW_USE

// Gives a force that is to be added a law that has no function in use_law.h: a registered one, or
// one whose definition was filled by name (law.h). *def, of `size` bytes, must live until the force
// is added. Refuses an unknown law and a definition of another size; *force is then as it was.
HF_API HF_NODISCARD hf_status hf_force_use_own(hf_force_def *force, const hf_spec *spec,
                                               hf_law_type law, const void *def, size_t size,
                                               hf_error *error);
// The same for a force that the spec has; the definition is copied.
HF_API HF_NODISCARD hf_status hf_spec_use_own(hf_spec *spec, hf_force force, hf_law_type law,
                                              const void *def, size_t size, hf_error *error);

#ifdef __cplusplus
}
#endif
#endif
