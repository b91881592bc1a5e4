// SPDX-License-Identifier: Apache-2.0
// What the readers of forces share: places on bodies, laws by their parameter tables.
#ifndef HF_MODELS_FORCES_H
#define HF_MODELS_FORCES_H

#include "models/reader.h"

// What `on:` or `to:` names.
typedef struct hf_place {
    const hf_body_note *body; // NULL: the world
    int axis;                 // a coordinate of it; -1: all of it
    int count;                // of coordinates from there on
} hf_place;

// How the coordinates move that a place names, and a sum of coordinates, which is a length where
// one of them is.
hf_motion_kind hf_place_motion(hf_reader *reader, const hf_node *node);
hf_motion_kind hf_ratio_motion(hf_reader *reader, const hf_node *node);

// ------------------------------------------------------------------------------------------------
// read_places.c

// A body, a coordinate or neighbouring ones of one, or "world".
bool hf_read_place(hf_reader *reader, const hf_node *node, hf_place *place);
// The same without an axis; `node` may be NULL: the world.
bool hf_read_body(hf_reader *reader, const hf_node *node, const hf_body_note **body);

// The coupling of a force, torque, spring or friction from `on`, `to`, `coupling`, `point` and
// `to_point`. `torque`: a turning force. `target`: `to` may be a value, which becomes a driven body
// "NAME.target".
bool hf_read_coupling(hf_reader *reader, const hf_node *item, const char *name, bool torque,
                      bool target, hf_coupling_def *coupling);

// Couplings with a key of their own, in place of `on` and `to`: hf_read_KEY reads what stands
// behind it (read_ratio.c, read_path.c). Every force takes those of the first list, forces of
// `type: force` and `torque` the others too.
#define HF_PLACE_KEYS(X)           X(ratio) X(path) X(wrench) X(crank) X(angle)
#define HF_PLACE_KEYS_OF_FORCES(X) X(adhesion)
#define HF_PLACE_WORD(key)         #key,
#define HF_PLACE_READER(key)                                                                       \
    bool hf_read_##key(hf_reader *reader, const hf_node *item, const hf_node *node,                \
                       hf_coupling_def *coupling);
HF_PLACE_KEYS(HF_PLACE_READER)
HF_PLACE_KEYS_OF_FORCES(HF_PLACE_READER)
#undef HF_PLACE_READER
// `normal: {loop: NAME}` and `normal: {joint: NAME, reaction: WORD}`.
bool hf_read_load(hf_reader *reader, const hf_node *node, hf_normal_def *normal);
// `ratio` and `value` of a loop.
bool hf_read_loop_ratio(hf_reader *reader, const hf_node *item, hf_loop_def *def);

// read_own_law.c: `type: law`.
bool hf_read_own_law(hf_reader *reader, const hf_node *item, const char *name);
// read_forces.c: `enable`, a value; nothing without it.
bool hf_read_enable(hf_reader *reader, const hf_node *item, const char *name, hf_force_def *def);

// ------------------------------------------------------------------------------------------------
// read_law.c

// `law:`, or the law with the name `standard`; it must be of this kind.
const hf_law_info *hf_read_law_name(hf_reader *reader, const hf_node *item, hf_law_kind kind,
                                    const char *standard);

// Checks that all keys of the item are among `keys` and the law's parameters.
bool hf_check_force_keys(hf_reader *reader, const hf_node *item, const char *const *keys, int count,
                         const hf_law_info *law);

// Reads the law's definition from the item, by its parameter table, and checks it for couplings of
// dimension dim. The definition is allocated in the document's arena.
bool hf_read_law(hf_reader *reader, const hf_node *item, const hf_law_info *law, int dim,
                 void **def);

// The same into a definition that is filled already: parameters that the item does not have stay.
bool hf_read_params(hf_reader *reader, const hf_node *item, const hf_law_info *law, int dim,
                    void *def);

// Whether one of the levels in a definition is proportional to the normal force.
bool hf_law_is_per_normal(const hf_law_info *law, const void *def);

// ------------------------------------------------------------------------------------------------
// read_contacts.c

// Whether a contact has friction of spin or rolling, and so rows for them.
bool hf_wants_turning(const hf_node *item);
// read_contacts.c: whether a contact's wanted behaviour stands beside numbers that it would choose.
bool hf_check_wishes(hf_reader *reader, const hf_node *item, const hf_law_info *law,
                     const void *def);
bool hf_read_contact(hf_reader *reader, const hf_node *item, const char *name);
// `type: collide`: any two of many spheres.
bool hf_read_collide(hf_reader *reader, const hf_node *item, const char *name);
// read_collide.c: whether another force between shapes has two of the members of `item`; `lists`:
// only another `collide`. Pairs of bodies then belong to the more specific force, which contacts
// and swarms of their own cannot know.
bool hf_shares_pairs(hf_reader *reader, const hf_node *item, const hf_coupling_def *coupling,
                     bool lists, bool *shares);
// read_collide.c: whether some force of the file looks at where shapes touch: contacts are then
// those of the collider, which finds that out.
bool hf_has_adhesion(const hf_reader *reader);
// Adds a contact of a shape of `on` with its coupling's plane or sphere: one for a point or a
// sphere, one for each corner of a box or of a convex mesh, two for a capsule.
enum { HF_MOST_CORNERS = 64 };
bool hf_add_contacts(hf_reader *reader, const hf_node *item, hf_force_def *def, hf_shape shape,
                     hf_vec3 center);
// Whether a shape is a convex mesh of so few corners.
bool hf_has_corners(const hf_shape *shape);
// Whether every pair of the members of a coupling can be a contact of its own (read_pairs.c). False
// when out of memory, with the error filled.
bool hf_can_be_pairs(hf_reader *reader, hf_force_def *def, bool *can);
// Adds a contact for every pair of the members of its coupling (read_pairs.c).
bool hf_add_pairs(hf_reader *reader, const hf_node *item, hf_force_def *def);
bool hf_read_penalty_joint(hf_reader *reader, const hf_node *item, const char *name);

// ------------------------------------------------------------------------------------------------
// read_forces.c

// Adds a force; on failure the error gets the item's place.
bool hf_reader_add_force(hf_reader *reader, const hf_node *item, const hf_force_def *def);
// `normal:` of a level that is proportional to it.
bool hf_read_normal(hf_reader *reader, const hf_node *item, const char *name,
                    const hf_law_info *law, const void *def, hf_normal_def *normal);

#endif
