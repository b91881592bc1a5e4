// SPDX-License-Identifier: Apache-2.0
// Surfaces of shapes under methods that take contacts as forces: belts and turntables, friction and
// restitution of single shapes, materials and pairs, friction that depends on direction, friction
// of spin and rolling.
#include <hf_machine.h>

#include <math.h>

typedef struct way {
    const char *method; // type and numbers
    double error;       // of a place after 0.6 s [m]
} way;

static const way WAYS[] = {{"type: rk4-tau, step: 2e-4", 2e-4},
                           {"type: discrete, step: 2e-4", 6e-4},
                           {"type: semi-implicit-euler, step: 2e-4", 6e-4},
                           {"type: verlet, step: 2e-4", 6e-4},
                           {"type: adaptive, step: 0.01, rtol: 1e-6, atol: 1e-8", 1e-4}};
enum { WAY_COUNT = (int)(sizeof WAYS / sizeof *WAYS) };

static hf_sim *begin(const char *bodies, const char *more, const char *method, hf_model **model)
{
    char text[1600];
    int length = snprintf(text, sizeof text,
                          "gravity: [0, 0, -10]\nmethod: {%s}\n%sbodies:\n%s"
                          "forces:\n  - {name: c, type: collide, among: all, friction: 0.1, "
                          "restitution: 0}\n",
                          method, more, bodies);
    assert_true(length > 0 && (size_t)length < sizeof text);
    *model = model_of(text);
    return sim_from(*model, NULL);
}

static void finish(hf_sim *sim, hf_model *model)
{
    hf_check_below(hf_sim_verdict(sim).ledger, 2e-3, "ledger", "closed");
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

// A box laid on a belt of 0.5 m/s with 0.4 of the belt's own slips for v/(mu g). The belt puts in
// m v^2, half of which is heat. The belt is scenery, turned by half a turn, or a driven body.
static void belt_takes_a_box_along(void **state)
{
    (void)state;
    static const char *const belts[] = {
        "{type: static, position: [0, 0, -0.05], shape: {type: box, size: [4, 1, 0.1], "
        "friction: 0.4, surface_velocity: [0.5, 0, 0]}}",
        "{type: static, position: [0, 0, -0.05], orientation: {axis: [0, 0, 1], angle: 180 deg}, "
        "shape: {type: box, size: [4, 1, 0.1], friction: 0.4, surface_velocity: [-0.5, 0, 0]}}",
        "{type: driven, axes: xyz, position: [0, 0, -0.05], shape: {type: box, size: [4, 1, 0.1], "
        "friction: 0.4, surface_velocity: [0.5, 0, 0]}}"};
    for (int i = 0; i < 3 * WAY_COUNT; ++i) {
        const way *w = &WAYS[i / 3];
        char bodies[600];
        (void)snprintf(bodies, sizeof bodies,
                       "  belt: %s\n  box: {type: rigid, mass: 3, position: [0, 0, 0.05], shape: "
                       "{type: box, size: [0.2, 0.2, 0.1]}}\n",
                       belts[i % 3]);
        hf_model *model;
        hf_sim *sim = begin(bodies, "", w->method, &model);
        run_until(sim, 0.6);
        hf_check_near(value_of(sim, "box.position.x"), 0.3 - 0.25 / 8.0, w->error, w->method,
                      "v t - v^2/(2 mu g)");
        hf_check_near(value_of(sim, "box.velocity.x"), 0.5, 1e-3, "velocity", "the belt's");
        hf_check_near(hf_sim_energy(sim).input, 0.75, 0.01, "input", "m v^2");
        finish(sim, model);
    }
}

// What lies on a turntable stays on its circle while friction holds it: w^2 r = 0.72 of 4 m/s^2.
static void turntable_carries_a_box(void **state)
{
    (void)state;
    for (int i = 0; i < WAY_COUNT; ++i) {
        hf_model *model;
        hf_sim *sim = begin(
            "  table: {type: static, position: [0, 0, -0.05], shape: {type: box, size: [2, 2, "
            "0.1], "
            "friction: 0.4, surface_spin: [0, 0, 1.2]}}\n"
            "  box: {type: rigid, mass: 2, shape: {type: box, size: [0.1, 0.1, 0.02]}, position: "
            "[0.5, 0, 0.01], velocity: [0, 0.6, 0], angular_velocity: [0, 0, 1.2]}\n",
            "", WAYS[i].method, &model);
        run_until(sim, 0.6);
        hf_check_near(value_of(sim, "box.position.x"), 0.5 * cos(0.72), 2.0 * WAYS[i].error,
                      WAYS[i].method, "circle");
        hf_check_near(value_of(sim, "box.position.y"), 0.5 * sin(0.72), 2.0 * WAYS[i].error,
                      WAYS[i].method, "circle");
        finish(sim, model);
    }
}

// Restitution by shape, rule and pair: heights of three balls after one bounce each, under methods
// that deliver what is wished to 0.01.
static void balls_bounce_by_their_surfaces(void **state)
{
    (void)state;
    static const char *const methods[] = {"type: rk4, step: 5e-5",
                                          "type: adaptive, step: 0.01, rtol: 1e-6, atol: 1e-8"};
    static const struct {
        const char *name;
        double restitution;
    } balls[] = {{"a", 0.6}, {"b", 0.6}, {"d", 0.8}};
    for (int i = 0; i < 2; ++i) {
        hf_model *model;
        hf_sim *sim =
            begin("  floor: {type: static, shape: {type: plane, restitution: 0.6, material: m}}\n"
                  "  a: {type: rigid, mass: 1, shape: {type: sphere, radius: 0.1, restitution: "
                  "0.3}, position: [0, 0, 0.6]}\n"
                  "  b: {type: rigid, mass: 4, shape: {type: sphere, radius: 0.1}, position: [1, "
                  "0, 0.6]}\n"
                  "  d: {type: rigid, mass: 1, shape: {type: sphere, radius: 0.1, material: n}, "
                  "position: [2, 0, 0.6]}\n",
                  "materials: {m: {friction: 0.2}, n: {friction: 0.3}}\n"
                  "pairs: [{between: [m, n], restitution: 0.8}]\n",
                  methods[i], &model);
        // free fall takes sqrt(2 h/g) = 0.3162 s and ends at 3.1623 m/s
        double fall = sqrt(0.1), t = 0.5 - fall;
        run_until(sim, 0.5);
        for (int k = 0; k < 3; ++k) {
            char channel[32];
            (void)snprintf(channel, sizeof channel, "%s.velocity.z", balls[k].name);
            double speed = value_of(sim, channel) + 10.0 * t;
            hf_check_near(speed / (10.0 * fall), balls[k].restitution, 0.02, balls[k].name,
                          "rebound by impact speed");
        }
        hf_sim_destroy(sim);
        hf_model_destroy(model);
    }
}

// A box slides on a floor of another material. Its shape and body are the first of the model. Of
// pairs the most specific counts, wherever it stands in the list: that of its shape before that of
// its body before that of materials; of equals the last.
static void pairs_count_by_rank(void **state)
{
    (void)state;
    static const struct {
        const char *pairs;
        double friction;
    } cases[] = {
        {"[{between: [box.shape, floor], friction: 0.6}, {between: [box, floor], friction: 0.5}, "
         "{between: [ice, rubber], friction: 0.25}]",
         0.6},
        {"[{between: [floor.shape, box], friction: 0.6}, {between: [floor, box], friction: 0.5}]",
         0.6},
        {"[{between: [box, floor], friction: 0.5}, {between: [ice, rubber], friction: 0.25}]", 0.5},
        {"[{between: [box.shape, floor], friction: 0.5}, {between: [floor.shape, box], friction: "
         "0.45}]",
         0.45},
        {"[{between: [floor.shape, box], friction: 0.45}, {between: [box.shape, floor], friction: "
         "0.5}]",
         0.5},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        char more[500];
        (void)snprintf(more, sizeof more, "materials: {ice: {}, rubber: {}}\npairs: %s\n",
                       cases[i].pairs);
        hf_model *model;
        hf_sim *sim = begin("  box: {type: rigid, mass: 2, position: [0, 0, 0.05], velocity: [1, "
                            "0, 0], shape: {type: box, size: [0.4, 0.4, 0.1], material: ice}}\n"
                            "  floor: {type: static, shape: {type: plane, material: rubber}}\n",
                            more, "type: rk4-tau, step: 2e-4", &model);
        run_until(sim, 0.1);
        hf_check_near(1.0 - value_of(sim, "box.velocity.x"), cases[i].friction, 0.01,
                      cases[i].pairs, "mu g t");
        hf_sim_destroy(sim);
        hf_model_destroy(model);
    }
}

// Slip over a surface with friction 0.4 along x and 0.1 across: the force is the one of the ellipse
// that takes most energy, g (a^2 u_x, b^2 u_y)/|(a u_x, b u_y)|. The same for a surface that was
// turned, and for one whose direction of more friction is the one across.
static void grain_turns_what_slides(void **state)
{
    (void)state;
    double x = 0.0, y = 0.0, u = 1.0, v = 1.0;
    const int steps = 100000;
    for (int k = 0; k < steps; ++k) { // by the midpoint rule
        double h = 0.3 / steps, p = u, q = v;
        for (int stage = 0; stage < 2; ++stage) {
            double s = hypot(0.4 * p, 0.1 * q), dt = stage == 0 ? 0.5 * h : h;
            double ax = -10.0 * 0.16 * p / s, ay = -10.0 * 0.01 * q / s;
            x += stage == 1 ? h * p : 0.0;
            y += stage == 1 ? h * q : 0.0;
            p = u + dt * ax;
            q = v + dt * ay;
        }
        u = p;
        v = q;
    }
    static const char *const floors[] = {
        "friction: 0.4, friction_across: 0.1, friction_direction: [1, 0, 0]}",
        "friction: 0.1, friction_across: 0.4, friction_direction: [0, 1, 0]}",
        "friction: 0.4, friction_across: 0.1, friction_direction: [0, 1, 0]}, "
        "orientation: {axis: [0, 0, 1], angle: -90 deg}"};
    for (int i = 0; i < 3 * WAY_COUNT; ++i) {
        char bodies[600];
        (void)snprintf(bodies, sizeof bodies,
                       "  floor: {type: static, position: [0, 0, -0.05], shape: {type: box, size: "
                       "[4, 4, 0.1], %s}\n"
                       "  box: {type: rigid, mass: 1, shape: {type: box, size: [0.2, 0.2, 0.01]}, "
                       "position: [0, 0, 0.005], velocity: [1, 1, 0]}\n",
                       floors[i % 3]);
        hf_model *model;
        hf_sim *sim = begin(bodies, "", WAYS[i / 3].method, &model);
        run_until(sim, 0.3);
        hf_check_near(value_of(sim, "box.position.x"), x, 3.0 * WAYS[i / 3].error, "x", "ellipse");
        hf_check_near(value_of(sim, "box.position.y"), y, 3.0 * WAYS[i / 3].error, "y", "ellipse");
        finish(sim, model);
    }
}

// Friction of spin and rolling that a shape has and the law has not: a ball that rolls is slowed by
// g c/(1 + 2/5)/r, one that spins about the normal by N c/(2/5 m r^2).
static void balls_stop_rolling_and_spinning(void **state)
{
    (void)state;
    for (int i = 0; i < WAY_COUNT; ++i) {
        hf_model *model;
        hf_sim *sim =
            begin("  floor: {type: static, shape: {type: plane, friction: 0.5}}\n"
                  "  ball: {type: rigid, mass: 1, shape: {type: sphere, radius: 0.1, "
                  "rolling_friction: 0.002}, position: [0, 0, 0.1], velocity: [0.5, 0, 0], "
                  "angular_velocity: [0, 5, 0]}\n"
                  "  top: {type: rigid, mass: 1, shape: {type: sphere, radius: 0.1, "
                  "spin_friction: 0.002}, position: [0, 1, 0.1], angular_velocity: [0, 0, 9]}\n",
                  "", WAYS[i].method, &model);
        run_until(sim, 0.6);
        hf_check_near(value_of(sim, "ball.velocity.x"), 0.5 - 0.6 * 0.2 / 1.4, 3e-3, "rolling",
                      "c g/(7/5 r)");
        hf_check_near(value_of(sim, "top.angular_velocity.z"), 9.0 - 0.6 * 0.02 / 0.004, 0.06,
                      "spinning", "c N/(2/5 m r^2)");
        finish(sim, model);
    }
}

// A soft contact has numbers of its own kind: refused, with the methods and the law that run it.
static void soft_contacts_are_refused(void **state)
{
    (void)state;
    hf_error error;
    hf_model *model = model_of(
        "gravity: [0, 0, -10]\nmethod: {type: rk4, step: 1e-4}\nbodies:\n"
        "  floor: {type: static, shape: {type: plane, friction: 0.5}}\n"
        "  ball: {type: rigid, mass: 1, shape: {type: sphere, radius: 0.1}, position: [0, 0, "
        "0.1]}\n"
        "forces:\n  - {name: c, type: collide, among: all, law: contact, stiffness: 1e5, damping: "
        "400, friction: 0.4}\n");
    assert_null(hf_sim_create(model, NULL, &error));
    assert_non_null(strstr(error.text, "of their own"));
    hf_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(belt_takes_a_box_along),
        cmocka_unit_test(turntable_carries_a_box),
        cmocka_unit_test(balls_bounce_by_their_surfaces),
        cmocka_unit_test(pairs_count_by_rank),
        cmocka_unit_test(grain_turns_what_slides),
        cmocka_unit_test(balls_stop_rolling_and_spinning),
        cmocka_unit_test(soft_contacts_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
