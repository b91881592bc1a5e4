// SPDX-License-Identifier: Apache-2.0
// Closed chains that the tests share.
#include "loop_scenes.h"

#include <math.h>
#include <string.h>

#include "hf_test.h"

hf_quat loop_scene_turn(double angle, int axis)
{
    double s = sin(0.5 * angle);
    return (hf_quat){cos(0.5 * angle), axis == 0 ? s : 0.0, axis == 1 ? s : 0.0,
                     axis == 2 ? s : 0.0};
}

hf_quat loop_scene_quat(hf_quat a, hf_quat b)
{
    return (hf_quat){a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
                     a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                     a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
                     a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}

hf_sym3 loop_scene_rod_inertia(double mass, double length)
{
    double across = mass * length * length / 12.0;
    return (hf_sym3){.xx = across, .yy = across, .zz = 1e-2 * across};
}

hf_body loop_scene_rod(hf_spec *spec, const char *name, double mass, double length, double angle)
{
    hf_error error;
    hf_rigid_def def = hf_rigid_def_default();
    def.name = name;
    def.mass = mass;
    def.inertia = loop_scene_rod_inertia(mass, length);
    def.position = (hf_vec3){0.5 * length * sin(angle), 0.0, -0.5 * length * cos(angle)};
    def.orientation = loop_scene_turn(-angle, 1);
    hf_body body = hf_spec_add_rigid(spec, &def, &error);
    assert_int_not_equal(body.id, 0);
    return body;
}

// A bar along x of its link.
static hf_body add_bar(hf_spec *spec, hf_tree tree, const char *name, hf_body parent, double offset,
                       double length, double angle, double rate, bool keep)
{
    hf_error error;
    hf_joint_def def = hf_joint_def_default(HF_JOINT_REVOLUTE);
    double mass = 2.0 * length;
    def.name = name;
    def.parent = parent;
    def.offset = (hf_vec3){offset, 0.0, 0.0};
    def.mass = mass;
    def.center = (hf_vec3){0.5 * length, 0.0, 0.0};
    def.inertia = (hf_sym3){.xx = 1e-3 * mass * length * length,
                            .yy = mass * length * length / 12.0,
                            .zz = mass * length * length / 12.0};
    def.position[0] = angle;
    def.velocity[0] = rate;
    def.keep_position = def.keep_velocity = keep;
    hf_body body = hf_spec_add_joint(spec, tree, &def, &error);
    if (body.id == 0) {
        fail_msg("%s", error.text);
    }
    return body;
}

loop_four_bar loop_scene_four_bar(double ground, double a, double b, double c, double angle,
                                  double rate, hf_loop_type type)
{
    hf_error error;
    loop_four_bar bar = {.spec = hf_spec_create()};
    hf_tree left = hf_spec_add_tree(bar.spec, "left", &error);
    hf_tree right = hf_spec_add_tree(bar.spec, "right", &error);
    assert_int_equal(hf_spec_set_gravity(bar.spec, (hf_vec3){0.0, -9.81, 0.0}, &error), HF_OK);
    hf_body crank = add_bar(bar.spec, left, "crank", (hf_body){0}, 0.0, a, angle, rate, true);
    hf_body coupler = add_bar(bar.spec, left, "coupler", crank, a, b, 0.5 - angle, 0.0, false);
    hf_body rocker = add_bar(bar.spec, right, "rocker", (hf_body){0}, ground, c, 1.5, 0.0, false);
    hf_loop_def def = hf_loop_def_default();
    def.name = "pin";
    def.type = type;
    def.on_frame.body = coupler;
    def.on_frame.point.x = b;
    def.to_frame.body = rocker;
    def.to_frame.point.x = c;
    if (hf_spec_add_loop(bar.spec, &def, &error).id == 0) {
        fail_msg("%s", error.text);
    }
    bar.crank.body = crank;
    bar.coupler.body = coupler;
    bar.rocker.body = rocker;
    return bar;
}

hf_spec *loop_scene_parse(const char *text)
{
    hf_error error;
    hf_spec *spec = hf_spec_parse(text, strlen(text), "test.yaml", NULL, NULL, &error);
    if (spec == NULL) {
        fail_msg("%s", error.text);
    }
    return spec;
}

double loop_scene_value(hf_sim *sim, const char *channel)
{
    hf_channel id = hf_model_find_channel(hf_sim_model(sim), channel);
    if (id.id == 0) {
        fail_msg("no channel '%s'", channel);
    }
    return hf_sim_value(sim, id);
}

hf_sim *loop_scene_start(hf_spec *spec, hf_method_type type, double step)
{
    hf_error error;
    hf_model *model = hf_model_compile(spec, &error);
    if (model == NULL) {
        fail_msg("%s", error.text);
    }
    hf_spec_destroy(spec);
    hf_sim_def def = hf_sim_def_default(model);
    def.method = (hf_method_def){.type = type, .step = step};
    hf_sim *sim = hf_sim_create(model, &def, &error);
    if (sim == NULL) {
        fail_msg("%s", error.text);
    }
    return sim;
}

void loop_scene_run(hf_sim *sim, double seconds)
{
    hf_error error;
    while (hf_sim_time(sim) < seconds * (1.0 - 1e-12)) {
        if (hf_sim_step(sim, &error) < 0) {
            fail_msg("%s", error.text);
        }
    }
}

void loop_scene_finish(hf_sim *sim)
{
    hf_model *model = (hf_model *)hf_sim_model(sim);
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}
