// SPDX-License-Identifier: Apache-2.0
// `draw:`: how a body is shown, where its shape does not say it.
#include <string.h>

#include "math/vec.h"
#include "models/reader.h"

// "#d04040" -> 0xd04040; false for anything else.
static bool parse_color(const char *text, long *color)
{
    static const char digits[] = "0123456789abcdef";
    *color = 0;
    if (text[0] != '#' || strlen(text) != 7) {
        return false;
    }
    for (int i = 1; i < 7; ++i) {
        char letter = text[i] >= 'A' && text[i] <= 'F' ? (char)(text[i] + 'a' - 'A') : text[i];
        const char *digit = strchr(digits, letter);
        if (digit == NULL) {
            return false;
        }
        *color = 16 * *color + (long)(digit - digits);
    }
    return true;
}

static bool read_color(hf_reader *reader, const hf_node *node, long *color)
{
    const char *text = NULL;
    if (node == NULL) {
        return true;
    }
    if (!hf_read_text(reader, node, &text)) {
        return false;
    }
    return parse_color(text, color) ||
           hf_reader_fail(reader, node, HF_ERROR_INPUT,
                          "color must be # and six hexadecimal digits, like '#d04040', got '%.40s'",
                          text);
}

static bool read_size(hf_reader *reader, const hf_node *node, hf_draw *draw)
{
    const hf_node *item;
    if (draw->type == HF_DRAW_BOX) {
        double edges[3];
        if ((item = hf_read_need(reader, node, "size")) == NULL ||
            !hf_read_numbers(reader, item, 3, edges)) {
            return false;
        }
        draw->size = (hf_vec3){edges[0], edges[1], edges[2]};
        return true;
    }
    if (draw->type == HF_DRAW_AUTO || draw->type == HF_DRAW_NONE) {
        return true;
    }
    return (item = hf_read_need(reader, node, "radius")) != NULL &&
           hf_read_number(reader, item, HF_RANGE_POSITIVE, &draw->size.x) &&
           (draw->type == HF_DRAW_SPHERE ||
            ((item = hf_read_need(reader, node, "length")) != NULL &&
             hf_read_number(reader, item, HF_RANGE_POSITIVE, &draw->size.z)));
}

bool hf_read_draw(hf_reader *reader, const hf_node *body, hf_body id, hf_vec3 origin)
{
    static const char *const types[] = {"auto", "none", "sphere", "box", "cylinder", "capsule"};
    static const char *const keys[][6] = {
        {"type", "color"},
        {"type"},
        {"type", "color", "radius", "center"},
        {"type", "color", "size", "center", "orientation"},
        {"type", "color", "radius", "length", "center", "orientation"},
        {"type", "color", "radius", "length", "center", "orientation"},
    };
    static const int counts[] = {2, 1, 4, 5, 6, 6};
    const hf_node *node = hf_node_get(body, "draw");
    if (node == NULL) {
        return true;
    }
    // Its type says which keys it has
    hf_draw draw = hf_draw_default();
    int type = HF_DRAW_AUTO;
    if (!hf_read_kind(reader, node, HF_NODE_MAP, "a map")) {
        return false;
    }
    const hf_node *type_node = hf_node_get(node, "type"),
                  *orientation = hf_node_get(node, "orientation");
    if (type_node != NULL && !hf_read_choice(reader, type_node, types, 6, &type)) {
        return false;
    }
    // Sizes, color and place; places are given from the body's drawn origin
    draw.type = (hf_draw_type)type;
    if (!hf_read_map(reader, node, keys[type], counts[type]) || !read_size(reader, node, &draw) ||
        !read_color(reader, hf_node_get(node, "color"), &draw.color) ||
        !hf_read_vec3_item(reader, node, "center", &draw.center) ||
        (orientation != NULL && !hf_read_orientation(reader, orientation, &draw.turn))) {
        return false;
    }
    draw.center = hf_v3_sub(draw.center, origin);
    return hf_spec_set_draw(reader->spec, id, &draw, reader->error) == HF_OK ||
           hf_reader_pass_member(reader, node);
}
