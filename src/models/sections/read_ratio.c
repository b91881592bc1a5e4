// SPDX-License-Identifier: Apache-2.0
// `ratio: {PLACE: FACTOR, ...}`: a sum of coordinates with factors.
#include <holdfast/coupling.h>

#include "models/forces.h"

// One `PLACE: FACTOR`.
static bool read_term(hf_reader *reader, const hf_node *node, hf_ratio_term *term)
{
    hf_node name = *node;
    name.kind = HF_NODE_SCALAR;
    name.text = node->key;
    name.line = node->key_line;
    name.column = node->key_column;
    hf_place place = {0};
    if (!hf_read_place(reader, &name, &place)) {
        return false;
    }
    const hf_body_note *body = place.body;
    int count = place.axis >= 0 ? place.count : body == NULL ? 0 : body->dim;
    if (body == NULL || body->type == HF_BODY_RIGID || count != 1) {
        return hf_reader_fail_key(reader, node, HF_ERROR_INPUT,
                                  "ratio: '%.60s' must be one coordinate: a joint that turns or "
                                  "slides, a mass of dimension 1, or BODY.x",
                                  node->key);
    }
    term->coordinate = (hf_coordinate){body->id, place.axis >= 0 ? place.axis : 0};
    if (!hf_read_number(reader, node, HF_RANGE_ANY, &term->factor)) {
        return false;
    }
    return term->factor != 0.0 ||
           hf_reader_fail(reader, node, HF_ERROR_RANGE,
                          "ratio: the factor of '%.60s' must not be zero", node->key);
}

bool hf_read_ratio(hf_reader *reader, const hf_node *item, const hf_node *node,
                   hf_coupling_def *coupling)
{
    static const char *const others[] = {"on", "to", "coupling", "point", "to_point"};
    for (int i = 0; i < (int)(sizeof others / sizeof *others); ++i) {
        const hf_node *other = hf_node_get(item, others[i]);
        if (other != NULL) {
            return hf_reader_fail_key(reader, other, HF_ERROR_INPUT,
                                      "a force with 'ratio' has no '%s': the ratio names all that "
                                      "it acts on",
                                      others[i]);
        }
    }
    if (node->kind != HF_NODE_MAP || node->count < 1 || node->count > HF_COUPLING_MAX_TERMS) {
        return hf_reader_fail(reader, node, HF_ERROR_INPUT,
                              "ratio must be a map of 1 to %d coordinates and their factors: "
                              "{motor.shaft: 1, drum.axle: -12}",
                              HF_COUPLING_MAX_TERMS);
    }
    hf_ratio_term *terms =
        hf_arena_alloc(&reader->document->arena, (size_t)node->count, sizeof *terms);
    if (terms == NULL) {
        return hf_reader_out_of_memory(reader);
    }
    int count = 0;
    for (const hf_node *term = node->first; term != NULL; term = term->next) {
        if (!read_term(reader, term, &terms[count++])) {
            return false;
        }
    }
    *coupling = hf_coupling_def_default(HF_COUPLING_RATIO);
    coupling->terms = terms;
    coupling->term_count = count;
    return true;
}
