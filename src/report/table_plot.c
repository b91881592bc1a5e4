// SPDX-License-Identifier: Apache-2.0
// Tables as figures: a column over another, or a map of two with a third in colour.
//
// A map whose points fill a grid is drawn as cells, which meet half way between their neighbours;
// one that does not is drawn as points. An axis is logarithmic when its values are in equal ratios.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/names.h"
#include "report/plot_internal.h"

enum { WIDTH = 900, HEIGHT = 560, MOST_WORDS = 40, MOST_CELLS = 1000000 };
// Levels with one ratio between neighbours, to the digits that a table shows, get a logarithmic
// axis.
static const double SAME_RATIO = 1e-6;

typedef struct axis {
    const hf_table_column *column;
    double *values; // [rows]; texts: their place among the words
    double *levels; // different values, rising
    size_t level_count;
    const char *words[MOST_WORDS];
    int word_count;
    bool logarithmic;
} axis;

typedef struct figure {
    const hf_table *table;
    const hf_table_plot_def *def;
    size_t rows;
    axis x, y, colour; // colour.column NULL: none
    bool cells;
} figure;

// ------------------------------------------------------------------------------------------------
// Axes

static int compare_numbers(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y ? 1 : 0;
}

static hf_status read_words(axis *a, size_t rows, hf_error *error)
{
    for (size_t i = 0; i < rows; ++i) {
        const char *text = a->column->texts[i];
        int k = 0;
        while (k < a->word_count && strcmp(a->words[k], text) != 0) {
            ++k;
        }
        if (k == MOST_WORDS) {
            return hf_error_set(error, HF_ERROR_INPUT,
                                "column '%.100s' has more than %d different texts", a->column->name,
                                MOST_WORDS);
        }
        a->words[k] = text;
        a->word_count = k == a->word_count ? k + 1 : a->word_count;
        a->values[i] = k;
    }
    return HF_OK;
}

// Equal ratios, over more than a factor of 4.
static bool is_geometric(const axis *a)
{
    size_t n = a->level_count;
    if (n < 3 || !(a->levels[0] > 0.0) || !(a->levels[n - 1] > 4.0 * a->levels[0])) {
        return false;
    }
    double ratio = a->levels[1] / a->levels[0];
    for (size_t i = 2; i < n; ++i) {
        if (!(fabs(a->levels[i] / a->levels[i - 1] / ratio - 1.0) < SAME_RATIO)) {
            return false;
        }
    }
    return true;
}

static hf_status open_axis(axis *a, const hf_table *table, const char *name, hf_error *error)
{
    int k = hf_table_find(table, name);
    size_t rows = (size_t)table->rows, n = 0;
    // The column, or the name that is nearest
    if (k < 0) {
        const char **names = calloc((size_t)table->column_count, sizeof *names);
        for (int i = 0; names != NULL && i < table->column_count; ++i) {
            names[i] = table->columns[i].name;
        }
        const char *nearest =
            names == NULL ? NULL : hf_nearest_name(name, names, table->column_count);
        hf_status status =
            hf_error_set(error, HF_ERROR_NAME, "the table has no column '%.100s'%s%.100s%s", name,
                         nearest == NULL ? "" : "; did you mean '", nearest == NULL ? "" : nearest,
                         nearest == NULL ? "" : "'?");
        free((void *)names);
        return status;
    }
    // Its numbers; words are numbered
    a->column = &table->columns[k];
    a->values = malloc((rows + 1) * sizeof *a->values);
    a->levels = malloc((rows + 1) * sizeof *a->levels);
    if (a->values == NULL || a->levels == NULL) {
        return hf_error_set(error, HF_ERROR_MEMORY, "out of memory for a figure");
    }
    if (a->column->texts != NULL) {
        HF_TRY(read_words(a, rows, error));
    } else {
        memcpy(a->values, a->column->numbers, rows * sizeof *a->values);
    }
    // Its different values, rising
    for (size_t i = 0; i < rows; ++i) {
        if (isfinite(a->values[i])) {
            a->levels[n++] = a->values[i];
        }
    }
    qsort(a->levels, n, sizeof *a->levels, compare_numbers);
    for (size_t i = 0; i < n; ++i) {
        if (a->level_count == 0 || a->levels[i] != a->levels[a->level_count - 1]) {
            a->levels[a->level_count++] = a->levels[i];
        }
    }
    a->logarithmic = a->column->texts == NULL && is_geometric(a);
    return HF_OK;
}

static void close_axis(axis *a)
{
    free(a->values);
    free(a->levels);
}

// ------------------------------------------------------------------------------------------------
// The script

static void write_axis(FILE *script, const char *letter, const axis *a)
{
    // From where to where
    hf_plot_range range = hf_plot_range_of(a->values, 0);
    if (a->level_count > 0) {
        range = (hf_plot_range){a->levels[0], a->levels[a->level_count - 1]};
    }
    if (a->logarithmic) {
        double step = sqrt(a->levels[1] / a->levels[0]);
        (void)fprintf(script, "set logscale %s\nset %srange [%.12g:%.12g]\n", letter, letter,
                      range.low / step, range.high * step);
    } else {
        hf_plot_write_range(script, letter, range, 0.04);
    }
    // Words in place of numbers
    if (a->word_count > 0) {
        (void)fprintf(script, "set %srange [-0.6:%g]\nset %stics (", letter, a->word_count - 0.4,
                      letter);
        for (int i = 0; i < a->word_count; ++i) {
            (void)fputs(i == 0 ? "" : ", ", script);
            hf_plot_write_quoted(script, a->words[i], 40);
            (void)fprintf(script, " %d", i);
        }
        (void)fputs(")\n", script);
    }
    // Its name and unit
    char label[200];
    (void)snprintf(label, sizeof label, a->column->unit[0] == '\0' ? "%.120s" : "%.120s [%.40s]",
                   a->column->name, a->column->unit);
    (void)fprintf(script, "set %slabel ", letter);
    hf_plot_write_quoted(script, label, sizeof label);
    (void)fputc('\n', script);
}

static size_t find_level(const axis *a, double value)
{
    size_t low = 0, high = a->level_count;
    while (low + 1 < high) {
        size_t middle = low + (high - low) / 2;
        if (a->levels[middle] <= value) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

// Half way between two values, on the axis as it is drawn.
static double between(const axis *a, double left, double right)
{
    return a->logarithmic ? sqrt(left * right) : 0.5 * (left + right);
}

// The ends of a value's cell.
static void cell_of(const axis *a, double value, double *low, double *high)
{
    size_t k = find_level(a, value), n = a->level_count;
    if (n < 2) {
        *low = value - 0.5;
        *high = value + 0.5;
        return;
    }
    const double *v = a->levels;
    *high = k + 1 < n
                ? between(a, v[k], v[k + 1])
                : (a->logarithmic ? v[k] * sqrt(v[k] / v[k - 1]) : v[k] + 0.5 * (v[k] - v[k - 1]));
    *low = k > 0 ? between(a, v[k - 1], v[k])
                 : (a->logarithmic ? v[0] / sqrt(v[1] / v[0]) : v[0] - 0.5 * (v[1] - v[0]));
}

static void write_rows(FILE *script, const figure *f)
{
    (void)fputs("$data0 << HF_END\n", script);
    for (size_t i = 0; i < f->rows; ++i) {
        double x = f->x.values[i], y = f->y.values[i];
        double c = f->colour.column == NULL ? 0.0 : f->colour.values[i];
        if (!isfinite(x) || !isfinite(y) || !isfinite(c)) {
            continue;
        }
        (void)fprintf(script, "%.9g %.9g %.9g", x, y, c);
        if (f->cells) {
            double x0, x1, y0, y1;
            cell_of(&f->x, x, &x0, &x1);
            cell_of(&f->y, y, &y0, &y1);
            (void)fprintf(script, " %.9g %.9g %.9g %.9g", x0, x1, y0, y1);
        }
        (void)fputc('\n', script);
    }
    (void)fputs("HF_END\n", script);
}

static hf_status write_script(const void *context, FILE *script, hf_error *error)
{
    const figure *f = context;
    hf_plot_write_terminal(script, hf_plot_format_of(f->def->output), WIDTH, HEIGHT);
    hf_plot_write_style(script);
    write_rows(script, f);
    write_axis(script, "x", &f->x);
    write_axis(script, "y", &f->y);
    const char *title = f->def->title == NULL ? hf_table_fact(f->table, "title") : f->def->title;
    (void)fputs("unset key\nset title ", script);
    hf_plot_write_quoted(script, title, strlen(title));
    (void)fputc('\n', script);
    if (f->colour.column != NULL) {
        (void)fputs(
            "set rmargin 16\nset palette defined (0 '#440154', 0.25 '#3B528B', 0.5 '#21918C', "
            "0.75 '#5EC962', 1 '#FDE725')\n",
            script);
        write_axis(script, "cb", &f->colour);
        (void)fputs(f->cells ? "plot $data0 using 1:2:4:5:6:7:3 with boxxyerror fillstyle solid "
                               "noborder linecolor palette\n"
                             : "plot $data0 using 1:2:3 with points pointtype 7 pointsize 0.7 "
                               "linecolor palette\n",
                    script);
    } else {
        (void)fputs("plot $data0 using 1:2 with points pointtype 7 pointsize 0.5 ", script);
        hf_plot_write_look(script, 0);
        (void)fputc('\n', script);
    }
    return fflush(script) == 0 && ferror(script) == 0
               ? HF_OK
               : hf_error_set(error, HF_ERROR_FILE, "cannot write a script for gnuplot");
}

hf_status hf_table_plot(const hf_table *table, const hf_table_plot_def *def, hf_error *error)
{
    figure f = {.table = table, .def = def, .rows = (size_t)table->rows};
    if (hf_plot_format_of(def->output) == HF_FIGURE_UNKNOWN) {
        return hf_error_set(error, HF_ERROR_INPUT,
                            "the figure '%.200s' must end in .svg, .png or .pdf", def->output);
    }
    hf_status status = open_axis(&f.x, table, def->x, error);
    status = status == HF_OK ? open_axis(&f.y, table, def->y, error) : status;
    if (status == HF_OK && def->colour != NULL) {
        status = open_axis(&f.colour, table, def->colour, error);
    }
    if (status == HF_OK && (f.x.level_count == 0 || f.y.level_count == 0 ||
                            (def->colour != NULL && f.colour.level_count == 0))) {
        status = hf_error_set(error, HF_ERROR_INPUT, "the columns have no number to draw");
    }
    if (status == HF_OK) {
        double grid = (double)f.x.level_count * (double)f.y.level_count;
        f.cells = def->colour != NULL && grid <= (double)f.rows && grid <= MOST_CELLS;
        f.colour.logarithmic = false;
        status = hf_plot_make(def->output, write_script, &f, error);
    }
    close_axis(&f.x);
    close_axis(&f.y);
    close_axis(&f.colour);
    return status;
}
