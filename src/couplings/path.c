// SPDX-License-Identifier: Apache-2.0
// The length of a string through points of bodies, over spheres and cylinders, and over pulleys.
//
//   gap = sum s_k l_k,   rate = sum s_k n_k.(v_b - v_a)
//
// over its straight lines a-b, n from a to b, and the arcs between them; s is 1 over the divisor of
// the pulley before. Where the string leaves a round thing, the place is one of that body: sliding
// along it costs no length to first order (wrap.c). The rates of lines that touch something round
// change with these places too: bias takes the second derivative of the whole way.
#include <math.h>

#include "base/error.h"
#include "couplings/space.h"
#include "couplings/wrap.h"

// A part, compiled.
typedef struct station {
    hf_path_kind kind;
    int pose, side_pose; // side_pose -1: no side
    hf_vec3 point, side, axis;
    double radius, share; // share: 1 over the divisor of the pulley before
} station;

typedef struct path {
    int row, count;
    station stations[HF_PATH_MOST];
} path;

// ------------------------------------------------------------------------------------------------
// Checks and places

// The bodies of a path, each once; more than `room`: room + 1.
static int list_bodies(const hf_coupling_def *def, int *ids, int room)
{
    int count = 0;
    for (int i = 0; i < 2 * def->part_count; ++i) {
        const hf_path_part *part = &def->parts[i / 2];
        bool there = part->kind != HF_PATH_PULLEY && (i % 2 == 0 || part->has_side);
        int id = i % 2 == 0 ? part->frame.body.id : part->side.body.id, k = 0;
        while (k < count && ids[k] != id) {
            ++k;
        }
        if (there && k == count) {
            if (count == room) {
                return room + 1;
            }
            ids[count++] = id;
        }
    }
    return count;
}

// Whether the parts make ways: points, between two of which one round thing may stand; pulleys
// between ways.
static const char *wrong_order(const hf_coupling_def *def)
{
    int points = 0; // of the present way
    bool round = false;
    for (int i = 0; i < def->part_count; ++i) {
        switch (def->parts[i].kind) {
        case HF_PATH_POINT:
            ++points;
            round = false;
            break;
        case HF_PATH_SPHERE:
        case HF_PATH_CYLINDER:
            if (points == 0 || round) {
                return "what it wraps around stands between two points";
            }
            round = true;
            break;
        case HF_PATH_PULLEY:
            if (i > 0 && (points < 2 || round)) {
                return "a pulley stands between ways of two points or more";
            }
            points = 0;
            break;
        }
    }
    return round ? "it must end in a point" : points < 2 ? "each way has two points or more" : NULL;
}

static hf_status check(const hf_spec *spec, const hf_coupling_def *def, const char *name,
                       hf_error *error)
{
    int ids[HF_COUPLING_MAX_TERMS];
    if (def->parts == NULL || def->part_count < 2 || def->part_count > HF_PATH_MOST) {
        return hf_error_at(error, HF_ERROR_RANGE, hf_at_member("force", name, "path"),
                           "a path has 2 to %d parts, got %d", HF_PATH_MOST, def->part_count);
    }
    // Each part
    for (int i = 0; i < def->part_count; ++i) {
        const hf_path_part *part = &def->parts[i];
        bool pulley = part->kind == HF_PATH_PULLEY;
        double size = pulley ? part->divisor : part->radius;
        if (!pulley) {
            HF_TRY(hf_coupling_check_frame(spec, &part->frame, name, "path", error));
        }
        if (part->has_side) {
            HF_TRY(hf_coupling_check_frame(spec, &part->side, name, "side", error));
        }
        if (part->kind != HF_PATH_POINT && (!(size > 0.0) || !isfinite(size))) {
            return hf_error_at(error, HF_ERROR_RANGE, hf_at_member("force", name, "path"),
                               "%s must be positive, got %g",
                               pulley ? "the divisor of a pulley" : "a radius", size);
        }
    }
    // All together
    const char *wrong = wrong_order(def);
    if (wrong != NULL) {
        return hf_error_at(error, HF_ERROR_INPUT, hf_at_member("force", name, "path"), "%s", wrong);
    }
    int count = list_bodies(def, ids, HF_COUPLING_MAX_TERMS);
    if (count > HF_COUPLING_MAX_TERMS) {
        return hf_error_at(error, HF_ERROR_UNSUPPORTED, hf_at_member("force", name, "path"),
                           "a path goes over at most %d bodies", HF_COUPLING_MAX_TERMS);
    }
    if (count < 2) {
        return hf_error_at(error, HF_ERROR_INPUT, hf_at("force", name),
                           "it must act between two different bodies");
    }
    return HF_OK;
}

// The ends of the string, then its other bodies.
static int ends(const hf_coupling_def *def, hf_frame *list)
{
    int ids[HF_COUPLING_MAX_TERMS], count = 2, all = list_bodies(def, ids, HF_COUPLING_MAX_TERMS);
    int first = def->parts[0].kind == HF_PATH_PULLEY ? 1 : 0;
    list[0] = def->parts[first].frame;
    list[1] = def->parts[def->part_count - 1].frame;
    for (int i = 0; i < all && i < HF_COUPLING_MAX_TERMS; ++i) {
        bool there = ids[i] == list[0].body.id || ids[i] == list[1].body.id;
        if (!there && count < HF_COUPLING_MAX_TERMS) {
            list[count++] = (hf_frame){.body = {ids[i]}, .turn = {.w = 1.0}};
        }
    }
    return count;
}

static int pose_of(const hf_body_site *sites, hf_body body)
{
    return body.id == 0 ? 0 : sites[body.id - 1].pose;
}

static void place(const hf_coupling_def *def, const hf_body_site *sites, hf_coupling_slot slot,
                  void *item)
{
    path *p = item;
    double share = 1.0;
    *p = (path){.row = slot.row, .count = def->part_count};
    for (int i = 0; i < def->part_count; ++i) {
        const hf_path_part *part = &def->parts[i];
        station *s = &p->stations[i];
        share = part->kind == HF_PATH_PULLEY ? 1.0 / part->divisor : share;
        *s = (station){.kind = part->kind, .side_pose = -1, .radius = part->radius, .share = share};
        if (part->kind == HF_PATH_PULLEY) {
            continue;
        }
        hf_mat3 turn = hf_quat_rotation(part->frame.turn);
        s->pose = pose_of(sites, part->frame.body);
        s->point = part->frame.point;
        s->axis = part->kind == HF_PATH_CYLINDER ? hf_column_z(&turn) : hf_v3(0.0, 0.0, 0.0);
        if (part->has_side) {
            s->side_pose = pose_of(sites, part->side.body);
            s->side = part->side.point;
        }
    }
}

// ------------------------------------------------------------------------------------------------
// The string now

// A straight line of it, and what is between this line and the next one.
typedef struct line {
    int from, to;         // poses
    hf_vec3 a, b;         // arms of its ends
    hf_vec3 n;            // from a to b
    double length, share; // length with the arc behind it [m]
} line;

static hf_vec3 place_of(const hf_pose *pose, hf_vec3 point)
{
    return hf_v3_add(pose->position, hf_arm(pose, point));
}

static line line_of(const hf_pose *poses, int from, hf_vec3 a, int to, hf_vec3 b, double share)
{
    hf_vec3 way = hf_v3_sub(b, a);
    double length = hf_v3_norm(way);
    return (line){.from = from,
                  .to = to,
                  .a = hf_v3_sub(a, poses[from].position),
                  .b = hf_v3_sub(b, poses[to].position),
                  .n = hf_v3_scale(length > 0.0 ? 1.0 / length : 0.0, way),
                  .length = length,
                  .share = share};
}

static hf_wrap_round round_of(const station *s, const hf_pose *poses)
{
    hf_wrap_round round = {.center = place_of(&poses[s->pose], s->point),
                           .axis = hf_arm(&poses[s->pose], s->axis),
                           .radius = s->radius,
                           .has_side = s->side_pose >= 0};
    if (round.has_side) {
        round.side = place_of(&poses[s->side_pose], s->side);
    }
    return round;
}

// The lines of one span of a path, from station i to the next point: 1 or 2. *next: its station.
static int span_of(const path *p, const hf_pose *poses, int i, line lines[2], int *next)
{
    const station *on = &p->stations[i], *mid = on + 1;
    bool round = mid->kind == HF_PATH_SPHERE || mid->kind == HF_PATH_CYLINDER;
    const station *to = round ? on + 2 : on + 1;
    hf_vec3 a = place_of(&poses[on->pose], on->point), b = place_of(&poses[to->pose], to->point);
    *next = (int)(to - p->stations);
    if (round) {
        hf_wrap_round thing = round_of(mid, poses);
        hf_wrap_way way = hf_wrap_find(&thing, a, b);
        if (way.wraps) {
            lines[0] = line_of(poses, on->pose, a, mid->pose, way.off, on->share);
            lines[1] = line_of(poses, mid->pose, way.on, to->pose, b, on->share);
            lines[0].length += way.arc;
            return 2;
        }
    }
    lines[0] = line_of(poses, on->pose, a, to->pose, b, on->share);
    return 1;
}

// Whether a span begins at station i.
static bool begins(const path *p, int i)
{
    return i + 1 < p->count && p->stations[i].kind == HF_PATH_POINT &&
           p->stations[i + 1].kind != HF_PATH_PULLEY;
}

static void psi(const void *items, int count, const hf_motion *m)
{
    for (const path *p = items, *end = p + count; p < end; ++p) {
        double gap = 0.0, rate = 0.0;
        for (int i = 0, next; i < p->count; i = next) {
            line lines[2];
            next = i + 1;
            int n = begins(p, i) ? span_of(p, m->poses, i, lines, &next) : 0;
            for (const line *l = lines; l < lines + n; ++l) {
                hf_vec3 drift = hf_v3_sub(hf_velocity_at(&m->poses[l->to], l->b),
                                          hf_velocity_at(&m->poses[l->from], l->a));
                gap += l->share * l->length;
                rate += l->share * hf_v3_dot(l->n, drift);
            }
        }
        m->gap[p->row] = gap;
        m->rate[p->row] = rate;
    }
}

static void phi(const void *items, int count, const hf_actions *act)
{
    for (const path *p = items, *end = p + count; p < end; ++p) {
        for (int i = 0, next; i < p->count; i = next) {
            line lines[2];
            next = i + 1;
            int n = begins(p, i) ? span_of(p, act->poses, i, lines, &next) : 0;
            for (const line *l = lines; l < lines + n; ++l) {
                hf_vec3 force = hf_v3_scale(l->share * act->force[p->row], l->n);
                hf_push(&act->wrenches[l->from], l->a, force);
                hf_push(&act->wrenches[l->to], l->b, hf_v3_scale(-1.0, force));
            }
        }
    }
}

// ------------------------------------------------------------------------------------------------
// How its rate changes

// A place that moves: itself, its velocity, and how that changes while v does not.
typedef struct moving {
    hf_vec3 x, d, dd;
} moving;

static moving point_of(const hf_bias *bias, int pose, hf_vec3 point)
{
    const hf_pose *at = &bias->poses[pose];
    hf_vec3 arm = hf_arm(at, point);
    hf_vec3 turn = hf_v3_cross(at->spin, arm);
    return (moving){hf_v3_add(at->position, arm), hf_v3_add(at->velocity, turn),
                    hf_velocity_rate_at(at, &bias->rates[pose], arm, turn)};
}

static moving direction_of(const hf_bias *bias, int pose, hf_vec3 axis)
{
    const hf_pose *at = &bias->poses[pose];
    hf_vec3 along = hf_arm(at, axis), turn = hf_v3_cross(at->spin, along);
    return (moving){
        along, turn,
        hf_v3_add(hf_v3_cross(bias->rates[pose].spin, along), hf_v3_cross(at->spin, turn))};
}

static moving apart(moving a, moving b)
{
    return (moving){hf_v3_sub(a.x, b.x), hf_v3_sub(a.d, b.d), hf_v3_sub(a.dd, b.dd)};
}

static hf_jet dot_of(const moving *a, const moving *b)
{
    return (hf_jet){hf_v3_dot(a->x, b->x), hf_v3_dot(a->d, b->x) + hf_v3_dot(a->x, b->d),
                    hf_v3_dot(a->dd, b->x) + 2.0 * hf_v3_dot(a->d, b->d) + hf_v3_dot(a->x, b->dd)};
}

static moving cross_of(const moving *a, const moving *b)
{
    return (moving){hf_v3_cross(a->x, b->x),
                    hf_v3_add(hf_v3_cross(a->d, b->x), hf_v3_cross(a->x, b->d)),
                    hf_v3_add(hf_v3_add(hf_v3_cross(a->dd, b->x), hf_v3_cross(a->x, b->dd)),
                              hf_v3_scale(2.0, hf_v3_cross(a->d, b->d)))};
}

// The length of a way around something, and its rates, by distances and the angle between.
static hf_jet round_length(const hf_wrap_round *round, const hf_wrap_way *way, moving p, moving q,
                           moving axis)
{
    hf_jet high[2] = {dot_of(&p, &axis), dot_of(&q, &axis)}, out[2];
    const moving *points[2] = {&p, &q};
    moving across = cross_of(&p, &q);
    bool sphere = hf_v3_dot(round->axis, round->axis) == 0.0;
    for (int k = 0; k < 2; ++k) {
        hf_jet square = dot_of(points[k], points[k]);
        out[k] = hf_jet_root(hf_jet_sub(square, hf_jet_mul(high[k], high[k])));
    }
    // The angle, with the sign of the way
    hf_jet along = hf_jet_sub(dot_of(&p, &q), hf_jet_mul(high[0], high[1]));
    hf_jet up = sphere ? hf_jet_root(dot_of(&across, &across)) : dot_of(&across, &axis);
    hf_jet angle = hf_jet_scale(way->sign, hf_jet_angle(up, along));
    angle.x = way->turn;
    return hf_wrap_length(round, way, out, angle, hf_jet_sub(high[1], high[0]));
}

static void bias(const void *item, const hf_bias *bias)
{
    const path *p = item;
    double change = 0.0;
    for (int i = 0, next; i < p->count; i = next) {
        line lines[2];
        next = i + 1;
        int n = begins(p, i) ? span_of(p, bias->poses, i, lines, &next) : 0;
        if (n == 0) {
            continue;
        }
        const station *on = &p->stations[i], *to = &p->stations[next], *mid = on + 1;
        moving a = point_of(bias, on->pose, on->point), b = point_of(bias, to->pose, to->point);
        if (n == 1) {
            moving way = apart(b, a);
            hf_jet square = dot_of(&way, &way);
            change += square.x > 0.0 ? on->share * hf_jet_root(square).dd : 0.0;
            continue;
        }
        // Around something, seen from its center
        moving center = point_of(bias, mid->pose, mid->point);
        hf_wrap_round round = round_of(mid, bias->poses);
        hf_wrap_way way = hf_wrap_find(&round, a.x, b.x);
        change += on->share * round_length(&round, &way, apart(a, center), apart(b, center),
                                           direction_of(bias, mid->pose, mid->axis))
                                  .dd;
    }
    bias->change[p->row] = change;
}

// The pull on the first end of the string.
static hf_vec3 sight(const hf_coupling_sight *s)
{
    const path *p = s->item;
    line lines[2];
    int next, first = p->stations[0].kind == HF_PATH_PULLEY ? 1 : 0;
    (void)span_of(p, s->poses, first, lines, &next);
    return hf_v3_scale(s->force[0] * lines[0].share, lines[0].n);
}

const hf_coupling_ops hf_coupling_ops_path = {
    .name = "path",
    .item_size = sizeof(path),
    .in_space = true,
    .has_gap = true,
    .travels = true,
    .rows = 1,
    .check = check,
    .ends = ends,
    .place = place,
    .psi = psi,
    .phi = phi,
    .bias = bias,
    .sight = sight,
    .row_turns = hf_space_row_turns,
};
