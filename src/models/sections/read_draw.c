// SPDX-License-Identifier: Apache-2.0
// `draw:`: how a body is shown, where its shape does not say it.
#include <stdlib.h>
#include <string.h>

#include "math/vec.h"
#include "models/reader.h"
#include "robots/dae.h"
#include "shapes/coarse.h"

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

// Triangles of a file, as many as a picture needs; they lie in the reader's memory.
static bool read_mesh(hf_reader *reader, const hf_node *node, hf_draw *draw)
{
    enum { MOST = 2000 }; // triangles of one figure
    const hf_node *file = hf_read_need(reader, node, "file");
    const char *name = NULL;
    hf_vec3 scale = {1, 1, 1};
    if (file == NULL || !hf_read_text(reader, file, &name) ||
        !hf_read_scale(reader, hf_node_get(node, "scale"), &scale)) {
        return false;
    }
    // All triangles of the file
    char *path = hf_reader_resolve(reader, file);
    hf_soup soup = {0};
    bool read = path != NULL && hf_any_soup_read(path, name, &soup, reader->error);
    free(path);
    if (!read) {
        return path != NULL && hf_reader_pass(reader, file, false);
    }
    // Scaled and thinned; a mirror turns triangles round
    bool mirrored = scale.x * scale.y * scale.z < 0.0;
    for (size_t i = 0; i < soup.point_count; ++i) {
        hf_vec3 p = soup.points[i];
        soup.points[i] = (hf_vec3){scale.x * p.x, scale.y * p.y, scale.z * p.z};
    }
    bool good = hf_soup_coarsen(&soup, MOST);
    for (size_t i = 0; good && mirrored && i < soup.triangle_count; ++i) {
        int first = soup.corners[3 * i];
        soup.corners[3 * i] = soup.corners[3 * i + 1];
        soup.corners[3 * i + 1] = first;
    }
    // A copy that is freed with the reader
    hf_arena *arena = &reader->document->arena;
    draw->mesh = (hf_draw_mesh){
        hf_arena_copy(arena, soup.points, soup.point_count, sizeof *soup.points),
        hf_arena_copy(arena, soup.corners, 3 * soup.triangle_count, sizeof *soup.corners),
        (int)soup.point_count, (int)soup.triangle_count};
    hf_soup_free(&soup);
    if (!good) {
        return hf_reader_fail(reader, file, HF_ERROR_FILE, "'%.100s' has no surface to show", name);
    }
    return (draw->mesh.points != NULL && draw->mesh.corners != NULL) ||
           hf_reader_out_of_memory(reader);
}

static bool read_size(hf_reader *reader, const hf_node *node, hf_draw *draw)
{
    const hf_node *item;
    if (draw->type == HF_DRAW_MESH) {
        return read_mesh(reader, node, draw);
    }
    if (draw->type == HF_DRAW_BOX || draw->type == HF_DRAW_ELLIPSOID) {
        double edges[3];
        const char *key = draw->type == HF_DRAW_BOX ? "size" : "radii";
        if ((item = hf_read_need(reader, node, key)) == NULL ||
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

// One figure; `several`: of a list.
static bool read_figure(hf_reader *reader, const hf_node *node, bool several, hf_body id,
                        hf_vec3 origin)
{
    static const char *const types[] = {"auto",     "none",    "sphere",    "box",
                                        "cylinder", "capsule", "ellipsoid", "mesh"};
    static const char *const keys[][6] = {
        {"type", "color"},
        {"type"},
        {"type", "color", "radius", "center"},
        {"type", "color", "size", "center", "orientation"},
        {"type", "color", "radius", "length", "center", "orientation"},
        {"type", "color", "radius", "length", "center", "orientation"},
        {"type", "color", "radii", "center", "orientation"},
        {"type", "color", "file", "scale", "center", "orientation"},
    };
    static const int counts[] = {2, 1, 4, 5, 6, 6, 5, 6};
    // Its type says which keys it has
    hf_draw draw = hf_draw_default();
    int type = HF_DRAW_AUTO;
    if (!hf_read_kind(reader, node, HF_NODE_MAP, "a map")) {
        return false;
    }
    const hf_node *type_node = hf_node_get(node, "type"),
                  *orientation = hf_node_get(node, "orientation");
    if (type_node != NULL && !hf_read_choice(reader, type_node, types, 8, &type)) {
        return false;
    }
    draw.type = (hf_draw_type)type;
    if (several && draw.type <= HF_DRAW_NONE) {
        return hf_reader_fail(reader, node, HF_ERROR_INPUT, "each figure of a list needs a type");
    }
    // Sizes, color and place; places are given from the body's drawn origin
    if (!hf_read_map(reader, node, keys[type], counts[type]) || !read_size(reader, node, &draw) ||
        !read_color(reader, hf_node_get(node, "color"), &draw.color) ||
        !hf_read_vec3_item(reader, node, "center", &draw.center) ||
        (orientation != NULL && !hf_read_orientation(reader, orientation, &draw.turn))) {
        return false;
    }
    draw.center = hf_v3_sub(draw.center, origin);
    hf_status status = several ? hf_spec_add_draw(reader->spec, id, &draw, reader->error)
                               : hf_spec_set_draw(reader->spec, id, &draw, reader->error);
    return status == HF_OK || hf_reader_pass_member(reader, node);
}

bool hf_read_draw(hf_reader *reader, const hf_node *body, hf_body id, hf_vec3 origin)
{
    const hf_node *node = hf_node_get(body, "draw");
    if (node == NULL) {
        return true;
    }
    if (node->kind != HF_NODE_LIST) {
        return read_figure(reader, node, false, id, origin);
    }
    for (const hf_node *item = node->first; item != NULL; item = item->next) {
        if (!read_figure(reader, item, true, id, origin)) {
            return false;
        }
    }
    return true;
}
