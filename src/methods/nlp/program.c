// SPDX-License-Identifier: Apache-2.0
// The nonlinear program of [RobotSimulation2025], corrected, for all contacts of one step.
#include "methods/nlp/program.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

// Stands for the unknowns where only places of entries are asked for.
static const double nowhere[HF_NLP_UNKNOWNS];

// Entries of a sparse matrix, one after the other.
typedef struct entries {
    int *row, *column;
    double *value; // NULL: places
    int count;
} entries;

static void put(entries *out, int row, int column, double value)
{
    if (out->value != NULL) {
        out->value[out->count] = value;
    } else {
        out->row[out->count] = row;
        out->column[out->count] = column;
    }
    out->count += 1;
}

static bool is_in(const hf_nlp_program *program, int contact)
{
    return program->scale[contact] > 0.0;
}

static bool has_friction(const hf_nlp_program *program, int contact)
{
    return is_in(program, contact) && program->problem->mu[contact] > 0.0;
}

// Rows of W that a contact takes part with.
static int rows_of(const hf_nlp_program *program, int contact)
{
    return has_friction(program, contact) ? 3 : (is_in(program, contact) ? 1 : 0);
}

static const double *block(const hf_fc3d_problem *problem, int index)
{
    return problem->w + (size_t)9 * (size_t)index;
}

static double trace(const hf_fc3d_problem *problem, int contact)
{
    int index = problem->start[contact];
    while (problem->column[index] != contact) {
        ++index;
    }
    const double *w = block(problem, index);
    return w[0] + w[4] + w[8];
}

// 1 - t.t
static double within(const double *c)
{
    return 1.0 - (c[HF_NLP_T] * c[HF_NLP_T] + c[HF_NLP_T + 1] * c[HF_NLP_T + 1]);
}

// ------------------------------------------------------------------------------------------------
// Sizes, scales and bounds

// Whether nothing presses a contact: u_N = W_NN r_N, which depends on nothing else. Then r = 0,
// whatever the others do. An open clutch is one: a multiplier with a bound of zero.
static bool is_idle(const hf_fc3d_problem *problem, int contact)
{
    for (int b = problem->start[contact]; b < problem->start[contact + 1]; ++b) {
        const double *w = block(problem, b);
        bool own = problem->column[b] == contact;
        if ((!own && w[0] != 0.0) || w[1] != 0.0 || w[2] != 0.0) {
            return false;
        }
    }
    return problem->q[3 * contact] == 0.0;
}

static void find_scales(hf_nlp_program *program)
{
    const hf_fc3d_problem *problem = program->problem;
    double largest = 0.0;
    for (int i = 0; i < problem->contacts; ++i) {
        const double *q = problem->q + (size_t)3 * (size_t)i;
        double sum = trace(problem, i);
        program->scale[i] = is_idle(problem, i) ? 0.0 : (sum > 0.0 ? sqrt(3.0 / sum) : 1.0);
        double size = program->scale[i] * sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2]);
        largest = size > largest ? size : largest;
    }
    program->velocity = largest > 0.0 ? largest : 1.0;
}

void hf_nlp_program_prepare(hf_nlp_program *program)
{
    const hf_fc3d_problem *problem = program->problem;
    program->jacobian = 0;
    program->hessian = 0;
    program->row[0] = 0;
    find_scales(program);
    for (int i = 0; i < problem->contacts; ++i) {
        bool in = is_in(program, i), friction = has_friction(program, i);
        program->row[i + 1] = program->row[i] + (friction ? HF_NLP_CONSTRAINTS : in ? 2 : 0);
        for (int b = problem->start[i]; b < problem->start[i + 1]; ++b) {
            program->jacobian += rows_of(program, i) * rows_of(program, problem->column[b]);
        }
        program->jacobian += friction ? 14 : in ? 4 : 0;
        program->hessian += friction ? 7 : in ? 1 : 0;
    }
}

bool hf_nlp_program_is_empty(const hf_nlp_program *program)
{
    return hf_nlp_program_constraints(program) == 0;
}

void hf_nlp_program_bounds(const hf_nlp_program *program, double infinite, double *x_low,
                           double *x_high, double *g_low, double *g_high)
{
    for (int i = 0; i < program->problem->contacts; ++i) {
        double *low = x_low + HF_NLP_UNKNOWNS * i, *high = x_high + HF_NLP_UNKNOWNS * i;
        bool friction = has_friction(program, i);
        for (int k = 0; k < HF_NLP_UNKNOWNS; ++k) {
            bool direction = k == HF_NLP_T || k == HF_NLP_T + 1;
            bool fixed = !is_in(program, i) ||
                         (!friction && (direction || k == HF_NLP_LAMBDA || k == HF_NLP_S2));
            low[k] = direction && friction ? -infinite : 0.0; // (12), (13), (14), (18)
            high[k] = fixed ? 0.0 : infinite;
        }
        int equations = program->row[i] + rows_of(program, i);
        for (int g = program->row[i]; g < program->row[i + 1]; ++g) {
            g_low[g] = 0.0;
            g_high[g] = g < equations ? 0.0 : infinite;
        }
    }
}

// ------------------------------------------------------------------------------------------------
// Reactions and velocities

// r of a contact, scaled.
static void reaction(const hf_nlp_program *program, int contact, const double *x, double r[3])
{
    const double *c = x + HF_NLP_UNKNOWNS * contact;
    double level = program->problem->mu[contact] * c[HF_NLP_NORMAL];
    r[0] = c[HF_NLP_NORMAL];
    r[1] = level * c[HF_NLP_T];
    r[2] = level * c[HF_NLP_T + 1];
}

// (W r + q) of a contact, scaled.
static void velocity(const hf_nlp_program *program, int contact, const double *x, double u[3])
{
    const hf_fc3d_problem *problem = program->problem;
    double own = program->scale[contact];
    for (int k = 0; k < 3; ++k) {
        u[k] = own * problem->q[3 * contact + k] / program->velocity;
    }
    for (int b = problem->start[contact]; b < problem->start[contact + 1]; ++b) {
        const double *w = block(problem, b);
        double r[3], d = own * program->scale[problem->column[b]];
        reaction(program, problem->column[b], x, r);
        for (int k = 0; k < 3; ++k) {
            u[k] += d * (w[3 * k] * r[0] + w[3 * k + 1] * r[1] + w[3 * k + 2] * r[2]);
        }
    }
}

// Largest |t| to begin with: inside (16), so that the barrier is felt from the right side.
static const double START_WITHIN = 0.9;

void hf_nlp_program_start(const hf_nlp_program *program, const double *r, double margin, double *x)
{
    const hf_fc3d_problem *problem = program->problem;
    // Normal and tangents in their own scales, off their bounds
    for (int i = 0; i < problem->contacts; ++i) {
        double *c = x + HF_NLP_UNKNOWNS * i, impulse = program->scale[i] * program->velocity;
        if (!is_in(program, i)) {
            memset(c, 0, HF_NLP_UNKNOWNS * sizeof *c);
            continue;
        }
        c[HF_NLP_NORMAL] = fmax(r[3 * i] / impulse, margin);
        double level = problem->mu[i] * c[HF_NLP_NORMAL] * impulse;
        for (int k = 0; k < 2; ++k) {
            c[HF_NLP_T + k] = level > 0.0 ? r[3 * i + 1 + k] / level : 0.0;
        }
    }
    // The velocities that follow from them, multipliers and slacks
    for (int i = 0; i < problem->contacts; ++i) {
        double *c = x + HF_NLP_UNKNOWNS * i, *t = c + HF_NLP_T, u[3];
        if (!is_in(program, i)) {
            continue;
        }
        velocity(program, i, x, u);
        double speed = hypot(u[1], u[2]), size = hypot(t[0], t[1]);
        c[HF_NLP_U] = fmax(u[0], margin);
        c[HF_NLP_S1] = c[HF_NLP_NORMAL] * c[HF_NLP_U] + margin;
        c[HF_NLP_LAMBDA] = c[HF_NLP_S2] = 0.0;
        if (!has_friction(program, i)) {
            continue;
        }
        c[HF_NLP_LAMBDA] = speed + margin;
        for (int k = 0; k < 2; ++k) {
            t[k] = size > START_WITHIN ? START_WITHIN * t[k] / size
                   : size == 0.0       ? -START_WITHIN * u[1 + k] / c[HF_NLP_LAMBDA]
                                       : t[k];
        }
        c[HF_NLP_S2] = c[HF_NLP_LAMBDA] * within(c) + margin;
    }
}

void hf_nlp_program_reactions(const hf_nlp_program *program, const double *x, double *r)
{
    for (int i = 0; i < program->problem->contacts; ++i) {
        reaction(program, i, x, r + 3 * i);
        for (int k = 0; k < 3; ++k) {
            r[3 * i + k] *= program->scale[i] * program->velocity;
        }
    }
}

// ------------------------------------------------------------------------------------------------
// Values and derivatives

double hf_nlp_program_objective(const hf_nlp_program *program, const double *x)
{
    double sum = 0.0;
    for (int i = 0; i < program->problem->contacts; ++i) {
        const double *c = x + HF_NLP_UNKNOWNS * i;
        sum += c[HF_NLP_S1] + c[HF_NLP_S2]; // (9)
    }
    return sum;
}

void hf_nlp_program_gradient(const hf_nlp_program *program, double *gradient)
{
    for (int i = 0; i < hf_nlp_program_unknowns(program); ++i) {
        int k = i % HF_NLP_UNKNOWNS;
        gradient[i] = k == HF_NLP_S1 || k == HF_NLP_S2 ? 1.0 : 0.0;
    }
}

void hf_nlp_program_constrain(const hf_nlp_program *program, const double *x, double *g)
{
    for (int i = 0; i < program->problem->contacts; ++i) {
        const double *c = x + HF_NLP_UNKNOWNS * i;
        double *out = g + program->row[i], u[3], lambda = c[HF_NLP_LAMBDA];
        if (!is_in(program, i)) {
            continue;
        }
        velocity(program, i, x, u);
        *out++ = c[HF_NLP_U] - u[0]; // (10)
        for (int k = 0; k < 2 && has_friction(program, i); ++k) {
            *out++ = -lambda * c[HF_NLP_T + k] - u[1 + k]; // (15)
        }
        *out++ = c[HF_NLP_S1] - c[HF_NLP_NORMAL] * c[HF_NLP_U]; // (11)
        if (has_friction(program, i)) {
            *out++ = within(c);                         // (16)
            *out++ = c[HF_NLP_S2] - lambda * within(c); // (17)
        }
    }
}

// Derivatives of -(W r + q) of contact i by the unknowns of contact j.
static void put_response(const hf_nlp_program *program, int i, int index, const double *x,
                         entries *out)
{
    const hf_fc3d_problem *problem = program->problem;
    int j = problem->column[index], first = HF_NLP_UNKNOWNS * j;
    const double *w = block(problem, index), *c = x == NULL ? nowhere : x + first;
    double d = -program->scale[i] * program->scale[j], mu = problem->mu[j];
    for (int k = 0; k < rows_of(program, i) && is_in(program, j); ++k) {
        double along = w[3 * k + 1] * c[HF_NLP_T] + w[3 * k + 2] * c[HF_NLP_T + 1];
        put(out, program->row[i] + k, first + HF_NLP_NORMAL, d * (w[3 * k] + mu * along));
        for (int m = 0; m < 2 && has_friction(program, j); ++m) {
            put(out, program->row[i] + k, first + HF_NLP_T + m,
                d * mu * c[HF_NLP_NORMAL] * w[3 * k + 1 + m]);
        }
    }
}

void hf_nlp_program_jacobian(const hf_nlp_program *program, const double *x, int *row, int *column,
                             double *value)
{
    const hf_fc3d_problem *problem = program->problem;
    entries out = {row, column, value, 0};
    for (int i = 0; i < problem->contacts; ++i) {
        int first = HF_NLP_UNKNOWNS * i, g = program->row[i];
        const double *c = value == NULL ? nowhere : x + first;
        bool friction = has_friction(program, i);
        if (!is_in(program, i)) {
            continue;
        }
        for (int b = problem->start[i]; b < problem->start[i + 1]; ++b) {
            put_response(program, i, b, value == NULL ? NULL : x, &out);
        }
        put(&out, g++, first + HF_NLP_U, 1.0);         // (10)
        for (int k = 0; k < 2 && friction; ++k, ++g) { // (15)
            put(&out, g, first + HF_NLP_LAMBDA, -c[HF_NLP_T + k]);
            put(&out, g, first + HF_NLP_T + k, -c[HF_NLP_LAMBDA]);
        }
        put(&out, g, first + HF_NLP_S1, 1.0); // (11)
        put(&out, g, first + HF_NLP_NORMAL, -c[HF_NLP_U]);
        put(&out, g++, first + HF_NLP_U, -c[HF_NLP_NORMAL]);
        if (!friction) {
            continue;
        }
        put(&out, g + 1, first + HF_NLP_S2, 1.0);
        put(&out, g + 1, first + HF_NLP_LAMBDA, -within(c));
        for (int k = 0; k < 2; ++k) { // (16), (17)
            put(&out, g, first + HF_NLP_T + k, -2.0 * c[HF_NLP_T + k]);
            put(&out, g + 1, first + HF_NLP_T + k, 2.0 * c[HF_NLP_LAMBDA] * c[HF_NLP_T + k]);
        }
    }
}

// Second derivatives of all -(W r + q), times their multipliers, by r_N and t of contact i. Block
// (j, i) is block (i, j) transposed.
static void bend(const hf_nlp_program *program, int i, const double *multiplier, double sum[2])
{
    const hf_fc3d_problem *problem = program->problem;
    sum[0] = sum[1] = 0.0;
    for (int b = problem->start[i]; b < problem->start[i + 1]; ++b) {
        int j = problem->column[b];
        const double *w = block(problem, b), *y = multiplier + program->row[j];
        double d = -program->scale[i] * program->scale[j] * problem->mu[i];
        for (int k = 0; k < rows_of(program, j); ++k) {
            sum[0] += d * y[k] * w[3 + k];
            sum[1] += d * y[k] * w[6 + k];
        }
    }
}

void hf_nlp_program_hessian(const hf_nlp_program *program, const double *x,
                            const double *multiplier, int *row, int *column, double *value)
{
    static const double no_multipliers[HF_NLP_CONSTRAINTS];
    entries out = {row, column, value, 0};
    for (int i = 0; i < program->problem->contacts; ++i) {
        int first = HF_NLP_UNKNOWNS * i;
        const double *c = value == NULL ? nowhere : x + first;
        const double *y = value == NULL ? no_multipliers : multiplier + program->row[i];
        double bent[2] = {0.0, 0.0};
        if (!is_in(program, i)) {
            continue;
        }
        put(&out, first + HF_NLP_U, first + HF_NLP_NORMAL, -y[rows_of(program, i)]); // (11)
        if (!has_friction(program, i)) {
            continue;
        }
        if (value != NULL) {
            bend(program, i, multiplier, bent);
        }
        for (int k = 0; k < 2; ++k) { // (10), (15), (16), (17)
            int t = first + HF_NLP_T + k;
            put(&out, t, first + HF_NLP_NORMAL, bent[k]);
            put(&out, first + HF_NLP_LAMBDA, t, -y[1 + k] + 2.0 * c[HF_NLP_T + k] * y[5]);
            put(&out, t, t, -2.0 * y[4] + 2.0 * c[HF_NLP_LAMBDA] * y[5]);
        }
    }
}
