// SPDX-License-Identifier: Apache-2.0
// Model files: a machine written down in YAML. docs/model-file.md lists every key.
// Library: holdfast-models.
//
// What is read is checked: an unknown key, a number out of its range, a name that nothing has, an
// expression that does not parse each give an error whose text begins with file, line and column,
// or with the override that caused it. Files are limited to 64 MiB, 4,000,000 values and 64 levels
// of nesting. Functions may be called from several threads; nothing is printed.
#ifndef HOLDFAST_MODELS_H
#define HOLDFAST_MODELS_H

#include <holdfast/model.h>
#include <holdfast/robots.h>

#ifdef __cplusplus
extern "C" {
#endif

// Another law for the friction of a machine. What the old and the new law have in common (level,
// stiffness, damping, ...) stays; laws of several elements share it out as their defaults do, and
// single elements take the sum; all else is the new law's default.
typedef struct hf_law_change {
    const char *law;               // by its name in files
    const char *const *parameters; // "threshold=0.01", the value being YAML
    int parameter_count;
    const char *const *forces; // names of forces of the type friction; none: all of them
    int force_count;
} hf_law_change;

// Changes to a model file before it is understood: "bodies.block.mass=2". Path elements are keys,
// names of list items, or indices from 0; the value is YAML. The last element may be a new key.
// They apply in order, after those of the variant and the method and before the law's.
typedef struct hf_overrides {
    const char *const *items;
    int count;
    const char *asker;        // how messages call an item; NULL: "--set"
    double step;              // of the method [s]: contacts choose for it; 0: as the file says
    const char *variant;      // one of the file's `variants:`; NULL: the file as it is
    const hf_law_change *law; // NULL: the file's laws
    const char *method;       // by its name in files, before the items; NULL: the file's. Keys of
                              // the file's method that it does not take are dropped
    char *dropped;            // filled with the keys dropped: "rtol, atol", or ""; NULL: not wanted
    size_t dropped_size;      // bytes of room
    const hf_robot_options *robot; // how a robot's file is read; NULL: as it is
    const hf_file_visitor *files;  // is called for the files that the model names; NULL: none
} hf_overrides;

// Reads a model file. Files that it names (tables) must lie in its folder or below. `overrides` may
// be NULL. The description compiles: it was tried, to give places to what is found only then. Its
// text (hf_model_text) is the file's, with the overrides as comments at its end. NULL on error.
HF_API hf_spec *hf_spec_load(const char *path, const hf_overrides *overrides, hf_error *error);

// The same from `length` bytes of text in memory. `label` stands for the file name in messages;
// tables are looked for in `folder` (NULL: tables are refused).
HF_API hf_spec *hf_spec_parse(const char *text, size_t length, const char *label,
                              const char *folder, const hf_overrides *overrides, hf_error *error);

// The same into a spec that has nothing yet but laws of your own (hf_spec_register_law), which the
// file and hf_law_change may name. After an error the spec can only be destroyed.
HF_API HF_NODISCARD hf_status hf_spec_read(hf_spec *spec, const char *path,
                                           const hf_overrides *overrides, hf_error *error);
HF_API HF_NODISCARD hf_status hf_spec_read_text(hf_spec *spec, const char *text, size_t length,
                                                const char *label, const char *folder,
                                                const hf_overrides *overrides, hf_error *error);

// The names of a file's variants, in its order.
typedef struct hf_variants {
    int count;
    char **names;
} hf_variants;

// Allocates the names; on error there are none.
HF_API HF_NODISCARD hf_status hf_variants_load(const char *path, hf_variants *variants,
                                               hf_error *error);
HF_API HF_NODISCARD hf_status hf_variants_parse(const char *text, size_t length, const char *label,
                                                hf_variants *variants, hf_error *error);
HF_API void hf_variants_free(hf_variants *variants);

// The compiled machine itself, where the description is not needed: hf_spec_load and
// hf_model_compile in one, which compiles once. The first is the second without overrides.
HF_API hf_model *hf_model_load(const char *path, hf_error *error);
HF_API hf_model *hf_model_load_changed(const char *path, const hf_overrides *overrides,
                                       hf_error *error);

// The same from text in memory, as hf_spec_parse.
HF_API hf_model *hf_model_parse(const char *text, size_t length, const char *label,
                                const char *folder, const hf_overrides *overrides, hf_error *error);

// A model file, or a robot's, that is kept for machines that differ in some of its entries: its
// text is parsed once, and each machine reads a copy of what was parsed. It is the same machine, to
// the bit, as hf_model_parse makes with these overrides (whose `robot` counts here, as `options`,
// and not there). Threads may share it. NULL on error.
typedef struct hf_model_file hf_model_file;
HF_API hf_model_file *hf_model_file_parse(const char *text, size_t length, const char *label,
                                          const char *folder, const hf_robot_options *options,
                                          hf_error *error);
HF_API void hf_model_file_destroy(hf_model_file *file); // NULL is allowed
HF_API hf_model *hf_model_file_compile(const hf_model_file *file, const hf_overrides *overrides,
                                       hf_error *error);

// Adds a robot (MJCF, URDF, SDF: robots.h) to a machine that is being built: its tree, called
// options->name (NULL: as the file says); its signals, forces, loops and materials, and bodies of
// its world, called NAME-... . Gravity and method stay as they are. Zero id with the error filled;
// what was added before the error stays.
HF_API hf_tree hf_spec_add_robot(hf_spec *spec, const char *path, const hf_robot_options *options,
                                 hf_error *error);

#ifdef __cplusplus
}
#endif
#endif
