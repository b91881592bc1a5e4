// SPDX-License-Identifier: Apache-2.0
// Shapes under methods of fixed steps: contacts that the collider finds are forces of their law,
// with a memory that follows the features that touch.
#include <hf_machine.h>

#include <math.h>

static const char *const METHODS[] = {"euler",  "semi-implicit-euler", "verlet", "discrete", "rk4",
                                      "rk4-tau"};
enum { METHOD_COUNT = sizeof METHODS / sizeof *METHODS };

static hf_model *shapes_model(const char *method, double step, const char *rest)
{
    char text[2400];
    (void)snprintf(text, sizeof text,
                   "gravity: [0, 0, -9.81]\n"
                   "method: {type: %s, step: %g}\n"
                   "%s",
                   method, step, rest);
    return model_of(text);
}

static void close_run(hf_model *model, hf_sim *sim)
{
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

// Every solid comes to rest on a plane, on its height, and its friction holds.
static void solids_rest(void **state)
{
    (void)state;
    static const struct {
        const char *shape;
        double height;
    } solids[] = {
        {"{type: box, size: [0.3, 0.2, 0.1]}", 0.05},
        {"{type: sphere, radius: 0.1}", 0.1},
        {"{type: cylinder, radius: 0.1, length: 0.2}", 0.1},
        {"{type: capsule, radius: 0.1, length: 0.2}", 0.2},
    };
    for (int i = 0; i < 4 * METHOD_COUNT; ++i) {
        char text[700];
        (void)snprintf(text, sizeof text,
                       "bodies:\n"
                       "  ground: {type: static, shape: {type: plane}}\n"
                       "  solid: {type: rigid, mass: 2, shape: %s, position: [0, 0, %g]}\n"
                       "forces:\n"
                       "  - {name: contact, type: collide, among: [solid, ground], friction: 0.5,\n"
                       "     restitution: 0.1}\n",
                       solids[i % 4].shape, solids[i % 4].height + 0.01);
        const char *method = METHODS[i / 4];
        hf_model *model = shapes_model(method, 1e-4, text);
        hf_sim *sim = sim_from(model, NULL);
        run_until(sim, 0.6);
        hf_check_near(value_of(sim, "solid.position.z"), solids[i % 4].height, 5e-4, method,
                      solids[i % 4].shape);
        hf_check_near(value_of(sim, "solid.velocity.z"), 0.0, 1e-4, method, "rest");
        hf_check_near(value_of(sim, "contact.normal"), 2 * 9.81, 0.05, method, "weight");
        bool euler = i / 4 == 0; // first-order in impacts
        hf_check_below(hf_sim_verdict(sim).ledger, euler ? 0.2 : 0.1, "ledger", method);
        close_run(model, sim);
    }
}

// A slope of 20 degrees that friction holds (0.364 of 0.5), and one that it does not (of 0.3).
static double slide(const char *method, double friction)
{
    char text[800];
    (void)snprintf(text, sizeof text,
                   "bodies:\n"
                   "  slope: {type: static, shape: {type: plane},\n"
                   "    orientation: {axis: [0, 1, 0], angle: -0.3490658503988659}}\n"
                   "  box: {type: rigid, mass: 2, shape: {type: box, size: [0.4, 0.3, 0.2]},\n"
                   "    position: [-0.03420201433256687, 0, 0.09396926207859084],\n"
                   "    orientation: {axis: [0, 1, 0], angle: -0.3490658503988659}}\n"
                   "forces:\n"
                   "  - {name: contact, type: collide, among: [box, slope], friction: %g,\n"
                   "     restitution: 0}\n",
                   friction);
    hf_model *model = shapes_model(method, 5e-4, text);
    hf_sim *sim = sim_from(model, NULL);
    run_until(sim, 1.0);
    double before = value_of(sim, "box.position.x");
    run_until(sim, 2.0);
    double way = value_of(sim, "box.position.x") - before;
    close_run(model, sim);
    return way;
}

static void slopes_hold(void **state)
{
    (void)state;
    for (int i = 0; i < METHOD_COUNT; ++i) {
        hf_check_near(slide(METHODS[i], 0.5), 0.0, 5e-6, METHODS[i], "friction holds it");
        // g (sin 20 - 0.3 cos 20) = 0.5897 m/s^2 along the slope, from 1 s to 2 s
        hf_check_near(slide(METHODS[i], 0.3), -1.5 * 0.5897 * 0.93969, 0.03, METHODS[i], "sliding");
    }
}

// A ball that slides at 1 m/s rolls with 5/7 of it in the end; one that falls rebounds.
static void balls_roll_and_bounce(void **state)
{
    (void)state;
    for (int i = 0; i < METHOD_COUNT; ++i) {
        hf_model *model = shapes_model(
            METHODS[i], 2e-4,
            "bodies:\n"
            "  ground: {type: static, shape: {type: plane}}\n"
            "  ball: {type: rigid, mass: 1, shape: {type: sphere, radius: 0.1},\n"
            "    position: [0, 0, 0.1], velocity: [1, 0, 0]}\n"
            "  fall: {type: rigid, mass: 0.3, shape: {type: sphere, radius: 0.1},\n"
            "    position: [0, 1, 0.6]}\n"
            "forces:\n"
            "  - {name: rolls, type: collide, among: [ball, ground], friction: 0.4}\n"
            "  - {name: bounces, type: collide, among: [fall, ground], restitution: 0.5,\n"
            "     impact_speed: 3.13}\n");
        hf_sim *sim = sim_from(model, NULL);
        double highest = 0.0;
        run_until(sim, 0.35); // it hits at 0.319 s
        while (hf_sim_time(sim) < 0.7) {
            step(sim);
            highest = fmax(highest, value_of(sim, "fall.position.z") - 0.1);
        }
        run_until(sim, 2.0);
        hf_check_near(value_of(sim, "ball.velocity.x"), 5.0 / 7.0, 0.005, METHODS[i], "rolling");
        hf_check_near(sqrt(highest / 0.5), 0.5, 0.03, METHODS[i], "restitution");
        close_run(model, sim);
    }
}

// Boxes on each other, declared upside down; the middle one touches two at once.
static void stacks_stand(void **state)
{
    (void)state;
    for (int i = 0; i < METHOD_COUNT; ++i) {
        hf_model *model = shapes_model(
            METHODS[i], 2e-4,
            "bodies:\n"
            "  c: {type: rigid, mass: 0.5, shape: {type: box, size: [0.1, 0.1, 0.1]},\n"
            "    position: [0.01, 0, 0.25]}\n"
            "  b: {type: rigid, mass: 1, shape: {type: box, size: [0.2, 0.2, 0.1]},\n"
            "    position: [0, 0.02, 0.15]}\n"
            "  a: {type: rigid, mass: 2, shape: {type: box, size: [0.3, 0.3, 0.1]},\n"
            "    position: [0, 0, 0.05]}\n"
            "  ground: {type: static, shape: {type: box, size: [2, 2, 0.2]},\n"
            "    position: [0, 0, -0.1]}\n"
            "forces:\n"
            "  - {name: contacts, type: collide, among: all, friction: 0.6, restitution: 0}\n");
        hf_sim *sim = sim_from(model, NULL);
        run_until(sim, 1.5);
        double deep = strcmp(METHODS[i], "euler") == 0 ? 2e-2 : 2e-3;
        hf_check_near(value_of(sim, "a.position.z"), 0.05, deep, METHODS[i], "lowest");
        hf_check_near(value_of(sim, "b.position.z"), 0.15, 2 * deep, METHODS[i], "middle");
        hf_check_near(value_of(sim, "c.position.z"), 0.25, 3 * deep, METHODS[i], "highest");
        hf_check_near(value_of(sim, "c.position.x"), 0.01, 1e-3, METHODS[i], "no creep");
        hf_check_near(value_of(sim, "c.velocity.x"), 0.0, 1e-5, METHODS[i], "rest");
        close_run(model, sim);
    }
}

// A step allocates nothing, and a restored run goes on with the same bits.
static void saves_go_on(void **state)
{
    (void)state;
    hf_model *model =
        shapes_model("rk4", 5e-4,
                     "bodies:\n"
                     "  ground: {type: static, shape: {type: plane}}\n"
                     "  cube: {type: rigid, mass: 1, shape: {type: box, size: [0.2, 0.2, 0.2]},\n"
                     "    position: [0, 0, 0.25], orientation: {axis: [1, 2, 0.5], angle: 0.7},\n"
                     "    velocity: [0.5, 0, 0], angular_velocity: [1, -2, 3]}\n"
                     "forces:\n"
                     "  - {name: contact, type: collide, among: [cube, ground], friction: 0.5,\n"
                     "     restitution: 0.2}\n");
    hf_sim *sim = sim_from(model, NULL), *other = sim_from(model, NULL);
    run_until(sim, 0.3);
    size_t size = hf_sim_save_size(sim);
    void *saved = malloc(size);
    hf_error error = {0};
    hf_sim_save(sim, saved);
    assert_int_equal(hf_sim_restore(other, saved, size, &error), HF_OK);
    long long before = hf_test_allocations();
    run_until(sim, 0.6);
    assert_int_equal(hf_test_allocations() - before, 0);
    run_until(other, 0.6);
    hf_check_same_bits(value_of(other, "cube.position.x"), value_of(sim, "cube.position.x"), "x");
    hf_check_same_bits(value_of(other, "cube.position.z"), value_of(sim, "cube.position.z"), "z");
    hf_check_same_bits(value_of(other, "contact.normal"), value_of(sim, "contact.normal"), "N");
    free(saved);
    hf_sim_destroy(other);
    close_run(model, sim);
}

// Where nothing keeps points of contact, the refusal says what to do.
static void other_methods(void **state)
{
    (void)state;
    hf_model *model =
        shapes_model("timestep", 1e-3,
                     "bodies:\n"
                     "  ground: {type: static, shape: {type: plane}}\n"
                     "  cube: {type: rigid, mass: 1, shape: {type: box, size: [0.2, 0.2, 0.2]},\n"
                     "    position: [0, 0, 0.25]}\n"
                     "forces: [{name: contact, type: collide, among: [cube, ground]}]\n");
    hf_sim_def def = hf_sim_def_default(model);
    def.method = (hf_method_def){.type = HF_METHOD_RK4, .step = 1e-3};
    expect_refusal(model, &def, "compile it for rk4");
    hf_model_destroy(model);
}

// Twelve boxes side by side, of which none touches another: a set of many bounces as one of few.
static void many_bounce_alike(void **state)
{
    (void)state;
    static const double wished[] = {0.0, 0.1, 0.2};
    for (int i = 3; i < 3 * METHOD_COUNT; ++i) { // euler makes energy of impacts, however few
        const char *method = METHODS[i / 3];
        char text[700];
        (void)snprintf(
            text, sizeof text,
            "bodies:\n"
            "  ground: {type: static, shape: {type: plane}}\n"
            "  box: {type: rigid, mass: 1, shape: {type: box, size: [0.1, 0.1, 0.1]},\n"
            "    position: [0, 0, 0.15], repeat: {count: [12, 1, 1], spacing: [0.2, 0, 0]}}\n"
            "forces:\n"
            "  - {name: contacts, type: collide, among: all, friction: 0.5, restitution: %g}\n",
            wished[i % 3]);
        hf_model *model = shapes_model(method, 1e-4, text);
        hf_sim *sim = sim_from(model, NULL);
        double down = 0.0, up = 0.0;
        for (int k = 0; k < 2000; ++k) {
            run_until(sim, 1e-4 * (k + 1));
            double v = value_of(sim, "box-3.velocity.z");
            down = fmin(down, v);
            up = fmax(up, v);
        }
        // Restitution is not designed for below 0.05
        hf_check_near(-up / down, fmax(wished[i % 3], 0.05), 0.06, method, "restitution");
        close_run(model, sim);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(many_bounce_alike), cmocka_unit_test(solids_rest),
        cmocka_unit_test(slopes_hold),       cmocka_unit_test(balls_roll_and_bounce),
        cmocka_unit_test(stacks_stand),      cmocka_unit_test(saves_go_on),
        cmocka_unit_test(other_methods),
    };
    return hf_run_tests(tests);
}
