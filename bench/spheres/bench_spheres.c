// SPDX-License-Identifier: Apache-2.0
// Spheres settling on a plane and on each other: cost of a step by the number of spheres and
// contacts. A larger heap has more pairs for each sphere, so that heaps of different sizes do not
// tell whether the cost is linear; ten, a hundred and a thousand spheres in heaps of ten do.
#include <stdio.h>
#include <stdlib.h>

#include <holdfast/sim.h>
#include <holdfast/use_law.h>

#include "../bench.h"
#include "spheres.h"

static void stop(const hf_error *error)
{
    fprintf(stderr, "bench-spheres: %s\n", error->text);
    exit(1);
}

static void add_sphere(hf_spec *spec, const spheres_scene *scene, int i, hf_body *body)
{
    hf_error error = {0};
    char name[32], floor_name[40];
    double p[3], inertia = 0.4 * SPHERES_RADIUS * SPHERES_RADIUS;
    spheres_start(scene, i, p);
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
    hf_force_use_rigid_contact(&contact, &law);
    if (body->id == 0 || hf_spec_add_force(spec, &contact, &error).id == 0) {
        stop(&error);
    }
}

static hf_model *build(const spheres_scene *scene, hf_force *heap)
{
    const int count = scene->count;
    hf_error error = {0};
    hf_spec *spec = hf_spec_create();
    hf_body *bodies = malloc((size_t)count * sizeof *bodies);
    if (spec == NULL || bodies == NULL) {
        exit(1);
    }
    for (int i = 0; i < count; i++) {
        add_sphere(spec, scene, i, &bodies[i]);
    }
    hf_rigid_contact_def law = hf_rigid_contact_def_default();
    hf_force_def all = hf_force_def_default();
    all.name = "heap";
    all.coupling = hf_coupling_def_default(HF_COUPLING_SWARM);
    all.coupling.members = bodies;
    all.coupling.member_count = count;
    hf_force_use_rigid_contact(&all, &law);
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

static spheres_result run(const spheres_scene *scene)
{
    enum { REPETITIONS = 3 };
    const int count = scene->count;
    hf_error error = {0};
    hf_force heap;
    hf_model *model = build(scene, &heap);
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
    const int steps = (int)lround(scene->seconds / SPHERES_STEP);
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
    result.near = hf_sim_force_stats(sim, heap).pairs;
    result.penetration = hf_sim_get_stats(sim).largest_penetration;
    result.speed = sqrt(2.0 * hf_sim_energy(sim).kinetic / count);
    hf_sim_destroy(sim);
    hf_model_destroy(model);
    free(normals);
    return result;
}

static double per_contact(const spheres_scene *scene, const spheres_result *r)
{
    return r->seconds_per_step / (scene->count + r->contacts);
}

static void print_run(const char *who, const spheres_scene *scene, const spheres_result *r)
{
    char near[40] = "";
    if (r->near >= 0.0) {
        (void)snprintf(near, sizeof near, "%.0f pairs near at the end, ", r->near);
    }
    printf("%5d spheres in heaps of %4d, %g s, %-12s %9.2f us per step, %6.1f contacts, %s"
           "deepest %.2g m, rms %.2g m/s\n",
           scene->count, scene->heap, scene->seconds, who, 1e6 * r->seconds_per_step, r->contacts,
           near, r->penetration, r->speed);
}

// One heap, for as long as it takes to settle.
static void run_heap(int count)
{
    const spheres_scene scene = {count, count, 1.0};
    spheres_result r = run(&scene);
    char label[80];
    print_run("RK4", &scene, &r);
    (void)snprintf(label, sizeof label, "heap of %d spheres, step", count);
    hf_bench_result(label, 1e6 * r.seconds_per_step, "us/step", "-");
    (void)snprintf(label, sizeof label, "heap of %d spheres, sphere and contact", count);
    hf_bench_result(label, 1e9 * per_contact(&scene, &r), "ns/step", "-");
}

// The same mix of spheres, floor and pairs in every size.
static void run_heaps_of_ten(void)
{
    static const int counts[] = {10, 100, 1000};
    double least = HUGE_VAL, most = 0.0;
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        const spheres_scene scene = {counts[i], 10, 1.0};
        spheres_result r = run(&scene);
        double each = per_contact(&scene, &r);
        char label[80];
        print_run("RK4", &scene, &r);
        (void)snprintf(label, sizeof label, "%d spheres in heaps of ten, sphere and contact",
                       counts[i]);
        hf_bench_result(label, 1e9 * each, "ns/step", "-");
        least = fmin(least, each);
        most = fmax(most, each);
    }
    hf_bench_result("heaps of ten, dearest / cheapest sphere and contact", most / least, "times",
                    "<= 1.5");
}

#ifdef HF_BENCH_MUJOCO
// The same window of simulated time for both.
static int compare(int count, double seconds)
{
    const spheres_scene scene = {count, count, seconds};
    spheres_result ours = run(&scene), theirs;
    char label[80];
    if (spheres_mujoco(&scene, &theirs) != 0) {
        return 1;
    }
    print_run("RK4", &scene, &ours);
    print_run("MuJoCo Euler", &scene, &theirs);
    (void)snprintf(label, sizeof label, "heap of %d, first %g s, MuJoCo's step / this", count,
                   seconds);
    hf_bench_result(label, theirs.seconds_per_step / ours.seconds_per_step, "times", "-");
    return 0;
}
#endif

int main(void)
{
    run_heap(10);
    run_heap(100);
    run_heap(1000);
    run_heaps_of_ten();
#ifdef HF_BENCH_MUJOCO
    // MuJoCo's step takes a second once some 700 contacts are closed: in a heap of 1,000, at 0.22 s
    return compare(10, 1.0) != 0 || compare(100, 1.0) != 0 || compare(1000, 0.2) != 0;
#else
    return 0;
#endif
}
