// SPDX-License-Identifier: Apache-2.0
// A machine twice, with and without shortcuts: both must have the same bits.
#include "twins.h"

void keep_busy(twins *t)
{
    hf_timestep_of(t->busy)->repeat.possible = false;
    hf_timestep_of(t->busy)->sleep.anew = true;
}

twins twins_of(const char *text)
{
    twins t = {.model = model_of(text)};
    hf_sim_def def = hf_sim_def_default(t.model);
    def.methods[0] = hf_contact_methods();
    t.quiet = sim_from(t.model, &def);
    t.busy = sim_from(t.model, &def);
    for (int k = 0; k < 2; ++k) {
        t.states[k] = calloc(1, hf_sim_save_size(t.quiet));
        assert_non_null(t.states[k]);
    }
    keep_busy(&t);
    return t;
}

long long steps_taken(const twins *t)
{
    assert_int_equal(hf_timestep_of(t->busy)->repeat.taken, 0);
    return t->taken + hf_timestep_of(t->quiet)->repeat.taken;
}

void close_twins(twins *t)
{
    free(t->states[0]);
    free(t->states[1]);
    hf_sim_destroy(t->quiet);
    hf_sim_destroy(t->busy);
    hf_model_destroy(t->model);
}

// All that a saved state has: bodies, reactions, tallies, counters.
void compare_twins(twins *t, int piece)
{
    size_t size = hf_sim_save_size(t->quiet);
    hf_sim_save(t->quiet, t->states[0]);
    hf_sim_save(t->busy, t->states[1]);
    for (size_t i = 0; i < size; ++i) {
        if (t->states[0][i] != t->states[1][i]) {
            fail_msg("piece %d, t = %g s: byte %zu of %zu of the saved states differs", piece,
                     hf_sim_time(t->quiet), i, size);
        }
    }
}

void compare_channels(twins *t)
{
    for (int id = 1; id <= hf_model_channel_count(t->model); ++id) {
        hf_check_same_bits(hf_sim_value(t->quiet, (hf_channel){id}),
                           hf_sim_value(t->busy, (hf_channel){id}), "channel");
    }
}

void compare_contacts(twins *t)
{
    enum { ROOM = 400 };
    static hf_contact_view a[ROOM], b[ROOM];
    int count = hf_sim_contacts(t->quiet, a, ROOM);
    assert_int_equal(count, hf_sim_contacts(t->busy, b, ROOM));
    for (int i = 0; i < count && i < ROOM; ++i) {
        hf_check_same_bits(a[i].push.x, b[i].push.x, "contact force");
        hf_check_same_bits(a[i].push.z, b[i].push.z, "contact force");
        hf_check_same_bits(a[i].gap, b[i].gap, "gap");
    }
}

void step_twins(twins *t, int piece)
{
    step(t->quiet);
    step(t->busy);
    compare_twins(t, piece);
}

static hf_body a_body(const twins *t, hf_rng *rng)
{
    hf_body body;
    do {
        body.id = hf_rng_int(rng, 1, hf_model_get_info(t->model).bodies);
    } while (hf_model_body_info(t->model, body).type != HF_BODY_RIGID);
    return body;
}

void disturb_twins(twins *t, hf_rng *rng)
{
    hf_error error = {0};
    hf_sim *sims[2] = {t->quiet, t->busy};
    hf_body body = a_body(t, rng);
    hf_signal push = hf_model_find_signal(t->model, "push");
    size_t size = hf_sim_save_size(t->quiet);
    double numbers[7], value = hf_rng_uniform(rng, -20.0, 20.0);
    int what = hf_rng_int(rng, 0, 7);
    if (what == 5) { // before anything else touches them
        hf_sim_save(t->quiet, t->states[0]);
    }
    for (int k = 0; k < 2; ++k) {
        hf_sim *sim = sims[k];
        switch (what) {
        case 0:
            hf_sim_set_input(sim, push, value);
            break;
        case 1: // the value that it has
            hf_sim_set_input(sim, push, hf_sim_signal(sim, push));
            break;
        case 2:
            memcpy(numbers, hf_sim_velocity(sim, body), 6 * sizeof *numbers);
            numbers[0] += 0.002 * value;
            assert_int_equal(hf_sim_set_velocity(sim, body, numbers, &error), HF_OK);
            break;
        case 3:
            memcpy(numbers, hf_sim_position(sim, body), 7 * sizeof *numbers);
            numbers[2] += 0.01;
            assert_int_equal(hf_sim_set_position(sim, body, numbers, &error), HF_OK);
            break;
        case 4:
            (void)hf_sim_energy(sim);
            break;
        case 5:
            assert_int_equal(hf_sim_restore(sim, t->states[0], size, &error), HF_OK);
            break;
        case 6:
            t->taken += k == 0 ? hf_timestep_of(sim)->repeat.taken : 0;
            assert_int_equal(
                hf_sim_set_parameter(sim, "touch.friction", 0.5 + 0.01 * value, &error), HF_OK);
            break;
        default: // a piece of a step
            assert_int_equal(hf_sim_advance(sim, hf_sim_time(sim) + 7e-4, false, &error), HF_OK);
        }
    }
    keep_busy(t);
}
