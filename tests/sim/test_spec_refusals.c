// SPDX-License-Identifier: Apache-2.0
// What a spec refuses from a program: wrong definitions of signals, figures, ratios, loads, shapes,
// materials and meshes. Each is told in words that name the component, and leaves the spec whole.
#include <math.h>
#include <string.h>

#include "hf_test.h"

#include <holdfast/loop.h>
#include <holdfast/sim.h>
#include <holdfast/use_law.h>

typedef struct scene {
    hf_spec *spec;
    hf_body slide, cart, ball, floor;
    hf_error error;
} scene;

static scene begin(void)
{
    scene s = {.spec = hf_spec_create()};
    assert_non_null(s.spec);
    hf_mass_def slide = hf_mass_def_default();
    slide.name = "slide";
    slide.dim = 1;
    s.slide = hf_spec_add_mass(s.spec, &slide, &s.error);
    slide.name = "cart";
    s.cart = hf_spec_add_mass(s.spec, &slide, &s.error);
    hf_rigid_def ball = hf_rigid_def_default();
    ball.name = "ball";
    s.ball = hf_spec_add_rigid(s.spec, &ball, &s.error);
    hf_static_def floor = hf_static_def_default();
    floor.name = "floor";
    s.floor = hf_spec_add_static(s.spec, &floor, &s.error);
    assert_true(s.slide.id > 0 && s.ball.id > 0 && s.floor.id > 0);
    return s;
}

// The spec is as it was: what it has compiles.
static void finish(scene *s)
{
    hf_error error = {0};
    hf_model *model = hf_model_compile(s->spec, &error);
    if (model == NULL) {
        fail_msg("%s", error.text);
    }
    hf_model_destroy(model);
    hf_spec_destroy(s->spec);
}

static void told(scene *s, bool refused, const char *words)
{
    if (!refused || s->error.status >= 0 || strstr(s->error.text, words) == NULL) {
        fail_msg("expected '%s', got %s '%s'", words, refused ? "refusal" : "success",
                 s->error.text);
    }
    s->error = (hf_error){0};
}

// ------------------------------------------------------------------------------------------------

static double line(void *instance, double t)
{
    (void)instance;
    return t;
}

static double of_channels(void *instance, double t, const double *values)
{
    (void)instance;
    return t + values[0];
}

static void gradient_of(void *instance, double t, const double *values, double *gradient)
{
    (void)instance;
    (void)t;
    (void)values;
    gradient[0] = gradient[1] = 1.0;
}

static void signals(void **state)
{
    (void)state;
    scene s = begin();
    const double rising[] = {0.0, 1.0, 2.0}, falling[] = {0.0, 2.0, 1.0}, wrong[] = {0.0, NAN, 1.0};
    const hf_list times = {rising, 3}, back = {falling, 3}, holes = {wrong, 3}, none = {NULL, 3};
    static const char *const channels[] = {"slide.position"};
    const struct {
        hf_signal_def def;
        const char *words;
    } cases[] = {
        {{.type = HF_SIGNAL_CONSTANT, .value = NAN}, "value"},
        {{.type = HF_SIGNAL_INPUT, .scale = INFINITY}, "scale must be finite"},
        {{.type = HF_SIGNAL_INPUT, .bounded = true, .low = 1.0, .high = 1.0}, "range must rise"},
        {{.type = HF_SIGNAL_INPUT, .bounded = true, .low = 0.0, .high = INFINITY}, "range"},
        {{.type = HF_SIGNAL_INPUT, .value = INFINITY}, "value"},
        {{.type = HF_SIGNAL_TABLE}, "at least one; got 0 times and 0 values"},
        {{.type = HF_SIGNAL_TABLE, .times = times, .values = {rising, 2}}, "3 times and 2 values"},
        {{.type = HF_SIGNAL_TABLE, .times = none, .values = times}, "as many values as times"},
        {{.type = HF_SIGNAL_TABLE, .times = times, .values = none}, "as many values as times"},
        {{.type = HF_SIGNAL_TABLE, .times = times, .values = times, .hold = true, .smooth = true},
         "cannot both hold and be smooth"},
        {{.type = HF_SIGNAL_TABLE, .times = back, .values = times}, "times"},
        {{.type = HF_SIGNAL_TABLE, .times = holes, .values = times}, "times"},
        {{.type = HF_SIGNAL_TABLE, .times = times, .values = holes}, "values"},
        {{.type = HF_SIGNAL_FUNCTION}, "function is missing"},
        {{.type = HF_SIGNAL_FUNCTION, .function = line, .switch_count = 1}, "switches is missing"},
        {{.type = HF_SIGNAL_FUNCTION, .function = line, .switch_count = -1}, "switch_count"},
        {{.type = HF_SIGNAL_FUNCTION, .function = line, .jumps = back}, "jumps"},
        {{.type = HF_SIGNAL_FOURIER, .sines = times}, "frequency"},
        {{.type = HF_SIGNAL_FOURIER, .frequency = INFINITY, .sines = times}, "frequency"},
        {{.type = HF_SIGNAL_FOURIER, .frequency = 1.0, .sines = holes}, "sines"},
        {{.type = HF_SIGNAL_FOURIER, .frequency = 1.0, .cosines = holes}, "cosines"},
        {{.type = HF_SIGNAL_FOURIER, .frequency = 1.0, .cosines = times, .value = NAN}, "offset"},
        {{.type = HF_SIGNAL_CHANNELS, .gradient = gradient_of, .channels = channels}, "1 to"},
        {{.type = HF_SIGNAL_CHANNELS, .of = of_channels, .channels = channels, .channel_count = 1},
         "`gradient`"},
        {{.type = HF_SIGNAL_CHANNELS, .of = of_channels, .gradient = gradient_of}, "`of`"},
        {{.type = HF_SIGNAL_CHANNELS,
          .of = of_channels,
          .gradient = gradient_of,
          .channels = channels},
         "1 to"},
        {{.type = HF_SIGNAL_CHANNELS,
          .of = of_channels,
          .gradient = gradient_of,
          .channels = channels,
          .channel_count = 1,
          .jumps = back},
         "jumps"},
        {{.type = (hf_signal_type)99}, "unknown type"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        hf_signal_def def = cases[i].def;
        def.name = "pull";
        hf_signal signal = hf_spec_add_signal(s.spec, &def, &s.error);
        assert_non_null(strstr(s.error.text, "pull"));
        told(&s, signal.id == 0, cases[i].words);
    }
    finish(&s);
}

static void figures(void **state)
{
    (void)state;
    scene s = begin();
    const hf_vec3 points[] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, hole[] = {{0, NAN, 0}};
    const int corners[] = {0, 1, 2}, beyond[] = {0, 1, 3}, before[] = {0, -1, 2};
    const hf_draw_mesh good = {points, corners, 3, 1};
    const struct {
        hf_draw draw;
        const char *words;
    } cases[] = {
        {{.type = (hf_draw_type)99, .color = -1}, "unknown type or color"},
        {{.type = HF_DRAW_BOX, .size = {1, 1, 1}, .color = 0x1000000}, "unknown type or color"},
        {{.type = HF_DRAW_BOX, .size = {1, 1, 1}, .color = -2}, "unknown type or color"},
        {{.type = HF_DRAW_BOX, .size = {1, 0, 1}, .color = -1}, "sizes must be positive, got 0"},
        {{.type = HF_DRAW_SPHERE, .size = {INFINITY, 0, 0}, .color = -1}, "sizes must be positive"},
        {{.type = HF_DRAW_CYLINDER, .size = {1, 0, NAN}, .color = -1}, "sizes must be positive"},
        {{.type = HF_DRAW_SPHERE, .size = {1, 0, 0}, .center = {NAN, 0, 0}, .color = -1}, "center"},
        {{.type = HF_DRAW_SPHERE, .size = {1, 0, 0}, .turn = {.w = 2.0}, .color = -1},
         "orientation"},
        {{.type = HF_DRAW_MESH, .color = -1}, "triangles need points"},
        {{.type = HF_DRAW_MESH, .color = -1, .mesh = {points, NULL, 3, 1}},
         "triangles need points"},
        {{.type = HF_DRAW_MESH, .color = -1, .mesh = {points, corners, 0, 1}}, "need points"},
        {{.type = HF_DRAW_MESH, .color = -1, .mesh = {points, corners, 3, 0}}, "need points"},
        {{.type = HF_DRAW_MESH, .color = -1, .mesh = {points, beyond, 3, 1}}, "among them"},
        {{.type = HF_DRAW_MESH, .color = -1, .mesh = {points, before, 3, 1}}, "among them"},
        {{.type = HF_DRAW_MESH, .color = -1, .mesh = {hole, before, 1, 1}}, "draw"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        hf_draw draw = cases[i].draw;
        draw.turn.w = draw.turn.w == 0.0 ? 1.0 : draw.turn.w;
        told(&s, hf_spec_set_draw(s.spec, s.ball, &draw, &s.error) < 0, cases[i].words);
        told(&s, hf_spec_add_draw(s.spec, s.ball, &draw, &s.error) < 0, cases[i].words);
    }
    hf_draw ball = hf_draw_default();
    told(&s, hf_spec_set_draw(s.spec, (hf_body){99}, &ball, &s.error) < 0, "no such body");
    told(&s, hf_spec_add_draw(s.spec, (hf_body){0}, &ball, &s.error) < 0, "no such body");
    // Many good ones are kept, with copies of their triangles
    hf_draw mesh = hf_draw_default();
    mesh.type = HF_DRAW_MESH;
    mesh.mesh = good;
    assert_int_equal(hf_spec_set_draw(s.spec, s.ball, &mesh, &s.error), HF_OK);
    for (int i = 0; i < 20; ++i) {
        mesh.color = i;
        assert_int_equal(hf_spec_add_draw(s.spec, s.ball, &mesh, &s.error), HF_OK);
    }
    hf_model *model = hf_model_compile(s.spec, &s.error);
    assert_non_null(model);
    hf_body_info info = hf_model_body_info(model, hf_model_find_body(model, "ball"));
    assert_int_equal(info.figure_count, 20);
    for (int i = 0; i < 20; ++i) {
        assert_int_equal(info.figures[i].color, i);
        assert_int_equal(info.figures[i].mesh.corners[2], 2);
        assert_true(info.figures[i].mesh.points != points);
        hf_check_near(info.figures[i].mesh.points[2].y, 1.0, 0.0, "a corner", "as it was given");
    }
    hf_model_destroy(model);
    finish(&s);
}

static void ratios(void **state)
{
    (void)state;
    scene s = begin();
    const hf_loop_term one = {.coordinate = {s.slide, 0}, .coefficients = {1.0}};
    const hf_loop_term turn = {.coordinate = {s.ball, 1}, .coefficients = {0.5}, .spin = true};
    hf_loop_term terms[HF_LOOP_MAX_TERMS + 1];
    const struct {
        hf_loop_term second;
        const char *words;
    } cases[] = {
        {{.coordinate = {{99}, 0}, .coefficients = {1.0}}, "no such body"},
        {{.coordinate = {{0}, 0}, .coefficients = {1.0}}, "no such body"},
        {{.coordinate = {s.floor, 0}, .coefficients = {1.0}}, "does not move"},
        {{.coordinate = {s.slide, 1}, .coefficients = {1.0}}, "no such coordinate"},
        {{.coordinate = {s.slide, -1}, .coefficients = {1.0}}, "no such coordinate"},
        {{.coordinate = {s.slide, 0}, .coefficients = {1.0}, .spin = true}, "no such spin"},
        {{.coordinate = {s.ball, 3}, .coefficients = {1.0}, .spin = true}, "no such spin"},
        {{.coordinate = {s.cart, 0}, .coefficients = {NAN}}, "must be a number"},
        {{.coordinate = {s.cart, 0}, .coefficients = {1.0, INFINITY}}, "must be a number"},
        {{.coordinate = {s.cart, 0}}, "must not be zero"},
        {{.coordinate = {s.ball, 0}, .coefficients = {1.0, 1.0}, .spin = true}, "one factor"},
        {{.coordinate = {s.ball, 0}, .coefficients = {1.0}, .spin = true, .reference = 1.0},
         "no reference"},
        {{.coordinate = {s.cart, 0}, .coefficients = {1.0}, .reference = NAN}, "reference"},
        {{.coordinate = {s.slide, 0}, .coefficients = {2.0}}, "'slide' is in it twice"},
    };
    hf_loop_def def = hf_loop_def_default();
    def.name = "gear";
    def.type = HF_LOOP_RATIO;
    def.terms = terms;
    def.term_count = 2;
    terms[0] = one;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        terms[1] = cases[i].second;
        hf_loop loop = hf_spec_add_loop(s.spec, &def, &s.error);
        assert_non_null(strstr(s.error.text, "gear"));
        told(&s, loop.id == 0, cases[i].words);
    }
    terms[1] = turn;
    def.value = NAN;
    told(&s, hf_spec_add_loop(s.spec, &def, &s.error).id == 0, "value must be a number");
    def.value = 0.0;
    static const int counts[] = {0, -1, HF_LOOP_MAX_TERMS + 1};
    for (int i = 0; i < 3; ++i) {
        def.term_count = counts[i];
        told(&s, hf_spec_add_loop(s.spec, &def, &s.error).id == 0, "a ratio has 1 to");
    }
    def.terms = NULL;
    def.term_count = 1;
    told(&s, hf_spec_add_loop(s.spec, &def, &s.error).id == 0, "a ratio has 1 to");
    finish(&s);
}

static void surfaces_and_shapes(void **state)
{
    (void)state;
    scene s = begin();
    static const char *const members[] = {"friction", "restitution", "spin_friction",
                                          "rolling_friction", "density"};
    static const double wrong[] = {-0.1, INFINITY, -INFINITY};
    for (int i = 0; i < 15; ++i) {
        hf_material_def def = hf_material_def_default();
        double *const numbers[] = {&def.surface.friction, &def.surface.restitution,
                                   &def.surface.spin_friction, &def.surface.rolling_friction,
                                   &def.density};
        def.name = "ice";
        *numbers[i % 5] = wrong[i / 5];
        told(&s, hf_spec_add_material(s.spec, &def, &s.error).id == 0, members[i % 5]);
    }
    told(&s, hf_spec_set_rules(s.spec, HF_RULE_COUNT, HF_RULE_MINIMUM, &s.error) < 0, "rule");
    told(&s, hf_spec_set_rules(s.spec, HF_RULE_MINIMUM, (hf_rule)-1, &s.error) < 0, "rule");
    const hf_shape shapes[] = {
        {.type = HF_SHAPE_TYPE_COUNT},
        {.type = HF_SHAPE_SPHERE},
        {.type = HF_SHAPE_BOX, .size = {1.0, -1.0, 1.0}},
        {.type = HF_SHAPE_CAPSULE, .size = {1.0, 0.0, INFINITY}},
        {.type = HF_SHAPE_MESH},
        {.type = HF_SHAPE_TRIANGLES},
        {.type = HF_SHAPE_SPHERE, .size = {1.0, 0.0, 0.0}, .turn = {.w = 2.0}}};
    static const char *const words[] = {"unknown shape",
                                        "size must be positive",
                                        "size must be positive, got -1",
                                        "size must be positive, got inf",
                                        "mesh is missing",
                                        "mesh is missing",
                                        "orientation"};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; ++i) {
        hf_rigid_def def = hf_rigid_def_default();
        def.name = "rock";
        def.shape = shapes[i];
        told(&s, hf_spec_add_rigid(s.spec, &def, &s.error).id == 0, words[i]);
    }
    // Hulls of vertices that make none
    const hf_vec3 flat[] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}},
                  hole[] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, NAN}},
                  far[] = {{0, 0, 0}, {1e12, 0, 0}, {0, 1e12, 0}, {0, 0, 1e12}};
    told(&s, hf_mesh_create(flat, 3, &s.error) == NULL, "at least 4 vertices, got 3");
    told(&s, hf_mesh_create(flat, 4, &s.error) == NULL, "volume is zero");
    told(&s, hf_mesh_create(hole, 4, &s.error) == NULL, "finite");
    told(&s, hf_mesh_create(far, 4, &s.error) == NULL, "size must be between");
    finish(&s);
}

static void loads(void **state)
{
    (void)state;
    scene s = begin();
    hf_coulomb_def law = hf_coulomb_def_default();
    const struct {
        hf_normal_def normal;
        const char *words;
    } cases[] = {
        {{.load = HF_LOAD_TYPE_COUNT}, "one load"},
        {{.load = HF_LOAD_LOOP}, "no such loop"},
        {{.load = HF_LOAD_LOOP, .loop = {7}}, "no such loop"},
        {{.load = HF_LOAD_MOMENT}, "no joint that turns or slides"},
        {{.load = HF_LOAD_MOMENT, .joint = {99}}, "no joint that turns or slides"},
        {{.load = HF_LOAD_MOMENT, .joint = s.ball}, "'ball' is no joint"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        hf_force_def def = hf_force_def_default();
        def.name = "rub";
        def.coupling = hf_coupling_def_default(HF_COUPLING_COORDINATE);
        def.coupling.on_coordinate = (hf_coordinate){s.slide, 0};
        hf_force_use_coulomb(&def, &law);
        def.normal = cases[i].normal;
        told(&s, hf_spec_add_force(s.spec, &def, &s.error).id == 0, cases[i].words);
    }
    finish(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(signals), cmocka_unit_test(figures),
        cmocka_unit_test(ratios),  cmocka_unit_test(surfaces_and_shapes),
        cmocka_unit_test(loads),
    };
    return hf_run_tests(tests);
}
