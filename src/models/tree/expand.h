// SPDX-License-Identifier: Apache-2.0
// Short forms of a model file, written out in its tree before it is understood.
#ifndef HF_MODELS_TREE_EXPAND_H
#define HF_MODELS_TREE_EXPAND_H

#include "models/tree/node.h"

// classes.c: `defaults:` are maps by name; a body, joint or force with `class: NAME` starts from
// that map. What it says itself stays; maps within are merged. Takes `defaults` and every `class`
// out of the tree.
HF_NODISCARD hf_status hf_classes_apply(hf_document *document, hf_error *error);
// The entry that a map would get from its class, or NULL.
const hf_node *hf_class_entry(const hf_document *document, const hf_node *map, const char *key,
                              size_t length);

// joint_forces.c: `friction`, `damping`, `spring`, `limits` and `servo` of a joint become forces
// TREE.JOINT.friction and so on.
HF_NODISCARD hf_status hf_joint_forces_expand(hf_document *document, hf_error *error);

#endif
