// SPDX-License-Identifier: Apache-2.0
// Spheres settling on a plane and on each other: cost of a step by the number of contacts.
#include <stdio.h>
#include <stdlib.h>

#include <holdfast/sim.h>

#include "../bench.h"
#include "spheres.h"

static void stop(const hf_error *error)
{
    fprintf(stderr, "bench-spheres: %s\n", error->text);
    exit(1);
}

static void add_sphere(hf_spec *spec, int count, int i, hf_body *body)
{
    hf_error error = {0};
    char name[32], floor_name[40];
    double p[3], inertia = 0.4 * SPHERES_RADIUS * SPHERES_RADIUS;
    spheres_start(count, i, p);
    (void)snprintf(name, sizeof name, "s%05d", i);
    (void)snprintf(floor_name, sizeof floor_name, "floor%05d", i);
    hf_rigid_def def = hf_rigid_def_default();
    def.name = name;
    def.mass = 1.0;
    def.inertia = (hf_sym3){inertia, inertia, inertia, 0.0, 0.0, 0.0};
    def.shape = (hf_shape){.type = HF_SHAPE_SPHERE, .size = {.x = SPHERES_RADIUS}};
    def.position = (hf_vec3){p[0], p[1], p[2]};
    *body = hf_spec_add_rigid(spec, &def, &error);
    hf_rigid_contact_def law = hf_rigid_contact_def_default();
    hf_force_def contact = hf_force_def_default();
    contact.name = floor_name;
    contact.coupling = hf_coupling_def_default(HF_COUPLING_PLANE);
    contact.coupling.on_frame.body = *body;
    contact.coupling.radius = SPHERES_RADIUS;
    contact.law = HF_LAW_RIGID_CONTACT;
    contact.def = &law;
    if (body->id == 0 || hf_spec_add_force(spec, &contact, &error).id == 0) {
        stop(&error);
    }
}

static hf_model *build(int count, hf_force *heap)
{
    hf_error error = {0};
    hf_spec *spec = hf_spec_create();
    hf_body *bodies = malloc((size_t)count * sizeof *bodies);
    if (spec == NULL || bodies == NULL) {
        exit(1);
    }
    for (int i = 0; i < count; i++) {
        add_sphere(spec, count, i, &bodies[i]);
    }
    hf_rigid_contact_def law = hf_rigid_contact_def_default();
    hf_force_def all = hf_force_def_default();
    all.name = "heap";
    all.coupling = hf_coupling_def_default(HF_COUPLING_SWARM);
    all.coupling.members = bodies;
    all.coupling.member_count = count;
    all.law = HF_LAW_RIGID_CONTACT;
    all.def = &law;
    *heap = hf_spec_add_force(spec, &all, &error);
    if (heap->id == 0 || hf_spec_set_gravity(spec, (hf_vec3){0.0, 0.0, -9.81}, &error) < 0 ||
        hf_spec_set_method(spec, (hf_method_def){.type = HF_METHOD_RK4, .step = SPHERES_STEP},
                           &error) < 0) {
        stop(&error);
    }
    hf_model *model = hf_model_compile(spec, &error);
    if (model == NULL) {
        stop(&error);
    }
    free(bodies);
    hf_spec_destroy(spec);
    return model;
}

// Floor contacts that are closed, and pairs that touch.
static int contacts(const hf_sim *sim, hf_force heap, hf_channel *normals, int count)
{
    int closed = hf_sim_force_stats(sim, heap).touching;
    for (int i = 0; i < count; i++) {
        closed += hf_sim_value((hf_sim *)sim, normals[i]) > 0.0;
    }
    return closed;
}

static spheres_result run(int count)
{
    enum { REPETITIONS = 3 };
    hf_error error = {0};
    hf_force heap;
    hf_model *model = build(count, &heap);
    hf_sim *sim = hf_sim_create(model, NULL, &error);
    hf_channel *normals = malloc((size_t)count * sizeof *normals);
    if (sim == NULL || normals == NULL) {
        stop(&error);
    }
    for (int i = 0; i < count; i++) {
        char name[48];
        (void)snprintf(name, sizeof name, "floor%05d.normal", i);
        normals[i] = hf_model_find_channel(model, name);
    }
    spheres_result result = {.seconds_per_step = HUGE_VAL};
    const int steps = (int)lround(SPHERES_SECONDS / SPHERES_STEP);
    hf_bench_parts parts = hf_bench_parts_start();
    for (int r = 0; r < REPETITIONS; r++) {
        hf_sim_reset(sim);
        result.contacts = 0.0;
        for (int part = 0; part < HF_BENCH_PARTS; part++) {
            double start = hf_bench_now();
            for (int i = 0; i < steps / HF_BENCH_PARTS; i++) {
                if (hf_sim_step(sim, &error) < 0) {
                    stop(&error);
                }
            }
            hf_bench_part(&parts, part, hf_bench_now() - start);
            result.contacts += contacts(sim, heap, normals, count) / (double)HF_BENCH_PARTS;
        }
    }
    result.seconds_per_step = hf_bench_parts_sum(&parts) / steps;
    result.penetration = hf_sim_get_stats(sim).largest_penetration;
    result.speed = sqrt(2.0 * hf_sim_energy(sim).kinetic / count);
    hf_sim_destroy(sim);
    hf_model_destroy(model);
    free(normals);
    return result;
}

int main(void)
{
    static const int counts[] = {10, 100, 1000};
    double least = HUGE_VAL, most = 0.0;
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        int count = counts[i];
        char label[80];
        spheres_result ours = run(count);
        double per_contact = 1e9 * ours.seconds_per_step / (ours.contacts + count);
        printf(
            "spheres %5d: %9.2f us per RK4 step, %7.1f contacts, %6.1f ns per sphere and contact, "
            "deepest %.2g m, rms %.2g m/s\n",
            count, 1e6 * ours.seconds_per_step, ours.contacts, per_contact, ours.penetration,
            ours.speed);
        (void)snprintf(label, sizeof label, "%d spheres settling, step", count);
        hf_bench_result(label, 1e6 * ours.seconds_per_step, "us/step", "-");
        least = fmin(least, per_contact);
        most = fmax(most, per_contact);
#ifdef HF_BENCH_MUJOCO
        spheres_result theirs;
        if (spheres_mujoco(count, &theirs) != 0) {
            return 1;
        }
        printf(
            "    MuJoCo:    %9.2f us per step,     %7.1f contacts, deepest %.2g m, rms %.2g m/s\n",
            1e6 * theirs.seconds_per_step, theirs.contacts, theirs.penetration, theirs.speed);
        (void)snprintf(label, sizeof label, "%d spheres, MuJoCo's step / this", count);
        hf_bench_result(label, theirs.seconds_per_step / ours.seconds_per_step, "times", "-");
#endif
    }
    hf_bench_result("spheres, dearest / cheapest sphere and contact", most / least, "times",
                    "<= 3");
    return 0;
}
