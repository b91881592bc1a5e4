// SPDX-License-Identifier: Apache-2.0
// A box over two surfaces that move differently: across two belts that run against each other, and
// from a table over a slot onto a belt. Its points of contact with each surface change while it
// lies still on them: corners go from one belt to the other, come onto a face from beside it at its
// very height, and points that were at one place part. No gap falls to zero at any of it.
//
// Against integrations of their own: points are the corners of what the box covers of each surface,
// normal forces the least that balance it (docs/methods/switch.md), friction mu N against the slip.
#include <hf_machine.h>

#include <math.h>

#define MU      0.3
#define WEIGHT  9.81
#define HALF    0.2
#define INERTIA (0.32 / 12.0)

// ------------------------------------------------------------------------------------------------
// Across two belts

static const char across[] =
    "gravity: [0, 0, -9.81]\n"
    "bodies:\n"
    "  left: {type: static, position: [0, 0.5, -0.05], shape: {type: box, size: [10, 1, 0.1], "
    "surface_velocity: [1, 0, 0]}}\n"
    "  right: {type: static, position: [0, -0.5, -0.05], shape: {type: box, size: [10, 1, 0.1], "
    "surface_velocity: [-1, 0, 0]}}\n"
    "  box: {type: rigid, mass: 1, position: [0, 0, 0.1], shape: {type: box, size: [0.4, 0.4, "
    "0.2]}}\n"
    "forces: [{name: touch, type: collide, among: [box], against: [left, right], friction: 0.3, "
    "restitution: 0}]\n";

// Adds the torque, by the normal force, of the friction at a point that turns with w.
static void add_torque(double x, double y, double belt, double w, double *sum, int *count)
{
    double u = -w * y - belt, v = w * x, speed = hypot(u, v);
    *sum += -MU * (x * v - y * u) / speed;
    *count += 1;
}

// Angular acceleration at an angle: by symmetry all points have the same normal force. On one
// surface there are no points at the seam.
static double turn(double angle, double w, double belt, bool one)
{
    static const double corners[4][2] = {
        {HALF, HALF}, {-HALF, HALF}, {-HALF, -HALF}, {HALF, -HALF}};
    double c = cos(angle), s = sin(angle), x[4], y[4], sum = 0.0;
    int count = 0;
    for (int i = 0; i < 4; ++i) {
        x[i] = c * corners[i][0] - s * corners[i][1];
        y[i] = s * corners[i][0] + c * corners[i][1];
        add_torque(x[i], y[i], y[i] > 0.0 ? belt : -belt, w, &sum, &count);
    }
    // Where its sides cross the seam, on both belts
    for (int i = 0; i < 4; ++i) {
        int k = (i + 1) % 4;
        if (!one && y[i] * y[k] < 0.0) {
            double at = x[i] + (x[k] - x[i]) * y[i] / (y[i] - y[k]);
            add_torque(at, 0.0, belt, w, &sum, &count);
            add_torque(at, 0.0, -belt, w, &sum, &count);
        }
    }
    return sum * WEIGHT / count / INERTIA;
}

static double spin_after(double w, double belt, bool one, double end)
{
    double angle = 1e-12, h = 1e-5;
    for (int k = 0; k < (int)lround(end / h); ++k) { // of second order
        double half = w + 0.5 * h * turn(angle, w, belt, one);
        double middle = angle + 0.5 * h * w;
        w += h * turn(middle, half, belt, one);
        angle += h * half;
    }
    return w;
}

static double result(const char *machine, const char *method, const char *channel, double end)
{
    char text[2000];
    (void)snprintf(text, sizeof text, "method: {%s}\n%s", method, machine);
    hf_model *model = model_of(text);
    hf_sim *sim = sim_from(model, NULL);
    run_until(sim, end);
    double value = value_of(sim, channel);
    if (!hf_sim_verdict(sim).trustworthy) {
        fail_msg("%s: %s", method, hf_sim_verdict(sim).why);
    }
    hf_sim_destroy(sim);
    hf_model_destroy(model);
    return value;
}

// One corner passes each belt's edge at 0.58 s, all have at 2 s.
static void across_two_belts(void **state)
{
    (void)state;
    for (double end = 0.5; end <= 2.0; end += 0.5) {
        double want = spin_after(0.0, 1.0, false, end);
        hf_check_near(result(across, "type: switch, step: 0.01", "box.angular_velocity.z", end),
                      want, 2e-5, "spin by switch", "integration");
        hf_check_near(result(across, "type: switch, step: 0.01, rtol: 1e-9, atol: 1e-12",
                             "box.angular_velocity.z", end),
                      want, 5e-6, "spin by switch at 1e-9", "integration");
        hf_check_near(result(across, "type: timestep, step: 1e-3", "box.angular_velocity.z", end),
                      want, 3e-3, "spin by timestep", "integration");
        hf_check_near(result(across, "type: rk4, step: 5e-4", "box.angular_velocity.z", end), want,
                      3e-3, "spin by rk4", "integration");
    }
}

// A box that lies 20 mm more on one belt than on the other: corners come to be 1e-11 m apart in
// height, and all of them carry, at every step. (Each belt has five of its corners at times, of
// which four are kept under these methods, and all by switch, which ends a little elsewhere.)
static void beside_the_middle(void **state)
{
    (void)state;
    static const char aside[] =
        "gravity: [0, 0, -9.81]\n"
        "bodies:\n"
        "  left: {type: static, position: [0, 0.5, -0.1], shape: {type: box, size: [8, 1, 0.2], "
        "surface_velocity: [1, 0, 0]}}\n"
        "  right: {type: static, position: [0, -0.5, -0.1], shape: {type: box, size: [8, 1, 0.2], "
        "surface_velocity: [-1, 0, 0]}}\n"
        "  box: {type: rigid, mass: 1, position: [0, -0.02, 0.1], shape: {type: box, size: [0.2, "
        "0.2, 0.2]}}\n"
        "forces: [{name: touch, type: collide, among: all, friction: 0.3, restitution: 0}]\n";
    for (double end = 0.3; end < 0.7; end += 0.3) {
        double want = result(aside, "type: rk4, step: 2e-4", "box.angular_velocity.z", end);
        double got = result(aside, "type: timestep, step: 1e-3", "box.angular_velocity.z", end);
        double fine = result(aside, "type: timestep, step: 1e-4", "box.angular_velocity.z", end);
        hf_check_near(got, want, 0.04, "spin by timestep", "rk4");
        hf_check_near(fine, got, 4e-3, "spin at a tenth of the step", "timestep at 1 ms");
    }
}

// Over two plates: the seam is none where both are one surface, and each bears up to there where
// they differ, though what differs does nothing here. Corners pass it at 0.13 s.
static void across_two_plates(void **state)
{
    (void)state;
    static const char *const sides[] = {"", ", friction: 0.3, restitution: 0",
                                        ", friction: 0.3000000001", ", restitution: 0.5",
                                        ", surface_velocity: [0, 0, 1e-3]"};
    char plates[1000];
    for (int i = 0; i < 5; ++i) {
        (void)snprintf(plates, sizeof plates,
                       "gravity: [0, 0, -9.81]\n"
                       "bodies:\n"
                       "  left: {type: static, position: [0, 0.5, -0.05], shape: {type: box, size: "
                       "[10, 1, 0.1]}}\n"
                       "  right: {type: static, position: [0, -0.5, -0.05], shape: {type: box, "
                       "size: [10, 1, 0.1]%s}}\n"
                       "  box: {type: rigid, mass: 1, position: [0, 0, 0.1], angular_velocity: [0, "
                       "0, 8], shape: {type: box, size: [0.4, 0.4, 0.2]}}\n"
                       "forces: [{name: touch, type: collide, among: [box], against: [left, "
                       "right], friction: 0.3, restitution: 0}]\n",
                       sides[i]);
        for (double end = 0.05; end < 0.21; end += 0.05) {
            hf_check_near(result(plates, "type: switch, step: 0.01, rtol: 1e-9, atol: 1e-12",
                                 "box.angular_velocity.z", end),
                          spin_after(8.0, 0.0, i < 2, end), 5e-6, "spin by switch", "integration");
        }
    }
}

// A run that is saved where corners pass and restored goes on with the same bits.
static void it_is_restored(void **state)
{
    (void)state;
    char text[2000];
    (void)snprintf(text, sizeof text, "method: {type: switch, step: 0.01}\n%s", across);
    hf_model *model = model_of(text);
    hf_sim *sim = sim_from(model, NULL), *other = sim_from(model, NULL);
    size_t size = hf_sim_save_size(sim);
    void *saved = malloc(size);
    assert_non_null(saved);
    for (double at = 0.57; at < 0.605; at += 0.01) {
        run_until(sim, at);
        hf_sim_save(sim, saved);
        assert_int_equal(hf_sim_restore(other, saved, size, NULL), HF_OK);
        run_until(other, 1.0);
    }
    run_until(sim, 1.0);
    assert_true(value_of(sim, "box.angular_velocity.z") ==
                value_of(other, "box.angular_velocity.z"));
    free(saved);
    hf_sim_destroy(other);
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

// ------------------------------------------------------------------------------------------------
// Over a slot

#define SLOT 0.02

static const char slot[] =
    "gravity: [0, 0, -10]\n"
    "bodies:\n"
    "  table: {type: static, position: [-1, 0, -0.05], shape: {type: box, size: [2, 1, 0.1]}}\n"
    "  belt: {type: static, position: [1.02, 0, -0.05], shape: {type: box, size: [2, 1, 0.1], "
    "surface_velocity: [3, 0, 0]}}\n"
    "  box: {type: rigid, mass: 1, position: [-0.25, 0, 0.05], velocity: [1, 0, 0], shape: {type: "
    "box, size: [0.4, 0.4, 0.1]}}\n"
    "forces: [{name: touch, type: collide, among: [box], against: [table, belt], friction: 0.2, "
    "restitution: 0}]\n";

// Acceleration with the box at x: N of least size with sum N = 10 N and sum N b = 0, b the arm of a
// point with that of its friction, at 0.05 m below the middle.
static double drag(double x)
{
    double at[4] = {x - HALF, fmin(0.0, x + HALF), SLOT, x + HALF};
    double along[4] = {-1.0, -1.0, 1.0, 1.0}; // friction: the table brakes, the belt drives
    int count = x + HALF > SLOT ? 4 : 2;
    double s1 = 0.0, s2 = 0.0, sum = 0.0;
    for (int i = 0; i < count; ++i) {
        double b = at[i] - x + 0.05 * 0.2 * along[i];
        s1 += b;
        s2 += b * b;
    }
    double det = count * s2 - s1 * s1; // N = p + q b
    double p = 10.0 * s2 / det, q = -10.0 * s1 / det;
    for (int i = 0; i < count; ++i) {
        double n = p + q * (at[i] - x + 0.05 * 0.2 * along[i]);
        assert_true(n > 0.0);
        sum += 0.2 * along[i] * n;
    }
    return sum;
}

static void over_a_slot(void **state)
{
    (void)state;
    double x = -0.25, v = 1.0, h = 1e-6;
    for (int k = 0; k < 400000; ++k) {
        double middle = x + 0.5 * h * v;
        v += h * drag(middle);
        x = middle + 0.5 * h * v;
    }
    hf_check_near(result(slot, "type: switch, step: 0.01", "box.position.x", 0.4), x, 5e-6,
                  "way by switch", "integration");
    hf_check_near(result(slot, "type: timestep, step: 1e-3", "box.position.x", 0.4), x, 1e-3,
                  "way by timestep", "integration");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(across_two_belts),  cmocka_unit_test(beside_the_middle),
        cmocka_unit_test(across_two_plates), cmocka_unit_test(it_is_restored),
        cmocka_unit_test(over_a_slot),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
