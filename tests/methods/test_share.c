// SPDX-License-Identifier: Apache-2.0
// Redundant contacts that slide: the load is shared out with the least forces, under timestep as
// under switch, whatever the order of the feet. A symmetric machine keeps to its line.
#include <hf_machine.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { FEET = 4 };

// A sled on spheres: where they are, in the plane, their coefficients, how far above the others.
typedef struct sled {
    double x[FEET], y[FEET], mu[FEET], lift[FEET];
    double velocity[2], spin;
} sled;

typedef struct place {
    double x, y, turn;
} place;

// Where the sled is after 0.4 s; its feet declared in the order of `order`.
static place run(const sled *s, const int order[FEET], const char *method)
{
    char text[3000];
    int used = snprintf(text, sizeof text,
                        "method: {%s}\n"
                        "gravity: [0, 0, -9.81]\n"
                        "bodies:\n"
                        "  floor: {type: static, shape: {type: plane}}\n"
                        "  sled:\n"
                        "    type: rigid\n"
                        "    mass: 10\n"
                        "    inertia: [0.3, 0.5, 0.6]\n"
                        "    position: [0, 0, 0.4]\n"
                        "    velocity: [%.17g, %.17g, 0]\n"
                        "    angular_velocity: [0, 0, %.17g]\n"
                        "    shapes:\n",
                        method, s->velocity[0], s->velocity[1], s->spin);
    for (int k = 0; k < FEET; ++k) {
        int i = order[k];
        used += snprintf(text + used, sizeof text - (size_t)used,
                         "      f%d: {type: sphere, radius: 0.1, position: [%.17g, %.17g, %.17g], "
                         "friction: %.17g}\n",
                         i, s->x[i], s->y[i], s->lift[i] - 0.3, s->mu[i]);
    }
    used += snprintf(text + used, sizeof text - (size_t)used,
                     "forces:\n"
                     "  - {name: feet, type: collide, among: [sled, floor], friction: 0, "
                     "restitution: 0}\n");
    assert_true(used > 0 && (size_t)used < sizeof text);
    hf_model *model = model_of(text);
    hf_sim *sim = sim_from(model, NULL);
    run_until(sim, 0.4);
    assert_true(hf_sim_verdict(sim).trustworthy);
    place end = {value_of(sim, "sled.position.x"), value_of(sim, "sled.position.y"),
                 2.0 * asin(value_of(sim, "sled.orientation.z"))};
    hf_sim_destroy(sim);
    hf_model_destroy(model);
    return end;
}

// The same of a sled that is a tree, with some rotors of next to no mass on it.
static place run_tree(const sled *s, int rotors, const char *method)
{
    char text[3000];
    int used = snprintf(text, sizeof text,
                        "method: {%s}\n"
                        "gravity: [0, 0, -9.81]\n"
                        "bodies:\n"
                        "  floor: {type: static, shape: {type: plane}}\n"
                        "  tree:\n"
                        "    type: tree\n"
                        "    joints:\n"
                        "      sled:\n"
                        "        type: free\n"
                        "        mass: 10\n"
                        "        inertia: [0.3, 0.5, 0.6]\n"
                        "        position: [0, 0, 0.4]\n"
                        "        velocity: [%.17g, %.17g, 0, 0, 0, %.17g]\n"
                        "        shapes:\n",
                        method, s->velocity[0], s->velocity[1], s->spin);
    for (int i = 0; i < FEET; ++i) {
        used += snprintf(text + used, sizeof text - (size_t)used,
                         "          f%d: {type: sphere, radius: 0.1, "
                         "position: [%.17g, %.17g, -0.3], friction: %.17g}\n",
                         i, s->x[i], s->y[i], s->mu[i]);
    }
    for (int i = 0; i < rotors; ++i) {
        used += snprintf(text + used, sizeof text - (size_t)used,
                         "      r%d: {type: revolute, parent: sled, axis: [0, 0, 1], mass: 1e-9, "
                         "inertia: [1e-9, 1e-9, 1e-9]}\n",
                         i);
    }
    used += snprintf(text + used, sizeof text - (size_t)used,
                     "forces:\n"
                     "  - {name: feet, type: collide, among: [tree.sled, floor], friction: 0, "
                     "restitution: 0}\n");
    assert_true(used > 0 && (size_t)used < sizeof text);
    hf_model *model = model_of(text);
    hf_sim *sim = sim_from(model, NULL);
    run_until(sim, 0.4);
    assert_true(hf_sim_verdict(sim).trustworthy);
    const double *q = hf_sim_positions(sim);
    place end = {q[0], q[1], 2.0 * asin(q[6])};
    hf_sim_destroy(sim);
    hf_model_destroy(model);
    return end;
}

static const int AS_WRITTEN[FEET] = {0, 1, 2, 3};

// The rear feet brake four times as hard as the front ones. Before, the order of the feet made the
// sled turn by 0.5 degrees, at every step.
static void symmetric_sled_keeps_its_line(void **state)
{
    (void)state;
    const sled s = {.x = {-0.4, -0.4, 0.4, 0.4},
                    .y = {0.2, -0.2, 0.2, -0.2},
                    .mu = {0.8, 0.8, 0.1, 0.1},
                    .velocity = {3.0, 0.0}};
    static const char *const methods[] = {"type: timestep, step: 1e-3",
                                          "type: timestep, step: 4e-3", "type: switch, step: 1e-2"};
    // Moments about the ground under the center of mass: 0.4 (Nf - Nr) = 0.4 (mu_r Nr + mu_f Nf)
    double weight = 98.1, rear = weight * (1.0 - 0.1) / (2.0 + 0.8 - 0.1);
    double a = (0.8 * rear + 0.1 * (weight - rear)) / 10.0;
    double want = 3.0 * 0.4 - a * 0.4 * 0.4 / 2.0;
    for (size_t i = 0; i < sizeof methods / sizeof *methods; ++i) {
        place end = run(&s, AS_WRITTEN, methods[i]);
        hf_check_near(end.y, 0.0, 1e-8, methods[i], "symmetry");
        hf_check_near(end.turn, 0.0, 1e-7, methods[i], "symmetry");
        hf_check_near(end.x, want, 3e-3, methods[i], "balance of moments");
    }
    // On trees of a dozen velocities a matrix is laid out, on smaller ones its factors are used
    for (int rotors = 0; rotors <= 8; ++rotors) {
        place end = run_tree(&s, rotors, methods[0]);
        hf_check_near(end.y, 0.0, 1e-8, "a tree", "symmetry");
        hf_check_near(end.turn, 0.0, 1e-7, "a tree", "symmetry");
        hf_check_near(end.x, want, 3e-3, "a tree", "balance of moments");
    }
}

static sled random_sled(hf_rng *random)
{
    sled s = {.velocity = {hf_rng_uniform(random, 2.0, 4.0), hf_rng_uniform(random, -0.5, 0.5)},
              .spin = hf_rng_uniform(random, -1.5, 1.5)};
    for (int i = 0; i < FEET; ++i) {
        s.x[i] = (i < 2 ? -1.0 : 1.0) * hf_rng_uniform(random, 0.3, 0.5);
        s.y[i] = (i % 2 == 0 ? 1.0 : -1.0) * hf_rng_uniform(random, 0.15, 0.3);
        s.mu[i] = hf_rng_uniform(random, 0.05, 0.6);
    }
    return s;
}

// ------------------------------------------------------------------------------------------------
// The same sled by itself: the plane motion of a body on four feet that all slide, with the least
// normal forces N that let it neither fall, roll nor pitch,
//   C N = (m g, 0, 0)',   N = C' (C C')^-1 (m g, 0, 0)'
// where the column of a foot at p (height -0.4 m) is (1, torque about x, torque about y) of its
// normal force 1 and its friction -mu d.

typedef struct motion {
    double q[3], v[3]; // x, y and angle
} motion;

// Solves a x = b by Cramer's rule.
static void solve_three(double a[3][3], const double b[3], double x[3])
{
    double det = 0.0;
    for (int j = 0; j < 3; ++j) {
        int k = (j + 1) % 3, l = (j + 2) % 3;
        det += a[0][j] * (a[1][k] * a[2][l] - a[1][l] * a[2][k]);
    }
    for (int c = 0; c < 3; ++c) {
        double m[3][3], sum = 0.0;
        for (int i = 0; i < 3; ++i) {
            for (int j = 0; j < 3; ++j) {
                m[i][j] = j == c ? b[i] : a[i][j];
            }
        }
        for (int j = 0; j < 3; ++j) {
            int k = (j + 1) % 3, l = (j + 2) % 3;
            sum += m[0][j] * (m[1][k] * m[2][l] - m[1][l] * m[2][k]);
        }
        x[c] = sum / det;
    }
}

static motion rate_of(const sled *s, const motion *now)
{
    const double mass = 10.0, inertia = 0.6, height = -0.4;
    double c[3][FEET], gram[3][3], weight[3] = {mass * 9.81, 0.0, 0.0}, y[3], px[FEET], py[FEET];
    double fx[FEET], fy[FEET];
    for (int i = 0; i < FEET; ++i) {
        px[i] = cos(now->q[2]) * s->x[i] - sin(now->q[2]) * s->y[i];
        py[i] = sin(now->q[2]) * s->x[i] + cos(now->q[2]) * s->y[i];
        double u = now->v[0] - now->v[2] * py[i], w = now->v[1] + now->v[2] * px[i];
        fx[i] = -s->mu[i] * u / hypot(u, w);
        fy[i] = -s->mu[i] * w / hypot(u, w);
        c[0][i] = 1.0;
        c[1][i] = py[i] - height * fy[i];
        c[2][i] = height * fx[i] - px[i];
    }
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            gram[i][j] = 0.0;
            for (int k = 0; k < FEET; ++k) {
                gram[i][j] += c[i][k] * c[j][k];
            }
        }
    }
    solve_three(gram, weight, y);
    motion rate = {.q = {now->v[0], now->v[1], now->v[2]}};
    for (int i = 0; i < FEET; ++i) {
        double normal = c[0][i] * y[0] + c[1][i] * y[1] + c[2][i] * y[2];
        assert_true(normal > 0.0);
        rate.v[0] += normal * fx[i] / mass;
        rate.v[1] += normal * fy[i] / mass;
        rate.v[2] += normal * (px[i] * fy[i] - py[i] * fx[i]) / inertia;
    }
    return rate;
}

static motion ahead(const motion *from, double h, const motion *rate)
{
    motion to = *from;
    for (int k = 0; k < 3; ++k) {
        to.q[k] += h * rate->q[k];
        to.v[k] += h * rate->v[k];
    }
    return to;
}

// By the classical method of Runge and Kutta, 0.2 ms a step.
static place integrate(const sled *s)
{
    const double h = 2e-4;
    motion m = {.v = {s->velocity[0], s->velocity[1], s->spin}};
    for (int n = 0; n < 2000; ++n) {
        motion a = rate_of(s, &m), at = ahead(&m, h / 2.0, &a);
        motion b = rate_of(s, &at);
        at = ahead(&m, h / 2.0, &b);
        motion c = rate_of(s, &at);
        at = ahead(&m, h, &c);
        motion d = rate_of(s, &at);
        m = ahead(&m, h / 6.0, &a);
        m = ahead(&m, h / 3.0, &b);
        m = ahead(&m, h / 3.0, &c);
        m = ahead(&m, h / 6.0, &d);
    }
    return (place){m.q[0], m.q[1], m.q[2]};
}

static double distance(place a, place b)
{
    return hypot(a.x - b.x, a.y - b.y) + fabs(a.turn - b.turn);
}

// switch gives this answer, and timestep comes to it at first order, whatever the order of the
// feet.
static void random_sleds_have_one_answer(void **state)
{
    (void)state;
    static const int other[FEET] = {2, 0, 3, 1};
    hf_rng random = hf_rng_create(20261118);
    for (int n = 0; n < 12; ++n) {
        sled s = random_sled(&random);
        place want = integrate(&s);
        place fine = run(&s, AS_WRITTEN, "type: timestep, step: 0.5e-3");
        double off = distance(run(&s, AS_WRITTEN, "type: timestep, step: 1e-3"), want);
        char what[80];
        (void)snprintf(what, sizeof what, "sled %d: place and turn at 1 ms", n);
        hf_check_near(off, 0.0, 2e-3, what, "integration with the least normal forces");
        (void)snprintf(what, sizeof what, "sled %d: error at 0.5 ms by that at 1 ms", n);
        hf_check_near(distance(fine, want) / off, 0.5, 0.05, what, "first order");
        place exact = run(&s, AS_WRITTEN, "type: switch, step: 1e-2, rtol: 1e-9, atol: 1e-11");
        (void)snprintf(what, sizeof what, "sled %d: place and turn under switch", n);
        hf_check_near(distance(exact, want), 0.0, 1e-6, what, "the same integration");
        place shuffled = run(&s, other, "type: timestep, step: 0.5e-3");
        (void)snprintf(what, sizeof what, "sled %d: with the feet in another order", n);
        hf_check_near(distance(shuffled, fine), 0.0, 1e-7, what, "the order as written");
    }
}

// On three feet nothing is redundant: normal forces are those of the balance of moments, however
// unlike the feet brake, Nf (a + b - h mu_f + h mu_r) = m g (b + h mu_r).
static void three_feet_carry_what_balances(void **state)
{
    (void)state;
    const double a = 0.5, b = 0.3, front = 0.05, rear = 0.7, h = 0.4, g = 9.81, T = 0.4;
    const sled s = {.x = {a, -b, -b, 0.0},
                    .y = {0.0, 0.2, -0.2, 0.0},
                    .mu = {front, rear, rear, 1.0},
                    .lift = {0.0, 0.0, 0.0, 0.2},
                    .velocity = {3.0, 0.0}};
    double ahead = (b + h * rear) / (a + b - h * front + h * rear);
    double brake = g * (front * ahead + rear * (1.0 - ahead)), step = 1e-3;
    // Constant forces: the step's places are those of its ends, v T - a T (T + h)/2
    double want = 3.0 * T - 0.5 * brake * T * (T + step);
    place end = run(&s, AS_WRITTEN, "type: timestep, step: 1e-3, tolerance: 1e-12");
    hf_check_near(end.x, want, 1e-9, "place on three feet", "balance of moments");
    hf_check_near(end.y, 0.0, 1e-9, "aside on three feet", "symmetry");
    hf_check_near(end.turn, 0.0, 1e-9, "turn on three feet", "symmetry");
}

// ------------------------------------------------------------------------------------------------
// Break-away of feet with unlike coefficients

// When a sled at rest, pulled at its center of mass by 160 t N along x, begins to move [s].
static double breaks_away(const sled *s, const char *method, double step)
{
    char text[3000];
    int used = snprintf(text, sizeof text,
                        "method: {%s, step: %.17g}\n"
                        "gravity: [0, 0, -9.81]\n"
                        "bodies:\n"
                        "  floor: {type: static, shape: {type: plane}}\n"
                        "  sled:\n"
                        "    type: rigid\n"
                        "    mass: 10\n"
                        "    inertia: [0.3, 0.5, 0.6]\n"
                        "    position: [0, 0, 0.4]\n"
                        "    shapes:\n",
                        method, step);
    for (int i = 0; i < FEET; ++i) {
        used += snprintf(text + used, sizeof text - (size_t)used,
                         "      f%d: {type: sphere, radius: 0.1, position: [%.17g, %.17g, -0.3], "
                         "friction: %.17g}\n",
                         i, s->x[i], s->y[i], s->mu[i]);
    }
    used += snprintf(text + used, sizeof text - (size_t)used,
                     "forces:\n"
                     "  - {name: pull, type: force, on: sled, value: [\"160*t\", 0, 0]}\n"
                     "  - {name: feet, type: collide, among: [sled, floor], friction: 0, "
                     "restitution: 0}\n");
    assert_true(used > 0 && (size_t)used < sizeof text);
    hf_model *model = model_of(text);
    hf_sim *sim = sim_from(model, NULL);
    double t = 0.0;
    while (t < 0.5 && !(value_of(sim, "sled.velocity.x") > 1e-5)) {
        t += step;
        run_until(sim, t);
    }
    run_until(sim, 0.5);
    assert_true(hf_sim_verdict(sim).trustworthy);
    hf_sim_destroy(sim);
    hf_model_destroy(model);
    return t;
}

// Feet of 0.5 before and behind, feet of 0.2 on both sides. The first two can carry the whole
// weight, and the sled holds as long as some share does: up to F = 0.5 m g, where they carry m g/2
// +- F h/(2 a) > 0 and the others nothing. Even shares would let go at 0.35 m g.
static void holds_what_some_share_holds(void **state)
{
    (void)state;
    const sled s = {
        .x = {0.4, -0.4, 0.0, 0.0}, .y = {0.0, 0.0, 0.3, -0.3}, .mu = {0.5, 0.5, 0.2, 0.2}};
    const double want = 0.5 * 98.1 / 160.0;
    hf_check_near(breaks_away(&s, "type: timestep", 1e-3), want, 3e-3, "timestep breaks away",
                  "the most that any share holds");
    hf_check_near(breaks_away(&s, "type: switch", 1e-3), want, 3e-3, "switch breaks away",
                  "the most that any share holds");
}

// A sled that is pulled ever more turns about one foot: that foot sticks, the others slide, and the
// least forces are taken at every moment all the same. The spins of the last step are those of
// timestep; from forces of the break-away they came to 0.623 and 0.651 rad/s, by the tolerance.
static void turns_about_a_foot(void **state)
{
    (void)state;
    static const char pulled[] =
        "gravity: [0, 0, -9.81]\n"
        "bodies:\n"
        "  floor: {type: static, shape: {type: plane, friction: 0}}\n"
        "  sled:\n"
        "    type: rigid\n"
        "    mass: 4\n"
        "    inertia: [0.1, 0.1, 0.2]\n"
        "    position: [0, 0, 0.08]\n"
        "    shapes:\n"
        "      a: {type: sphere, radius: 0.02, position: [0.2, 0.15, -0.06], friction: 0.205}\n"
        "      b: {type: sphere, radius: 0.02, position: [-0.2, 0.15, -0.06], friction: 0.208}\n"
        "      c: {type: sphere, radius: 0.02, position: [-0.2, -0.15, -0.06], friction: 0.591}\n"
        "      d: {type: sphere, radius: 0.02, position: [0.2, -0.15, -0.06], friction: 0.536}\n"
        "forces:\n"
        "  - {name: feet, type: collide, among: [sled, floor], restitution: 0}\n"
        "  - {name: pull, on: sled, type: force, point: [0.0923, 0.00784, 0], value: [\"4.69*t\", "
        "\"-14.81*t\", 0]}\n";
    static const char *const methods[] = {"type: timestep, step: 2e-4", "type: switch, step: 0.01",
                                          "type: switch, step: 0.01, rtol: 1e-9, atol: 1e-9"};
    double spin[3];
    for (int i = 0; i < 3; ++i) {
        char text[2000];
        (void)snprintf(text, sizeof text, "method: {%s}\n%s", methods[i], pulled);
        hf_model *model = model_of(text);
        hf_sim *sim = sim_from(model, NULL);
        run_until(sim, 1.2);
        spin[i] = value_of(sim, "sled.angular_velocity.z");
        hf_sim_destroy(sim);
        hf_model_destroy(model);
    }
    hf_check_near(spin[1], spin[0], 2e-3, "spin by switch", "timestep");
    hf_check_near(spin[2], spin[1], 1e-4, "spin at 1e-9", "at 1e-8");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(symmetric_sled_keeps_its_line),
        cmocka_unit_test(random_sleds_have_one_answer),
        cmocka_unit_test(three_feet_carry_what_balances),
        cmocka_unit_test(holds_what_some_share_holds),
        cmocka_unit_test(turns_about_a_foot),
    };
    return hf_run_tests(tests);
}
