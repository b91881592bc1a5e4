// SPDX-License-Identifier: Apache-2.0
// Numbers of two surfaces where they touch: of many pairs that a model tells, each against a plain
// reading of the rules; friction by direction; and what is said when there is no room.
#include "contact_test.h"

#include <math.h>
#include <string.h>

#include "collide/collider.h"
#include "sim/sim_data.h"

enum { BODIES = 9, MATERIALS = 4, PAIRS = 60, TEXT = 12000 };

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

static hf_collider *collider_of(const hf_model *model)
{
    hf_error error = {0};
    hf_collider *collider = NULL;
    if (hf_collider_create(model, &PLAIN, &collider, &error) < 0) {
        fail_msg("%s", error.text);
    }
    return collider;
}

// An end of a pair: a material, a body, or the second shape of a body.
typedef struct end {
    int rank, number; // 0, 1, 2; of the material or the body
} end;

typedef struct told {
    end ends[2];
    double numbers[4]; // friction, restitution, spin, rolling; NAN: not told
} told;

static void name_of(end e, char name[24])
{
    static const char *const forms[] = {"m%d", "b%d", "b%d.two"};
    (void)snprintf(name, 24, forms[e.rank], e.number);
}

static bool fits(end e, int body, bool second, int material)
{
    return e.rank == 0 ? e.number == material : e.number == body && (e.rank == 1 || second);
}

static int material_of(int body, bool second)
{
    return second ? -1 : body % (MATERIALS + 1) - 1; // some have none
}

static bool is_same_end(end a, end b)
{
    return a.rank == b.rank && a.number == b.number;
}

// Whether a pair before this one has its two ends: a file that says so is refused.
static bool is_told(const told pairs[PAIRS], int k)
{
    const end *own = pairs[k].ends;
    for (int i = 0; i < k; ++i) {
        const end *other = pairs[i].ends;
        if ((is_same_end(own[0], other[0]) && is_same_end(own[1], other[1])) ||
            (is_same_end(own[0], other[1]) && is_same_end(own[1], other[0]))) {
            return true;
        }
    }
    return false;
}

// Two ends that are not of one body.
static void draw_ends(hf_rng *rng, told *pair)
{
    for (int side = 0; side < 2; ++side) {
        int rank = hf_rng_int(rng, 0, 2);
        pair->ends[side] = (end){rank, hf_rng_int(rng, 0, rank == 0 ? MATERIALS - 1 : BODIES - 1)};
    }
    if (pair->ends[0].rank > 0 && pair->ends[1].rank > 0 &&
        pair->ends[0].number == pair->ends[1].number) {
        pair->ends[1].number = (pair->ends[1].number + 1) % BODIES;
    }
}

static void write_model(hf_rng *rng, told pairs[PAIRS], char text[TEXT])
{
    int length = snprintf(text, TEXT,
                          "friction_rule: product\nrestitution_rule: mean\n"
                          "materials: {m0: {friction: 0.5}, m1: {restitution: 0.3}, "
                          "m2: {friction: 0.7, rolling_friction: 0.01}, m3: {}}\n"
                          "bodies:\n");
    for (int i = 0; i < BODIES; ++i) {
        char material[32] = "";
        if (material_of(i, false) >= 0) {
            (void)snprintf(material, sizeof material, ", material: m%d", material_of(i, false));
        }
        length += snprintf(text + length, (size_t)(TEXT - length),
                           "  b%d: {type: rigid, mass: 1, inertia: [1, 1, 1], position: [%d, 0, "
                           "0], shapes: [{name: one, type: sphere, radius: 0.1%s}, {name: two, "
                           "type: sphere, radius: 0.1, position: [0, 0.5, 0]}]}\n",
                           i, i, material);
    }
    length += snprintf(text + length, (size_t)(TEXT - length), "pairs:\n");
    static const char *const keys[] = {"friction", "restitution", "spin_friction",
                                       "rolling_friction"};
    for (int k = 0; k < PAIRS; ++k) {
        told *pair = &pairs[k];
        char names[2][24];
        do {
            draw_ends(rng, pair);
        } while (is_told(pairs, k));
        name_of(pair->ends[0], names[0]);
        name_of(pair->ends[1], names[1]);
        length += snprintf(text + length, (size_t)(TEXT - length), "  - {between: [%s, %s]",
                           names[0], names[1]);
        int told_one = hf_rng_int(rng, 0, 3);
        for (int n = 0; n < 4; ++n) {
            bool tells = n == told_one || hf_rng_bool(rng);
            pair->numbers[n] = tells ? hf_rng_uniform(rng, 0.01, 0.9) : (double)NAN;
            if (tells) {
                length += snprintf(text + length, (size_t)(TEXT - length), ", %s: %.17g", keys[n],
                                   pair->numbers[n]);
            }
        }
        length += snprintf(text + length, (size_t)(TEXT - length), "}\n");
    }
    (void)snprintf(text + length, (size_t)(TEXT - length),
                   "forces:\n  - {name: c, type: collide, among: all, friction: 0.2, restitution: "
                   "0.1, spin_friction: 0.03, rolling_friction: 0.02}\n");
}

// What the rules make of two surfaces, and the most specific pair that tells a number, of equals
// the last one.
static double expected(const told pairs[PAIRS], const hf_solid_place *x, const hf_solid_place *y,
                       const int bodies[2], int n)
{
    static const double of_force[] = {0.2, 0.1, 0.03, 0.02};
    const hf_solid_place *places[2] = {x, y};
    double numbers[2];
    bool second[2];
    for (int side = 0; side < 2; ++side) {
        const double own[] = {places[side]->surface.friction, places[side]->surface.restitution,
                              places[side]->surface.spin_friction,
                              places[side]->surface.rolling_friction};
        numbers[side] = own[n];
        second[side] =
            strcmp(places[side]->name, "two") == 0 || strstr(places[side]->name, ".two") != NULL;
    }
    double value = NAN;
    if (!isnan(numbers[0]) || !isnan(numbers[1])) {
        double a = isnan(numbers[0]) ? of_force[n] : numbers[0];
        double b = isnan(numbers[1]) ? of_force[n] : numbers[1];
        value = n == 1 ? 0.5 * (a + b) : a * b;
    }
    int best = -1;
    for (int k = 0; k < PAIRS; ++k) {
        for (int turn = 0; turn < 2; ++turn) {
            const end *one = &pairs[k].ends[turn], *two = &pairs[k].ends[1 - turn];
            int rank = one->rank + two->rank;
            if (fits(*one, bodies[0], second[0], material_of(bodies[0], second[0])) &&
                fits(*two, bodies[1], second[1], material_of(bodies[1], second[1])) &&
                rank >= best && !isnan(pairs[k].numbers[n])) {
                best = rank;
                value = pairs[k].numbers[n];
            }
        }
    }
    return value;
}

static void same_number(double got, double want, const char *quantity)
{
    assert_true(isnan(got) == isnan(want));
    if (!isnan(want)) {
        hf_check_near(got, want, 1e-15, quantity, "by the rules");
    }
}

// How many pairs of solids are told of at most: by each pair that is not of two materials.
static long long count_told(const told pairs[PAIRS])
{
    long long sum = 0;
    for (int k = 0; k < PAIRS; ++k) {
        long long counts[2] = {0, 0};
        for (int i = 0; i < 4 * BODIES; ++i) {
            int body = i / 2 % BODIES, side = i / (2 * BODIES);
            bool second = i % 2 == 1;
            counts[side] += fits(pairs[k].ends[side], body, second, material_of(body, second));
        }
        sum += pairs[k].ends[0].rank + pairs[k].ends[1].rank > 0 ? counts[0] * counts[1] : 0;
    }
    return sum;
}

static void pairs_by_the_rules(void **state)
{
    (void)state;
    static char text[TEXT];
    hf_rng rng = hf_rng_create(150);
    for (int trial = 0; trial < 6; ++trial) {
        told pairs[PAIRS];
        write_model(&rng, pairs, text);
        hf_model *model = model_of(text);
        hf_collider *c = collider_of(model);
        assert_int_equal(c->sweep.count, 2 * BODIES);
        assert_int_equal(hf_collider_count_own(model), count_told(pairs));
        for (int a = 0; a < 2 * BODIES; ++a) {
            for (int b = a + 1; b < 2 * BODIES; ++b) {
                const hf_solid_place *x = &c->places[a], *y = &c->places[b];
                int bodies[2] = {x->body - 1, y->body - 1};
                if (x->body == y->body) {
                    continue;
                }
                hf_contact_point point = {.restitution = -1.0};
                hf_collider_combine(c, a, b, 0, &point);
                same_number(point.mu, expected(pairs, x, y, bodies, 0), "friction");
                same_number(point.spin, expected(pairs, x, y, bodies, 2), "friction of spin");
                same_number(point.rolling, expected(pairs, x, y, bodies, 3), "rolling friction");
                double restitution = expected(pairs, x, y, bodies, 1);
                same_number(point.restitution, isnan(restitution) ? -1.0 : restitution,
                            "restitution");
            }
        }
        hf_collider_destroy(c);
        hf_model_destroy(model);
    }
}

// Friction of a floor that depends on direction: where it is more, the first tangent lies, with all
// of it; the second one is as short as friction is less. The floor is turned about its normal.
static void more_friction_first(void **state)
{
    (void)state;
    static const struct {
        double along, across, first, ratio;
    } cases[] = {{0.4, 0.1, 0.4, 0.25},  {0.1, 0.4, 0.4, 0.25}, {0.3, 0.6, 0.6, 0.5},
                 {0.4, 0.0, 0.4, 1e-3},  {0.0, 0.4, 0.4, 1e-3}, {0.0, 0.5, 0.5, 1e-3},
                 {0.8, 0.7, 0.8, 0.875}, {0.0, 0.0, 0.0, 1.0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        char text[800];
        (void)snprintf(
            text, sizeof text,
            "friction_rule: minimum\nbodies:\n"
            "  box: {type: rigid, mass: 1, position: [0, 0, 0.05], shape: {type: box, size: [0.1, "
            "0.1, 0.1], friction: 0.9}}\n"
            "  floor: {type: static, orientation: {axis: [0, 0, 1], angle: 0.3}, shape: {type: "
            "plane, friction: %g, friction_across: %g, friction_direction: [3, 0, 0]}}\n"
            "forces:\n  - {name: c, type: collide, among: all, friction: 0.2}\n",
            cases[i].along, cases[i].across);
        hf_model *model = model_of(text);
        hf_sim *sim = sim_with(model, timestep(1e-3));
        hf_collider *c = collider_of(model);
        hf_contact_point points[8];
        hf_update_poses(sim, sim->x, sim->x + model->nq);
        int count = hf_collider_find(c, sim->poses, 0.01, NULL, points, 8);
        assert_int_equal(count, 4);
        for (int k = 0; k < count; ++k) {
            const hf_contact_place *place = &points[k].place;
            bool even = cases[i].ratio == 1.0;
            assert_true(points[k].grained == !even);
            hf_check_near(points[k].mu, cases[i].first, 1e-14, "friction", "of the first tangent");
            hf_check_near(hf_v3_norm(place->x), 1.0, 1e-14, "first tangent", "of length 1");
            hf_check_near(hf_v3_norm(place->y), cases[i].ratio, 1e-14, "second tangent", "shorter");
            double turn = cases[i].along >= cases[i].across ? 0.0 : 0.5 * acos(-1.0);
            hf_vec3 want = hf_v3(cos(0.3 + turn), sin(0.3 + turn), 0.0);
            hf_check_near(even ? 1.0 : fabs(hf_v3_dot(place->x, want)), 1.0, 1e-14, "first tangent",
                          "along more friction");
            hf_check_near(hf_v3_dot(hf_v3_cross(place->x, place->y), place->n), cases[i].ratio,
                          1e-14, "x cross y", "along n");
        }
        hf_collider_destroy(c);
        hf_sim_destroy(sim);
        hf_model_destroy(model);
    }
}

// A direction says something where a millionth of it lies in the surface, however long it is.
static void upright_directions(void **state)
{
    (void)state;
    const hf_mat3 turn = hf_m3_identity();
    for (int k = -4; k <= 4; ++k) {
        double size = pow(10.0, k);
        for (int flat = 0; flat < 2; ++flat) {
            hf_grain grain = {.direction = {flat == 1 ? 3e-6 * size : 3e-7 * size, 0.0, size},
                              .ratio = 0.5};
            hf_contact_place place = {.n = {0.0, 0.0, 1.0}};
            assert_true(hf_grain_turn(&grain, &turn, &place) == (flat == 1));
        }
    }
}

// Which number was too small: of points, and of pairs of bodies.
static void what_has_no_room(void **state)
{
    (void)state;
    static char text[TEXT];
    int length = snprintf(text, TEXT, "bodies:\n");
    for (int i = 0; i < 40; ++i) {
        length += snprintf(text + length, (size_t)(TEXT - length),
                           "  a%02d: {type: rigid, mass: 1, position: [%g, 0, 0], shape: {type: "
                           "box, size: [0.1, 0.1, 0.1]}}\n",
                           i, 0.11 * i);
    }
    (void)snprintf(text + length, (size_t)(TEXT - length),
                   "forces:\n  - {name: c, type: collide, among: all, capacity: 30}\n");
    hf_model *model = model_of(text);
    hf_sim *sim = sim_with(model, (hf_method_def){.type = HF_METHOD_TIMESTEP, .step = 1e-3});
    hf_collider *c = collider_of(model);
    hf_error error = {0};
    char want[100];
    static hf_contact_point points[1000];
    int capacity = hf_collider_capacity(c);
    hf_update_poses(sim, sim->x, sim->x + model->nq);
    assert_true(capacity != c->sweep.capacity && capacity <= 1000);
    // More points than the caller has room for
    assert_int_equal(hf_collider_find(c, sim->poses, 0.02, NULL, points, 3), -1);
    assert_int_equal(hf_collider_fail(c, 0.25, &error), HF_ERROR_RANGE);
    bool pairs = strstr(error.text, "pairs of bodies near each other") != NULL;
    (void)snprintf(want, sizeof want, "'c' has more than %d %s",
                   pairs ? c->sweep.capacity : capacity,
                   pairs ? "pairs of bodies near each other" : "points of contact");
    assert_non_null(strstr(error.text, want));
    // Fewer are fine
    for (int k = 0; k < model->nq; ++k) {
        sim->x[k] *= k % 7 < 3 ? 10.0 : 1.0;
    }
    hf_update_poses(sim, sim->x, sim->x + model->nq);
    assert_int_equal(hf_collider_find(c, sim->poses, 0.02, NULL, points, 1000), 0);
    assert_int_equal(hf_collider_fail(c, 0.25, &error), HF_OK);
    hf_collider_destroy(c);
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs_by_the_rules),
        cmocka_unit_test(more_friction_first),
        cmocka_unit_test(upright_directions),
        cmocka_unit_test(what_has_no_room),
    };
    return hf_run_tests(tests);
}
