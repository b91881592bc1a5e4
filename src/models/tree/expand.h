// SPDX-License-Identifier: Apache-2.0
// Short forms of a model file, written out in its tree before it is understood.
#ifndef HF_MODELS_TREE_EXPAND_H
#define HF_MODELS_TREE_EXPAND_H

#include <holdfast/robots.h>

#include "models/tree/node.h"

// classes.c: `defaults:` are maps by name; a body, joint or force with `class: NAME` starts from
// that map. What it says itself stays; maps within are merged. Takes `defaults` and every `class`
// out of the tree.
HF_NODISCARD hf_status hf_classes_apply(hf_document *document, hf_error *error);
// The entry that a map would get from its class, or NULL.
const hf_node *hf_class_entry(const hf_document *document, const hf_node *map, const char *key,
                              size_t length);

// robots.c: bodies of the type robot become the trees, signals, forces and loops of their files;
// `joints:` gives keys to joints by patterns of names. `folder`: where the files lie, or NULL.
// They are reported to `files`, unless it is NULL.
HF_NODISCARD hf_status hf_robots_expand(hf_document *document, const char *folder,
                                        const hf_file_visitor *files, hf_error *error);
// folder.c: the true path of a file that a model names, for the caller to free. It must lie in the
// folder or below. NULL with the error filled.
char *hf_folder_resolve(const hf_document *document, const char *folder, const hf_node *node,
                        hf_error *error);

// copies.c: `repeat:` of joints, and then of forces, and forces `on` or `to` a repeated body.
HF_NODISCARD hf_status hf_joints_repeat(hf_document *document, hf_error *error);
HF_NODISCARD hf_status hf_forces_repeat(hf_document *document, hf_error *error);

// joint_forces.c: `friction`, `damping`, `spring`, `limits` and `servo` of a joint become forces
// TREE.JOINT.friction and so on.
HF_NODISCARD hf_status hf_joint_forces_expand(hf_document *document, hf_error *error);

// robot_contacts.c: what the robots of a machine, by the names of their trees, touch in it. False:
// out of memory, or with the error filled.
bool hf_robots_meet(hf_document *document, const char *const *robots, int count, hf_error *error);

#endif
