// SPDX-License-Identifier: Apache-2.0
// Newton's method for steps whose contacts, limits and frictions each act on one tree: robots on a
// floor, with friction in their joints. (Loose bodies stay with sweeps, which share a load more
// evenly among the points of a patch.)
//
// Bounded multipliers and limits are scalar rows here, and all matrices are those of a group's own
// mass-weighted velocities, with the sparsity of its tree. With s the change of these,
//   s = sum Y_i' r_i,   u_i = q_i + Y_i s
// and every r_i is affine in u_i for the regime that r_i - u_i/w_i guesses:
//   open                    r = 0
//   sticks, or is held      r = r - G u                     w G = HELD: a proximal point of u = 0
//   friction at its bound   r = b d - c p (p.u)             d the direction of slip, p across it,
//   slips                   the same with b = mu r_N        c = k/(w (1 - k)), k = b/|r_T - u_T/w|
// so that a step of Newton's method is (I + sum Y' G Y) ds = sum Y' dr, where nothing fills beside
// the ways of each row to the world; where contacts have fewer rows than a group with loops has
// velocities, the same over these rows (quick_rows.c). From the last step's reactions one or two
// steps suffice, as a rule. Where regimes do not settle some sweeps of Gauss and Seidel are between
// the steps; where that does not help, the solvers of fc3d.h take over from the first reactions.
// Contacts between two branches of one tree fill what both have in common; bounds that follow the
// normal reaction of their contact (spin, rolling) are those of the last step of Newton's method.
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "methods/timestep/timestep.h"
#include "solvers/fc3d/fc3d_internal.h"

enum { FIRST_STEPS = 3, MOST_STEPS = 24 };
static const double HELD = 1e8, SOFTLY = 10.0, HARDER = 300.0, WORSE = 1e-6, CONTRACTS = 0.3;

// ------------------------------------------------------------------------------------------------
// Regimes

// The columns in which a contact's rows have numbers, from the last on; how many.
static int columns_of(const hf_timestep *ts, const hf_ts_contact *contact, int *columns)
{
    const hf_ts_side *side = &contact->sides[0];
    const int *above = ts->machine.groups[side->group].above;
    int count = 0;
    if (side->leaf != HF_TS_ANYWHERE) {
        for (int k = side->leaf; k >= 0; k = above[k]) {
            columns[count++] = k;
        }
        return count;
    }
    const double *x = ts->problem.y + side->y, *y = x + side->count, *z = y + side->count;
    for (int k = side->count - 1; k >= 0; --k) {
        columns[count] = k;
        count += x[k] != 0.0 || y[k] != 0.0 || z[k] != 0.0 ? 1 : 0;
    }
    return count;
}

static void weigh(const hf_timestep *ts, int i)
{
    const hf_ts_contact *contact = &ts->problem.contacts[i];
    hf_ts_quick *quick = &ts->scratch.quick[i];
    const hf_ts_side *side = &contact->sides[0];
    const double *y = ts->problem.y + side->y;
    size_t n = (size_t)side->count;
    int tangents = hf_ts_quick_tangents(contact), columns[HF_TS_QUICK_WIDTH];
    int count = columns_of(ts, contact, columns);
    double normal = 0.0, sum = 0.0;
    for (int c = 0; c < count; ++c) {
        size_t m = (size_t)columns[c];
        normal += y[m] * y[m];
        for (int k = 1; k <= tangents; ++k) {
            sum += y[(size_t)k * n + m] * y[(size_t)k * n + m];
        }
    }
    normal = contact->kind == HF_TS_FRICTION ? 0.0 : normal;
    quick->over[0] = normal > 0.0 ? 1.0 / normal : 0.0;
    quick->over[1] = sum > 0.0 ? tangents / sum : 0.0;
    quick->regime = -1;
}

// Tangents at the bound b, or within it: `hold` and across. held: what the tangent sticks by.
static bool pose_tangents(hf_ts_quick *quick, int tangents, double bound, double held,
                          const double *r, const double *u)
{
    double over = quick->over[1];
    double x = r[1] - over * u[1], y = tangents > 1 ? r[2] - over * u[2] : 0.0;
    double size = tangents > 1 ? hypot(x, y) : fabs(x);
    quick->across = 0.0;
    if (size <= bound) {
        return true;
    }
    double k = bound / size;
    quick->d[0] = x / size;
    quick->d[1] = y / size;
    quick->across = tangents > 1 ? fmin(k / (1.0 - k), held) * over : 0.0;
    return false;
}

// The regime of contact i by r and u; dr: how far its reaction is from what u asks for. True: it is
// the one of before.
static bool pose(const hf_timestep *ts, int i, double dr[3])
{
    const hf_ts_contact *contact = &ts->problem.contacts[i];
    hf_ts_quick *quick = &ts->scratch.quick[i];
    const double *r = ts->problem.r + 3 * i, *u = ts->problem.u + 3 * i;
    int tangents = hf_ts_quick_tangents(contact), before = quick->regime;
    bool friction = contact->kind == HF_TS_FRICTION;
    // Open, or pressed
    double normal = friction ? r[0] : r[0] - quick->over[0] * u[0];
    dr[0] = -r[0];
    dr[1] = -r[1];
    dr[2] = -r[2];
    quick->normal = quick->tangent = quick->along = quick->across = 0.0;
    if (friction) {
        dr[0] = 0.0;
    } else if (!(normal > 0.0)) {
        quick->regime = HF_REGIME_OPEN;
        return before == HF_REGIME_OPEN;
    } else {
        quick->normal = ts->scratch.held * quick->over[0];
        dr[0] = -quick->normal * u[0];
    }
    // It sticks
    double bound = friction ? r[0] : ts->problem.mu[i] * normal;
    if (tangents == 0 || pose_tangents(quick, tangents, bound, ts->scratch.held, r, u)) {
        quick->regime = HF_REGIME_STICK;
        quick->tangent = tangents == 0 ? 0.0 : ts->scratch.held * quick->over[1];
        for (int k = 1; k <= tangents; ++k) {
            dr[k] = -quick->tangent * u[k];
        }
        return before == HF_REGIME_STICK;
    }
    // or slips
    quick->regime = HF_REGIME_SLIP;
    quick->along = friction ? 0.0 : ts->problem.mu[i];
    double load = friction ? bound : ts->problem.mu[i] * (r[0] + dr[0]);
    double skew = quick->across * (quick->d[0] * u[2] - quick->d[1] * u[1]);
    dr[1] += load * quick->d[0] + skew * quick->d[1];
    dr[2] += tangents > 1 ? load * quick->d[1] - skew * quick->d[0] : 0.0;
    return before == HF_REGIME_SLIP;
}

// ------------------------------------------------------------------------------------------------
// Columns

// A set of columns: bits.
typedef struct column_set {
    uint64_t words[(HF_TS_QUICK_WIDTH + 63) / 64];
} column_set;

enum { WORDS = (HF_TS_QUICK_WIDTH + 63) / 64 };

static void join_columns(column_set *set, const column_set *other)
{
    for (int w = 0; w < WORDS; ++w) {
        set->words[w] |= other->words[w];
    }
}

// Each of these columns is reached by the rows of all of them.
static void note_columns(const int *columns, int count, column_set *filled)
{
    column_set all = {{0}};
    for (int i = 0; i < count; ++i) {
        all.words[columns[i] / 64] |= (uint64_t)1 << (columns[i] % 64);
    }
    for (int i = 0; i < count; ++i) {
        join_columns(&filled[columns[i]], &all);
    }
}

// Columns before `end` of a set, from the last on; how many.
static int list_columns(const column_set *set, int end, unsigned char *columns)
{
    int count = 0;
    for (int k = end - 1; k >= 0; --k) {
        columns[count] = (unsigned char)k;
        count += (int)(set->words[k / 64] >> (k % 64) & 1);
    }
    return count;
}

// ------------------------------------------------------------------------------------------------
// The matrix of a group

// A += g x y' in some columns, which fall. halved: what is symmetric, the columns up to each row's.
static void add_product(double *a, size_t n, const int *columns, int count, bool halved, double g,
                        const double *x, const double *y)
{
    for (int i = 0; i < count; ++i) {
        double share = g * x[columns[i]], *row = a + (size_t)columns[i] * n;
        for (int j = halved ? i : 0; j < count && share != 0.0; ++j) {
            row[columns[j]] += share * y[columns[j]];
        }
    }
}

// Y' G Y and Y' dr of contact i.
static void add_contact(const hf_timestep *ts, int i, const double dr[3], bool halved, double *b,
                        column_set *filled)
{
    const hf_ts_contact *contact = &ts->problem.contacts[i];
    const hf_ts_side *side = &contact->sides[0];
    const hf_ts_quick *quick = &ts->scratch.quick[i];
    size_t n = (size_t)side->count;
    const double *y = ts->problem.y + side->y;
    double *a = ts->scratch.matrix, *x = a + n * n;
    int tangents = hf_ts_quick_tangents(contact), columns[HF_TS_QUICK_WIDTH];
    int count = columns_of(ts, contact, columns);
    // Y' dr
    for (int k = 0; k <= tangents; ++k) {
        const double *row = y + (size_t)k * n;
        for (int m = 0; m < count && dr[k] != 0.0; ++m) {
            b[columns[m]] += dr[k] * row[columns[m]];
        }
    }
    if (quick->normal > 0.0 || quick->tangent > 0.0 || quick->across > 0.0) {
        note_columns(columns, count, filled);
    }
    // The normal, with what it brings along in slip
    if (quick->normal > 0.0 && quick->along > 0.0) {
        for (int c = 0; c < count; ++c) {
            size_t m = (size_t)columns[c];
            double second = tangents > 1 ? quick->d[1] * y[2 * n + m] : 0.0;
            x[m] = y[m] + quick->along * (quick->d[0] * y[n + m] + second);
        }
        add_product(a, n, columns, count, halved, quick->normal, x, y);
    } else if (quick->normal > 0.0) {
        add_product(a, n, columns, count, halved, quick->normal, y, y);
    }
    // Tangents in stick, and across the slip
    for (int k = 1; k <= tangents && quick->tangent > 0.0; ++k) {
        const double *row = y + (size_t)k * n;
        add_product(a, n, columns, count, halved, quick->tangent, row, row);
    }
    if (quick->across > 0.0) {
        for (int c = 0; c < count; ++c) {
            size_t m = (size_t)columns[c];
            x[m] = quick->d[0] * y[2 * n + m] - quick->d[1] * y[n + m];
        }
        add_product(a, n, columns, count, halved, quick->across, x, x);
    }
}

// b := A^-1 b, from the leaves to the root and back; false: a pivot vanishes. Rows fill where two
// that they reach are reached by a third. halved: A is symmetric, and there up to its diagonal.
static bool eliminate(double *a, int count, bool halved, column_set *filled, double *b)
{
    size_t n = (size_t)count;
    unsigned char lists[HF_TS_QUICK_WIDTH][HF_TS_QUICK_WIDTH];
    int lengths[HF_TS_QUICK_WIDTH];
    // Inward
    for (int k = count - 1; k >= 0; --k) {
        const double *pivot = a + (size_t)k * n;
        const unsigned char *columns = lists[k];
        if (!(fabs(pivot[k]) > 0.0) || !isfinite(pivot[k])) {
            return false;
        }
        double over = 1.0 / pivot[k];
        int below = lengths[k] = list_columns(&filled[k], k, lists[k]);
        for (int c = 0; c < below; ++c) {
            int i = columns[c];
            double *row = a + (size_t)i * n, share = (halved ? pivot[i] : row[k]) * over;
            for (int m = halved ? c : 0; m < below && share != 0.0; ++m) {
                row[columns[m]] -= share * pivot[columns[m]];
            }
            b[i] -= share * b[k];
            join_columns(&filled[i], &filled[k]);
        }
    }
    // Outward
    for (int k = 0; k < count; ++k) {
        const double *row = a + (size_t)k * n;
        double sum = b[k];
        for (int c = 0; c < lengths[k]; ++c) {
            sum -= row[lists[k][c]] * b[lists[k][c]];
        }
        b[k] = sum / row[k];
    }
    return true;
}

// r += dr - G Y ds of contact i.
static void take(const hf_timestep *ts, int i, const double dr[3], const double *ds)
{
    const hf_ts_contact *contact = &ts->problem.contacts[i];
    const hf_ts_side *side = &contact->sides[0];
    const hf_ts_quick *quick = &ts->scratch.quick[i];
    size_t n = (size_t)side->count;
    int columns[HF_TS_QUICK_WIDTH], count = columns_of(ts, contact, columns);
    double *r = ts->problem.r + 3 * i, u[3] = {0.0, 0.0, 0.0};
    for (int k = 0; k <= hf_ts_quick_tangents(contact) && quick->regime != HF_REGIME_OPEN; ++k) {
        const double *row = ts->problem.y + side->y + (size_t)k * n;
        for (int m = 0; m < count; ++m) {
            u[k] += row[columns[m]] * ds[columns[m]];
        }
    }
    double normal = -quick->normal * u[0], slip = quick->along * normal;
    double skew = quick->across * (quick->d[0] * u[2] - quick->d[1] * u[1]);
    bool slips = quick->regime == HF_REGIME_SLIP;
    r[0] += dr[0] + normal;
    r[1] += dr[1] - quick->tangent * u[1] + (slips ? slip * quick->d[0] + skew * quick->d[1] : 0.0);
    r[2] += dr[2] - quick->tangent * u[2] + (slips ? slip * quick->d[1] - skew * quick->d[0] : 0.0);
}

// One step of all contacts of a group. False: it has no finite one.
static bool step_group(hf_timestep *ts, int group, double *all)
{
    const hf_ts_group *g = &ts->machine.groups[group];
    size_t n = (size_t)g->count;
    double *b = ts->scratch.matrix + n * n + n;
    bool good;
    // Over its rows, where these are few
    if (hf_ts_quick_rows(ts, group, all, &good)) {
        return good;
    }
    ts->scratch.quick_list.group = -1; // W of the rows of another
    // 1 + Y' G Y and Y' dr: symmetric, where no slip depends on its normal
    bool halved = true;
    for (int i = 0; i < ts->problem.count && halved; ++i) {
        const hf_ts_quick *quick = &ts->scratch.quick[i];
        halved = !(quick->normal > 0.0 && quick->along > 0.0) ||
                 ts->problem.contacts[i].sides[0].group != group;
    }
    column_set filled[HF_TS_QUICK_WIDTH];
    memset(filled, 0, n * sizeof *filled);
    memset(ts->scratch.matrix, 0, n * n * sizeof *b);
    memset(b, 0, n * sizeof *b);
    for (size_t k = 0; k < n; ++k) {
        ts->scratch.matrix[k * n + k] = 1.0;
    }
    for (int i = 0; i < ts->problem.count; ++i) {
        if (ts->problem.contacts[i].sides[0].group == group) {
            add_contact(ts, i, all + 3 * i, halved, b, filled);
        }
    }
    if (!eliminate(ts->scratch.matrix, g->count, halved, filled, b)) {
        return false;
    }
    for (int i = 0; i < ts->problem.count; ++i) {
        if (ts->problem.contacts[i].sides[0].group == group) {
            take(ts, i, all + 3 * i, b);
        }
    }
    return true;
}

// ------------------------------------------------------------------------------------------------
// Solution

bool hf_ts_quick_serves(const hf_timestep *ts)
{
    bool good = ts->plugged.solve == NULL && ts->solver->def.method == HF_FC3D_AUTO &&
                (!ts->attempt.traits.loaded || ts->attempt.traits.follows) &&
                !ts->attempt.traits.plane && !ts->attempt.traits.yields &&
                ts->problem.count <= HF_TS_QUICK_CONTACTS;
    for (int i = 0; good && i < ts->problem.count; ++i) {
        const hf_ts_side *side = &ts->problem.contacts[i].sides[0];
        good = ts->problem.contacts[i].side_count == 1 && ts->machine.groups[side->group].jointed &&
               side->count <= HF_TS_QUICK_WIDTH;
    }
    return good;
}

// One step of Newton's method from r and u; regimes are those of before: *same.
static bool step(hf_timestep *ts, bool *same)
{
    double *dr = ts->scratch.found;
    bool good = true;
    *same = true;
    for (int i = 0; i < ts->problem.count; ++i) {
        bool as_before = pose(ts, i, dr + 3 * i);
        *same = *same && as_before;
    }
    for (int g = 0; g < ts->machine.group_count && good; ++g) {
        if (ts->machine.groups[g].touched) {
            good = step_group(ts, g, dr);
        }
    }
    return good;
}

bool hf_ts_quick_follow(hf_timestep *ts)
{
    bool changed = false;
    for (int i = 0; i < ts->problem.follower_count; ++i) {
        const hf_fc3d_follower *f = &ts->problem.followers[i];
        double bound = f->bound + f->share * fmax(ts->problem.r[3 * f->owner], 0.0);
        changed = changed || ts->problem.r[3 * f->contact] != bound ||
                  ts->problem.q[3 * f->contact] != -f->weight * bound;
        ts->problem.r[3 * f->contact] = bound;
        ts->problem.q[3 * f->contact] = -f->weight * bound;
    }
    return changed;
}

bool hf_ts_quick_solve(hf_timestep *ts, double rho, double tolerance, bool judged,
                       hf_fc3d_info *info)
{
    double residual = info->residual;
    bool same = false;
    // Weights of the contacts; bounds are their normal reactions
    ts->scratch.held = HELD;
    ts->scratch.quick_list.group = -1;
    for (int g = 0; g < ts->machine.group_count; ++g) {
        ts->machine.groups[g].touched = false;
    }
    for (int i = 0; i < ts->problem.count; ++i) {
        ts->machine.groups[ts->problem.contacts[i].sides[0].group].touched = true;
        weigh(ts, i);
        const hf_ts_contact *c = &ts->problem.contacts[i];
        if (c->kind == HF_TS_FRICTION && !(c->owner >= 0 && c->share > 0.0)) {
            judged = judged && ts->problem.r[3 * i] == c->bound;
            ts->problem.r[3 * i] = c->bound;
        }
    }
    judged = !hf_ts_quick_follow(ts) && judged;
    memcpy(ts->scratch.given, ts->problem.r, 3 * (size_t)ts->problem.count * sizeof *ts->problem.r);
    residual = judged ? residual : hf_ts_judge(ts, rho);
    double first = residual, last = HUGE_VAL;
    bool soft = false;
    // Newton's method; where it does not settle, once more from the start, held softly
    for (int k = 1; k <= MOST_STEPS; ++k) {
        bool slow = k > FIRST_STEPS && !(residual <= CONTRACTS * last);
        last = residual;
        if (!soft && (slow || residual > fmax(first, WORSE))) {
            memcpy(ts->problem.r, ts->scratch.given,
                   3 * (size_t)ts->problem.count * sizeof *ts->problem.r);
            (void)hf_ts_quick_follow(ts);
            residual = hf_ts_judge(ts, rho);
            ts->scratch.held = SOFTLY;
            soft = true;
        } else if (soft && same) {
            ts->scratch.held = fmin(HARDER * ts->scratch.held, HELD);
        }
        if (!isfinite(residual) || !step(ts, &same)) {
            break;
        }
        (void)hf_ts_quick_follow(ts);
        residual = hf_ts_judge(ts, rho);
        double enough = hf_ts_tolerance(ts, tolerance, rho);
        if (residual <= hf_fc3d_polished(enough) || (same && residual <= enough)) {
            *info = (hf_fc3d_info){.method = HF_FC3D_NEWTON,
                                   .iterations = k,
                                   .factorizations = k,
                                   .residual = residual,
                                   .scaled = residual};
            info->of_method[HF_FC3D_NEWTON] = k;
            return true;
        }
    }
    memcpy(ts->problem.r, ts->scratch.given, 3 * (size_t)ts->problem.count * sizeof *ts->problem.r);
    (void)hf_ts_quick_follow(ts);
    return false;
}
