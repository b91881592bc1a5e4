// SPDX-License-Identifier: Apache-2.0
// What hf_spec holds: definitions by kind, in the order of declaration. Ids are index + 1.
#ifndef HF_SPEC_SPEC_DATA_H
#define HF_SPEC_SPEC_DATA_H

#include <stdatomic.h>

#include <holdfast/coupling.h>
#include <holdfast/parameter.h>
#include <holdfast/spec.h>

#include "base/arena.h"
#include "base/names.h"
#include "bodies/body.h"
#include "bodies/check.h"

typedef struct hf_spec_body {
    hf_body_type type;
    const char *name; // a link's is "tree.joint"
    int tree;         // of a link: index of its tree; else -1
    int shape_count;  // that were added to it
    hf_draw draw;
    hf_draw *figures; // beside it, in the arena
    int figure_count, figure_capacity;
    void *def; // the public struct of its kind
} hf_spec_body;

// The joint of a link; NULL: it is none.
static inline const hf_joint_def *hf_spec_joint(const hf_spec_body *body)
{
    return hf_body_ops_of(body->type)->jointed ? body->def : NULL;
}

typedef struct hf_spec_tree {
    const char *name;
    int link_count;
} hf_spec_tree;

// A shape that was added to a body; its name is "BODY.SHAPE", its mesh is where it was drawn.
typedef struct hf_spec_shape {
    int body; // id
    hf_shape_def def;
} hf_spec_shape;

// Most materials: pairs of them are a table.
enum { HF_MATERIALS_MOST = 256 };

// One end of a pair: a material, or a body, or one shape of it.
typedef struct hf_pair_end {
    int material; // id; 0: none
    int body;     // id
    int shape;    // index in shapes; -1: all of the body
} hf_pair_end;

typedef struct hf_spec_pair {
    hf_pair_end ends[2];
    hf_surface surface;
    bool never, always;
} hf_spec_pair;

// A signal's context is shared by the spec and its models; the last one to go releases it.
typedef struct hf_signal_context {
    void *context;
    void (*release)(void *context);
    atomic_int users;
} hf_signal_context;

typedef struct hf_spec_signal {
    hf_signal_def def;
    hf_signal_context *shared; // NULL: nothing to release
} hf_spec_signal;

// What a name stands for.
typedef enum hf_name_kind {
    HF_NAME_BODY,
    HF_NAME_TREE,
    HF_NAME_SIGNAL,
    HF_NAME_FORCE,
    HF_NAME_LOOP,
    HF_NAME_SHAPE,
    HF_NAME_MATERIAL,
    HF_NAME_KIND_COUNT
} hf_name_kind;

struct hf_spec {
    hf_arena arena;
    hf_names names; // value: index * HF_NAME_KIND_COUNT + kind
    const char *name, *text;
    hf_vec3 gravity;
    hf_method_def method;
    double duration;

    hf_spec_body *bodies;
    hf_spec_tree *trees;
    hf_spec_shape *shapes;
    hf_material_def *materials;
    hf_spec_pair *pairs;
    hf_rule friction_rule, restitution_rule;
    size_t shape_count, shape_capacity, material_count, material_capacity;
    size_t pair_count, pair_capacity;
    hf_spec_signal *signals;
    hf_force_def *forces;
    hf_loop_def *loops;
    const hf_law_info **laws; // the caller's own
    size_t law_count, law_capacity;
    const char **records;
    hf_parameter_def *parameters;
    size_t parameter_count, parameter_capacity;
    size_t body_count, tree_count, signal_count, force_count, record_count;
    size_t loop_count, loop_capacity;
    size_t body_capacity, tree_capacity, signal_capacity, force_capacity, record_capacity;
};

// Index of a name of this kind, or -1.
int hf_names_find_kind(const hf_names *names, hf_name_kind kind, const char *name);

// Drops one use of a signal's context.
void hf_signal_context_drop(hf_signal_context *shared);

// Registers a name that must be new. Returns the copied name, or NULL with *error filled.
const char *hf_spec_take_name(hf_spec *spec, const char *name, hf_name_kind kind, size_t index,
                              hf_error *error);

// Besides the checks of bodies/check.h.
hf_status hf_check_coupling(const hf_spec *spec, const hf_coupling_def *coupling, const char *name,
                            hf_error *error);

// Where a friction takes its load from (spec_loops.c).
hf_status hf_check_load(const hf_spec *spec, const hf_normal_def *normal, const char *name,
                        hf_error *error);

// Replace the lists of a coupling or loop by a copy in the arena. False when out of memory.
bool hf_coupling_keep(hf_arena *arena, hf_coupling_def *coupling);
bool hf_loop_keep(hf_arena *arena, hf_loop_def *loop);

// Replaces the triangles of a figure by a copy in the arena. False when out of memory.
bool hf_draw_keep(hf_arena *arena, hf_draw *draw);

// Replaces a list by a copy in the arena. False when out of memory.
bool hf_list_copy(hf_arena *arena, hf_list *list);
// The same for the names of the channels of a signal.
bool hf_channel_names_copy(hf_arena *arena, hf_signal_def *def);

// A deep copy of a law's definition: its lists are copied too.
void *hf_law_def_copy(hf_arena *arena, const hf_law_info *info, const void *def);

// law_translate.c: the definition of another friction law that does the same as far as it can.
// `given` says which parameters of the old law are meant (NULL: all); the others become the new
// law's defaults. It shares the old definition's lists; NULL when out of memory.
void *hf_law_translate(hf_arena *arena, const hf_law_info *old, const void *def, const bool *given,
                       const hf_law_info *law);

// A copy of its own, to the bit; NULL when out of memory (spec_copy.c).
hf_spec *hf_spec_copy(const hf_spec *spec);

// `count` machines like it in one, which do not touch each other; NULL when out of memory. The
// first has the ids and names of the spec, those of machine k follow those of k - 1, with "#k"
// behind each name. Only for what stands alone: without loops, shapes, driven bodies and bodies of
// one's own, signals of channels, and couplings of more than two bodies.
enum { HF_COPY_MARK_SIZE = 24 }; // room for the mark and a zero
bool hf_spec_stands_alone(const hf_spec *spec);
hf_spec *hf_spec_side_by_side(const hf_spec *spec, int count);

// Parameters by name (parameters.c); parameter.h says which there are. `turns` says of the force
// with this index whether all rows of its coupling turn: its units are then Nm, Nm/rad, ...
void hf_spec_parameters(const hf_spec *spec, bool (*turns)(const void *of, size_t force),
                        const void *of, bool (*visit)(void *context, const hf_parameter *parameter),
                        void *context);
hf_status hf_spec_get_parameter(const hf_spec *spec, const char *name, double *value,
                                hf_error *error);

// All laws of a kind and their names: the library's, then the caller's. Room for
// HF_LAW_TYPE_COUNT and spec->law_count of each.
int hf_spec_list_laws(const hf_spec *spec, hf_law_kind kind, const char **names,
                      const hf_law_info **laws);

// Methods as messages name them (methods.c). A set of those that have a property (bit k: method
// k), and its text, "euler, rk4 and nlp", with `last` before the last of them. Cut to size.
unsigned hf_methods_that(bool (*is)(hf_method_type type));
void hf_method_list(unsigned set, const char *last, char *text, size_t size);

#endif
