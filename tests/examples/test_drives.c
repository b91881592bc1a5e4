// SPDX-License-Identifier: Apache-2.0
// The examples of drives, against closed forms, integrations of their own, and the curves of the
// Modelica library's gear where these are at hand.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <hf_test.h>
#include <holdfast/holdfast.h>

#define FOLDER HF_SOURCE_DIR "/examples/"
#define PI     3.14159265358979323846

// An example with at most one change, under a step of its method; 0: its own.
static hf_sim *start(const char *name, const char *variant, const char *change, double step)
{
    char path[400];
    hf_error error = {0};
    hf_overrides overrides = {
        .items = &change, .count = change == NULL ? 0 : 1, .variant = variant, .step = step};
    (void)snprintf(path, sizeof path, "%s%s.yaml", FOLDER, name);
    hf_model *model = hf_model_load_changed(path, &overrides, &error);
    hf_sim *sim = model == NULL ? NULL : hf_sim_create(model, NULL, &error);
    if (sim == NULL) {
        fail_msg("%s: %s", name, error.text);
    }
    return sim;
}

static void finish(hf_sim *sim)
{
    hf_model *model = (hf_model *)(uintptr_t)hf_sim_model(sim);
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

static void step(hf_sim *sim)
{
    hf_error error = {0};
    if (hf_sim_step(sim, &error) < 0) {
        fail_msg("%s", error.text);
    }
}

static void run_until(hf_sim *sim, double end)
{
    double half = 0.5 * hf_sim_method(sim).step;
    while (hf_sim_time(sim) < end - half) {
        step(sim);
    }
}

static double value(hf_sim *sim, const char *channel)
{
    hf_channel c = hf_model_find_channel(hf_sim_model(sim), channel);
    if (c.id == 0) {
        fail_msg("no channel '%s'", channel);
    }
    return hf_sim_value(sim, c);
}

// ------------------------------------------------------------------------------------------------
// Gears

// LossyGearDemo1 by one run: where it sticks and slips to 2e-6 s, and its curves, where they are at
// hand, to 1e-5 of their range.
typedef struct gear_events {
    int count;
    double times[8];
} gear_events;

static void note_event(void *context, const hf_event *event)
{
    gear_events *events = context;
    assert_true(events->count < 8);
    events->times[events->count++] = event->time;
}

static hf_sim *start_gear(const char *variant, gear_events *events)
{
    hf_error error;
    char path[500];
    (void)snprintf(path, sizeof path, "%slossy-gear.yaml", FOLDER);
    static const char *const items[] = {"method.rtol=1e-9", "method.atol=1e-12"};
    hf_overrides changes = {.items = items, .count = 2, .variant = variant, .method = "switch"};
    changes.step = 1e-3;
    hf_model *model = hf_model_load_changed(path, &changes, &error);
    if (model == NULL) {
        fail_msg("%s", error.text);
    }
    hf_sim_def def = hf_sim_def_default(model);
    def.on_event = note_event;
    def.event_context = events;
    hf_sim *sim = hf_sim_create(model, &def, &error);
    assert_non_null(sim);
    return sim;
}

// Runs along a reference beside HOLDFAST_DATA: angle and speed behind the gear to 1e-5 of their
// range. Without it, nothing.
static void follow_reference(hf_sim *sim, const char *name)
{
    static const char *const names[2] = {"load.shaft.position", "load.shaft.velocity"};
    const char *data = getenv("HOLDFAST_DATA");
    char path[500], line[200];
    double off[2] = {0.0, 0.0}, range[2] = {1e-300, 1e-300};
    (void)snprintf(path, sizeof path, "%s/../reference/%s.csv", data ? data : ".", name);
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        print_message("HOLDFAST_DATA has no %s.csv beside it: events alone\n", name);
    }
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        double t, want[2];
        if (sscanf(line, "%lf,%lf,%lf", &t, &want[0], &want[1]) != 3) {
            continue;
        }
        run_until(sim, t);
        for (int k = 0; k < 2; ++k) {
            off[k] = fmax(off[k], fabs(value(sim, names[k]) - want[k]));
            range[k] = fmax(range[k], fabs(want[k]));
        }
    }
    if (file != NULL) {
        (void)fclose(file);
    }
    hf_check_below(off[0], 1e-5 * range[0], "angle", "Modelica");
    hf_check_below(off[1], 1e-5 * range[1], "speed", "Modelica");
}

static void test_lossy_gear(void **state)
{
    (void)state;
    static const double wanted[4] = {0.080477, 0.199520, 0.371343, 0.464539};
    gear_events events = {0};
    hf_sim *sim = start_gear(NULL, &events);
    follow_reference(sim, "lossy-gear-1");
    run_until(sim, 0.5);
    assert_int_equal(events.count, 4);
    for (int i = 0; i < 4; ++i) {
        hf_check_near(events.times[i], wanted[i], 2e-6, "event", "Modelica");
    }
    finish(sim);
}

// ------------------------------------------------------------------------------------------------
// LossyGearDemo2: bearing friction of 1 Nm alone. Torques are functions of time, so that speeds are
// integrals in closed form between the times where it stops (v = 0) and breaks away (|T| = 1).

static double gear_torque(double t) // at the motor's shaft
{
    return 10.0 * sin(2.0 * PI * t) + 0.5 * (-10.0 + 2.5 * t);
}

static double gear_impulse(double t)
{
    return -10.0 / (2.0 * PI) * cos(2.0 * PI * t) - 5.0 * t + 0.625 * t * t;
}

// What changes its sign between two times: of a slip with sign s since `from`, its speed times J;
// in stick (s = 0) how far the torque is below 1.
static double gear_sign(int s, double from, double t)
{
    return s == 0 ? 1.0 - fabs(gear_torque(t))
                  : s * (gear_impulse(t) - gear_impulse(from) - s * (t - from));
}

static void test_bearing_gear(void **state)
{
    (void)state;
    gear_events events = {0};
    hf_sim *sim = start_gear("bearing", &events);
    double from = 0.0;
    int s = -1, found = 0; // -5 Nm at the start
    for (int k = 1; k <= 2000; ++k) {
        double t = 1e-3 * k;
        run_until(sim, t);
        if (t - from > 1e-3 && gear_sign(s, from, t) < 0.0) {
            double low = t - 1e-3, high = t;
            for (int i = 0; i < 60; ++i) {
                double middle = 0.5 * (low + high);
                bool after = gear_sign(s, from, middle) < 0.0;
                low = after ? low : middle;
                high = after ? middle : high;
            }
            hf_check_near(events.times[found], high, 1e-8, "event", "closed form");
            found += 1;
            bool holds = s != 0 && fabs(gear_torque(high)) <= 1.0;
            s = holds ? 0 : gear_torque(high) > 0.0 ? 1 : -1;
            from = high;
        }
        double speed = s == 0 ? 0.0 : s * gear_sign(s, from, t) / 1.375 / 2.0;
        hf_check_near(value(sim, "load.shaft.velocity"), speed, 1e-8, "speed", "closed form");
    }
    assert_int_equal(found, events.count);
    assert_true(found >= 2);
    finish(sim);
}

// LossyGearDemo3: 10 rad/s are lost at 500 rad/s^2; 1 Nm behind the gear then moves nothing.
static void test_self_locking(void **state)
{
    (void)state;
    gear_events events = {0};
    hf_sim *exact = start_gear("locking", &events);
    follow_reference(exact, "lossy-gear-3");
    run_until(exact, 1.0);
    assert_int_equal(events.count, 1);
    hf_check_near(events.times[0], 0.02, 2e-6, "event", "Modelica");
    hf_check_same_bits(value(exact, "load.shaft.velocity"), 0.0, "locked");
    finish(exact);
    hf_sim *sim = start("lossy-gear", "locking", NULL, 1e-4);
    run_until(sim, 0.01);
    hf_check_near(value(sim, "load.shaft.velocity"), 5.0, 1e-12, "speed", "closed form");
    run_until(sim, 0.021);
    double at = value(sim, "load.shaft.position");
    hf_check_near(at, 0.1, 1e-3, "angle", "closed form");
    while (hf_sim_time(sim) < 1.0) {
        step(sim);
        hf_check_near(value(sim, "load.shaft.velocity"), 0.0, 0.0, "speed", "locked");
    }
    hf_check_near(value(sim, "load.shaft.position"), at, 0.0, "angle", "locked");
    finish(sim);
}

static void test_worm(void **state)
{
    (void)state;
    hf_sim *sim = start("worm-gear", NULL, NULL, 0);
    run_until(sim, 0.5);
    hf_check_near(value(sim, "load.position"), 0.0, 0.0, "held", "to the bit");
    run_until(sim, 1.5);
    // tau - F - T = Jm a, T = TL + JL a, F = ((1 - eta) T + b)/eta
    double eta = 0.4, b = 0.02, tl = 80.0 * 9.81 * 0.1 / 40.0;
    double jl = 0.05 / 1600.0 + 80.0 * 0.1 * 0.1 / 1600.0;
    double a = (6.0 - b / eta - tl / eta) / (2e-4 + jl / eta);
    hf_check_near(value(sim, "motor.shaft.velocity"), a, 1e-6 * a, "lifting", "closed form");
    run_until(sim, 2.0);
    double at = value(sim, "load.position");
    run_until(sim, 2.5);
    hf_check_near(value(sim, "load.position"), at, 0.0, "held again", "to the bit");
    run_until(sim, 2.6);
    hf_check_below(value(sim, "load.velocity"), -0.1, "lowered", "by force");
    finish(sim);
}

static void test_planetary(void **state)
{
    (void)state;
    hf_sim *sim = start("planetary-gear", NULL, NULL, 0);
    run_until(sim, 1.0);
    double sun = (4.0 - 2.0 / 4.0) / (0.02 + 0.4 / 16.0);
    hf_check_near(value(sim, "sun.axle.velocity"), sun, 1e-6, "ring held", "closed form");
    hf_check_near(value(sim, "carrier.axle.velocity"), sun / 4.0, 1e-6, "carrier", "closed form");
    hf_check_near(value(sim, "ring.axle.velocity"), 0.0, 0.0, "ring", "brake");
    run_until(sim, 2.0);
    double mesh = -220.0 / 270.0; // of sun + 3 ring - 4 carrier = 0
    hf_check_near(value(sim, "sun.axle.velocity"), sun + (4.0 + mesh) / 0.02, 2e-3, "ring free",
                  "closed form");
    hf_check_near(value(sim, "ring.axle.velocity"), 3.0 * mesh / 0.05, 2e-3, "ring", "closed form");
    run_until(sim, 3.0);
    hf_check_near(value(sim, "ring.axle.velocity"), 0.0, 0.0, "ring", "braked again");
    finish(sim);
}

// ------------------------------------------------------------------------------------------------
// Drives

// Jumps of the carriage: 2 dF/k more than the servo goes in the time of a slip. Where it turns
// back it stands while the nut goes through the backlash.
static void test_lead_screw(void **state)
{
    (void)state;
    hf_sim *sim = start("lead-screw", NULL, NULL, 0);
    run_until(sim, 2.0);
    double turn = 2.0 * PI / 5e-3, k = 0.2 * turn * turn, m = 12.5 + 2e-5 * turn * turn;
    double w = sqrt(k / m), v = 1.25e-3, part = (90.0 - 60.0) / k;
    double slip = 2.0 * (PI - atan2(part * w, v)) / w; // v t + part (1 - cos w t) - v/w sin w t
    double want = v * slip + part * (1.0 - cos(w * slip)) - v / w * sin(w * slip);
    double from = 0.0, before = value(sim, "carriage.position"), largest = 0.0;
    int jumps = 0;
    bool moved = true;
    while (hf_sim_time(sim) < 3.9) {
        step(sim);
        double now = value(sim, "carriage.position");
        bool moves = now != before;
        if (!moved && moves) {
            from = before;
        } else if (moved && !moves) {
            largest = fmax(largest, from > 0.0 ? now - from : 0.0);
            jumps += 1;
        }
        moved = moves;
        before = now;
    }
    assert_true(jumps >= 5);
    hf_check_near(largest, want, 0.1 * want, "jump", "closed form");
    run_until(sim, 8.0);
    hf_check_below(fabs(fabs(value(sim, "backlash.gap")) - 5e-5), 2e-6, "backlash", "gone through");
    finish(sim);
}

// The engine's map at part throttle, as the file has it.
static double map_at(double w, double throttle)
{
    static const double x[5] = {50, 150, 350, 550, 650}, low[5] = {20, -10, -20, -35, -50},
                        high[5] = {90, 170, 220, 190, 0};
    int i = 0;
    while (i < 3 && w > x[i + 1]) {
        ++i;
    }
    double part = fmin(fmax((w - x[i]) / (x[i + 1] - x[i]), 0.0), 1.0);
    double a = low[i] + part * (low[i + 1] - low[i]), b = high[i] + part * (high[i + 1] - high[i]);
    return a + throttle * (b - a);
}

// In gear with the clutch closed, one equation: midpoint rule from where the run is, to `end`.
static double drive_on(double v, double from, double end, double ratio, double throttle)
{
    double mass = 1200.0 + 0.17 * ratio * ratio, h = 1e-3, half = v;
    for (double t = from; t < end - 0.5 * h; t += h) {
        for (int k = 0; k < 2; ++k) {
            double at = k == 0 ? v : half;
            double f = map_at(at * ratio, throttle) * ratio - 0.4 * at * at - 150.0;
            half = v + (k == 0 ? 0.5 : 1.0) * h * f / mass;
        }
        v = half;
    }
    return v;
}

static void test_car(void **state)
{
    (void)state;
    hf_sim *sim = start("car-drivetrain", NULL, NULL, 0);
    // The clutch slips, with 0.1 times what presses it
    run_until(sim, 0.5);
    double w = value(sim, "engine.shaft.velocity"), v = value(sim, "car.velocity"), h = 1e-4;
    for (int i = 0; i < 5000; ++i) {
        double torque = 0.1 * 3000.0 * (0.5 + (i + 0.5) * h - 0.2) / 1.8;
        w += h * (map_at(w, 0.5) - torque) / 0.15;
        v += h * (torque * 40.0 - 0.4 * v * v - 150.0) / (1200.0 + 0.02 * 1600.0);
    }
    run_until(sim, 1.0);
    hf_check_near(value(sim, "engine.shaft.velocity"), w, 2e-3 * w, "engine, slip", "integration");
    hf_check_near(value(sim, "car.velocity"), v, 2e-3 * v, "car, slip", "integration");
    // First gear
    run_until(sim, 2.5);
    v = value(sim, "car.velocity");
    hf_check_near(value(sim, "engine.shaft.velocity"), v * 40.0, 1e-9, "clutch", "closed");
    run_until(sim, 4.5);
    v = drive_on(v, 2.5, 4.5, 40.0, 0.5);
    hf_check_near(value(sim, "car.velocity"), v, 1e-4 * v, "first gear", "integration");
    // Second gear
    run_until(sim, 7.0);
    v = value(sim, "car.velocity");
    hf_check_near(value(sim, "engine.shaft.velocity"), v * 7.0 / 0.3, 1e-9, "gear", "engaged");
    run_until(sim, 11.0);
    v = drive_on(v, 7.0, 11.0, 7.0 / 0.3, 0.6);
    hf_check_near(value(sim, "car.velocity"), v, 1e-4 * v, "second gear", "integration");
    finish(sim);
}

// Boxes are carried along after they have slid for v/(mu g), and lag by v^2/(2 mu g); those at the
// pusher leave the belt.
static void test_conveyor(void **state)
{
    (void)state;
    hf_sim *sim = start("conveyor-line", NULL, NULL, 4e-3);
    run_until(sim, 1.0);
    double lag = 0.25 / (2.0 * 0.5 * 9.81);
    for (int i = 1; i <= 12; ++i) {
        char name[40];
        (void)snprintf(name, sizeof name, "box-%d.position.x", i);
        hf_check_near(value(sim, name), -4.3 + 0.3 * (i - 1) + 0.5 - lag, 1.5e-3, name,
                      "closed form");
    }
    hf_check_near(value(sim, "box-1.velocity.x"), 0.5, 1e-9, "box-1", "as the belt");
    hf_check_below(0.2, value(sim, "box-20.position.y"), "box-20", "pushed off the belt");
    finish(sim);
}

// Shoulder and elbow of the arm alone, its wrist stiff: a two-link pendulum with dry friction, in
// steps of h whose two impulses are found by sweeps. Angles after 1 s.
static void arm_by_steps(double h, double q[2])
{
    static const double parts[][3] = {// mass, place, inertia of what the elbow carries
                                      {2.0, 0.15, 0.01},
                                      {1.0, 0.3, 0.002},
                                      {0.5, 0.35, 0.001},
                                      {0.2, 0.4, 0.0004}};
    const double l = 0.4, arm = 0.02, g = 9.81, m1 = 3.0, c1 = 0.2, own = 0.03, drag = 0.5;
    double m2 = 0.0, c2 = 0.0, inertia = 0.0, v1 = 0.0, v2 = 0.0, p1 = 0.0, p2 = 0.0;
    for (int i = 0; i < 4; ++i) {
        m2 += parts[i][0];
        c2 += parts[i][0] * parts[i][1];
    }
    c2 /= m2;
    for (int i = 0; i < 4; ++i) {
        inertia += parts[i][2] + parts[i][0] * (parts[i][1] - c2) * (parts[i][1] - c2);
    }
    q[0] = 50.0 * PI / 180.0;
    q[1] = 40.0 * PI / 180.0;
    for (int k = 0; k < (int)lround(1.0 / h); ++k) {
        // Mass matrix, and all forces but dry friction
        double t = (k + 0.5) * h, brake = t >= 0.2 && t < 0.45 ? 0.0 : 60.0;
        double both = inertia + m2 * (c2 * c2 + l * c2 * cos(q[1])), turn = m2 * l * c2 * sin(q[1]);
        double a11 = own + m1 * c1 * c1 + m2 * l * l + m2 * l * c2 * cos(q[1]) + both + arm;
        double a22 = inertia + m2 * c2 * c2 + arm, d = a11 * a22 - both * both;
        double w11 = a22 / d, w12 = -both / d, w22 = a11 / d;
        double f2 = m2 * c2 * g * sin(q[0] + q[1]), f1 = (m1 * c1 + m2 * l) * g * sin(q[0]) + f2;
        f1 += turn * (2.0 * v1 + v2) * v2 - drag * v1;
        f2 -= turn * v1 * v1 + drag * v2;
        // Impulses of friction and brake within their bounds
        double u1 = v1 + h * (w11 * f1 + w12 * f2), u2 = v2 + h * (w12 * f1 + w22 * f2);
        double b1 = h * (3.0 + brake), b2 = h * (1.0 + brake), before = INFINITY;
        for (int sweep = 0; sweep < 100 && fabs(p2 - before) > 1e-16; ++sweep) {
            before = p2;
            p1 = fmin(fmax(-(u1 + w12 * p2) / w11, -b1), b1);
            p2 = fmin(fmax(-(u2 + w12 * p1) / w22, -b2), b2);
        }
        v1 = u1 + w11 * p1 + w12 * p2;
        v2 = u2 + w12 * p1 + w22 * p2;
        q[0] += h * v1;
        q[1] += h * v2;
    }
}

// Where the brakes stop the arm, beside that by steps h and h/2 and what they leave to h = 0.
static void test_arm(void **state)
{
    (void)state;
    double rough[2], fine[2];
    arm_by_steps(4e-5, rough);
    arm_by_steps(2e-5, fine);
    hf_sim *sim = start("six-axis-arm", NULL, NULL, 0.0);
    run_until(sim, 1.0);
    hf_check_near(value(sim, "arm.shoulder.position"), 2.0 * fine[0] - rough[0], 1e-6, "shoulder",
                  "an integration of its own");
    hf_check_near(value(sim, "arm.elbow.position"), 2.0 * fine[1] - rough[1], 1e-6, "elbow",
                  "an integration of its own");
    hf_check_near(value(sim, "arm.shoulder.velocity"), 0.0, 0.0, "shoulder", "held");
    hf_check_near(value(sim, "arm.elbow.velocity"), 0.0, 0.0, "elbow", "held");
    finish(sim);
}

// ------------------------------------------------------------------------------------------------
// What sounds

// Helmholtz motion: it sticks to the bow, exactly, and slips once in a period of 1/110 s, to the
// 2 % by which its damping makes it flat.
static void test_bowed_string(void **state)
{
    (void)state;
    hf_sim *sim = start("bowed-string", NULL, NULL, 0);
    run_until(sim, 0.35);
    double first = 0.0, last = 0.0, before = value(sim, "hair.mode");
    int slips = 0;
    while (hf_sim_time(sim) < 0.45) {
        step(sim);
        double mode = value(sim, "hair.mode");
        if (mode != 0.0 && before == 0.0) {
            first = slips == 0 ? hf_sim_time(sim) : first;
            last = hf_sim_time(sim);
            slips += 1;
        }
        if (mode == 0.0 && before == 0.0) {
            hf_check_near(value(sim, "bead-8.velocity"), 0.2, 1e-15, "string", "bow");
        }
        before = mode;
    }
    assert_true(slips >= 9 && slips <= 12);
    hf_check_near((last - first) / (slips - 1), 1.0 / 110.0, 0.02 / 110.0, "period", "1/110 s");
    finish(sim);
}

// Half of the way from least to largest x in an interval.
static double swing(hf_sim *sim, double from, double end)
{
    double low = INFINITY, high = -INFINITY;
    run_until(sim, from);
    while (hf_sim_time(sim) < end) {
        step(sim);
        low = fmin(low, value(sim, "pad.position.x"));
        high = fmax(high, value(sim, "pad.position.x"));
    }
    return 0.5 * (high - low);
}

// Two modes meet at mu = 0.2125; at 0.3 they grow by Im sqrt(K - i s), K = 1.25e5, s^2 = 1.75e8.
static void test_squeal(void **state)
{
    (void)state;
    hf_sim *quiet = start("brake-squeal", NULL, "mu=0.2", 0),
           *loud = start("brake-squeal", NULL, NULL, 0);
    double first = swing(quiet, 0.02, 0.06);
    hf_check_below(swing(quiet, 0.2, 0.24), 1.5 * first, "below the limit", "no growth");
    double s = sqrt(1.75e8), size = hypot(1.25e5, s), rate = sqrt(0.5 * (size - 1.25e5));
    double a = swing(loud, 0.16, 0.19), b = swing(loud, 0.26, 0.29);
    hf_check_near(log(b / a) / 0.1, rate, 0.02 * rate, "growth", "closed form");
    finish(quiet);
    finish(loud);
}

// The mount of the file and the machine on it: m x'' = -f - m g, by an integration of its own.
static void test_own_law(void **state)
{
    (void)state;
    hf_sim *sim = start("own-law", NULL, NULL, 0);
    double x = 0.0, v = 0.0, y = 0.0, h = 1e-5;
    for (int i = 0; i < 50000; ++i) {
        v += h * (-(1e4 * x + 1e4 * (x - y)) / 20.0 - 9.81);
        x += h * v;
        y += h * 100.0 * (x - y);
    }
    run_until(sim, 0.5);
    hf_check_near(value(sim, "machine.position"), x, 1e-5, "position", "integration");
    hf_check_below(fabs(hf_sim_energy(sim).residual), 1e-9, "residual", "ledger");
    finish(sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lossy_gear),   cmocka_unit_test(test_bearing_gear),
        cmocka_unit_test(test_self_locking), cmocka_unit_test(test_worm),
        cmocka_unit_test(test_planetary),    cmocka_unit_test(test_lead_screw),
        cmocka_unit_test(test_car),          cmocka_unit_test(test_conveyor),
        cmocka_unit_test(test_bowed_string), cmocka_unit_test(test_squeal),
        cmocka_unit_test(test_own_law),      cmocka_unit_test(test_arm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
