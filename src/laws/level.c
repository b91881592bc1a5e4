// SPDX-License-Identifier: Apache-2.0
// Level functions: how large friction can be at a velocity and a load. Equations: level.h.
#include "check.h"
#include "element.h"

hf_level hf_level_coulomb(double level)
{
    return (hf_level){.kinetic = {level, level}, .peak = {level, level}, .shape = 2.0};
}

hf_level hf_level_coefficient(double mu)
{
    hf_level level = hf_level_coulomb(mu);
    level.per_normal = true;
    return level;
}

static hf_status check_table(const hf_level *level, hf_fault *fault)
{
    const hf_list *speed = &level->table_speed;
    const hf_list *value = &level->table_level;
    if (speed->count < 0 || speed->count != value->count)
        return hf_fault_set(fault, "table", "needs as many levels as speeds", value->count);
    if (speed->count > 0 && (!speed->values || !value->values))
        return hf_fault_set(fault, "table", "has no numbers", 0.0);
    for (int i = 0; i < speed->count; i++) {
        double v = speed->values[i];
        if (i == 0 && v != 0.0)
            return hf_fault_set(fault, "table", "must begin at speed 0", v);
        if (!hf_is_finite(v) || (i > 0 && !(v > speed->values[i - 1])))
            return hf_fault_set(fault, "table", "must have rising, finite speeds", v);
        if (!(value->values[i] >= 0.0) || !hf_is_finite(value->values[i]))
            return hf_fault_set(fault, "table", "must have levels zero or positive, and finite",
                                value->values[i]);
    }
    return HF_OK;
}

enum { GEAR_ROW = 5 }; // speed, eta1, eta2, b1, b2

static hf_status check_gear(const hf_level *level, int dim, hf_fault *fault)
{
    const double *row = level->gear.values;
    if (level->gear.count < 0 || level->gear.count % GEAR_ROW != 0)
        return hf_fault_set(fault, "gear", "needs rows of five numbers", level->gear.count);
    if (level->gear.count > 0 && (dim != 1 || level->table_speed.count > 0))
        return hf_fault_set(fault, "gear", "is for one dimension, and without a table", dim);
    for (int i = 0; i < level->gear.count; i += GEAR_ROW, row += GEAR_ROW) {
        for (int k = 0; k < GEAR_ROW; k++)
            if (!hf_is_finite(row[k]))
                return hf_fault_set(fault, "gear", "must have finite numbers", row[k]);
        if (i == 0 ? row[0] != 0.0 : !(row[0] > row[-GEAR_ROW]))
            return hf_fault_set(fault, "gear", "must have speeds that rise from 0", row[0]);
        if (!(row[1] > 0.0 && row[1] <= 1.0))
            return hf_fault_set(fault, "efficiency", "must be above 0 and at most 1, driving",
                                row[1]);
        if (!(row[2] <= 1.0))
            return hf_fault_set(fault, "efficiency", "must be at most 1, driven", row[2]);
        if (!(row[3] >= 0.0 && row[4] >= 0.0))
            return hf_fault_set(fault, "bearing", "must be zero or positive",
                                row[3] < row[4] ? row[3] : row[4]);
    }
    return HF_OK;
}

hf_status hf_level_check(const hf_level *level, int dim, hf_fault *fault)
{
    hf_status status = HF_OK;
    *fault = (hf_fault){0};
    // Each side by itself
    for (int side = 0; side < 2 && status == HF_OK; side++) {
        status = hf_check_not_negative("kinetic", level->kinetic[side], fault);
        if (status == HF_OK)
            status = hf_check_not_negative("static", level->peak[side], fault);
        if (status == HF_OK && level->peak[side] < level->kinetic[side])
            status = hf_fault_set(fault, "static", "static level is below kinetic level",
                                  level->peak[side]);
        if (status == HF_OK)
            status = hf_check_not_negative("stribeck_velocity", level->stribeck[side], fault);
        if (status == HF_OK)
            status = hf_check_not_negative("viscous", level->viscous[side], fault);
        if (status == HF_OK)
            status = hf_check_not_negative("cohesion", level->cohesion[side], fault);
    }
    // What both sides share
    if (status == HF_OK && level->sticking != 0.0 && !(level->sticking >= 1.0))
        status = hf_fault_set(fault, "peak", "must be at least 1", level->sticking);
    if (status == HF_OK)
        status = check_gear(level, dim, fault);
    if (status == HF_OK)
        status = hf_check_positive("shape", level->shape, fault);
    if (status == HF_OK)
        status = check_table(level, fault);
    if (status != HF_OK || dim == 1)
        return status;
    // In more than one dimension there is no forth and back
    const char *same = "must be the same forth and back on a coupling of more than one dimension";
    if (level->kinetic[0] != level->kinetic[1])
        return hf_fault_set(fault, "kinetic", same, level->kinetic[1]);
    if (level->peak[0] != level->peak[1])
        return hf_fault_set(fault, "static", same, level->peak[1]);
    if (level->stribeck[0] != level->stribeck[1])
        return hf_fault_set(fault, "stribeck_velocity", same, level->stribeck[1]);
    if (level->viscous[0] != level->viscous[1])
        return hf_fault_set(fault, "viscous", same, level->viscous[1]);
    if (level->cohesion[0] != level->cohesion[1])
        return hf_fault_set(fault, "cohesion", same, level->cohesion[1]);
    return HF_OK;
}

bool hf_level_is_constant(const hf_level *level)
{
    return !level->per_normal && level->table_speed.count == 0 && level->viscous[0] == 0.0 &&
           level->viscous[1] == 0.0 && level->kinetic[0] == level->kinetic[1] &&
           level->peak[0] == level->kinetic[0] && level->peak[1] == level->kinetic[0] &&
           !(level->sticking > 1.0);
}

bool hf_level_is_zero(const hf_level *level)
{
    if (level->viscous[0] != 0.0 || level->viscous[1] != 0.0 || level->gear.count > 0 ||
        level->cohesion[0] != 0.0 || level->cohesion[1] != 0.0)
        return false;
    for (int i = 0; i < level->table_level.count; i++)
        if (level->table_level.values[i] != 0.0)
            return false;
    return level->table_speed.count > 0 || (level->peak[0] == 0.0 && level->peak[1] == 0.0);
}

// Index of the table's piece that holds `speed`, or count - 1 beyond its end.
static int table_piece(const hf_level *level, double speed)
{
    int low = 0, high = level->table_speed.count;
    while (high - low > 1) {
        int middle = low + (high - low) / 2;
        if (level->table_speed.values[middle] <= speed)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static double table_slope(const hf_level *level, int piece)
{
    if (piece + 1 >= level->table_speed.count)
        return 0.0;
    const double *v = level->table_speed.values + piece;
    const double *f = level->table_level.values + piece;
    return (f[1] - f[0]) / (v[1] - v[0]);
}

// x^shape, with the usual exponents exact and cheap.
static double shape_power(double x, double shape)
{
    if (shape == 2.0)
        return x * x;
    if (shape == 1.0)
        return x;
    return pow(x, shape);
}

// The losses of a gear at a speed, with what T is behind it; *slope: its derivative by the speed.
static double gear_at(const hf_level *level, int side, double speed, double load, double *slope)
{
    const double *row = level->gear.values;
    int rows = level->gear.count / GEAR_ROW, i = 0;
    double n[GEAR_ROW], d[GEAR_ROW] = {0.0};
    while (i + 1 < rows && row[(i + 1) * GEAR_ROW] <= speed)
        i++;
    row += i * GEAR_ROW;
    for (int k = 1; k < GEAR_ROW; k++) {
        d[k] = i + 1 < rows ? (row[k + GEAR_ROW] - row[k]) / (row[GEAR_ROW] - row[0]) : 0.0;
        n[k] = row[k] + d[k] * (speed - row[0]);
    }
    double torque = side == HF_FORTH ? load : -load;
    double driving = ((1.0 - n[1]) * torque + n[3]) / n[1];
    double driven = -(1.0 - n[2]) * torque + n[2] * n[4];
    bool drives = driving >= driven;
    double value = drives ? driving : driven;
    if (!(value > 0.0)) {
        *slope = 0.0;
        return 0.0;
    }
    *slope = drives ? (d[3] - d[1] * torque - driving * d[1]) / n[1]
                    : d[2] * torque + d[2] * n[4] + n[2] * d[4];
    return value;
}

double hf_level_at(const hf_level *level, int side, double speed, double normal, hf_regime regime)
{
    double value = level->kinetic[side];
    double rise = level->peak[side] - value;
    if (level->table_speed.count > 0) {
        int piece = table_piece(level, speed);
        value = level->table_level.values[piece] +
                table_slope(level, piece) * (speed - level->table_speed.values[piece]);
    } else if (rise > 0.0 && level->stribeck[side] > 0.0) {
        double power = shape_power(speed / level->stribeck[side], level->shape);
        value += rise * (level->rational ? 1.0 / (1.0 + power) : exp(-power));
    } else if (regime != HF_REGIME_SLIP) {
        value = level->peak[side];
    }
    if (level->gear.count > 0) {
        double slope;
        value += gear_at(level, side, speed, normal, &slope);
    } else if (level->per_normal) {
        value = value * normal + level->cohesion[side];
    }
    if (level->sticking > 1.0 && regime != HF_REGIME_SLIP)
        value *= level->sticking;
    return value + level->viscous[side] * speed;
}

double hf_level_slope(const hf_level *level, int side, double speed, double normal,
                      hf_regime regime)
{
    // A change of regime moves the level, and its slope by the factor of stick alone.
    double rise = level->peak[side] - level->kinetic[side];
    double vs = level->stribeck[side];
    double slope = 0.0;
    if (level->table_speed.count > 0) {
        slope = table_slope(level, table_piece(level, speed));
    } else if (rise > 0.0 && vs > 0.0) {
        double x = speed / vs;
        double power = shape_power(x, level->shape);
        double fall = level->rational ? 1.0 / ((1.0 + power) * (1.0 + power)) : exp(-power);
        slope = -rise * level->shape * (power / x) * fall / vs;
    }
    if (level->gear.count > 0) {
        double more;
        (void)gear_at(level, side, speed, normal, &more);
        slope += more;
    } else if (level->per_normal) {
        slope *= normal;
    }
    if (level->sticking > 1.0 && regime != HF_REGIME_SLIP)
        slope *= level->sticking;
    return slope + level->viscous[side];
}

// ------------------------------------------------------------------------------------------------
// c w + F(w) = trial

// The problem of one side: G(w) = c w + F(w) - trial.
typedef struct balance {
    const hf_level *level;
    int side;
    double normal;
    hf_regime regime;
    double c;
    double trial;
} balance;

static double balance_at(const balance *b, double w)
{
    return b->c * w + hf_level_at(b->level, b->side, w, b->normal, b->regime) - b->trial;
}

static double balance_slope(const balance *b, double w)
{
    return b->c + hf_level_slope(b->level, b->side, w, b->normal, b->regime);
}

// What the curve or table is multiplied by.
static double scale_of(const balance *b)
{
    double stick =
        b->level->sticking > 1.0 && b->regime != HF_REGIME_SLIP ? b->level->sticking : 1.0;
    return b->level->per_normal ? stick * b->normal : stick;
}

// Newton's method kept inside [low, high], where G(low) <= 0 <= G(high). Ends when the bracket or
// the step is at rounding: each step at least halves the bracket or lands inside it, so 200
// suffice.
static double bracketed_root(const balance *b, double low, double high)
{
    double w = high;
    for (int i = 0; i < 200; i++) {
        double value = balance_at(b, w);
        if (value == 0.0)
            return w;
        if (value < 0.0)
            low = w;
        else
            high = w;
        double slope = w > 0.0 ? balance_slope(b, w) : 0.0;
        double next = slope > 0.0 ? w - value / slope : low;
        // Every third step bisects, so that a slow Newton sequence cannot creep along one end.
        if (!(next > low && next < high) || i % 3 == 2)
            next = low + 0.5 * (high - low);
        if (next == w || !(next > low && next < high))
            return next;
        w = next;
    }
    return w;
}

// The largest root of a piecewise linear level: the last piece on which G rises through zero.
static double table_root(const balance *b)
{
    const hf_level *level = b->level;
    double scale = scale_of(b);
    int last = level->table_speed.count - 1;
    int piece = last;
    while (piece > 0 && balance_at(b, level->table_speed.values[piece]) > 0.0)
        piece--;
    double v = level->table_speed.values[piece];
    double slope = b->c + scale * table_slope(level, piece) + level->viscous[b->side];
    double w = v - balance_at(b, v) / slope;
    return piece < last ? hf_clamp(v, level->table_speed.values[piece + 1], w) : w;
}

// The largest root for a Stribeck level. G rises everywhere but on one interval (w1, w2) around the
// steepest point of the curve, x^delta = (delta - 1)/delta, or (delta - 1)/(delta + 1) when
// rational, if the curve is steeper than c.
static double stribeck_root(const balance *b)
{
    const hf_level *level = b->level;
    double scale = scale_of(b);
    double kinetic = scale * level->kinetic[b->side];
    double high = (b->trial - kinetic) / (b->c + level->viscous[b->side]); // G(high) >= 0
    double delta = level->shape;
    double vs = level->stribeck[b->side];
    double bend = (delta - 1.0) / (level->rational ? delta + 1.0 : delta);
    double steepest = delta > 1.0 ? vs * pow(bend, 1.0 / delta) : 0.0;
    // without a steepest point the curve is steepest at 0: just beside it
    const double beside = 1e-9; // of the Stribeck velocity: the slope at 0 itself may be infinite
    double probe = steepest > 0.0 ? steepest : beside * vs;
    if (balance_slope(b, probe) >= 0.0)
        return bracketed_root(b, 0.0, high);
    // w2: where G rises again, between the steepest point and `high` or beyond it
    double low = probe, top = high > probe ? high : 2.0 * probe;
    while (balance_slope(b, top) < 0.0)
        top *= 2.0;
    for (int i = 0; i < 60 && top > low; i++) {
        double middle = low + 0.5 * (top - low);
        if (balance_slope(b, middle) < 0.0)
            low = middle;
        else
            top = middle;
    }
    if (balance_at(b, top) <= 0.0)
        return bracketed_root(b, top, high);
    return bracketed_root(b, 0.0, probe);
}

hf_slip hf_level_slip(const hf_level *level, int side, double normal, hf_regime regime, double c,
                      double trial)
{
    if (hf_level_is_flat(level, side))
        return hf_level_slip_fast(level, side, normal, regime, c, trial);
    double rest = hf_level_at(level, side, 0.0, normal, regime);
    if (!(trial > rest)) // NaN is passed on
        return (hf_slip){.force = trial, .speed = 0.0, .slips = false};
    balance b = {
        .level = level, .side = side, .normal = normal, .regime = regime, .c = c, .trial = trial};
    bool curve = level->peak[side] > level->kinetic[side] && level->stribeck[side] > 0.0;
    double w;
    if (level->gear.count > 0)
        w = curve || level->gear.count > GEAR_ROW ? bracketed_root(&b, 0.0, trial / c)
                                                  : (trial - rest) / (c + level->viscous[side]);
    else if (level->table_speed.count > 0)
        w = table_root(&b);
    else if (curve && (!level->per_normal || normal > 0.0))
        w = stribeck_root(&b);
    else // Coulomb and viscous: closed form, [Kikuuwe2005] erratum 9
        w = (trial - rest) / (c + level->viscous[side]);
    double force = hf_level_at(level, side, w, normal, regime);
    return (hf_slip){.force = force < trial ? force : trial, .speed = w, .slips = true};
}

hf_status hf_check_plain_level(const hf_level *level, hf_fault *fault)
{
    if (level->gear.count > 0)
        return hf_fault_set(fault, "gear", "goes with laws coulomb and stiction", 0.0);
    if (level->cohesion[0] != 0.0 || level->cohesion[1] != 0.0)
        return hf_fault_set(fault, "cohesion", "goes with laws coulomb and stiction",
                            level->cohesion[0]);
    if (level->sticking != 0.0)
        return hf_fault_set(fault, "peak", "goes with laws coulomb and stiction", level->sticking);
    return HF_OK;
}

hf_status hf_check_bristle_level(const hf_level *level, int dim, hf_fault *fault)
{
    hf_status status = hf_check_level("level", level, dim, fault);
    if (status == HF_OK)
        status = hf_check_plain_level(level, fault);
    bool table = level->table_speed.count > 0;
    for (int side = 0; side < 2 && status == HF_OK && !table; side++)
        status = hf_check_positive("kinetic", level->kinetic[side], fault);
    for (int i = 0; i < level->table_level.count && status == HF_OK; i++)
        status = hf_check_positive("table", level->table_level.values[i], fault);
    if (status != HF_OK)
        fault->within = "level";
    return status;
}
