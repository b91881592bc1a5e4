// SPDX-License-Identifier: Apache-2.0
// What collides: shapes of links and of the world, their surfaces, and which of them never touch.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "robots/write.h"

enum { MOST_SURFACES = 60 };

bool hf_link_has_shapes(const hf_robot *robot, int link)
{
    for (size_t i = 0; i < robot->shapes.count; ++i) {
        if (robot->shapes.items[i].link == link && robot->shapes.items[i].collides) {
            return true;
        }
    }
    return false;
}

void hf_put_solid(hf_text_out *out, const hf_robot *robot, const hf_robot_shape *s)
{
    switch (s->type) {
    case HF_ROBOT_SPHERE:
        hf_put_key_number(out, "{type: sphere, radius: ", s->size.x);
        break;
    case HF_ROBOT_BOX:
        hf_put(out, "{type: box, size: ");
        hf_put_vec3(out, s->size);
        break;
    case HF_ROBOT_CAPSULE:
    case HF_ROBOT_CYLINDER:
    case HF_ROBOT_CONE:
        hf_put_key_number(out,
                          s->type == HF_ROBOT_CAPSULE    ? "{type: capsule, radius: "
                          : s->type == HF_ROBOT_CYLINDER ? "{type: cylinder, radius: "
                                                         : "{type: cone, radius: ",
                          s->size.x);
        hf_put_key_number(out, ", length: ", s->size.z);
        break;
    case HF_ROBOT_ELLIPSOID:
        hf_put(out, "{type: ellipsoid, radii: ");
        hf_put_vec3(out, s->size);
        break;
    case HF_ROBOT_PLANE:
        hf_put(out, "{type: plane");
        break;
    case HF_ROBOT_MESH:
        hf_put(out, "{type: mesh, file: ");
        hf_put_quoted(out, hf_robot_file_name(robot, s->file));
        if (s->scale.x == s->scale.y && s->scale.y == s->scale.z && s->scale.x > 0.0) {
            hf_put_key_number(out, ", scale: ", s->scale.x);
        } else {
            hf_put(out, ", scale: ");
            hf_put_vec3(out, s->scale);
        }
        break;
    case HF_ROBOT_HEIGHTS:
        hf_put(out, "{type: heights, size: ");
        hf_put_numbers(out, &s->size.x, 2);
        hf_put(out, ", heights: [");
        for (int r = 0; r < s->rows_y; ++r) {
            hf_put(out, r > 0 ? ",\n              " : "");
            hf_put_numbers(out, s->heights + (size_t)r * (size_t)s->columns_x, s->columns_x);
        }
        hf_put(out, "]");
        break;
    }
}

// The name of a shape that a pair names: its number among the robot's.
static void put_shape_name(hf_text_out *out, const hf_robot *robot, const hf_robot_shape *s)
{
    hf_put_key_number(out, "geom-", (double)(s - robot->shapes.items));
}

// A shape on its body; it has a name only where a pair needs it.
static void put_shape(hf_text_out *out, const hf_robot *robot, const hf_robot_shape *s)
{
    // The solid in its place
    hf_put_solid(out, robot, s);
    if (s->type == HF_ROBOT_MESH) {
        hf_put(out, robot->options.collide == HF_ROBOT_COLLIDE_PARTS ? ", frame: file, parts: true"
                                                                     : ", frame: file");
    }
    if (s->paired) {
        hf_put(out, ", name: ");
        put_shape_name(out, robot, s);
    }
    if (s->type != HF_ROBOT_SPHERE && !hf_is_unturned(s->turn)) {
        hf_put(out, ", orientation: ");
        hf_put_quat(out, s->turn);
    }
    if (s->center.x != 0.0 || s->center.y != 0.0 || s->center.z != 0.0) {
        hf_put(out, ", position: ");
        hf_put_vec3(out, s->center);
    }
    // Its surface, and what it touches
    hf_put(out, ", material: ");
    hf_put(out, robot->surface_names[s->surface]);
    if (s->across >= 0.0) {
        hf_put_key_number(out, ", friction_across: ", s->across);
    }
    if (s->slip[0] > 0.0 || s->slip[1] > 0.0) {
        hf_put_key_number(out, ", slip: [", s->slip[0]);
        hf_put_key_number(out, ", ", s->slip[1]);
        hf_put(out, "]");
    }
    if ((s->across >= 0.0 || s->slip[0] != s->slip[1]) && s->by_world) {
        hf_put(out, ", friction_direction: world");
    } else if (s->across >= 0.0 || s->slip[0] != s->slip[1]) {
        hf_put(out, ", friction_direction: ");
        hf_put_vec3(out, s->direction);
    }
    if (s->group != 1) {
        hf_put_key_number(out, ", group: ", s->group);
    }
    if (s->mask != 1) {
        hf_put_key_number(out, ", touches: ", s->mask);
    }
    hf_put(out, "}");
}

void hf_put_link_shapes(hf_text_out *out, const hf_robot *robot, int link)
{
    int count = 0;
    for (size_t i = 0; i < robot->shapes.count; ++i) {
        const hf_robot_shape *s = &robot->shapes.items[i];
        if (s->link == link && s->collides) {
            hf_put(out, count++ == 0 ? ",\n          shapes: [" : ",\n            ");
            put_shape(out, robot, s);
        }
    }
    hf_put(out, count > 0 ? "]" : "");
}

bool hf_name_scenery(hf_robot *robot)
{
    for (size_t i = 0; i < robot->shapes.count; ++i) {
        hf_robot_shape *s = &robot->shapes.items[i];
        if (s->link < 0 && s->collides) {
            s->scenery = hf_robot_name(robot, &robot->names, s->name, "ground");
            if (s->scenery == NULL) {
                return false;
            }
        }
    }
    return true;
}

void hf_put_scenery(hf_text_out *out, const hf_robot *robot)
{
    for (size_t i = 0; i < robot->shapes.count; ++i) {
        const hf_robot_shape *s = &robot->shapes.items[i];
        if (s->link >= 0 || !s->collides) {
            continue;
        }
        hf_put(out, "  ");
        hf_put(out, s->scenery);
        hf_put(out, ": {type: static, shapes: [");
        put_shape(out, robot, s);
        hf_put(out, "]}\n");
    }
}

// ------------------------------------------------------------------------------------------------
// What never touches

// The first link of those that fixed joints make one body of; -1: the world.
static int body_of(const hf_robot *robot, int link)
{
    while (link >= 0 && robot->links.items[link].type == HF_JOINT_FIXED) {
        link = robot->links.items[link].parent;
    }
    return link;
}

// The body that carries a body, over all joints between them: links without anything on them are
// joints of the body behind them.
static int parent_body(const hf_robot *robot, int body)
{
    int link = robot->links.items[body].parent;
    while (link >= 0 && robot->links.items[link].body == NULL) {
        link = robot->links.items[link].parent;
    }
    return body_of(robot, link);
}

static bool is_excluded(const hf_robot *robot, int a, int b)
{
    for (size_t i = 0; i < robot->exceptions.count; ++i) {
        const hf_robot_exception *e = &robot->exceptions.items[i];
        if ((e->a == a && e->b == b) || (e->a == b && e->b == a)) {
            return true;
        }
    }
    return false;
}

// Links of one body, a body and the one that carries it (unless that is the world), and what the
// file excludes. -1: the world.
static bool never_touch(const hf_robot *robot, int a, int b)
{
    if (a < 0 || b < 0) { // what is fixed to the world does not meet the rest of it
        return body_of(robot, a) == body_of(robot, b) || is_excluded(robot, a, b);
    }
    int one = body_of(robot, a), two = body_of(robot, b);
    bool same = one == two;
    bool carried = (one >= 0 && two >= 0) &&
                   (parent_body(robot, one) == two || parent_body(robot, two) == one);
    int family = robot->links.items[a].family;
    bool kin = robot->no_self_contacts || (family > 0 && family == robot->links.items[b].family);
    return same || carried || kin || is_excluded(robot, a, b);
}

// Whether a pair of shapes is of two links; -1: of the world.
static bool have_pair(const hf_robot *robot, int a, int b)
{
    for (size_t i = 0; i < robot->pairs.count; ++i) {
        int one = robot->shapes.items[robot->pairs.items[i].a].link;
        int two = robot->shapes.items[robot->pairs.items[i].b].link;
        if ((one == a && two == b) || (one == b && two == a)) {
            return true;
        }
    }
    return false;
}

static bool are_neighbours(const hf_robot *robot, int a, int b)
{
    return robot->links.items[a].parent == b || robot->links.items[b].parent == a;
}

// ------------------------------------------------------------------------------------------------
// Surfaces

static bool same_surface(const hf_robot_shape *a, const hf_robot_shape *b)
{
    return a->friction == b->friction && a->spin_friction == b->spin_friction &&
           a->rolling_friction == b->rolling_friction && a->restitution == b->restitution &&
           a->bounces_late == b->bounces_late && a->priority == b->priority && a->rows == b->rows;
}

// What acts of a friction of these three numbers in a contact of so many rows.
static void act(const double all[3], int rows, double acting[3])
{
    acting[0] = rows >= 3 ? all[0] : 0.0;
    acting[1] = rows >= 4 ? all[1] : 0.0;
    acting[2] = rows >= 6 ? all[2] : 0.0;
}

static void numbers_of(const hf_robot_shape *s, double all[3])
{
    all[0] = s->friction, all[1] = s->spin_friction, all[2] = s->rolling_friction;
}

// Friction of two surfaces as MuJoCo makes it: that of the higher priority; of equals the larger of
// each number, in as many rows as the one with more of them has.
static void combine(const hf_robot_shape *a, const hf_robot_shape *b, double acting[3])
{
    double one[3], two[3], all[3];
    numbers_of(a, one);
    numbers_of(b, two);
    if (a->priority != b->priority) {
        const hf_robot_shape *wins = a->priority > b->priority ? a : b;
        act(wins == a ? one : two, wins->rows, acting);
        return;
    }
    for (int i = 0; i < 3; ++i) {
        all[i] = fmax(one[i], two[i]);
    }
    act(all, a->rows > b->rows ? a->rows : b->rows, acting);
}

static void put_friction(hf_text_out *out, const double f[3])
{
    hf_put_key_number(out, "friction: ", f[0]);
    hf_put_key_number(out, ", spin_friction: ", f[1]);
    hf_put_key_number(out, ", rolling_friction: ", f[2]);
}

// Where the rule of combination does not give what the format means, the pair says it.
static void put_pair(hf_text_out *out, const hf_robot *robot, const hf_robot_shape *a,
                     const hf_robot_shape *b, int *count)
{
    double one[3], two[3], own_one[3], own_two[3], meant[3];
    numbers_of(a, one);
    numbers_of(b, two);
    act(one, a->rows, own_one);
    act(two, b->rows, own_two);
    combine(a, b, meant);
    bool same = true;
    for (int i = 0; i < 3; ++i) {
        same = same && fmax(own_one[i], own_two[i]) == meant[i];
    }
    if (same || strcmp(robot->friction_rule, "maximum") != 0) {
        return;
    }
    hf_put(out, (*count)++ == 0 ? "pairs:\n" : "");
    hf_put(out, "  - {between: [");
    hf_put(out, robot->surface_names[a->surface]);
    hf_put(out, ", ");
    hf_put(out, robot->surface_names[b->surface]);
    hf_put(out, "], ");
    put_friction(out, meant);
    hf_put(out, "}\n");
}

// "TREE.LINK" or the name of a body of the world; "." and the shape's name where it is meant.
static void put_owner(hf_text_out *out, const hf_robot *robot, int shape, bool whole)
{
    const hf_robot_shape *s = &robot->shapes.items[shape];
    if (s->link >= 0) {
        hf_put_link_name(out, robot, s->link);
    } else {
        hf_put(out, s->scenery);
    }
    if (!whole) {
        hf_put(out, ".");
        put_shape_name(out, robot, s);
    }
}

static void put_between(hf_text_out *out, const hf_robot *robot, const hf_robot_pair *pair,
                        bool whole, int *count)
{
    hf_put(out, (*count)++ == 0 ? "pairs:\n" : "");
    hf_put(out, "  - {between: [");
    put_owner(out, robot, pair->a, whole);
    hf_put(out, ", ");
    put_owner(out, robot, pair->b, whole);
    hf_put(out, "], ");
}

// Whether put_owner writes the same of two shapes.
static bool is_same_owner(const hf_robot *robot, int a, int b, bool whole)
{
    const hf_robot_shape *one = &robot->shapes.items[a], *two = &robot->shapes.items[b];
    return whole ? one->link == two->link &&
                       (one->link >= 0 || strcmp(one->scenery, two->scenery) == 0)
                 : a == b;
}

// Whether a pair of those before this one, or behind it, is between the same two owners.
static bool is_repeated(const hf_robot *robot, size_t index, bool behind, bool whole)
{
    const hf_robot_pair *pair = &robot->pairs.items[index];
    size_t begin = behind ? index + 1 : 0, end = behind ? robot->pairs.count : index;
    for (size_t i = begin; i < end; ++i) {
        const hf_robot_pair *other = &robot->pairs.items[i];
        if ((is_same_owner(robot, pair->a, other->a, whole) &&
             is_same_owner(robot, pair->b, other->b, whole)) ||
            (is_same_owner(robot, pair->a, other->b, whole) &&
             is_same_owner(robot, pair->b, other->a, whole))) {
            return true;
        }
    }
    return false;
}

// Pairs of shapes touch whatever else is said. Of a pair that the file has twice the last one
// holds. What else of their links never touches is said of the links as wholes, because an
// exception of the contacts would also hold for the pair.
static void put_own_pairs(hf_text_out *out, const hf_robot *robot, int *count)
{
    for (size_t i = 0; i < robot->pairs.count; ++i) {
        const hf_robot_pair *pair = &robot->pairs.items[i];
        int a = robot->shapes.items[pair->a].link, b = robot->shapes.items[pair->b].link;
        if (never_touch(robot, a, b) && !is_repeated(robot, i, false, true)) {
            put_between(out, robot, pair, true, count);
            hf_put(out, "touch: never}\n");
        }
        if (is_repeated(robot, i, true, false)) {
            continue;
        }
        double acting[3];
        act(pair->friction, pair->rows, acting);
        put_between(out, robot, pair, false, count);
        put_friction(out, acting);
        hf_put(out, ", touch: always}\n");
    }
}

// Restitution, as Gazebo has it: the smaller of two, above the smaller of their thresholds. Two
// whose thresholds nothing reaches do not bounce.
typedef struct bouncing {
    bool early, late; // some bounce at speeds that occur, and some not
} bouncing;

static bouncing find_bouncing(const hf_robot_shape *const *kinds, int count)
{
    bouncing found = {false, false};
    for (int k = 0; k < count; ++k) {
        bool early = kinds[k]->restitution > 0.0 && !kinds[k]->bounces_late;
        found.early = found.early || early;
        found.late = found.late || (kinds[k]->restitution > 0.0 && !early);
    }
    return found;
}

static void put_dull_pairs(hf_text_out *out, const hf_robot *robot,
                           const hf_robot_shape *const *kinds, int count, int *pairs)
{
    for (int a = 0; a < count; ++a) {
        for (int b = a; b < count; ++b) {
            const hf_robot_shape *one = kinds[a], *two = kinds[b];
            if (one->bounces_late && two->bounces_late && one->restitution > 0.0 &&
                two->restitution > 0.0) {
                hf_put(out, (*pairs)++ == 0 ? "pairs:\n" : "");
                hf_put(out, "  - {between: [");
                hf_put(out, robot->surface_names[a]);
                hf_put(out, ", ");
                hf_put(out, robot->surface_names[b]);
                hf_put(out, "], restitution: 0}\n");
            }
        }
    }
}

bool hf_put_surfaces(hf_text_out *out, hf_robot *robot)
{
    const hf_robot_shape *kinds[MOST_SURFACES];
    int count = 0, pairs = 0;
    robot->surface_names =
        hf_arena_alloc(&robot->xml.arena, MOST_SURFACES, sizeof *robot->surface_names);
    if (robot->surface_names == NULL) {
        return hf_robot_out_of_memory(robot);
    }
    // Kinds of surfaces, each once
    for (size_t i = 0; i < robot->shapes.count; ++i) {
        hf_robot_shape *s = &robot->shapes.items[i];
        int k = 0;
        if (!s->collides) {
            continue;
        }
        while (k < count && !same_surface(kinds[k], s)) {
            ++k;
        }
        s->surface = k < MOST_SURFACES ? k : 0;
        if (k == MOST_SURFACES) {
            hf_xml_mark_element(s->from, HF_FATE_MISSING,
                                "its friction: there are more than 60 kinds of surfaces");
        } else if (k == count) {
            robot->surface_names[k] = hf_robot_name(robot, &robot->names, NULL, "surface");
            if (robot->surface_names[k] == NULL) {
                return false;
            }
            kinds[count++] = s;
        }
    }
    // Materials
    bouncing found = find_bouncing(kinds, count);
    for (int k = 0; k < count; ++k) {
        double all[3], own[3];
        numbers_of(kinds[k], all);
        act(all, kinds[k]->rows, own);
        hf_put(out, k == 0 ? "materials:\n  " : "  ");
        hf_put(out, robot->surface_names[k]);
        hf_put(out, ": {");
        put_friction(out, own);
        hf_put_key_number(out, ", restitution: ", found.early ? kinds[k]->restitution : 0.0);
        hf_put(out, "}\n");
    }
    // How two of them meet
    if (count > 0) {
        hf_put(out, "friction_rule: ");
        hf_put(out, robot->friction_rule);
        hf_put(out, found.early ? "\nrestitution_rule: minimum\n" : "\n");
    }
    if (found.early && found.late) {
        put_dull_pairs(out, robot, kinds, count, &pairs);
    }
    for (int a = 0; a < count; ++a) {
        for (int b = a + 1; b < count; ++b) {
            put_pair(out, robot, kinds[a], kinds[b], &pairs);
        }
    }
    put_own_pairs(out, robot, &pairs);
    return true;
}

// ------------------------------------------------------------------------------------------------
// Contacts

static void put_exception(hf_text_out *out, int *count)
{
    hf_put(out, (*count)++ == 0 ? ", except: [[" : ", [");
}

static void put_exceptions(hf_text_out *out, const hf_robot *robot)
{
    int count = 0, links = (int)robot->links.count;
    // Pairs of links
    for (int a = 0; a < links; ++a) {
        if (!hf_link_has_shapes(robot, a)) {
            continue;
        }
        for (int b = a + 1; b < links; ++b) {
            if (hf_link_has_shapes(robot, b) && never_touch(robot, a, b) &&
                !are_neighbours(robot, a, b) && !have_pair(robot, a, b)) {
                put_exception(out, &count);
                hf_put_link_name(out, robot, a);
                hf_put(out, ", ");
                hf_put_link_name(out, robot, b);
                hf_put(out, "]");
            }
        }
        // What is fixed to the world does not meet the rest of it
        for (size_t i = 0; i < robot->shapes.count; ++i) {
            const hf_robot_shape *s = &robot->shapes.items[i];
            if (s->link < 0 && s->collides && never_touch(robot, a, -1) &&
                !have_pair(robot, a, -1)) {
                put_exception(out, &count);
                hf_put_link_name(out, robot, a);
                hf_put(out, ", ");
                hf_put(out, s->scenery);
                hf_put(out, "]");
            }
        }
    }
    hf_put(out, count > 0 ? "]" : "");
}

// Whether any two of its shapes may touch: else there is nothing to find.
static bool may_touch(const hf_robot *robot)
{
    int links = (int)robot->links.count;
    if (robot->pairs.count > 0) {
        return true;
    }
    for (size_t i = 0; i < robot->shapes.count; ++i) {
        const hf_robot_shape *a = &robot->shapes.items[i];
        for (size_t k = i + 1; a->collides && k < robot->shapes.count; ++k) {
            const hf_robot_shape *b = &robot->shapes.items[k];
            bool world = a->link < 0 || b->link < 0;
            bool both = a->link < 0 && b->link < 0;
            if (b->collides && !both && a->link != b->link &&
                (world || (a->link < links && !never_touch(robot, a->link, b->link)))) {
                return true;
            }
        }
    }
    return false;
}

void hf_put_contacts(hf_text_out *out, hf_robot *robot)
{
    int members = 0;
    if (!may_touch(robot)) {
        return;
    }
    // Counted first, then written: one alone touches nothing
    for (int pass = 0; pass < 2; ++pass) {
        int count = 0;
        for (int i = 0; i < (int)robot->links.count; ++i) {
            if (hf_link_has_shapes(robot, i)) {
                if (pass == 1) {
                    hf_put(out, count > 0 ? ", " : "");
                    hf_put_link_name(out, robot, i);
                }
                ++count;
            }
        }
        // Scenery of the world
        for (size_t i = 0; i < robot->shapes.count; ++i) {
            const hf_robot_shape *s = &robot->shapes.items[i];
            if (s->link < 0 && s->collides) {
                if (pass == 1) {
                    hf_put(out, count > 0 ? ", " : "");
                    hf_put(out, s->scenery);
                }
                ++count;
            }
        }
        members = count;
        if (pass == 0 && members < 2) {
            return;
        }
        if (pass == 0) {
            hf_put(out, "  - {name: ");
            hf_put(out, robot->options.part ? robot->name : "contacts");
            hf_put(out, robot->options.part ? "-contacts" : "");
            hf_put(out, ", type: collide, restitution: 0, friction: 1, among: [");
        }
    }
    // Pairs that do not touch
    hf_put(out, "]");
    put_exceptions(out, robot);
    hf_put(out, "}\n");
}
