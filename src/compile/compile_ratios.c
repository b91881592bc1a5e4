// SPDX-License-Identifier: Apache-2.0
// Ratios that are held exactly, as linear equations between coordinates: A q = b.
//
// Rows are reduced one after the other, in the order of declaration (Gauss). A row of which nothing
// is left follows from those before it, or contradicts them: a gear train that closes on itself.
// Ratios that have as many independent rows as coordinates let none of these move. A ratio of one
// coordinate locks it, which may be meant; polynomials are left to the rank of all loops.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/sets.h"
#include "compile/model_data.h"

// What is left of a value is rounding up to this part of it: the ratio follows from others, and
// does not contradict them.
#define SAME_VALUE 1e-9
// What is left of a row after reduction: this part of its largest number is rounding.
#define REDUCED 1e-11

typedef struct ratios {
    const hf_spec *spec;
    int rows, columns;   // so far
    double *a;           // [rows][width]: reduced rows, each 1 at its pivot, and b last
    int *pivots, *loops; // [rows] column, spec index
    int *sets;           // [columns] which coordinates ratios join
    hf_loop_term *names; // [columns] coordinate and spin
    int width;
} ratios;

static int column_of(ratios *r, const hf_loop_term *term)
{
    for (int i = 0; i < r->columns; ++i) {
        const hf_loop_term *t = &r->names[i];
        if (t->coordinate.body.id == term->coordinate.body.id &&
            t->coordinate.axis == term->coordinate.axis && t->spin == term->spin) {
            return i;
        }
    }
    r->names[r->columns] = *term;
    return r->columns++;
}

static bool is_linear(const hf_loop_def *def)
{
    bool linear = def->type == HF_LOOP_RATIO;
    for (int i = 0; i < def->term_count && linear; ++i) {
        for (int k = 1; k < HF_LOOP_POWERS; ++k) {
            linear = linear && def->terms[i].coefficients[k] == 0.0;
        }
    }
    return linear;
}

// The row of a loop, reduced by those before it. *before: one of these that it shares coordinates
// with, -1: none. Returns the largest number of the row before.
static double reduce(ratios *r, const hf_loop_def *def, const hf_loop_place *loop, double *row,
                     int *before)
{
    double largest = 0.0;
    *before = -1;
    memset(row, 0, (size_t)r->width * sizeof *row);
    for (int i = 0; i < def->term_count; ++i) {
        double factor = def->terms[i].coefficients[0];
        row[column_of(r, &def->terms[i])] = factor;
        row[r->width - 1] += factor * def->terms[i].reference;
        largest = fmax(largest, fabs(factor));
    }
    row[r->width - 1] += loop->value;
    for (int k = 0; k < r->rows; ++k) {
        double by = row[r->pivots[k]];
        if (by == 0.0) {
            continue;
        }
        *before = r->loops[k];
        for (int c = 0; c < r->width; ++c) {
            row[c] -= by * r->a[k * r->width + c];
        }
        row[r->pivots[k]] = 0.0;
    }
    return largest;
}

// Takes the row in: a pivot that no other row has.
static void take(ratios *r, double *row, int pivot, int loop)
{
    double by = 1.0 / row[pivot];
    for (int c = 0; c < r->width; ++c) {
        r->a[r->rows * r->width + c] = c == pivot ? 1.0 : row[c] * by;
    }
    for (int k = 0; k < r->rows; ++k) {
        double factor = r->a[k * r->width + pivot];
        for (int c = 0; c < r->width && factor != 0.0; ++c) {
            r->a[k * r->width + c] -= factor * r->a[r->rows * r->width + c];
        }
        r->a[k * r->width + pivot] = 0.0;
    }
    r->pivots[r->rows] = pivot;
    r->loops[r->rows++] = loop;
}

// Whether the coordinates that are joined with `column` have as many rows as they are.
static bool is_locked(const ratios *r, int column)
{
    int set = hf_sets_root(r->sets, column), columns = 0, rows = 0;
    for (int i = 0; i < r->columns; ++i) {
        columns += hf_sets_root(r->sets, i) == set;
    }
    for (int k = 0; k < r->rows; ++k) {
        rows += hf_sets_root(r->sets, r->pivots[k]) == set;
    }
    return rows == columns;
}

static hf_status add_ratio(ratios *r, const hf_loop_place *loop, int index, bool locks,
                           hf_error *error)
{
    const hf_loop_def *def = &r->spec->loops[index];
    double *row = r->a + r->rows * r->width, rest = 0.0;
    // What the ratios before it leave of it
    int before, pivot = -1;
    double largest = reduce(r, def, loop, row, &before);
    for (int c = 0; c < r->columns; ++c) {
        if (fabs(row[c]) > rest) {
            rest = fabs(row[c]);
            pivot = c;
        }
    }
    // Nothing: it follows from them, or contradicts them
    hf_error_place at = hf_at_member("loop", def->name, "ratio");
    if (!(rest > REDUCED * largest)) {
        double left = row[r->width - 1];
        return fabs(left) <= SAME_VALUE * fmax(1.0, fabs(loop->value))
                   ? hf_error_at(error, HF_ERROR_INPUT, at,
                                 "it follows from the ratios before it ('%s' is one): a gear train "
                                 "that closes on itself holds its torques in no certain way; leave "
                                 "one of them out",
                                 r->spec->loops[before].name)
                   : hf_error_at(error, HF_ERROR_INPUT, at,
                                 "it contradicts the ratios before it ('%s' is one): their sum "
                                 "differs by %.6g; change its value, or leave one of them out",
                                 r->spec->loops[before].name, left);
    }
    // It counts from now on
    for (int i = 1; i < def->term_count; ++i) {
        hf_sets_join(r->sets, column_of(r, &def->terms[0]), column_of(r, &def->terms[i]));
    }
    take(r, row, pivot, index);
    if (locks && is_locked(r, pivot)) {
        return hf_error_at(error, HF_ERROR_INPUT, at,
                           "it closes the ratios before it ('%s' is one) on themselves with other "
                           "factors, so that nothing in them can move; check the factors",
                           r->spec->loops[before < 0 ? index : before].name);
    }
    return HF_OK;
}

hf_status hf_check_ratios(hf_model *model, const hf_spec *spec, const hf_loop_place *loops,
                          hf_error *error)
{
    int rows = 0, columns = 0;
    for (size_t i = 0; i < spec->loop_count; ++i) {
        rows += spec->loops[i].type == HF_LOOP_RATIO;
        columns += spec->loops[i].term_count;
    }
    if (rows == 0) {
        return HF_OK;
    }
    ratios r = {.spec = spec, .width = columns + 1};
    HF_ALLOC(r.a, (size_t)(rows + 1) * (size_t)r.width);
    HF_ALLOC(r.pivots, rows);
    HF_ALLOC(r.loops, rows);
    HF_ALLOC(r.sets, columns);
    HF_ALLOC(r.names, columns);
    // First those between several coordinates alone, then with those that lock one.
    for (int locks = 1; locks >= 0; --locks) {
        r.rows = r.columns = 0;
        hf_sets_clear(r.sets, columns);
        for (size_t i = 0; i < spec->loop_count; ++i) {
            if (is_linear(&spec->loops[i]) && (locks == 0 || spec->loops[i].term_count > 1)) {
                HF_TRY(add_ratio(&r, &loops[i], (int)i, locks == 1, error));
            }
        }
    }
    return HF_OK;
}
