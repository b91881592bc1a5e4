// SPDX-License-Identifier: Apache-2.0
// What rolls and slides over shapes that are no boxes and planes, under methods that take contacts
// as forces: it keeps its speed and makes no energy. A contact that is held to the point where it
// was found pushes a ball that rolls on: by 0.4 % of its speed in a second at 0.25 ms, 1.2 % of its
// energy.
#include <hf_machine.h>

#include <math.h>

#define BALL                                                                                       \
    "  ball: {type: rigid, mass: 1, shape: {type: sphere, radius: 0.1}, position: [0, 0, 0.1], "   \
    "velocity: [0.5, 0, 0], angular_velocity: [0, 5, 0]}\n"
#define OVER(floor, body)                                                                          \
    "gravity: [0, 0, -9.81]\n"                                                                     \
    "bodies:\n"                                                                                    \
    "  floor: {type: static, " floor "}\n" body                                                    \
    "forces: [{name: touch, type: collide, among: all, friction: 0.6, restitution: 0}]\n"
#define ALONG_X ", orientation: {axis: [0, 1, 0], angle: 90 deg}"

// Everything rolls by 0.5 m in a second.
static const hf_closed_form rolling[] = {
    {"a ball over the cap of a cylinder", 1.0, 0.5, 1e-4, "ball.position.x",
     OVER("position: [0, 0, -0.05], shape: {type: cylinder, radius: 3, length: 0.1}", BALL)},
    {"a ball along the barrel of one", 1.0, 0.5, 1e-4, "ball.position.x",
     OVER("position: [0, 0, -0.3], shape: {type: cylinder, radius: 0.3, length: 4" ALONG_X "}",
          BALL)},
    {"a ball along a capsule", 1.0, 0.5, 1e-4, "ball.position.x",
     OVER("position: [0, 0, -0.3], shape: {type: capsule, radius: 0.3, length: 4" ALONG_X "}",
          BALL)},
    {"a ball along the edge of a box", 1.0, 0.5, 1e-4, "ball.position.x",
     OVER("position: [0, 0, -0.3], shape: {type: box, size: [4, 0.4242640687119285, "
          "0.4242640687119285], orientation: {axis: [1, 0, 0], angle: 45 deg}}",
          BALL)},
    {"a ball over the base of a cone", 1.0, 0.5, 1e-4, "ball.position.x",
     OVER("position: [0, 0, -0.1], orientation: {axis: [1, 0, 0], angle: 180 deg}, "
          "shape: {type: cone, radius: 3, length: 0.4}",
          BALL)},
    {"a ball over triangles", 1.0, 0.5, 1e-4, "ball.position.x",
     OVER("shape: {type: heights, size: [6, 6], heights: [[0, 0, 0], [0, 0, 0], [0, 0, 0]]}",
          BALL)},
    {"an ellipsoid over a plane", 1.0, 0.5, 2e-4, "ball.position.x",
     OVER("shape: {type: plane}",
          "  ball: {type: rigid, mass: 1, shape: {type: ellipsoid, radii: [0.1, 0.15, 0.1]}, "
          "position: [0, 0, 0.1], velocity: [0.5, 0, 0], angular_velocity: [0, 5, 0]}\n")},
    {"an ellipsoid over a cap", 1.0, 0.5, 2e-4, "ball.position.x",
     OVER("position: [0, 0, -0.05], shape: {type: cylinder, radius: 3, length: 0.1}",
          "  ball: {type: rigid, mass: 1, shape: {type: ellipsoid, radii: [0.1, 0.15, 0.1]}, "
          "position: [0, 0, 0.1], velocity: [0.5, 0, 0], angular_velocity: [0, 5, 0]}\n")},
};

static void rolling_keeps_its_speed(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rolling / sizeof *rolling; ++i) {
        hf_closed_form residual = rolling[i];
        residual.channel = "energy.residual";
        residual.want = 0.0;
        check_closed_form(&rolling[i], "type: rk4, step: 2.5e-4", rolling[i].allowed);
        check_closed_form(&rolling[i], "type: verlet, step: 2.5e-4", 3.0 * rolling[i].allowed);
        check_closed_form(&rolling[i], "type: adaptive, step: 0.05", rolling[i].allowed);
        check_closed_form(&residual, "type: rk4, step: 2.5e-4", 1e-5);
        check_closed_form(&residual, "type: adaptive, step: 0.05", 3e-6);
    }
}

// A hull whose upper face is six metres wide; its file and the model's are in the working folder.
static void a_hull_is_as_flat_as_a_plane(void **state)
{
    (void)state;
    static const char model_text[] = "method: {type: rk4, step: 2.5e-4}\n" OVER(
        "position: [0, 0, -0.1], shape: {type: mesh, file: roll-hull.obj, frame: file}", BALL);
    static const char hull[] = "v -3 -3 0.1\nv 3 -3 0.1\nv 3 3 0.1\nv -3 3 0.1\nv 0 0 -2\n"
                               "f 1 2 3 4\nf 2 1 5\nf 3 2 5\nf 4 3 5\nf 1 4 5\n";
    hf_work_in_own_folder();
    FILE *file = fopen("roll-hull.obj", "w");
    assert_non_null(file);
    (void)fputs(hull, file);
    (void)fclose(file);
    hf_error error = {0};
    hf_spec *spec =
        hf_spec_parse(model_text, strlen(model_text), "machine.yaml", ".", NULL, &error);
    hf_model *model = spec == NULL ? NULL : hf_model_compile(spec, &error);
    if (model == NULL) {
        fail_msg("%s", error.text);
    }
    hf_sim *sim = sim_from(model, NULL);
    run_until(sim, 1.0);
    hf_check_near(value_of(sim, "ball.position.x"), 0.5, 1e-4, "ball over a hull", "closed form");
    hf_check_near(value_of(sim, "energy.residual"), 0.0, 3e-6, "ball over a hull", "no energy");
    hf_sim_destroy(sim);
    hf_model_destroy(model);
    hf_spec_destroy(spec);
    (void)remove("roll-hull.obj");
}

// Pairs without a closed form: `switch`, which locates where features meet, says where they go.
// What rk4 makes of energy falls with its step far below what a point held in place makes.
static const struct {
    const char *name, *machine;
    double end, allowed; // s; how far apart they may be [m]
} crossing[] = {
    {"a ball down the side of a lying cone",
     OVER("position: [0, 0, -0.3], shape: {type: cone, radius: 0.4, length: 2" ALONG_X "}",
          "  ball: {type: rigid, mass: 1, shape: {type: sphere, radius: 0.1}, position: [0, 0, "
          "0.101980390272], velocity: [0.4, 0.05, -0.08]}\n"),
     0.35, 1e-3},
    {"a capsule across a capsule",
     OVER("position: [0, 0, -0.1], shape: {type: capsule, radius: 0.1, length: 3" ALONG_X "}",
          "  ball: {type: rigid, mass: 1, shape: {type: capsule, radius: 0.05, length: 0.6, "
          "orientation: {axis: [1, 0, 0], angle: 90 deg}}, position: [0, 0, 0.05], velocity: "
          "[0.5, 0, 0]}\n"),
     0.4, 1e-3},
    {"a ball over the crest of an ellipsoid",
     OVER("position: [0, 0, -0.5], shape: {type: ellipsoid, radii: [2, 1, 0.5]}",
          "  ball: {type: rigid, mass: 1, shape: {type: sphere, radius: 0.1}, position: [0, 0, "
          "0.1], velocity: [0.5, 0.1, 0], angular_velocity: [-1, 5, 0]}\n"),
     0.5, 1e-3},
    {"a disc that leans and rolls",
     OVER("shape: {type: plane}",
          "  ball: {type: rigid, mass: 1, shape: {type: cylinder, radius: 0.1, length: 0.02}, "
          "position: [0, 0, 0.0916025404], orientation: {axis: [1, 0, 0], angle: 60 deg}, "
          "velocity: [1, 0, 0], angular_velocity: [0, 8.66, -5]}\n"),
     0.25, 2e-3},
};

static hf_sim *run_case(const char *machine, const char *method, double end, hf_model **model)
{
    char text[2000];
    (void)snprintf(text, sizeof text, "method: {%s}\n%s", method, machine);
    *model = model_of(text);
    hf_sim *sim = sim_from(*model, NULL);
    run_until(sim, end);
    return sim;
}

static void curved_pairs_go_as_under_switch(void **state)
{
    (void)state;
    static const char *const axes[] = {"ball.position.x", "ball.position.y", "ball.position.z"};
    for (size_t i = 0; i < sizeof crossing / sizeof *crossing; ++i) {
        hf_model *models[2];
        hf_sim *exact =
            run_case(crossing[i].machine, "type: switch, step: 0.01", crossing[i].end, &models[0]);
        hf_sim *forces =
            run_case(crossing[i].machine, "type: rk4, step: 1e-4", crossing[i].end, &models[1]);
        for (int k = 0; k < 3; ++k) {
            hf_check_near(value_of(forces, axes[k]), value_of(exact, axes[k]), crossing[i].allowed,
                          crossing[i].name, "switch");
        }
        hf_check_near(value_of(forces, "energy.residual"), 0.0, 2e-4, crossing[i].name,
                      "no energy");
        hf_sim_destroy(exact);
        hf_sim_destroy(forces);
        hf_model_destroy(models[0]);
        hf_model_destroy(models[1]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rolling_keeps_its_speed),
        cmocka_unit_test(a_hull_is_as_flat_as_a_plane),
        cmocka_unit_test(curved_pairs_go_as_under_switch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
