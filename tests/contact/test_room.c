// SPDX-License-Identifier: Apache-2.0
// Room for contacts at creation: with enough of it no step allocates, from the first one on; with
// too little it is told; the motion is the same to the bit.
#include <hf_machine.h>

enum { TEXT = 4000, STEPS = 400 };

// A pile that falls together: contacts come and go, of many pairs.
static const char *pile(char text[TEXT])
{
    static const char *const shapes[] = {
        "{type: box, size: [0.2, 0.2, 0.1]}", "{type: sphere, radius: 0.08}",
        "{type: capsule, radius: 0.06, length: 0.1}", "{type: cylinder, radius: 0.1, length: 0.1}"};
    hf_rng rng = hf_rng_create(7);
    int length = snprintf(text, TEXT,
                          "gravity: [0, 0, -9.81]\n"
                          "method: {type: timestep, step: 2e-3}\n"
                          "bodies:\n"
                          "  ground: {type: static, shape: {type: box, size: [9, 9, 1]},\n"
                          "    position: [0, 0, -0.5]}\n");
    for (int i = 0; i < 12; ++i) {
        length +=
            snprintf(text + length, (size_t)(TEXT - length),
                     "  b%d: {type: rigid, mass: 1, shape: %s, position: [%.3f, %.3f, %.3f]}\n", i,
                     shapes[i % 4], hf_rng_uniform(&rng, -0.1, 0.1),
                     hf_rng_uniform(&rng, -0.1, 0.1), 0.12 + 0.22 * i);
    }
    (void)snprintf(text + length, (size_t)(TEXT - length),
                   "forces:\n"
                   "  - {name: all, type: collide, among: all, friction: 0.4, restitution: 0.2,\n"
                   "     spin_friction: 1e-3, rolling_friction: 1e-3}\n");
    return text;
}

// Steps of a fresh sim, how often they allocated, and where they led.
static hf_sim *run(const hf_model *model, size_t room, long long *allocations)
{
    hf_sim_def def = hf_sim_def_default(model);
    def.room = room;
    hf_sim *sim = sim_from(model, &def);
    long long before = hf_test_allocations();
    for (int i = 0; i < STEPS; ++i) {
        step(sim);
    }
    *allocations = hf_test_allocations() - before;
    return sim;
}

static void same_end(const hf_model *model, const hf_sim *a, const hf_sim *b)
{
    const double *x = hf_sim_positions(a), *y = hf_sim_positions(b);
    for (int i = 0; i < hf_model_get_info(model).coordinates; ++i) {
        hf_check_same_bits(x[i], y[i], "coordinate");
    }
}

static void no_step_allocates(void **state)
{
    (void)state;
    char text[TEXT];
    long long plain, none, some;
    const size_t much = 8 << 20, little = 20000;
    hf_model *model = model_of(pile(text));
    hf_sim *without = run(model, 0, &plain), *with = run(model, much, &none),
           *short_of = run(model, little, &some);
    hf_sim_stats stats = hf_sim_get_stats(with);
    assert_true(stats.most_contacts > 16);
    assert_true(plain > 0); // else this test shows nothing
    assert_int_equal(none, 0);
    assert_int_equal(stats.room_missed, 0);
    assert_true(stats.room_used > (long long)little && stats.room_used <= (long long)much);
    assert_true(some > 0 && hf_sim_get_stats(short_of).room_missed > 0);
    assert_int_equal(hf_sim_get_stats(without).room_used, 0);
    same_end(model, with, without);
    same_end(model, with, short_of);
    // As much as it said is enough for the same run
    hf_sim *exact = run(model, (size_t)stats.room_used, &none);
    assert_int_equal(none, 0);
    same_end(model, exact, without);
    // Begun anew, and with other numbers, it goes on
    hf_error error = {0};
    hf_sim_reset(with);
    assert_int_equal(hf_sim_set_parameter(with, "b3.mass", 2.0, &error), HF_OK);
    for (int i = 0; i < STEPS; ++i) {
        step(with);
    }
    hf_sim_destroy(without);
    hf_sim_destroy(with);
    hf_sim_destroy(short_of);
    hf_sim_destroy(exact);
    hf_model_destroy(model);
}

// An allocator of the caller's: everything comes from it, and goes back.
typedef struct purse {
    long long taken, given;
    long long most; // pieces it hands out; then there is no memory
} purse;

static void *take(void *context, size_t size)
{
    purse *p = context;
    if (p->taken >= p->most) {
        return NULL;
    }
    p->taken += 1;
    return malloc(size);
}

static void give(void *context, void *memory)
{
    ((purse *)context)->given += memory == NULL ? 0 : 1;
    free(memory);
}

static void callers_allocator(void **state)
{
    (void)state;
    char text[TEXT];
    hf_error error = {0};
    hf_model *model = model_of(pile(text));
    purse p = {.most = 1000000};
    hf_sim_def def = hf_sim_def_default(model);
    def.allocator = (hf_allocator){take, give, &p};
    def.room = 8 << 20;
    hf_sim *sim = sim_from(model, &def);
    long long created = p.taken;
    for (int i = 0; i < STEPS; ++i) {
        step(sim);
    }
    assert_int_equal(p.taken, created);
    hf_sim_destroy(sim);
    assert_int_equal(p.taken, p.given);
    // Without memory, at any moment of the creation: an error, and nothing is lost
    for (long long most = 0; most < created; ++most) {
        p = (purse){.most = most};
        assert_null(hf_sim_create(model, &def, &error));
        assert_int_equal(error.status, HF_ERROR_MEMORY);
        assert_int_equal(p.taken, p.given);
    }
    hf_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest room[] = {
        cmocka_unit_test(no_step_allocates),
        cmocka_unit_test(callers_allocator),
    };
    return hf_run_tests(room);
}
