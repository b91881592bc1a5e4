// SPDX-License-Identifier: Apache-2.0
// Nothing that touches is stepped over: random solids, speeds up to 500 m/s, spins up to 1000 rad/s
// and steps of 0.1 to 10 ms against planes, thin boxes and sheets of triangles, and against each
// other. Steps lead them over hundreds of their sizes, and turn them by several radians.
#include "contact_test.h"

#include <math.h>

#include "collide/way.h"
#include "math/vec.h"
#include "shapes/touch.h"

enum { TEXT = 16000, GRID = 21, SHOTS = 600, PAIRS = 120, LOOKS = 200 };

static const double SHEET = 20.0, ROUGH = 0.05; // side and depth of sheets [m]

static void put_shape(char *text, size_t size, hf_rng *rng, hf_shape *shape)
{
    double a = hf_rng_log_uniform(rng, 0.01, 0.2), b = a * hf_rng_uniform(rng, 0.1, 1.0);
    double c = a * hf_rng_uniform(rng, 0.1, 1.0);
    static const struct {
        hf_shape_type type;
        const char *text;
    } round[] = {{HF_SHAPE_CAPSULE, "{type: capsule, radius: %.17g, length: %.17g}"},
                 {HF_SHAPE_CYLINDER, "{type: cylinder, radius: %.17g, length: %.17g}"},
                 {HF_SHAPE_CONE, "{type: cone, radius: %.17g, length: %.17g}"}};
    int kind = hf_rng_int(rng, 0, 5);
    shape->turn = (hf_quat){.w = 1.0};
    if (kind < 3) {
        bool slim = hf_rng_bool(rng);
        shape->type = round[kind].type;
        shape->size = hf_v3(slim ? 0.3 * b : a, 0.0, slim ? a : b);
        (void)snprintf(text, size, round[kind].text, shape->size.x, shape->size.z);
        return;
    }
    shape->type = kind == 3 ? HF_SHAPE_SPHERE : kind == 4 ? HF_SHAPE_BOX : HF_SHAPE_ELLIPSOID;
    shape->size = hf_v3(a, kind == 3 ? 0.0 : b, kind == 3 ? 0.0 : c);
    (void)snprintf(text, size,
                   kind == 3   ? "{type: sphere, radius: %.17g}"
                   : kind == 4 ? "{type: box, size: [%.17g, %.17g, %.17g]}"
                               : "{type: ellipsoid, radii: [%.17g, %.17g, %.17g]}",
                   a, b, c);
}

static void put_sheet(char *text, size_t size, hf_rng *rng, const char *body, double rough)
{
    size_t used = (size_t)snprintf(text, size,
                                   "{%s, shape: {type: heights, size: [%g, %g], "
                                   "heights: [",
                                   body, SHEET, SHEET);
    for (int i = 0; i < GRID * GRID; ++i) {
        double height = rough > 0.0 ? hf_rng_uniform(rng, -rough, 0.0) : 0.0;
        used += (size_t)snprintf(text + used, size - used, "%s%.4g%s", i % GRID == 0 ? "[" : "",
                                 height, i % GRID == GRID - 1 ? "]" : "");
        used += (size_t)snprintf(text + used, size - used, i + 1 < GRID * GRID ? ", " : "]}}");
    }
}

static void put_target(char *text, size_t size, hf_rng *rng, int target)
{
    static const char *const heavy = "type: rigid, mass: 1e7, inertia: [1e9, 1e9, 1e9]";
    static const char *const plain[] = {
        "{type: static, shape: {type: plane}}",
        "{type: static, shape: {type: box, size: [20, 20, 0.002]}, position: [0, 0, -0.001]}",
        "{type: rigid, mass: 1e7, shape: {type: box, size: [20, 20, 0.01]}, "
        "position: [0, 0, -0.005]}"};
    if (target < 3) {
        (void)snprintf(text, size, "%s", plain[target]);
    } else {
        put_sheet(text, size, rng, target == 5 ? heavy : "type: static", target == 4 ? ROUGH : 0.0);
    }
}

static hf_vec3 any_direction(hf_rng *rng)
{
    hf_vec3 d = hf_v3(hf_rng_normal(rng), hf_rng_normal(rng), hf_rng_normal(rng));
    return hf_v3_scale(1.0 / hf_v3_norm(d), d);
}

// A solid shot at something that goes on for ever stays on its side.
static void shoot(uint64_t seed)
{
    static const char *const names[] = {"plane",      "thin box",    "heavy thin box",
                                        "flat sheet", "rough sheet", "heavy sheet"};
    hf_rng rng = hf_rng_create(seed);
    char shape[200], target[TEXT], text[2 * TEXT], what[300];
    hf_shape unused;
    int kind = hf_rng_int(&rng, 0, 5);
    double speed = hf_rng_log_uniform(&rng, 1.0, 500.0), rate = hf_rng_log_uniform(&rng, 1.0, 1e3);
    double step = hf_rng_log_uniform(&rng, 1e-4, 1e-2), angle = hf_rng_uniform(&rng, 0.0, 1.3);
    double height = 0.4 + hf_rng_uniform(&rng, 0.0, 1.5) * step * speed;
    put_shape(shape, sizeof shape, &rng, &unused);
    put_target(target, sizeof target, &rng, kind);
    hf_vec3 spin = hf_v3_scale(rate, any_direction(&rng)), axis = any_direction(&rng);
    (void)snprintf(text, sizeof text,
                   "gravity: [0, 0, 0]\n"
                   "bodies:\n"
                   "  floor: %s\n"
                   "  thing: {type: rigid, mass: 1.3, shape: %s, position: [0.1, 0.2, %.17g],\n"
                   "    velocity: [%.17g, 0, %.17g], angular_velocity: [%.17g, %.17g, %.17g],\n"
                   "    orientation: {axis: [%.17g, %.17g, %.17g], angle: %.17g}}\n"
                   "forces:\n"
                   "  - {name: touch, type: collide, among: all, friction: %.17g, "
                   "restitution: %g}\n",
                   target, shape, height, speed * sin(angle), -speed * cos(angle), spin.x, spin.y,
                   spin.z, axis.x, axis.y, axis.z, hf_rng_uniform(&rng, 0.0, 3.0),
                   hf_rng_uniform(&rng, 0.0, 1.0), hf_rng_bool(&rng) ? 0.0 : 0.5);
    (void)snprintf(what, sizeof what, "seed %llu: depth of the middle of %s below a %s",
                   (unsigned long long)seed, shape, names[kind]);
    hf_model *model = model_of(text);
    hf_sim *sim = sim_with(model, timestep(step));
    const double *q = hf_sim_position(sim, hf_model_find_body(model, "thing"));
    int steps = (int)ceil(height / (speed * cos(angle) * step)) + 4;
    double lowest = HUGE_VAL;
    for (int i = 0; i < steps && hypot(q[0], q[1]) < 0.4 * SHEET; ++i) {
        run_until(sim, hf_sim_time(sim) + step);
        lowest = fmin(lowest, q[2]);
    }
    hf_check_below(-lowest, kind == 4 ? ROUGH : 0.0, what, "its own side");
    assert_true(hf_sim_get_stats(sim).passages == 0);
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

static void sheets_hold(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= SHOTS; ++seed) {
        shoot(seed);
    }
}

// ------------------------------------------------------------------------------------------------

// Where a body is on its way through a step, a part of it done.
static hf_solid on_the_way(const hf_shape *shape, const double *from, const double *to, double part)
{
    hf_quat a = {from[3], from[4], from[5], from[6]}, b = {to[3], to[4], to[5], to[6]};
    hf_mat3 before = hf_quat_rotation(a), after = hf_quat_rotation(b);
    hf_way way = {.origin = hf_v3(from[0], from[1], from[2]),
                  .velocity = hf_v3(to[0] - from[0], to[1] - from[1], to[2] - from[2]),
                  .spin = hf_mean_spin(&before, &after, 1.0),
                  .rotation = before};
    hf_solid solid = hf_solid_make(shape, way.origin, a);
    hf_vec3 arm;
    hf_way_put(&way, part, &solid, &arm);
    return solid;
}

// How deep two solids are in each other on the way through a step, at most, as a part of the
// thinner one.
static double deepest(const hf_shape shapes[2], double from[2][7], const double *const to[2])
{
    double most = 0.0;
    for (int i = 0; i <= LOOKS; ++i) {
        double part = (double)i / LOOKS;
        hf_solid a = on_the_way(&shapes[0], from[0], to[0], part);
        hf_solid b = on_the_way(&shapes[1], from[1], to[1], part);
        hf_touch_point points[HF_SURFACE_POINTS];
        int count = hf_touch_points(&a, &b, 0.0, points);
        for (int k = 0; k < count; ++k) {
            most = fmax(most, -points[k].gap / fmin(hf_solid_thinness(&a), hf_solid_thinness(&b)));
        }
    }
    return most;
}

// Two solids shot at the same place: while neither feels the other, they have not met.
static bool meet(uint64_t seed)
{
    hf_rng rng = hf_rng_create(seed);
    char texts[2][200], text[TEXT], what[600];
    hf_shape shapes[2];
    put_shape(texts[0], sizeof texts[0], &rng, &shapes[0]);
    put_shape(texts[1], sizeof texts[1], &rng, &shapes[1]);
    double speed = hf_rng_log_uniform(&rng, 1.0, 500.0),
           step = hf_rng_log_uniform(&rng, 1e-4, 1e-2);
    double time = hf_rng_uniform(&rng, 0.0, 4.0) * step + 1.0 / speed;
    size_t used = (size_t)snprintf(text, sizeof text, "gravity: [0, 0, 0]\nbodies:\n");
    for (int k = 0; k < 2; ++k) {
        double share = k == 0 ? 1.0 : hf_rng_uniform(&rng, 0.0, 1.0);
        hf_vec3 v = hf_v3_scale(share * speed, any_direction(&rng)), axis = any_direction(&rng);
        hf_vec3 at = hf_v3_axpy(hf_v3_scale(0.02, any_direction(&rng)), -time, v);
        hf_vec3 w = hf_v3_scale(hf_rng_log_uniform(&rng, 0.1, 300.0), any_direction(&rng));
        used += (size_t)snprintf(
            text + used, sizeof text - used,
            "  b%d: {type: rigid, mass: 1.3, inertia: [0.01, 0.01, 0.01], shape: %s,\n"
            "    position: [%.17g, %.17g, %.17g], velocity: [%.17g, %.17g, %.17g],\n"
            "    angular_velocity: [%.17g, %.17g, %.17g],\n"
            "    orientation: {axis: [%.17g, %.17g, %.17g], angle: %.17g}}\n",
            k, texts[k], at.x, at.y, at.z, v.x, v.y, v.z, w.x, w.y, w.z, axis.x, axis.y, axis.z,
            hf_rng_uniform(&rng, 0.0, 3.0));
    }
    (void)snprintf(text + used, sizeof text - used,
                   "forces:\n"
                   "  - {name: touch, type: collide, among: all, friction: 0.3}\n");
    hf_model *model = model_of(text);
    hf_sim *sim = sim_with(model, timestep(step));
    const double *q[2] = {hf_sim_position(sim, hf_model_find_body(model, "b0")),
                          hf_sim_position(sim, hf_model_find_body(model, "b1"))};
    const double *v = hf_sim_velocity(sim, hf_model_find_body(model, "b0"));
    double start[3] = {v[0], v[1], v[2]}, from[2][7], depth = 0.0;
    bool met = false;
    for (double end = 2.0 * time + step; !met && hf_sim_time(sim) < end;) {
        memcpy(from[0], q[0], sizeof from[0]);
        memcpy(from[1], q[1], sizeof from[1]);
        run_until(sim, hf_sim_time(sim) + step);
        met = hypot(hypot(v[0] - start[0], v[1] - start[1]), v[2] - start[2]) > 1e-9 * speed;
        depth = met ? depth : fmax(depth, deepest(shapes, from, q));
    }
    (void)snprintf(what, sizeof what, "seed %llu: depth of %s in %s that do not feel each other",
                   (unsigned long long)seed, texts[0], texts[1]);
    hf_check_below(depth, 0.2, what, "by the thinner one");
    hf_sim_destroy(sim);
    hf_model_destroy(model);
    return met;
}

static void solids_meet(void **state)
{
    (void)state;
    int met = 0;
    for (uint64_t seed = 1; seed <= PAIRS; ++seed) {
        met += meet(seed) ? 1 : 0;
    }
    assert_true(met > PAIRS / 2); // most are aimed well
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(sheets_hold),
                                       cmocka_unit_test(solids_meet)};
    return hf_run_tests(tests);
}
