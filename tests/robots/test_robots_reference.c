// SPDX-License-Identifier: Apache-2.0
// Thirteen public robots against their reference: mass matrix, bias forces and poses at five states
// each, by MuJoCo 3.14 (HOLDFAST_DATA/robots; skipped without it).
#include "hf_test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <holdfast/models.h>
#include <holdfast/sim.h>

#include "base/names.h"
#include "json.h"
#include "math/vec.h"
#include "spec/spec_data.h"

enum { MOST = 64 * 64 };

typedef struct robot_case {
    const char *folder, *file;
    double allowed; // of the largest entry
} robot_case;

static const robot_case CASES[] = {
    {"universal_robots_ur5e", "ur5e.xml", 1e-10},
    {"kuka_iiwa_14", "iiwa14.xml", 1e-10},
    {"unitree_go1", "go1.xml", 1e-10},
    {"unitree_g1", "g1.xml", 1e-10},
    {"shadow_hand", "right_hand.xml", 1e-10},
    {"wonik_allegro", "right_hand.xml", 1e-9},
    {"robotiq_2f85", "2f85.xml", 1e-10},
    {"agility_cassie", "cassie.xml", 1e-10},
    {"stanford_tidybot", "tidybot.xml", 1e-10},
    {"unitree_a1_urdf", "a1.urdf", 1e-10},
    {"allegro_hand_urdf", "allegro_hand_description_right.urdf", 1e-10},
    {"allegro_hand_sdf", "allegro_hand_description_right.sdf", 1e-10},
    {"demo_joint_friction_sdf", "model.sdf", 1e-10},
};

static double largest(const double *a, int count)
{
    double most = 0.0;
    for (int i = 0; i < count; ++i) {
        most = fmax(most, fabs(a[i]));
    }
    return most;
}

typedef struct machine {
    hf_robot *robot;
    hf_spec *spec, *whole; // without loops, and with them
    hf_model *model;
    hf_sim *sim;
    hf_tree tree;
} machine;

static void open_machine(machine *m, const char *path)
{
    hf_error error = {0};
    hf_robot_options options = hf_robot_options_default();
    options.collide = HF_ROBOT_COLLIDE_NONE;
    options.no_looks = true;
    m->robot = hf_robot_read(path, &options, &error);
    if (m->robot != NULL) {
        // The tree alone: loops have no part in M and bias.
        const char *text = hf_robot_model(m->robot), *loops = strstr(text, "\nloops:");
        size_t length = loops == NULL ? strlen(text) : (size_t)(loops - text) + 1;
        m->spec = hf_spec_parse(text, length, path, NULL, NULL, &error);
        m->whole =
            loops == NULL ? NULL : hf_spec_parse(text, strlen(text), path, NULL, NULL, &error);
    }
    m->model = m->spec == NULL ? NULL : hf_model_compile(m->spec, &error);
    hf_sim_def def = m->model == NULL ? (hf_sim_def){0} : hf_sim_def_default(m->model);
    m->sim = m->model == NULL ? NULL : hf_sim_create(m->model, &def, &error);
    if (m->sim == NULL) {
        fail_msg("%s", error.text);
    }
    m->tree = hf_spec_find_tree(m->spec, hf_robot_name_of(m->robot));
}

static void close_machine(machine *m)
{
    hf_sim_destroy(m->sim);
    hf_model_destroy(m->model);
    hf_spec_destroy(m->whole);
    hf_spec_destroy(m->spec);
    hf_robot_destroy(m->robot);
}

// A joint of the reference, in its order, and where the tree keeps it.
typedef struct place {
    hf_body link;
    int count, velocities; // numbers
    int q, v;              // first coordinate and velocity in the tree
    int file_q, file_v;    // and in the reference
    double zero;
} place;

// The joints of the reference by name; what has no name there stands at its place in the order.
static int find_places(const machine *m, const json *joints, place *places)
{
    int count = 0, first_q = 0, first_v = 0;
    for (int i = 0; i < hf_robot_body_count(m->robot); ++i) {
        hf_robot_body body = hf_robot_body_get(m->robot, i);
        char name[200];
        (void)snprintf(name, sizeof name, "%s.%s", hf_robot_name_of(m->robot), body.link);
        hf_body link = hf_spec_find_body(m->spec, name);
        hf_body_slots slots = hf_model_body_slots(m->model, link);
        hf_joint_type type = hf_spec_joint_type(m->spec, link);
        if (hf_joint_coordinates(type) == 0) {
            continue;
        }
        place p = {link,
                   hf_joint_coordinates(type),
                   hf_joint_velocities(type),
                   slots.position,
                   slots.velocity,
                   0,
                   0,
                   body.zero};
        const json *found = NULL, *unnamed = NULL;
        for (const json *j = joints->first; j != NULL; j = j->next) {
            const char *own = json_get(j, "name")->text;
            found = strcmp(own, body.link) == 0 ? j : found;
            unnamed = own[0] == '\0' && unnamed == NULL ? j : unnamed;
        }
        found = found == NULL ? unnamed : found;
        assert_non_null(found);
        p.file_q = (int)json_get(found, "q")->number;
        p.file_v = (int)json_get(found, "v")->number;
        first_q = count == 0 || slots.position < first_q ? slots.position : first_q;
        first_v = count == 0 || slots.velocity < first_v ? slots.velocity : first_v;
        places[count++] = p;
    }
    for (int i = 0; i < count; ++i) {
        places[i].q -= first_q;
        places[i].v -= first_v;
    }
    return count;
}

// The state in Holdfast's order, coordinates counted from each joint's zero. map: of velocities.
static void set_state(machine *m, const json *joints, const double *q, const double *v,
                      double *own_q, double *own_v, int *map)
{
    static place places[200];
    hf_error error = {0};
    int count = find_places(m, joints, places);
    for (int i = 0; i < count; ++i) {
        const place *p = &places[i];
        for (int k = 0; k < p->count; ++k) {
            own_q[p->q + k] = q[p->file_q + k] - (p->count == 1 ? p->zero : 0.0);
        }
        for (int k = 0; k < p->velocities; ++k) {
            map[p->file_v + k] = p->v + k;
            own_v[p->v + k] = v[p->file_v + k];
        }
        assert_int_equal(hf_sim_set_position(m->sim, p->link, own_q + p->q, &error), HF_OK);
    }
}

static double worst_pose(machine *m, const json *bodies, const json *state)
{
    static double positions[MOST], turns[MOST];
    double worst = 0.0;
    int index = 0;
    assert_int_equal(json_numbers(json_get(state, "xpos"), positions, MOST), 3 * bodies->count);
    assert_int_equal(json_numbers(json_get(state, "xquat"), turns, MOST), 4 * bodies->count);
    for (const json *b = bodies->first; b != NULL; b = b->next, ++index) {
        const char *name = json_get(b, "name")->text;
        const double *position = positions + 3 * index, *turn = turns + 4 * index;
        for (int i = 0; i < hf_robot_body_count(m->robot); ++i) {
            hf_robot_body body = hf_robot_body_get(m->robot, i);
            if (body.body == NULL || strcmp(body.body, name) != 0) {
                continue;
            }
            char full[200];
            (void)snprintf(full, sizeof full, "%s.%s", hf_robot_name_of(m->robot), body.link);
            hf_frame frame = {hf_spec_find_body(m->spec, full), body.origin, {1, 0, 0, 0}};
            hf_vec3 p = hf_sim_point(m->sim, frame), origin;
            hf_quat r;
            hf_sim_pose(m->sim, frame.body, &origin, &r);
            worst = fmax(worst, fabs(p.x - position[0]));
            worst = fmax(worst, fabs(p.y - position[1]));
            worst = fmax(worst, fabs(p.z - position[2]));
            double dot = r.w * turn[0] + r.x * turn[1] + r.y * turn[2] + r.z * turn[3];
            double s = dot < 0.0 ? -1.0 : 1.0;
            worst = fmax(worst, fabs(s * r.w - turn[0]));
            worst = fmax(worst, fabs(s * r.x - turn[1]));
            worst = fmax(worst, fabs(s * r.y - turn[2]));
            worst = fmax(worst, fabs(s * r.z - turn[3]));
        }
    }
    return worst;
}

// What loops and coupled joints are away from closed, as the reference has it (`efc_pos`).
static double worst_residual(const machine *m, const json *state)
{
    static double wanted[MOST];
    int count = m->whole == NULL ? 0 : json_numbers(json_get(state, "efc_pos"), wanted, MOST);
    int at = 0;
    double worst = 0.0;
    for (size_t i = 0; count > 0 && i < m->whole->loop_count; ++i) {
        const hf_loop_def *loop = &m->whole->loops[i];
        if (loop->type == HF_LOOP_POINT) {
            hf_vec3 a = hf_sim_point(m->sim, loop->on_frame),
                    b = hf_sim_point(m->sim, loop->to_frame);
            const double own[3] = {a.x - b.x, a.y - b.y, a.z - b.z};
            for (int k = 0; k < 3; ++k) {
                worst = fmax(worst, fabs(own[k] - wanted[at++]));
            }
        } else {
            double sum = -loop->value;
            for (int k = 0; k < loop->term_count; ++k) {
                double x = hf_sim_q(m->sim, loop->terms[k].coordinate) - loop->terms[k].reference;
                double power = x;
                for (int d = 0; d < HF_LOOP_POWERS; ++d, power *= x) {
                    sum += loop->terms[k].coefficients[d] * power;
                }
            }
            worst = fmax(worst, fabs(sum - wanted[at++]));
        }
    }
    assert_int_equal(at, count);
    return worst;
}

static void compare(const robot_case *c, const char *data)
{
    char path[600];
    (void)snprintf(path, sizeof path, "%s/robots/reference/%s.json", data, c->folder);
    json *reference = json_read(path);
    assert_non_null(reference);
    (void)snprintf(path, sizeof path, "%s/robots/%s/%s", data, c->folder, c->file);
    machine m = {0};
    open_machine(&m, path);
    hf_tree_size size = hf_sim_tree_size(m.sim, m.tree);
    int n = size.velocities;
    assert_int_equal(size.coordinates, (int)json_get(reference, "nq")->number);
    assert_int_equal(n, (int)json_get(reference, "nv")->number);
    static double q[MOST], v[MOST], lower[MOST], matrix[MOST], bias[MOST], u[MOST], zero[MOST];
    static double own_q[MOST], own_v[MOST];
    static int map[MOST];
    double matrix_off = 0, bias_off = 0, pose_off = 0, open_off = 0;
    for (const json *s = json_get(reference, "states")->first; s != NULL; s = s->next) {
        (void)json_numbers(json_get(s, "q"), q, MOST);
        (void)json_numbers(json_get(s, "v"), v, MOST);
        int entries = json_numbers(json_get(s, "M"), lower, MOST);
        (void)json_numbers(json_get(s, "bias"), bias, MOST);
        assert_int_equal(entries, n * (n + 1) / 2);
        set_state(&m, json_get(reference, "joints"), q, v, own_q, own_v, map);
        hf_sim_mass_matrix(m.sim, m.tree, own_q, matrix);
        hf_sim_inverse_dynamics(m.sim, m.tree, own_q, own_v, zero, u);
        double scale = largest(lower, entries), force = largest(bias, n);
        for (int i = 0, k = 0; i < n; ++i) {
            for (int j = 0; j <= i; ++j, ++k) {
                matrix_off = fmax(matrix_off, fabs(matrix[map[i] * n + map[j]] - lower[k]) / scale);
            }
            bias_off = fmax(bias_off, fabs(u[map[i]] - bias[i]) / force);
        }
        pose_off = fmax(pose_off, worst_pose(&m, json_get(reference, "bodies"), s));
        open_off = fmax(open_off, worst_residual(&m, s));
    }
    print_message("%-24s M %.1e  bias %.1e  poses %.1e  loops %.1e\n", c->folder, matrix_off,
                  bias_off, pose_off, open_off);
    hf_check_near(matrix_off, 0.0, c->allowed, "M over its largest entry", "MuJoCo 3.14");
    hf_check_near(bias_off, 0.0, c->allowed, "bias over its largest entry", "MuJoCo 3.14");
    hf_check_near(open_off, 0.0, 1e-12, "residuals of loops [m, rad]", "MuJoCo 3.14");
    hf_check_near(pose_off, 0.0, 1e-12, "poses [m], quaternions", "MuJoCo 3.14");
    close_machine(&m);
    json_free(reference);
}

// ------------------------------------------------------------------------------------------------
// Every element and attribute counts: without it the model or the account is another.

// A hash of the model and of the account's lots and reasons.
static unsigned long long print_of(const hf_robot *robot)
{
    hf_robot_counts counts = hf_robot_count(robot);
    const char *text = hf_robot_model(robot);
    unsigned long long h = hf_hash_bytes(0, text, strlen(text));
    return hf_hash_bytes(h, &counts, sizeof counts);
}

static void delete_each(const char *path, const char *folder)
{
    hf_error error = {0};
    hf_robot_options options = hf_robot_options_default();
    options.collide = HF_ROBOT_COLLIDE_NONE; // meshes would be read again and again
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    static char text[200000], cut[200000];
    size_t length = fread(text, 1, sizeof text - 1, file);
    (void)fclose(file);
    text[length] = '\0';
    hf_robot *whole = hf_robot_parse(text, length, path, folder, &options, &error);
    if (whole == NULL) {
        fail_msg("%s", error.text);
    }
    hf_robot_counts counts = hf_robot_count(whole);
    int sum = 0;
    for (int i = 0; i < HF_ROBOT_LOT_COUNT; ++i) {
        sum += counts.lots[i];
    }
    assert_int_equal(sum, counts.elements + counts.attributes);
    unsigned long long print = print_of(whole);
    int tried = 0, refused = 0;
    for (int i = 0; i < counts.elements + counts.attributes; ++i) {
        hf_robot_item item = hf_robot_item_get(whole, i);
        if (item.attribute == NULL || strcmp(item.file, path) != 0) {
            continue;
        }
        const char *at = text;
        for (int line = 1; line < item.line; ++line) {
            at = strchr(at, '\n') + 1;
        }
        at += item.column - 1;
        assert_memory_equal(at, item.attribute, strlen(item.attribute));
        const char *quote = strpbrk(at, "\"'"), *end = strchr(quote + 1, *quote) + 1;
        memcpy(cut, text, (size_t)(at - text));
        strcpy(cut + (at - text), end);
        hf_robot *robot = hf_robot_parse(cut, strlen(cut), path, folder, &options, &error);
        ++tried;
        if (robot == NULL) { // what needs it says so
            ++refused;
        } else if (print_of(robot) == print) {
            fail_msg("%s:%d:%d: %s %s can be deleted unnoticed", item.file, item.line, item.column,
                     item.element, item.attribute);
        }
        hf_robot_destroy(robot);
    }
    print_message("%s: %d of its attributes deleted, %d refused\n", path, tried, refused);
    hf_robot_destroy(whole);
}

// Attributes at random, with all that collides. What the account calls taken acts: without it, or
// with another number where it was the default, the model is another or the file is refused. What
// it calls only seen does not. With HOLDFAST_WHOLE in the environment every attribute is tried.
enum { SAMPLE = 12 };

static bool is_word(const char *attribute, const char *value)
{
    return strspn(value, "+-.0123456789eE \t\n") != strlen(value) ||
           strcmp(attribute, "group") == 0 || strcmp(attribute, "priority") == 0 ||
           strcmp(attribute, "quat") == 0;
}

// Without looks: they show what is only seen.
static const hf_robot_options UNSEEN = {.orientation = {.w = 1.0}, .no_looks = true};

// The model of the text with an attribute's value (from `at` to `end`) replaced; the caller frees
// the robot. NULL: it is refused.
static hf_robot *read_changed(const char *text, const char *from, const char *end, const char *with,
                              const char *path, const char *folder)
{
    static char changed[200000];
    hf_error error = {0};
    (void)snprintf(changed, sizeof changed, "%.*s%s%s", (int)(from - text), text, with, end);
    return hf_robot_parse(changed, strlen(changed), path, folder, &UNSEEN, &error);
}

static bool is_same(hf_robot *robot, const hf_robot *whole)
{
    bool same = robot != NULL && strcmp(hf_robot_model(robot), hf_robot_model(whole)) == 0;
    hf_robot_destroy(robot);
    return same;
}

// How many stand in the wrong list.
static int check_sample(const char *path, const char *folder, hf_rng *rng)
{
    int wrong = 0;
    hf_error error = {0};
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    static char text[200000];
    size_t length = fread(text, 1, sizeof text - 1, file);
    (void)fclose(file);
    text[length] = '\0';
    hf_robot *whole = hf_robot_parse(text, length, path, folder, &UNSEEN, &error);
    assert_non_null(whole);
    hf_robot_counts counts = hf_robot_count(whole);
    int all = counts.elements + counts.attributes;
    bool every = getenv("HOLDFAST_WHOLE") != NULL;
    for (int tried = 0, next = 0; every ? next < all : tried < SAMPLE; ++next) {
        int drawn = every ? next : (int)(hf_rng_uniform(rng, 0.0, 1.0) * all);
        hf_robot_item item = hf_robot_item_get(whole, drawn);
        bool taken = item.lot == HF_ROBOT_TAKEN, seen = item.lot == HF_ROBOT_SEEN;
        if (item.attribute == NULL || strcmp(item.file, path) != 0 || (!taken && !seen)) {
            continue;
        }
        ++tried;
        // Where it stands
        const char *at = text;
        for (int line = 1; line < item.line; ++line) {
            at = strchr(at, '\n') + 1;
        }
        at += item.column - 1;
        const char *quote = strpbrk(at, "\"'"), *end = strchr(quote + 1, *quote) + 1;
        // Without it, and with another number
        bool same = is_same(read_changed(text, at, end, "", path, folder), whole);
        if (taken && same && !is_word(item.attribute, item.value)) {
            char other[400];
            (void)snprintf(other, sizeof other, "%s='7%.300s'", item.attribute, item.value);
            same = is_same(read_changed(text, at, end, other, path, folder), whole);
        } else if (taken) {
            same = false; // a name, or a word that is the default
        }
        if (same != seen) {
            print_message("%s:%d:%d: %s %s is called %s and %s\n", item.file, item.line,
                          item.column, item.element, item.attribute, taken ? "taken" : "only seen",
                          taken ? "does nothing" : "acts");
            ++wrong;
        }
    }
    hf_robot_destroy(whole);
    return wrong;
}

static void test_the_account_is_true(void **state)
{
    (void)state;
    const char *data = getenv("HOLDFAST_DATA");
    if (data == NULL) {
        skip();
    }
    hf_rng rng = hf_rng_create(20261117);
    int wrong = 0;
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; ++i) {
        char path[900], folder[600];
        (void)snprintf(folder, sizeof folder, "%s/robots/%s", data, CASES[i].folder);
        (void)snprintf(path, sizeof path, "%s/%s", folder, CASES[i].file);
        wrong += check_sample(path, folder, &rng);
    }
    assert_int_equal(wrong, 0);
}

static void test_no_attribute_is_deleted_unnoticed(void **state)
{
    (void)state;
    const char *data = getenv("HOLDFAST_DATA");
    if (data == NULL) {
        skip();
    }
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; ++i) {
        char path[900], folder[600];
        (void)snprintf(folder, sizeof folder, "%s/robots/%s", data, CASES[i].folder);
        (void)snprintf(path, sizeof path, "%s/%s", folder, CASES[i].file);
        delete_each(path, folder);
    }
}

// ------------------------------------------------------------------------------------------------
// Gazebo's demonstration of joint friction stops where the closed form says, and stays.

static void test_friction_of_joints_holds(void **state)
{
    (void)state;
    static const struct {
        const char *joint;
        double stop;
    } arms[] = {{"high", -0.9993677553663252},
                {"medium", -0.8565106125091824},
                {"low", -0.7993677553663249}};
    const char *data = getenv("HOLDFAST_DATA");
    if (data == NULL) {
        skip();
    }
    char path[600];
    (void)snprintf(path, sizeof path, "%s/robots/demo_joint_friction_sdf/model.sdf", data);
    hf_error error = {0};
    hf_robot_options options = hf_robot_options_default();
    options.base = HF_ROBOT_BASE_FIXED;
    const char *const items[] = {"method.rtol=1e-10", "method.atol=1e-12"};
    hf_overrides overrides = {
        .items = items, .count = 2, .method = "switch", .step = 0.01, .robot = &options};
    hf_spec *spec = hf_spec_load(path, &overrides, &error);
    hf_model *model = spec == NULL ? NULL : hf_model_compile(spec, &error);
    hf_sim *sim = model == NULL ? NULL : hf_sim_create(model, NULL, &error);
    if (sim == NULL) {
        fail_msg("%s", error.text);
    }
    assert_int_equal(hf_sim_advance(sim, 6.0, false, &error), HF_OK);
    for (size_t i = 0; i < 3; ++i) {
        char name[100];
        (void)snprintf(name, sizeof name, "demo_joint_friction.joint_%s_friction", arms[i].joint);
        hf_body link = hf_spec_find_body(spec, name);
        double angle = hf_sim_q(sim, (hf_coordinate){link, 0});
        hf_check_near(angle, arms[i].stop, 1e-8, arms[i].joint, "closed form");
    }
    hf_sim_destroy(sim);
    hf_model_destroy(model);
    hf_spec_destroy(spec);
}

// The same under timestep at several steps: once at rest, not a bit moves.
static void test_joints_at_rest_move_by_no_bit(void **state)
{
    (void)state;
    static const double steps[] = {1e-3, 2e-3, 5e-3, 1e-2};
    const char *data = getenv("HOLDFAST_DATA");
    if (data == NULL) {
        skip();
    }
    char path[600];
    (void)snprintf(path, sizeof path, "%s/robots/demo_joint_friction_sdf/model.sdf", data);
    for (int i = 0; i < 4; ++i) {
        hf_error error = {0};
        hf_robot_options options = hf_robot_options_default();
        options.base = HF_ROBOT_BASE_FIXED;
        hf_overrides overrides = {.step = steps[i], .robot = &options};
        hf_model *model = hf_model_load_changed(path, &overrides, &error);
        hf_sim_def def = model == NULL ? (hf_sim_def){0} : hf_sim_def_default(model);
        def.method.step = steps[i];
        hf_sim *sim = model == NULL ? NULL : hf_sim_create(model, &def, &error);
        if (sim == NULL) {
            fail_msg("%s", error.text);
        }
        assert_int_equal(hf_sim_advance(sim, 8.0, false, &error), HF_OK);
        double before[3], after[3];
        memcpy(before, hf_sim_positions(sim), sizeof before);
        assert_int_equal(hf_sim_advance(sim, 60.0, false, &error), HF_OK);
        memcpy(after, hf_sim_positions(sim), sizeof after);
        assert_memory_equal(before, after, sizeof before);
        hf_sim_destroy(sim);
        hf_model_destroy(model);
    }
}

static void test_robots_are_their_references(void **state)
{
    (void)state;
    const char *data = getenv("HOLDFAST_DATA");
    if (data == NULL) {
        print_message("skipped: HOLDFAST_DATA is not set\n");
        skip();
    }
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; ++i) {
        compare(&CASES[i], data);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_robots_are_their_references),
        cmocka_unit_test(test_no_attribute_is_deleted_unnoticed),
        cmocka_unit_test(test_the_account_is_true),
        cmocka_unit_test(test_friction_of_joints_holds),
        cmocka_unit_test(test_joints_at_rest_move_by_no_bit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
