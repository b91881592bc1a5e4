// SPDX-License-Identifier: Apache-2.0
// Which pairs touch, in machines: the sweep against all pairs, sets and exceptions, refusals.
#include <holdfast/use_law.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "brute.h"
#include "collide/collider.h"

static void *allocate(void *context, size_t size)
{
    (void)context;
    return malloc(size);
}

static void release(void *context, void *memory)
{
    (void)context;
    free(memory);
}

static const hf_allocator PLAIN = {.allocate = allocate, .release = release};

// A machine being described.
typedef struct scene {
    hf_spec *spec;
    hf_body bodies[200];
    int count;
} scene;

static void add_rigid(scene *s, const char *name, hf_shape shape, hf_vec3 place, hf_quat turn)
{
    hf_error error = {0};
    hf_rigid_def def = hf_rigid_def_default();
    def.name = name;
    def.shape = shape;
    def.inertia = hf_shape_inertia(shape, def.mass);
    def.position = place;
    def.orientation = turn;
    s->bodies[s->count] = hf_spec_add_rigid(s->spec, &def, &error);
    if (s->bodies[s->count++].id == 0) {
        fail_msg("%s", error.text);
    }
}

static void add_block(scene *s, const char *name, hf_vec3 place, hf_vec3 size)
{
    hf_error error = {0};
    hf_static_def def = hf_static_def_default();
    def.name = name;
    def.position = place;
    def.shape = (hf_shape){.type = HF_SHAPE_BOX, .size = size};
    s->bodies[s->count] = hf_spec_add_static(s->spec, &def, &error);
    assert_true(s->bodies[s->count++].id != 0);
}

static void add_floor(scene *s)
{
    hf_error error = {0};
    hf_static_def def = hf_static_def_default();
    def.name = "floor";
    s->bodies[s->count] = hf_spec_add_static(s->spec, &def, &error);
    assert_true(s->bodies[s->count++].id != 0);
}

static hf_force add_shapes(scene *s, const char *name, const hf_coupling_def *coupling)
{
    hf_error error = {0};
    hf_rigid_contact_def law = hf_rigid_contact_def_default();
    hf_force_def def = hf_force_def_default();
    def.name = name;
    def.coupling = *coupling;
    hf_force_use_rigid_contact(&def, &law);
    hf_force force = hf_spec_add_force(s->spec, &def, &error);
    if (force.id == 0) {
        fail_msg("%s", error.text);
    }
    return force;
}

static hf_force add_set(scene *s, const char *name, const hf_body *members, int count,
                        const hf_body *except, int except_count)
{
    hf_coupling_def coupling = hf_coupling_def_default(HF_COUPLING_SHAPES);
    coupling.members = members;
    coupling.member_count = count;
    coupling.except = except;
    coupling.except_count = except_count;
    return add_shapes(s, name, &coupling);
}

// The contact of two bodies, which is no list.
static void add_contact(scene *s, const char *name, const hf_body *members)
{
    hf_coupling_def coupling = hf_coupling_def_default(HF_COUPLING_SHAPES);
    coupling.members = members;
    coupling.member_count = 2;
    coupling.alone = true;
    (void)add_shapes(s, name, &coupling);
}

static hf_model *compile(scene *s)
{
    hf_error error = {0};
    hf_model *model = hf_model_compile(s->spec, &error);
    if (model == NULL) {
        fail_msg("%s", error.text);
    }
    hf_spec_destroy(s->spec);
    return model;
}

// Poses at the start.
static hf_pose *poses_of(const hf_model *model)
{
    hf_pose *poses = calloc((size_t)model->pose_count, sizeof *poses);
    assert_non_null(poses);
    poses[0].rotation = hf_m3_identity();
    hf_body_io io = {.q = model->initial, .v = model->initial + model->nq, .poses = poses};
    hf_bodies_still(model->sets, model->set_count, poses);
    hf_bodies_pose(model->sets, model->set_count, &io);
    return poses;
}

static hf_collider *collider_of(const hf_model *model)
{
    hf_error error = {0};
    hf_collider *collider = NULL;
    if (hf_collider_create(model, &PLAIN, &collider, &error) < 0) {
        fail_msg("%s", error.text);
    }
    assert_non_null(collider);
    return collider;
}

// The last two are found by a search among points alone.
enum { PLAIN_KINDS = 4, ALL_KINDS = 6 };

static hf_shape any_shape(hf_rng *rng, int kinds)
{
    static const hf_shape_type types[ALL_KINDS] = {HF_SHAPE_SPHERE,  HF_SHAPE_BOX,
                                                   HF_SHAPE_CAPSULE, HF_SHAPE_CYLINDER,
                                                   HF_SHAPE_CONE,    HF_SHAPE_ELLIPSOID};
    return (hf_shape){.type = types[hf_rng_int(rng, 0, kinds - 1)],
                      .size = {hf_rng_uniform(rng, 0.1, 0.3), hf_rng_uniform(rng, 0.1, 0.3),
                               hf_rng_uniform(rng, 0.1, 0.4)}};
}

// Number of contacts of all pairs, one by one.
static int count_all(const hf_collider *c, double margin)
{
    int count = 0;
    for (int i = 0; i < c->sweep.count; ++i) {
        for (int j = i + 1; j < c->sweep.count; ++j) {
            if (c->places[i].fixed && c->places[j].fixed) {
                continue;
            }
            hf_meeting meeting;
            bool turned = c->places[i].fixed;
            hf_touch_find(&c->solids[turned ? j : i], &c->solids[turned ? i : j], margin, &meeting);
            count += meeting.count;
        }
    }
    return count;
}

// A floor, two blocks of which one is before and one behind the others by name, and bodies here and
// there.
static hf_model *heap_of(hf_rng *rng, int count, double wide, int kinds)
{
    scene s = {.spec = hf_spec_create()};
    add_floor(&s);
    add_block(&s, "a-block", hf_v3(0.0, 0.0, 0.0), hf_v3(0.6, 0.3, 0.3));
    add_block(&s, "z-block", hf_v3(0.5, 0.5, 0.5), hf_v3(0.6, 0.3, 0.3));
    for (int i = 0; i < count; ++i) {
        char name[16];
        (void)snprintf(name, sizeof name, "b%02d", i);
        add_rigid(&s, name, any_shape(rng, kinds),
                  hf_v3(hf_rng_uniform(rng, -wide, wide), hf_rng_uniform(rng, -1.0, 1.0),
                        hf_rng_uniform(rng, 0.0, 2.0)),
                  brute_turn(rng));
    }
    (void)add_set(&s, "contacts", s.bodies, s.count, NULL, 0);
    return compile(&s);
}

static void test_sweep(void **state)
{
    (void)state;
    hf_rng rng = hf_rng_create(11);
    for (int round = 0; round < 10; ++round) {
        hf_model *model = heap_of(&rng, 80, 1.0 + round, PLAIN_KINDS);
        hf_collider *c = collider_of(model);
        hf_pose *poses = poses_of(model);
        int capacity = hf_collider_capacity(c);
        hf_contact_point *points = calloc((size_t)capacity, sizeof *points),
                         *again = calloc((size_t)capacity, sizeof *again);
        assert_true(points != NULL && again != NULL);
        int count = hf_collider_find(c, poses, 0.05, NULL, points, capacity);
        assert_true(count > 20);
        assert_int_equal(count, count_all(c, 0.05));
        for (int i = 1; i < count; ++i) { // rising: so all keys differ
            assert_true(points[i].key > points[i - 1].key);
        }
        // What was looked for before has no influence, and nothing is allocated.
        hf_pose *others = poses_of(model);
        for (int i = 1; i < model->pose_count; ++i) {
            others[i].position = hf_v3_scale(2.0, brute_direction(&rng));
        }
        (void)hf_collider_find(c, others, 0.05, NULL, again, capacity);
        long long before = hf_test_allocations();
        assert_int_equal(hf_collider_find(c, poses, 0.05, NULL, again, capacity), count);
        assert_int_equal(hf_test_allocations() - before, 0);
        assert_memory_equal(points, again, (size_t)count * sizeof *points);
        // no room
        assert_int_equal(hf_collider_find(c, poses, 0.05, NULL, again, count - 1), -1);
        hf_error error = {0};
        assert_int_equal(hf_collider_fail(c, 0.5, &error), HF_ERROR_RANGE);
        assert_non_null(strstr(error.text, "give it a larger capacity"));
        free(points);
        free(again);
        free(poses);
        free(others);
        hf_collider_destroy(c);
        hf_model_destroy(model);
    }
}

// ------------------------------------------------------------------------------------------------

static const hf_shape CUBE = {.type = HF_SHAPE_BOX, .size = {1.0, 1.0, 1.0}};
static const hf_quat NONE = {.w = 1.0};

// Three cubes in a row, each touching the next.
static scene row(void)
{
    scene s = {.spec = hf_spec_create()};
    add_rigid(&s, "a", CUBE, hf_v3(0, 0, 0), NONE);
    add_rigid(&s, "b", CUBE, hf_v3(1, 0, 0), NONE);
    add_rigid(&s, "c", CUBE, hf_v3(2, 0, 0), NONE);
    return s;
}

static int count_points(const hf_model *model, int *forces)
{
    hf_collider *c = collider_of(model);
    hf_pose *poses = poses_of(model);
    hf_contact_point points[64];
    int count = hf_collider_find(c, poses, 1e-3, NULL, points, 64);
    for (int i = 0; i < count && forces != NULL; ++i) {
        ++forces[points[i].force];
    }
    free(poses);
    hf_collider_destroy(c);
    return count;
}

static void test_sets(void **state)
{
    (void)state;
    scene s = row();
    (void)add_set(&s, "all", s.bodies, 3, NULL, 0);
    hf_model *model = compile(&s);
    assert_int_equal(count_points(model, NULL), 8);
    hf_model_destroy(model);
    // but not a and b
    s = row();
    (void)add_set(&s, "all", s.bodies, 3, s.bodies, 1);
    model = compile(&s);
    assert_int_equal(count_points(model, NULL), 4);
    hf_model_destroy(model);
    // a pair of its own is that force's
    s = row();
    (void)add_set(&s, "all", s.bodies, 3, NULL, 0);
    (void)add_set(&s, "pair", s.bodies, 2, NULL, 0);
    model = compile(&s);
    int forces[2] = {0, 0};
    assert_int_equal(count_points(model, forces), 8);
    assert_int_equal(forces[0], 4);
    assert_int_equal(forces[1], 4);
    hf_model_destroy(model);
    // and of a list of the two alone and a contact, the contact's; forces are in the order of names
    for (int at = 0; at < 2; ++at) {
        s = row();
        (void)add_set(&s, "list", s.bodies, 2, NULL, 0);
        add_contact(&s, at == 0 ? "contact" : "own", s.bodies);
        model = compile(&s);
        forces[0] = forces[1] = 0;
        assert_int_equal(count_points(model, forces), 4);
        assert_int_equal(forces[at], 4);
        hf_model_destroy(model);
    }
}

static void expect_refusal(scene *s, const char *words)
{
    hf_model *model = compile(s);
    hf_collider *c = NULL;
    hf_error error = {0};
    hf_status status = hf_collider_create(model, &PLAIN, &c, &error);
    if (status == HF_OK) {
        hf_pose *poses = poses_of(model);
        status = hf_collider_check(c, poses, &error);
        free(poses);
    }
    assert_true(status < 0);
    if (strstr(error.text, words) == NULL) {
        fail_msg("'%s' is not in '%s'", words, error.text);
    }
    hf_collider_destroy(c);
    hf_model_destroy(model);
}

static void test_refusals(void **state)
{
    (void)state;
    scene s = row();
    (void)add_set(&s, "one", s.bodies, 3, NULL, 0);
    (void)add_set(&s, "two", s.bodies, 3, NULL, 0);
    expect_refusal(&s, "'two': the contact of 'a' and 'b' belongs to force 'one' already");
    s = row();
    (void)add_set(&s, "one", s.bodies, 2, NULL, 0);
    (void)add_set(&s, "two", s.bodies, 2, NULL, 0);
    expect_refusal(&s, "'two': the contact of 'a' and 'b' is force 'one' already");
    // two contacts beside a list of the same two
    s = row();
    add_contact(&s, "one", s.bodies);
    (void)add_set(&s, "list", s.bodies, 2, NULL, 0);
    add_contact(&s, "two", s.bodies);
    expect_refusal(&s, "'two': the contact of 'a' and 'b' is force 'one' already");
    // deep in each other
    s = row();
    add_rigid(&s, "d", CUBE, hf_v3(2.5, 0, 0), NONE);
    (void)add_set(&s, "all", s.bodies, 4, NULL, 0);
    expect_refusal(&s, "'all': 'c' and 'd' begin 0.5 m deep in each other");
}

// Three bodies apart, each a cube or a surface of triangles, with every pair of them excepted or
// none: refused exactly where two surfaces could meet, which the message names.
static void test_two_surfaces(void **state)
{
    (void)state;
    static const hf_vec3 points[] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    static const int corners[] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
    static const int pairs[4][2] = {{0, 1}, {0, 2}, {1, 2}, {-1, -1}};
    hf_error error = {0};
    hf_triangles *surface = hf_triangles_create(points, 4, corners, 4, &error);
    assert_non_null(surface);
    int refused = 0;
    for (int code = 0; code < 32; ++code) {
        scene s = {.spec = hf_spec_create()};
        for (int k = 0; k < 3; ++k) {
            const char name[2] = {(char)('a' + k), 0};
            hf_shape shape = CUBE;
            if (code >> k & 1) {
                shape = (hf_shape){.type = HF_SHAPE_TRIANGLES, .triangles = surface};
            }
            hf_rigid_def def = hf_rigid_def_default();
            def.name = name;
            def.shape = shape;
            def.position = hf_v3(5.0 * k, 0, 0);
            s.bodies[s.count] = hf_spec_add_rigid(s.spec, &def, &error);
            assert_true(s.bodies[s.count++].id != 0);
        }
        const int *pair = pairs[code >> 3];
        const hf_body except[2] = {s.bodies[pair[0] < 0 ? 0 : pair[0]],
                                   s.bodies[pair[1] < 0 ? 0 : pair[1]]};
        (void)add_set(&s, "all", s.bodies, 3, except, pair[0] < 0 ? 0 : 1);
        char words[100] = "";
        for (int k = 2; k >= 0; --k) { // the first pair of surfaces that may meet
            bool both = (code >> pairs[k][0] & 1) && (code >> pairs[k][1] & 1);
            if (both && pair != pairs[k]) {
                (void)snprintf(words, sizeof words, "'%c' and '%c' are both surfaces of triangles",
                               'a' + pairs[k][0], 'a' + pairs[k][1]);
            }
        }
        if (words[0] != '\0') {
            expect_refusal(&s, words);
            ++refused;
        } else {
            hf_model *model = compile(&s);
            hf_collider_destroy(collider_of(model));
            hf_model_destroy(model);
        }
    }
    assert_int_equal(refused, 4 + 3 * 3); // of three surfaces, and of two
    hf_triangles_destroy(surface);
}

// Lists of members that say nothing sensible, in whatever order they name bodies.
static void test_member_lists(void **state)
{
    (void)state;
    scene s = row();
    const hf_body a = s.bodies[0], b = s.bodies[1], c = s.bodies[2];
    const struct {
        hf_body members[4], except[4], against[3];
        int member_count, except_count, against_count;
        const char *words; // NULL: accepted
    } lists[] = {
        {{c, a, b}, {{0}}, {{0}}, 3, 0, 0, NULL},
        {{c, a, b}, {a, c, c, b}, {{0}}, 3, 2, 0, NULL},
        {{c, b, a}, {{0}}, {a, b}, 3, 0, 2, NULL},
        {{c, a, b, c}, {{0}}, {{0}}, 4, 0, 0, "'c' is a member twice"},
        {{b, a, b}, {{0}}, {{0}}, 3, 0, 0, "'b' is a member twice"},
        {{a}, {{0}}, {{0}}, 1, 0, 0, "at least two members"},
        {{b, a}, {c, a}, {{0}}, 2, 1, 0, "except must name two different members"},
        {{b, a}, {a, c}, {{0}}, 2, 1, 0, "except must name two different members"},
        {{c, b, a}, {a, b, a, a}, {{0}}, 3, 2, 0, "except must name two different members"},
        {{b, a}, {a, a, a, b}, {{0}}, 2, 2, 0, "except must name two different members"},
        {{b, a}, {{0}}, {c}, 2, 0, 1, "against must name some of the members, and not all"},
        {{c, a}, {{0}}, {a, b}, 2, 0, 2, "against must name some of the members, and not all"},
        {{b, a}, {{0}}, {b, a}, 2, 0, 2, "against must name some of the members, and not all"},
        {{b, a}, {a, b}, {{0}}, 2, -1, 0, "except is no list of pairs"},
        {{b, a}, {{0}}, {a}, 2, 0, -1, "against no list"},
    };
    hf_rigid_contact_def law = hf_rigid_contact_def_default();
    for (size_t i = 0; i < sizeof lists / sizeof *lists; ++i) {
        char name[16];
        (void)snprintf(name, sizeof name, "set%zu", i);
        hf_error error = {0};
        hf_force_def def = hf_force_def_default();
        def.name = name;
        def.coupling = hf_coupling_def_default(HF_COUPLING_SHAPES);
        def.coupling.members = lists[i].members;
        def.coupling.member_count = lists[i].member_count;
        def.coupling.except = lists[i].except;
        def.coupling.except_count = lists[i].except_count;
        def.coupling.against = lists[i].against;
        def.coupling.against_count = lists[i].against_count;
        hf_force_use_rigid_contact(&def, &law);
        bool accepted = hf_spec_add_force(s.spec, &def, &error).id != 0;
        if (accepted != (lists[i].words == NULL) ||
            (!accepted && strstr(error.text, lists[i].words) == NULL)) {
            fail_msg("list %zu: expected '%s', got '%s'", i,
                     lists[i].words == NULL ? "no error" : lists[i].words,
                     accepted ? "no error" : error.text);
        }
    }
    hf_spec_destroy(s.spec);
}

// Links that a joint connects do not touch; others of the tree do.
static void test_links(void **state)
{
    (void)state;
    hf_error error = {0};
    hf_spec *spec = hf_spec_create();
    hf_tree tree = hf_spec_add_tree(spec, "arm", &error);
    hf_body links[3] = {{0}};
    for (int i = 0; i < 3; ++i) {
        hf_joint_def def = hf_joint_def_default(HF_JOINT_REVOLUTE);
        const char *names[] = {"one", "two", "three"};
        def.name = names[i];
        def.parent = i == 0 ? (hf_body){0} : links[i - 1];
        def.mass = 1.0;
        def.inertia = hf_shape_inertia(CUBE, 1.0);
        def.shape = CUBE;
        def.offset = hf_v3(i == 0 ? 0.0 : 0.5, 0.0, 0.0);
        links[i] = hf_spec_add_joint(spec, tree, &def, &error);
        assert_true(links[i].id != 0);
    }
    scene s = {.spec = spec};
    (void)add_set(&s, "arm-itself", links, 3, NULL, 0);
    hf_model *model = compile(&s);
    hf_collider *c = collider_of(model);
    assert_int_equal(hf_collider_force(c, 0, 1), -1);
    assert_int_equal(hf_collider_force(c, 1, 2), -1);
    assert_true(hf_collider_force(c, 0, 2) >= 0);
    hf_collider_destroy(c);
    hf_model_destroy(model);
}

// Some bodies move, others do not by a single bit, and the margin changes now and then: what is
// recalled is what a collider finds that has never looked before.
static void test_known(void **state)
{
    (void)state;
    hf_rng rng = hf_rng_create(12);
    hf_model *model = heap_of(&rng, 60, 1.0, PLAIN_KINDS);
    hf_collider *c = collider_of(model);
    hf_pose *poses = poses_of(model);
    int capacity = hf_collider_capacity(c), recalled = 0;
    hf_contact_point *points = calloc((size_t)capacity, sizeof *points),
                     *fresh = calloc((size_t)capacity, sizeof *fresh);
    assert_true(points != NULL && fresh != NULL);
    double margin = 0.05;
    for (int round = 0; round < 40; ++round) {
        margin = round % 7 == 6 ? hf_rng_uniform(&rng, 0.02, 0.08) : margin;
        for (int i = 1; i < model->pose_count; ++i) {
            if (hf_rng_int(&rng, 0, 3) == 0) {
                poses[i].position = hf_v3_axpy(poses[i].position, 1e-9, brute_direction(&rng));
            }
        }
        hf_collider *other = collider_of(model);
        int count = hf_collider_find(c, poses, margin, NULL, points, capacity);
        assert_int_equal(hf_collider_find(other, poses, margin, NULL, fresh, capacity), count);
        assert_memory_equal(points, fresh, (size_t)count * sizeof *points);
        recalled += c->known.before_count > 0;
        hf_collider_destroy(other);
    }
    assert_true(recalled > 20);
    free(points);
    free(fresh);
    free(poses);
    hf_collider_destroy(c);
    hf_model_destroy(model);
}

// Bodies that pass each other: a collider that knows along which directions pairs were apart finds
// what one does that has never looked. Where a direction says apart, brute force does.
static void test_ways(void **state)
{
    (void)state;
    hf_rng rng = hf_rng_create(13);
    hf_model *model = heap_of(&rng, 60, 1.0, ALL_KINDS);
    hf_collider *c = collider_of(model);
    hf_pose *poses = poses_of(model);
    int capacity = hf_collider_capacity(c), n = c->sweep.count, said = 0, known = 0;
    int still_said = 0, still_known = 0; // of pairs with a block
    hf_contact_point *points = calloc((size_t)capacity, sizeof *points),
                     *fresh = calloc((size_t)capacity, sizeof *fresh);
    assert_true(points != NULL && fresh != NULL);
    for (int round = 0; round < 30; ++round) {
        for (int i = 1; i < model->pose_count; ++i) {
            poses[i].position = hf_v3_axpy(poses[i].position, 0.02, brute_direction(&rng));
        }
        // Before the search: by the directions of the last one
        (void)hf_collider_near(c, poses, 0.05);
        for (int k = 0; k < n * n; ++k) {
            const hf_pair_way *w = &c->pair_ways[k];
            hf_vec3 way = hf_v3((double)w->x, (double)w->y, (double)w->z), direction;
            const hf_solid *a = &c->solids[k / n], *b = &c->solids[k % n];
            if (hf_v3_norm(way) > 0.0 && (c->places[k / n].fixed || c->places[k % n].fixed)) {
                ++still_known;
                still_said += hf_touch_apart(a, b, way, 0.05);
            }
            if (hf_v3_norm(way) > 0.0 && ++known && hf_touch_apart(a, b, way, 0.05) &&
                said++ % 50 == 0) {
                hf_check_below(0.05, brute_gap(a, b, &direction), "gap of a pair", "apart");
            }
        }
        hf_collider *other = collider_of(model);
        int count = hf_collider_find(c, poses, 0.05, NULL, points, capacity);
        assert_int_equal(hf_collider_find(other, poses, 0.05, NULL, fresh, capacity), count);
        assert_memory_equal(points, fresh, (size_t)count * sizeof *points);
        hf_collider_destroy(other);
    }
    printf("ways: %d of %d, %d of %d say apart\n", said, known, still_said, still_known);
    // They mostly say so
    assert_true(known > 300 && said > known / 2);
    assert_true(still_known > 30 && still_said > 3 * still_known / 4);
    free(points);
    free(fresh);
    free(poses);
    hf_collider_destroy(c);
    hf_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sweep), cmocka_unit_test(test_known),
        cmocka_unit_test(test_sets),  cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_links), cmocka_unit_test(test_member_lists),
        cmocka_unit_test(test_ways),  cmocka_unit_test(test_two_surfaces),
    };
    return hf_run_tests(tests);
}
