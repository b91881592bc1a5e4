// SPDX-License-Identifier: Apache-2.0
// The same machine and the same inputs give the same bits: in any order of declaration, in any
// thread, after saving and restoring, after a reset. And no step allocates.
#include <holdfast/use_law.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/names.h"
#include "machines.h"
#include "sim/sim_data.h"

enum { STEPS = 150, METHODS = 5 };

static const hf_method_type FIXED_STEP[METHODS] = {HF_METHOD_EULER, HF_METHOD_SEMI_IMPLICIT_EULER,
                                                   HF_METHOD_RK4, HF_METHOD_RK4_TAU,
                                                   HF_METHOD_DISCRETE};

// ------------------------------------------------------------------------------------------------
// Runs. The state vector is laid out by names, so that it can be compared between orders.

static void step(hf_sim *sim)
{
    hf_error error = {0};
    hf_signal input = hf_model_find_signal(hf_sim_model(sim), "input");
    if (input.id != 0) {
        hf_sim_set_input(sim, input, sin(30.0 * hf_sim_time(sim)));
    }
    if (hf_sim_step(sim, &error) != HF_OK) {
        fail_msg("%s", error.text);
    }
}

static unsigned long long add_state(unsigned long long hash, const hf_sim *sim)
{
    const hf_model *model = hf_sim_model(sim);
    hash = hf_hash_bytes(hash, &sim->core->time, sizeof(double));
    hash = hf_hash_bytes(hash, sim->x, (size_t)model->n * sizeof(double));
    for (int i = 0; i < model->force_count; ++i) {
        hash = hf_hash_bytes(hash, sim->tallies[i].seconds, sizeof sim->tallies[i].seconds);
    }
    return hash;
}

// Hash of the whole trajectory from now on.
static unsigned long long run(hf_sim *sim, int steps)
{
    unsigned long long hash = add_state(0, sim);
    for (int i = 0; i < steps; ++i) {
        step(sim);
        hash = add_state(hash, sim);
    }
    return hash;
}

static hf_sim *open_sim(const hf_model *model)
{
    hf_error error = {0};
    hf_sim *sim = hf_sim_create(model, NULL, &error);
    if (sim == NULL) {
        fail_msg("%s", error.text);
    }
    return sim;
}

static unsigned long long hash_of_model(const hf_model *model, int steps)
{
    hf_sim *sim = open_sim(model);
    unsigned long long hash = run(sim, steps);
    hf_sim_destroy(sim);
    return hash;
}

static void set_method(hf_machine *machine, hf_method_type type)
{
    machine->method =
        (hf_method_def){.type = type, .step = type == HF_METHOD_RK4_TAU ? 1e-3 : 2e-4};
}

static unsigned long long hash_of_machine(const hf_machine *machine, hf_rng *shuffle)
{
    hf_model *model = hf_machine_compile(machine, shuffle);
    unsigned long long hash = hash_of_model(model, STEPS);
    hf_model_destroy(model);
    return hash;
}

// ------------------------------------------------------------------------------------------------

// [Kikuuwe2008]: the loops of (13) are order-insensitive.
static void order_of_declaration(void **state)
{
    (void)state;
    hf_rng rng = hf_rng_create(21);
    hf_machine machine = hf_machine_rich();
    for (int i = 0; i < METHODS; ++i) {
        set_method(&machine, FIXED_STEP[i]);
        unsigned long long wanted = hash_of_machine(&machine, NULL);
        for (int k = 0; k < 6; ++k) {
            if (hash_of_machine(&machine, &rng) != wanted) {
                fail_msg("method %s: another order of declaration gives other bits",
                         hf_method_name(machine.method.type));
            }
        }
    }
}

static void order_of_declaration_random(void **state)
{
    (void)state;
    hf_rng rng = hf_rng_create(22);
    static const hf_coupling_type types[] = {HF_COUPLING_COORDINATE, HF_COUPLING_POINTS,
                                             HF_COUPLING_DISTANCE};
    for (int k = 0; k < 20; ++k) {
        hf_machine machine = hf_machine_create();
        machine.gravity = hf_random_vector(&rng, 5.0);
        for (int i = 0; i < 3; ++i) {
            (void)hf_machine_random_mass(&machine, &rng, hf_rng_int(&rng, 1, 3));
            (void)hf_machine_random_rigid(&machine, &rng);
            (void)hf_machine_random_tree(&machine, &rng, hf_rng_int(&rng, 1, 5), i == 0);
        }
        (void)hf_machine_random_driven(&machine, &rng, 2);
        for (int i = 0; i < 12; ++i) {
            int force = hf_machine_random_coupling(&machine, &rng, types[i % 3], 1);
            hf_part *part = &machine.parts[force];
            part->force.law = HF_LAW_SPRING;
            part->law.spring = (hf_spring_def){.stiffness = 20.0, .damping = 0.1};
        }
        unsigned long long wanted = hash_of_machine(&machine, NULL);
        for (int i = 0; i < 3; ++i) {
            assert_true(hash_of_machine(&machine, &rng) == wanted);
        }
    }
}

// The hash sees a change in the last bit of one number.
static void hash_is_not_blind(void **state)
{
    (void)state;
    hf_machine machine = hf_machine_rich();
    unsigned long long wanted = hash_of_machine(&machine, NULL);
    for (int i = 0; i < machine.count; ++i) {
        if (machine.parts[i].kind == HF_PART_MASS) {
            hf_machine other = machine;
            double *mass = &other.parts[i].mass.mass;
            *mass = nextafter(*mass, 10.0);
            assert_true(hash_of_machine(&other, NULL) != wanted);
        }
    }
}

typedef struct thread_run {
    const hf_model *model;
    unsigned long long hash;
} thread_run;

static void *run_in_thread(void *argument)
{
    thread_run *one = argument;
    one->hash = hash_of_model(one->model, STEPS);
    return NULL;
}

static void threads_share_a_model(void **state)
{
    (void)state;
    hf_machine machine = hf_machine_rich();
    hf_model *model = hf_machine_compile(&machine, NULL);
    unsigned long long wanted = hash_of_model(model, STEPS);
    enum { THREADS = 4 };
    pthread_t threads[THREADS];
    thread_run runs[THREADS];
    for (int i = 0; i < THREADS; ++i) {
        runs[i] = (thread_run){.model = model};
        assert_int_equal(pthread_create(&threads[i], NULL, run_in_thread, &runs[i]), 0);
    }
    for (int i = 0; i < THREADS; ++i) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
        assert_true(runs[i].hash == wanted);
    }
    hf_model_destroy(model);
}

// Looking at a sim changes nothing.
static void queries_change_nothing(void **state)
{
    (void)state;
    hf_machine machine = hf_machine_rich();
    hf_model *model = hf_machine_compile(&machine, NULL);
    unsigned long long wanted = hash_of_model(model, STEPS);
    hf_sim *sim = open_sim(model);
    unsigned long long hash = add_state(0, sim);
    int count = hf_model_channel_count(model);
    for (int i = 0; i < STEPS; ++i) {
        for (int c = 1; c <= count; ++c) {
            (void)hf_sim_value(sim, (hf_channel){c});
        }
        (void)hf_sim_energy(sim);
        (void)hf_sim_point(sim, (hf_frame){.body = hf_model_find_body(model, "arm.tip")});
        (void)hf_sim_stability(sim, (hf_force){1 + i % hf_model_get_info(model).forces});
        step(sim);
        hash = add_state(hash, sim);
    }
    assert_true(hash == wanted);
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

static void reset_is_a_new_start(void **state)
{
    (void)state;
    hf_machine machine = hf_machine_rich();
    hf_model *model = hf_machine_compile(&machine, NULL);
    hf_sim *sim = open_sim(model);
    unsigned long long first = run(sim, STEPS);
    hf_sim_stats stats = hf_sim_get_stats(sim);
    hf_sim_reset(sim);
    hf_check_near(hf_sim_time(sim), 0.0, 0.0, "time", "a reset sim");
    assert_int_equal(hf_sim_get_stats(sim).steps, 0);
    assert_true(run(sim, STEPS) == first);
    hf_sim_stats again = hf_sim_get_stats(sim);
    assert_true(again.steps == stats.steps && again.evaluations == stats.evaluations &&
                again.largest_penetration == stats.largest_penetration);
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

// ------------------------------------------------------------------------------------------------
// Save and restore

static void save_and_restore(void **state)
{
    (void)state;
    hf_machine machine = hf_machine_rich();
    hf_error error = {0};
    for (int i = 0; i < METHODS; ++i) {
        set_method(&machine, FIXED_STEP[i]);
        hf_model *model = hf_machine_compile(&machine, NULL);
        hf_sim *sim = open_sim(model), *other = open_sim(model);
        void *saved = malloc(hf_sim_save_size(sim));
        assert_non_null(saved);
        for (int k = 0; k < 5; ++k) {
            (void)run(sim, 23);
            hf_sim_save(sim, saved);
            size_t size = hf_sim_save_size(sim);
            unsigned long long going_on = run(sim, 40);
            assert_int_equal(hf_sim_restore(other, saved, size, &error), HF_OK);
            assert_true(run(other, 40) == going_on);
            assert_int_equal(hf_sim_restore(sim, saved, size, &error), HF_OK);
            assert_true(run(sim, 40) == going_on);
            assert_true(hf_sim_get_stats(sim).steps == hf_sim_get_stats(other).steps);
        }
        free(saved);
        hf_sim_destroy(other);
        hf_sim_destroy(sim);
        hf_model_destroy(model);
    }
}

// A saved state from the machine declared in another order fits too.
static void restore_from_another_order(void **state)
{
    (void)state;
    hf_rng rng = hf_rng_create(23);
    hf_machine machine = hf_machine_rich();
    // A second input, whose value must not be mistaken for the first's.
    hf_machine_add(&machine, HF_PART_SIGNAL, "input-b!")->signal.type = HF_SIGNAL_INPUT;
    hf_part *push = hf_machine_add(&machine, HF_PART_FORCE, "push-b!");
    push->force.law = HF_LAW_FORCE;
    push->signals[0] = machine.count - 2;
    for (int i = 0; i < machine.count; ++i) {
        push->on = machine.parts[i].kind == HF_PART_MASS && push->on < 0 ? i : push->on;
    }
    hf_error error = {0};
    hf_model *model = hf_machine_compile(&machine, NULL);
    hf_sim *sim = open_sim(model);
    hf_sim_set_input(sim, hf_model_find_signal(model, "input-b"), 0.75);
    (void)run(sim, 20);
    size_t size = hf_sim_save_size(sim);
    void *saved = malloc(size);
    assert_non_null(saved);
    hf_sim_save(sim, saved);
    unsigned long long going_on = run(sim, 30);
    for (int k = 0; k < 8; ++k) {
        hf_model *shuffled = hf_machine_compile(&machine, &rng);
        hf_sim *other = open_sim(shuffled);
        assert_int_equal(hf_sim_restore(other, saved, size, &error), HF_OK);
        assert_true(run(other, 30) == going_on);
        hf_sim_destroy(other);
        hf_model_destroy(shuffled);
    }
    free(saved);
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

// Refuses `saved` and stays as it was.
static void check_refused(hf_sim *sim, const void *saved, size_t size)
{
    hf_error error = {0};
    unsigned long long before = add_state(0, sim);
    assert_int_equal(hf_sim_restore(sim, saved, size, &error), HF_ERROR_STATE);
    assert_int_equal(error.status, HF_ERROR_STATE);
    assert_true(strlen(error.text) > 0);
    assert_true(add_state(0, sim) == before);
}

static void restore_refuses(void **state)
{
    (void)state;
    hf_machine machine = hf_machine_rich();
    hf_model *model = hf_machine_compile(&machine, NULL);
    hf_sim *sim = open_sim(model);
    size_t size = hf_sim_save_size(sim);
    unsigned char *saved = calloc(size + 1, 1);
    assert_non_null(saved);
    check_refused(sim, saved, size); // zeros
    hf_sim_save(sim, saved);
    check_refused(sim, saved, size - 1);
    check_refused(sim, saved, size + 1);
    check_refused(sim, saved, 0);
    // Another step, another method
    hf_sim_def def = hf_sim_def_default(model);
    hf_error error = {0};
    def.method.step *= 0.5;
    hf_sim *finer = hf_sim_create(model, &def, &error);
    def = hf_sim_def_default(model);
    def.method.type = HF_METHOD_RK4;
    hf_sim *other_method = hf_sim_create(model, &def, &error);
    check_refused(finer, saved, size);
    check_refused(other_method, saved, size);
    hf_sim_destroy(finer);
    hf_sim_destroy(other_method);
    // The same machine under another name of one part, and with another signal
    hf_machine renamed = machine;
    for (int i = 0; i < renamed.count; ++i) {
        hf_machine one = machine;
        if (one.parts[i].kind == HF_PART_TREE) {
            continue; // its joints tell
        }
        one.parts[i].name[0] = 'X';
        hf_model *other = hf_machine_compile(&one, NULL);
        hf_sim *other_sim = open_sim(other);
        check_refused(other_sim, saved, size);
        hf_sim_destroy(other_sim);
        hf_model_destroy(other);
    }
    free(saved);
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

// A mass on a spring; numbers: mass, stiffness, damping, gravity, first value of its input.
static hf_model *block(const double numbers[5])
{
    hf_error error = {0};
    hf_spec *spec = hf_spec_create();
    assert_non_null(spec);
    assert_int_equal(hf_spec_set_gravity(spec, (hf_vec3){0.0, 0.0, numbers[3]}, &error), HF_OK);
    hf_mass_def mass = hf_mass_def_default();
    mass.name = "block";
    mass.mass = numbers[0];
    hf_body body = hf_spec_add_mass(spec, &mass, &error);
    hf_signal_def input = hf_signal_def_default();
    input.name = "input";
    input.type = HF_SIGNAL_CONSTANT;
    input.value = numbers[4];
    assert_int_not_equal(hf_spec_add_signal(spec, &input, &error).id, 0);
    hf_spring_def spring = hf_spring_def_default();
    spring.stiffness = numbers[1];
    spring.damping = numbers[2];
    hf_force_def force = hf_force_def_default();
    force.name = "spring";
    force.coupling = hf_coupling_def_default(HF_COUPLING_COORDINATE);
    force.coupling.on_coordinate.body = body;
    hf_force_use_spring(&force, &spring);
    if (hf_spec_add_force(spec, &force, &error).id == 0) {
        fail_msg("%s", error.text);
    }
    hf_model *model = hf_model_compile(spec, &error);
    if (model == NULL) {
        fail_msg("%s", error.text);
    }
    hf_spec_destroy(spec);
    return model;
}

// The state of a machine is not that of one with other numbers.
static void restore_refuses_other_numbers(void **state)
{
    (void)state;
    const double numbers[5] = {1.0, 90.0, 2.0, -9.81, 0.5};
    hf_model *model = block(numbers);
    hf_sim *sim = open_sim(model);
    size_t size = hf_sim_save_size(sim);
    void *saved = malloc(size);
    assert_non_null(saved);
    hf_sim_save(sim, saved);
    for (int i = -1; i < 5; ++i) {
        double changed[5];
        memcpy(changed, numbers, sizeof changed);
        if (i >= 0) {
            changed[i] *= 1.0 + 1e-12;
        }
        hf_model *other = block(changed);
        hf_sim *other_sim = open_sim(other);
        if (i >= 0) {
            check_refused(other_sim, saved, size);
        } else { // the same numbers, compiled again
            assert_int_equal(hf_sim_restore(other_sim, saved, size, NULL), HF_OK);
        }
        hf_sim_destroy(other_sim);
        hf_model_destroy(other);
    }
    free(saved);
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

// Any changed byte is found.
static void restore_refuses_damage(void **state)
{
    (void)state;
    hf_rng rng = hf_rng_create(11);
    hf_machine machine = hf_machine_rich();
    hf_model *model = hf_machine_compile(&machine, NULL);
    hf_sim *sim = open_sim(model);
    size_t size = hf_sim_save_size(sim);
    unsigned char *saved = malloc(size);
    assert_non_null(saved);
    (void)run(sim, 20);
    hf_sim_save(sim, saved);
    for (int i = 0; i < 400; ++i) {
        size_t place = hf_rng_bits(&rng) % size;
        unsigned char change = (unsigned char)(1 + hf_rng_bits(&rng) % 255);
        saved[place] ^= change;
        check_refused(sim, saved, size);
        saved[place] ^= change;
    }
    assert_int_equal(hf_sim_restore(sim, saved, size, NULL), HF_OK);
    free(saved);
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

// ------------------------------------------------------------------------------------------------
// Memory

static void steps_do_not_allocate(void **state)
{
    (void)state;
    hf_machine machine = hf_machine_rich();
    for (int i = 0; i < METHODS; ++i) {
        set_method(&machine, FIXED_STEP[i]);
        hf_model *model = hf_machine_compile(&machine, NULL);
        hf_sim *sim = open_sim(model);
        int count = hf_model_channel_count(model);
        size_t size = hf_sim_save_size(sim);
        void *saved = malloc(size);
        hf_error error = {0};
        hf_signal input = hf_model_find_signal(model, "input");
        long long before = hf_test_allocations();
        for (int k = 0; k < 50; ++k) {
            hf_sim_set_input(sim, input, 0.01 * k);
            assert_int_equal(hf_sim_step(sim, &error), HF_OK);
            for (int c = 1; c <= count; ++c) {
                (void)hf_sim_value(sim, (hf_channel){c});
            }
            (void)hf_sim_stability(sim, (hf_force){1});
            (void)hf_sim_energy(sim);
        }
        hf_sim_save(sim, saved);
        assert_int_equal(hf_sim_restore(sim, saved, size, &error), HF_OK);
        hf_sim_reset(sim);
        assert_int_equal(hf_test_allocations() - before, 0);
        free(saved);
        hf_sim_destroy(sim);
        hf_model_destroy(model);
    }
}

typedef struct counter {
    int allocated, released;
    size_t offset; // of what is handed out, from malloc's alignment
    void *block;
} counter;

static void *count_allocate(void *context, size_t size)
{
    counter *c = context;
    c->allocated += 1;
    c->block = malloc(size + 64);
    return c->block == NULL ? NULL : (char *)c->block + c->offset;
}

static void count_release(void *context, void *memory)
{
    counter *c = context;
    c->released += 1;
    assert_ptr_equal(memory, (char *)c->block + c->offset);
    free(c->block);
}

static void *refuse(void *context, size_t size)
{
    (void)context;
    (void)size;
    return NULL;
}

static void one_allocation(void **state)
{
    (void)state;
    hf_machine machine = hf_machine_rich();
    hf_model *model = hf_machine_compile(&machine, NULL);
    unsigned long long wanted = hash_of_model(model, 20);
    hf_error error = {0};
    for (size_t offset = 0; offset < 64; offset += 16) { // alignment of any object
        counter count = {.offset = offset};
        hf_sim_def def = hf_sim_def_default(model);
        def.allocator = (hf_allocator){count_allocate, count_release, &count};
        long long before = hf_test_allocations();
        hf_sim *sim = hf_sim_create(model, &def, &error);
        assert_non_null(sim);
        assert_int_equal(hf_test_allocations() - before, 1); // the counter's own malloc
        assert_true(run(sim, 20) == wanted);
        hf_sim_destroy(sim);
        assert_int_equal(count.allocated, 1);
        assert_int_equal(count.released, 1);
    }
    hf_sim_def def = hf_sim_def_default(model);
    def.allocator.allocate = refuse;
    assert_null(hf_sim_create(model, &def, &error));
    assert_int_equal(error.status, HF_ERROR_MEMORY);
    hf_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(order_of_declaration),   cmocka_unit_test(order_of_declaration_random),
        cmocka_unit_test(hash_is_not_blind),      cmocka_unit_test(threads_share_a_model),
        cmocka_unit_test(queries_change_nothing), cmocka_unit_test(reset_is_a_new_start),
        cmocka_unit_test(save_and_restore),       cmocka_unit_test(restore_from_another_order),
        cmocka_unit_test(restore_refuses),        cmocka_unit_test(restore_refuses_other_numbers),
        cmocka_unit_test(restore_refuses_damage), cmocka_unit_test(steps_do_not_allocate),
        cmocka_unit_test(one_allocation),
    };
    return hf_run_tests(tests);
}
