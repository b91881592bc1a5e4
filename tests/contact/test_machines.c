// SPDX-License-Identifier: Apache-2.0
// Method timestep on machines that are hard on it, and what must hold for every machine: no energy
// is made, reactions stay in their cones, the same inputs give the same bits, no step allocates.
#include "contact_test.h"

#include <math.h>

// ------------------------------------------------------------------------------------------------
// Swarms of spheres in a corner

enum { SPHERES = 12, TEXT = 16384 };

// Spheres thrown at random over a floor and two walls.
static const char *swarm_text(char text[TEXT], hf_rng *rng, double restitution, bool backwards)
{
    int length = snprintf(text, TEXT, "gravity: [0, 0, -9.81]\nbodies:\n");
    char bodies[SPHERES][300], planes[SPHERES][600];
    for (int i = 0; i < SPHERES; ++i) {
        double r = hf_rng_uniform(rng, 0.04, 0.06), x = 0.13 * (i % 3), y = 0.13 * (i / 3 % 2);
        (void)snprintf(bodies[i], sizeof bodies[i],
                       "  s%d: {type: rigid, mass: %.6f, shape: {type: sphere, radius: %.6f},\n"
                       "    position: [%.6f, %.6f, %.6f], velocity: [%.6f, %.6f, 0]}\n",
                       i, hf_rng_log_uniform(rng, 0.1, 10.0), r, x + 0.1, y + 0.1,
                       0.1 + 0.13 * (i / 6), hf_rng_uniform(rng, -1.0, 1.0),
                       hf_rng_uniform(rng, -1.0, 1.0));
        (void)snprintf(planes[i], sizeof planes[i],
                       "  - {name: f%d, on: s%d, type: contact, friction: 0.4, restitution: %g}\n"
                       "  - {name: x%d, on: s%d, type: contact, friction: 0.1, restitution: %g,\n"
                       "     plane: {normal: [1, 0, 0]}}\n"
                       "  - {name: y%d, on: s%d, type: contact, friction: 0, restitution: %g,\n"
                       "     plane: {normal: [0, 1, 0]}}\n",
                       i, i, restitution, i, i, restitution, i, i, restitution);
    }
    for (int i = 0; i < SPHERES; ++i) {
        length += snprintf(text + length, (size_t)(TEXT - length), "%s",
                           bodies[backwards ? SPHERES - 1 - i : i]);
    }
    length += snprintf(text + length, (size_t)(TEXT - length), "forces:\n");
    for (int i = 0; i < SPHERES; ++i) {
        length += snprintf(text + length, (size_t)(TEXT - length), "%s",
                           planes[backwards ? SPHERES - 1 - i : i]);
    }
    (void)snprintf(text + length, (size_t)(TEXT - length),
                   "  - {name: heap, type: collide, among: all, friction: 0.5, restitution: %g}\n",
                   restitution);
    return text;
}

static double mechanical(hf_sim *sim)
{
    hf_energy e = hf_sim_energy(sim);
    return e.kinetic + e.potential;
}

// Reactions are in their cones and the residual is within the tolerance, as the step said.
static void check_problem(hf_sim *sim)
{
    hf_fc3d_problem problem;
    const double *r;
    if (!hf_contact_problem(sim, &problem, &r)) {
        assert_int_equal(hf_sim_get_stats(sim).contacts, 0);
        return;
    }
    hf_error error = {0};
    double u[3 * 200], largest = 0.0;
    assert_true(problem.contacts <= 200);
    assert_int_equal(hf_fc3d_problem_check(&problem, &error), HF_OK);
    double residual = hf_fc3d_residual(&problem, HF_FC3D_SCALED, r, u);
    hf_check_below(residual, fmax(1e-8, hf_sim_get_stats(sim).residual), "residual of all islands",
                   "the step's own");
    for (int i = 0; i < 3 * problem.contacts; ++i) {
        largest = fmax(largest, fabs(r[i]));
    }
    for (int i = 0; i < problem.contacts; ++i) {
        const double *ri = r + 3 * i;
        hf_check_below(hypot(ri[1], ri[2]) - problem.mu[i] * ri[0], 1e-6 * largest + 1e-10,
                       "reaction outside its cone", "Coulomb");
    }
}

static void swarm_keeps_the_laws(hf_rng *rng, double restitution, double theta)
{
    char text[TEXT];
    hf_model *model = model_of(swarm_text(text, rng, restitution, false));
    hf_method_def method = timestep(2e-3);
    method.theta = theta;
    hf_sim *sim = sim_with(model, method);
    double before = mechanical(sim);
    for (int i = 0; i < 250; ++i) {
        step(sim);
        double now = mechanical(sim);
        // With theta below 1 an impact that went through is taken back, which lifts bodies by what
        // they should not have fallen, to first order.
        hf_check_below(now, before + (theta < 1.0 ? 1e-2 : 1e-7), "energy after a step",
                       "before it");
        before = now;
        check_problem(sim);
    }
    hf_check_below(hf_sim_get_stats(sim).worst_residual, 1e-8, "worst residual", "tolerance");
    hf_energy energy = hf_sim_energy(sim);
    assert_true(energy.stored == 0.0); // rigid contacts store nothing
    hf_check_near(energy.kinetic + energy.potential + energy.dissipated, energy.start,
                  0.02 * energy.turnover, "energy and heat", "energy at the start");
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

static void no_energy_is_made(void **state)
{
    (void)state;
    hf_rng rng = hf_rng_create(20250120);
    swarm_keeps_the_laws(&rng, 0.0, 1.0);
    swarm_keeps_the_laws(&rng, 0.6, 1.0);
    swarm_keeps_the_laws(&rng, 0.0, 0.5);
}

// ------------------------------------------------------------------------------------------------
// Restitution and friction

// A plate thrown about between four walls, with corners that bounce unlike, and friction. Without
// gravity, and with one inertia about all axes, its kinetic energy changes by impacts alone.
static long long throw_body(hf_rng *rng)
{
    static const char *const walls[] = {"{normal: [0, 0, 1]}", "{normal: [1, 0, 0]}",
                                        "{point: [0, 0, 1.6], normal: [0, 0, -1]}",
                                        "{point: [1.6, 0, 0], normal: [-1, 0, 0]}"};
    char text[TEXT];
    double v[9], inertia = hf_rng_log_uniform(rng, 0.01, 0.2);
    for (int k = 0; k < 9; ++k) {
        v[k] = hf_rng_uniform(rng, -1.0, 1.0);
    }
    int length = snprintf(
        text, TEXT,
        "bodies: {b: {type: rigid, mass: 1, inertia: [%.5f, %.5f, %.5f], position: [0.8, 0, 0.8],\n"
        "  orientation: {axis: [%.4f, %.4f, %.4f], angle: %.4f}, velocity: [%.4f, %.4f, -2],\n"
        "  angular_velocity: [%.4f, %.4f, %.4f]}}\n"
        "forces:\n",
        inertia, inertia, inertia, v[0], v[1], v[2] + 2.0, 3.0 * v[3], 4.0 * v[4], 4.0 * v[5],
        8.0 * v[6], 8.0 * v[7], 8.0 * v[8]);
    for (int i = 0; i < 16; ++i) {
        length +=
            snprintf(text + length, (size_t)(TEXT - length),
                     "  - {name: f%d, on: b, point: [%g, %g, 0], shape: {type: point},\n"
                     "     type: contact, friction: %.3f, restitution: %.3f, plane: %s}\n",
                     i, i % 2 == 0 ? -0.5 : 0.5, i / 2 % 2 == 0 ? -0.1 : 0.1,
                     hf_rng_uniform(rng, 0.0, 1.5), hf_rng_uniform(rng, 0.3, 1.0), walls[i / 4]);
    }
    hf_model *model = model_of(text);
    hf_sim *sim = sim_with(model, timestep(1e-3));
    double before = hf_sim_energy(sim).kinetic;
    for (int i = 0; i < 2000; ++i) {
        step(sim);
        double now = hf_sim_energy(sim).kinetic;
        hf_check_below(now, before * (1.0 + 1e-7), "energy after a step", "before it");
        before = now;
    }
    hf_sim_stats stats = hf_sim_get_stats(sim);
    assert_int_equal(stats.unsolved_steps, 0);
    hf_sim_destroy(sim);
    hf_model_destroy(model);
    return stats.lowered_impacts;
}

// Newton's restitution would make energy now and then: such impacts are seen, and make none.
static void no_impact_gains_energy(void **state)
{
    (void)state;
    hf_rng rng = hf_rng_create(20250304);
    long long lowered = 0;
    for (int i = 0; i < 30; ++i) {
        lowered += throw_body(&rng);
    }
    assert_true(lowered > 0);
}

// ------------------------------------------------------------------------------------------------
// Bits

static void check_same_state(hf_sim *a, hf_sim *b)
{
    for (int i = 0; i < SPHERES; ++i) {
        char name[32];
        for (int k = 0; k < 3; ++k) {
            (void)snprintf(name, sizeof name, "s%d.velocity.%c", i, "xyz"[k]);
            hf_check_same_bits(value_of(a, name), value_of(b, name), name);
        }
    }
}

static void order_of_declaration(void **state)
{
    (void)state;
    char text[TEXT];
    hf_rng rng = hf_rng_create(4), same = rng;
    hf_model *forth = model_of(swarm_text(text, &rng, 0.2, false));
    hf_model *back = model_of(swarm_text(text, &same, 0.2, true));
    hf_sim *a = sim_with(forth, timestep(2e-3)), *b = sim_with(back, timestep(2e-3));
    for (int i = 0; i < 10; ++i) {
        for (int k = 0; k < 20; ++k) {
            step(a);
            step(b);
        }
        check_same_state(a, b);
    }
    hf_sim_destroy(a);
    hf_sim_destroy(b);
    hf_model_destroy(forth);
    hf_model_destroy(back);
}

// A restored sim has the warm starts too.
static void save_and_restore(void **state)
{
    (void)state;
    char text[TEXT];
    hf_rng rng = hf_rng_create(5);
    hf_error error = {0};
    hf_model *model = model_of(swarm_text(text, &rng, 0.0, false));
    hf_sim *a = sim_with(model, timestep(2e-3)), *b = sim_with(model, timestep(2e-3));
    void *memory = malloc(hf_sim_save_size(a));
    assert_non_null(memory);
    run_until(a, 0.2);
    hf_sim_save(a, memory);
    assert_int_equal(hf_sim_restore(b, memory, hf_sim_save_size(a), &error), HF_OK);
    for (int i = 0; i < 100; ++i) {
        step(a);
        step(b);
        assert_int_equal(hf_sim_get_stats(a).iterations, hf_sim_get_stats(b).iterations);
    }
    check_same_state(a, b);
    free(memory);
    hf_sim_destroy(a);
    hf_sim_destroy(b);
    hf_model_destroy(model);
}

// A sim that has been there allocates nothing.
static void run_without_allocation(const char *text)
{
    hf_error error = {0};
    hf_model *model = model_of(text);
    hf_sim *sim = sim_with(model, timestep(2e-3));
    // Twice, because a solver that makes room for more contacts forgets what it had for fewer.
    for (int i = 0; i < 2; ++i) {
        run_until(sim, 0.6);
        hf_sim_reset(sim);
    }
    long long before = hf_test_allocations();
    for (int i = 0; i < 300; ++i) {
        assert_int_equal(hf_sim_step(sim, &error), HF_OK);
    }
    assert_int_equal(hf_test_allocations() - before, 0);
    assert_true(hf_sim_get_stats(sim).most_contacts > 16);
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

static void no_allocation(void **state)
{
    (void)state;
    char text[TEXT];
    hf_rng rng = hf_rng_create(6);
    run_without_allocation(swarm_text(text, &rng, 0.0, false));
}

// A pile of shapes with all that the method has: friction of spin and rolling, in three
// coordinates, loaded by others, restitution.
static void no_allocation_in_a_pile(void **state)
{
    (void)state;
    static const char *const shapes[] = {
        "{type: box, size: [0.2, 0.2, 0.1]}", "{type: sphere, radius: 0.08}",
        "{type: capsule, radius: 0.06, length: 0.1}", "{type: cylinder, radius: 0.1, length: 0.1}"};
    char text[TEXT];
    hf_rng rng = hf_rng_create(20250306);
    int length = snprintf(text, TEXT,
                          "gravity: [0, 0, -9.81]\n"
                          "bodies:\n"
                          "  ground: {type: static, shape: {type: box, size: [9, 9, 1]},\n"
                          "    position: [0, 0, -0.5]}\n"
                          "  guide: {type: mass, dim: 3, mass: 1, velocity: [1, 1, 0]}\n");
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
                   "     spin_friction: 1e-3, rolling_friction: 1e-3}\n"
                   "  - {name: rub, on: guide, type: friction, law: coulomb,\n"
                   "     level: {friction: 0.1}, normal: all}\n"
                   "  - {name: hold, on: b0, type: friction, law: coulomb, level: 2}\n");
    run_without_allocation(text);
}

// ------------------------------------------------------------------------------------------------
// Hard ones

// Painleve's rod: with much friction its end, pushed ahead, jams; rigid bodies then have no
// continuous motion. Over steps there is one: an impact without a collision.
static void painleves_rod(void **state)
{
    (void)state;
    hf_model *model = model_of(
        "gravity: [0, 0, -9.81]\n"
        "bodies: {rod: {type: rigid, mass: 1, inertia: [0.01, 0.0833, 0.0833],\n"
        "  position: [0, 0, 0.35], orientation: {axis: [0, 1, 0], angle: 0.7754},\n"
        "  velocity: [3, 0, 0]}}\n"
        "forces:\n"
        "  - {name: tip, on: rod, point: [0.5, 0, 0], shape: {type: point}, type: contact,\n"
        "     friction: 3, restitution: 0}\n"
        "  - {name: end, on: rod, point: [-0.5, 0, 0], shape: {type: point}, type: contact,\n"
        "     friction: 3, restitution: 0}\n");
    hf_sim *sim = sim_with(model, timestep(1e-3));
    double before = mechanical(sim);
    for (int i = 0; i < 2000; ++i) {
        step(sim);
        double now = mechanical(sim);
        hf_check_below(now, before + 1e-3, "energy after a step", "before it");
        before = now;
    }
    assert_int_equal(hf_sim_get_stats(sim).unsolved_steps, 0);
    assert_true(isfinite(value_of(sim, "rod.position.x")));
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

// A column of masses, the upper one a million times heavier: the stops carry what is above them.
static void mass_ratio(void **state)
{
    (void)state;
    hf_model *model = model_of("gravity: [0, 0, -10]\n"
                               "bodies:\n"
                               "  light: {type: mass, axes: z, mass: 1e-3, position: 0}\n"
                               "  heavy: {type: mass, axes: z, mass: 1e3, position: 1}\n"
                               "forces:\n"
                               "  - {name: floor, on: light, type: stop, low: 0}\n"
                               "  - {name: column, on: heavy, to: light, type: stop, low: 1}\n");
    hf_sim *sim = sim_with(model, timestep(1e-3));
    run_until(sim, 1.0);
    hf_check_near(value_of(sim, "floor.force"), 1e4 + 1e-2, 1e-3, "floor", "both weights");
    hf_check_near(value_of(sim, "column.force"), 1e4, 1e-3, "column", "the upper weight");
    hf_check_near(value_of(sim, "heavy.position"), 1.0, 1e-9, "place", "it rests");
    assert_int_equal(hf_sim_get_stats(sim).unsolved_steps, 0);
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

// The same contact twice shares the load; the motion is that of one.
static void duplicate_contacts(void **state)
{
    (void)state;
    static const char *const more[] = {
        "", "  - {name: again, on: box, type: contact, friction: 0.3, restitution: 0}\n"};
    double place[2], turn[2];
    for (int i = 0; i < 2; ++i) {
        char text[1024];
        (void)snprintf(text, sizeof text,
                       "gravity: [0, 0, -9.81]\n"
                       "bodies: {box: {type: rigid, mass: 1, position: [0, 0, 0.05],\n"
                       "  shape: {type: box, size: [0.2, 0.2, 0.1]}, velocity: [1, 0, 0],\n"
                       "  angular_velocity: [0, 0, 2]}}\n"
                       "forces:\n"
                       "  - {name: floor, on: box, type: contact, friction: 0.3, restitution: 0}\n"
                       "%s",
                       more[i]);
        place[i] = value_after(text, timestep(1e-3), 0.5, "box.position.x");
        turn[i] = value_after(text, timestep(1e-3), 0.5, "box.orientation.z");
    }
    // Which corners carry how much is not unique, and where they slide it matters a little.
    hf_check_near(place[1], place[0], 2e-3, "way of the box", "once the same contact");
    hf_check_near(turn[1], turn[0], 2e-2, "turn of the box", "once the same contact");
}

// mu = 0 slides for ever; mu = 10 holds a box on a slope until it tips.
static void extreme_friction(void **state)
{
    (void)state;
    static const char text[] =
        "gravity: [%g, 0, -9]\n"
        "bodies: {box: {type: rigid, mass: 1, position: [0, 0, 0.05],\n"
        "  shape: {type: box, size: [0.2, 0.2, 0.1]}, velocity: [%g, 0, 0]}}\n"
        "forces: [{name: floor, on: box, type: contact, friction: %g, restitution: 0}]\n";
    char slippery[1024], rough[1024];
    (void)snprintf(slippery, sizeof slippery, text, 0.0, 1.0, 0.0);
    (void)snprintf(rough, sizeof rough, text, 9.0, 0.0, 10.0);
    hf_check_near(value_after(slippery, timestep(1e-3), 1.0, "box.velocity.x"), 1.0, 1e-12,
                  "velocity without friction", "Newton's first law");
    // A push of once the weight tips it only beyond twice that (0.1/0.05).
    hf_check_near(value_after(rough, timestep(1e-3), 1.0, "box.position.x"), 0.0, 1e-10, "way",
                  "it holds");
}

// ------------------------------------------------------------------------------------------------
// What forces with many contacts say

static hf_force_stats stats_after(const char *text, hf_method_def method, double end,
                                  const char *name)
{
    hf_model *model = model_of(text);
    hf_sim *sim = sim_with(model, method);
    run_until(sim, end);
    hf_force_stats stats = hf_sim_force_stats(sim, hf_model_find_force(model, name));
    hf_sim_destroy(sim);
    hf_model_destroy(model);
    return stats;
}

// Two boxes on each other on a table, and two far away: three pairs, two of them pressed. The
// largest force is of one of the four points that carry both boxes.
static void pairs_of_shapes(void **state)
{
    (void)state;
    hf_force_stats stats = stats_after(
        "gravity: [0, 0, -10]\n"
        "bodies:\n"
        "  table: {type: static, shape: {type: box, size: [8, 8, 1]}, position: [0, 0, -0.5]}\n"
        "  a: {type: rigid, mass: 3, shape: {type: box, size: [1, 1, 1]}, position: [0, 0, 0.5]}\n"
        "  b: {type: rigid, mass: 1, shape: {type: box, size: [1, 1, 1]}, position: [0, 0, 1.5]}\n"
        "  c: {type: rigid, mass: 1, shape: {type: box, size: [1, 1, 1]}, position: [3, 0, 40]}\n"
        "  d: {type: rigid, mass: 1, shape: {type: box, size: [1, 1, 1]}, position: [3, 0, 42]}\n"
        "forces: [{name: all, type: collide, among: all, friction: 0.5, restitution: 0}]\n",
        timestep(1e-3), 0.1, "all");
    assert_int_equal(stats.touching, 2);
    assert_in_range(stats.pairs, 2, 3);
    hf_check_below(10.0 - 1e-6, stats.largest_force, "a quarter of 40 N", "four points at least");
    hf_check_below(stats.largest_force, 40.0 + 1e-6, "largest force", "both weights");
}

// A sphere on a sphere: their pair carries the upper weight, under every method.
static void largest_force_of_a_swarm(void **state)
{
    (void)state;
    static const char text[] =
        "gravity: [0, 0, -10]\n"
        "bodies:\n"
        "  low: {type: rigid, mass: 3, shape: {type: sphere, radius: 0.1}, position: [0, 0, 0.1]}\n"
        "  top: {type: rigid, mass: 2, shape: {type: sphere, radius: 0.1}, position: [0, 0, 0.3]}\n"
        "forces:\n"
        "  - {name: floor, on: low, type: contact, restitution: 0}\n"
        "  - {name: heap, type: collide, among: all, restitution: 0}\n";
    hf_force_stats stats = stats_after(text, timestep(1e-3), 0.1, "heap");
    hf_check_near(stats.largest_force, 20.0, 1e-6, "force of the pair", "the upper weight");
    assert_int_equal(stats.touching, 1);
    stats = stats_after(text, (hf_method_def){.type = HF_METHOD_RK4, .step = 1e-4}, 1.0, "heap");
    hf_check_below(20.0 - 1e-3, stats.largest_force, "the upper weight", "rk4, at rest");
    hf_check_below(stats.largest_force, 60.0, "force of the pair", "rk4, as it settles");
}

// ------------------------------------------------------------------------------------------------
// Loops

// A pendulum whose joint is a loop is the pendulum whose joint is a joint; both rest on a floor.
static void loop_and_joint(void **state)
{
    (void)state;
    static const char rest[] =
        "forces:\n"
        "  - {name: floor, on: %s, point: [%s, 0, 0], shape: {type: point}, type: contact,\n"
        "     friction: 0.3, restitution: 0, plane: {point: [0, 0, -0.3]}}\n";
    char loop[1200], joint[1200];
    int length = snprintf(
        loop, sizeof loop,
        "gravity: [0, 0, -9.81]\n"
        "bodies: {rod: {type: rigid, mass: 1, inertia: [0.01, 0.05, 0.05], position: [0.5, 0, 0]}}"
        "\nloops: [{name: pin, type: revolute, on: rod, point: [-0.5, 0, 0], axis: [0, 1, 0],\n"
        "  to_axis: [0, 1, 0]}]\n");
    (void)snprintf(loop + length, sizeof loop - (size_t)length, rest, "rod", "0.5");
    length = snprintf(joint, sizeof joint,
                      "gravity: [0, 0, -9.81]\n"
                      "bodies: {arm: {type: tree, joints: {rod: {type: revolute, axis: [0, 1, 0],\n"
                      "  mass: 1, center: [0.5, 0, 0], inertia: [0.01, 0.05, 0.05]}}}}\n");
    (void)snprintf(joint + length, sizeof joint - (size_t)length, rest, "arm.rod", "1");
    hf_model *a = model_of(loop), *b = model_of(joint);
    hf_sim *sa = sim_with(a, timestep(1e-4)), *sb = sim_with(b, timestep(1e-4));
    for (int i = 0; i < 10; ++i) {
        run_until(sa, 0.05 * (i + 1));
        run_until(sb, 0.05 * (i + 1));
        double angle = value_of(sb, "arm.rod.position");
        hf_check_near(value_of(sa, "rod.position.z"), -0.5 * sin(angle), 2e-4, "height",
                      "the tree");
    }
    // Friction at the tip holds against the pin with what the landing left
    hf_check_near(value_of(sa, "floor.normal"), value_of(sb, "floor.normal"), 3e-3,
                  "force of the floor", "the tree");
    hf_sim_destroy(sa);
    hf_sim_destroy(sb);
    hf_model_destroy(a);
    hf_model_destroy(b);
}

// ------------------------------------------------------------------------------------------------
// Refusals

static void refuse(const char *text, hf_method_def method, const char *expected)
{
    hf_error error = {0};
    hf_model *model = model_of(text);
    hf_sim_def def = hf_sim_def_default(model);
    def.method = method;
    def.methods[0] = hf_contact_methods();
    hf_sim *sim = hf_sim_create(model, &def, &error);
    if (sim != NULL || strstr(error.text, expected) == NULL) {
        fail_msg("expected '%s' in '%s'", expected, error.text);
    }
    hf_model_destroy(model);
}

static void refusals(void **state)
{
    (void)state;
    refuse("bodies: {m: {type: mass, dim: 1, mass: 1}}\n"
           "forces: [{name: f, on: m, type: friction, law: karnopp, level: 1, threshold: 1e-3}]\n",
           timestep(1e-3),
           "force 'f' is not admitted by method timestep: law 'karnopp' is computed once a step");
    static const char plain[] = "bodies: {m: {type: mass, dim: 1, mass: 1}}\n";
    hf_method_def method = timestep(1e-3);
    method.theta = 0.4;
    refuse(plain, method, "theta must be from 0.5 to 1");
    method = timestep(1e-3);
    method.tolerance = 1.0;
    refuse(plain, method, "tolerance must be");
    method = (hf_method_def){.type = HF_METHOD_RK4, .step = 1e-3, .theta = 1.0};
    refuse(plain, method, "theta is for timestep and nlp, not for rk4");
    refuse("bodies: {m: {type: mass, axes: xz, mass: 1}}\n"
           "forces: [{name: f, on: m, type: contact, friction: 1e10}]\n",
           timestep(1e-3),
           "force 'f' is not admitted by method timestep: friction is 1e+10, above 1e+06");
}

// A step that is not solved is counted, or ends the run.
static void unsolved_steps(void **state)
{
    (void)state;
    char text[TEXT];
    hf_rng rng = hf_rng_create(7);
    hf_error error = {0};
    hf_model *model = model_of(swarm_text(text, &rng, 0.0, false));
    hf_method_def method = timestep(2e-3);
    method.iterations = 1;
    hf_sim *sim = sim_with(model, method);
    run_until(sim, 0.4);
    hf_sim_stats stats = hf_sim_get_stats(sim);
    assert_true(stats.unsolved_steps > 0);
    assert_true(stats.worst_residual > 1e-8);
    hf_sim_destroy(sim);
    method.unsolved_fails = true;
    sim = sim_with(model, method);
    hf_status status = HF_OK;
    for (int i = 0; i < 200 && status == HF_OK; ++i) {
        status = hf_sim_step(sim, &error);
    }
    assert_int_equal(status, HF_ERROR_CONVERGENCE);
    assert_non_null(strstr(error.text, "were not solved"));
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_energy_is_made),
        cmocka_unit_test(no_impact_gains_energy),
        cmocka_unit_test(order_of_declaration),
        cmocka_unit_test(save_and_restore),
        cmocka_unit_test(no_allocation),
        cmocka_unit_test(no_allocation_in_a_pile),
        cmocka_unit_test(painleves_rod),
        cmocka_unit_test(mass_ratio),
        cmocka_unit_test(duplicate_contacts),
        cmocka_unit_test(extreme_friction),
        cmocka_unit_test(loop_and_joint),
        cmocka_unit_test(refusals),
        cmocka_unit_test(unsolved_steps),
        cmocka_unit_test(pairs_of_shapes),
        cmocka_unit_test(largest_force_of_a_swarm),
    };
    return hf_run_tests(tests);
}
