// SPDX-License-Identifier: Apache-2.0
// Several runs in one figure: a panel for each channel, a curve for each run.
#include <holdfast/report.h>

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "report/panels.h"
#include "report/plot_internal.h"

enum { LABEL_SIZE = 200 };

typedef struct picture {
    hf_figure figure; // of the first run: which channels there are
    hf_panel *panels; // [curve_count]
    hf_curve *curves; // [curve_count][runs]
    char (*labels)[LABEL_SIZE];
    char x_label[LABEL_SIZE];
} picture;

static void write_label(char *label, const char *name, const char *unit)
{
    (void)snprintf(label, LABEL_SIZE, unit[0] == '\0' ? "%.150s" : "%.150s [%.40s]", name, unit);
}

// The values of a channel in a run; the error names the run that lacks it.
static hf_status find_values(const hf_page_run *run, const char *name, const double **values,
                             hf_error *error)
{
    int channel = hf_recording_find(run->recording, name);
    if (channel < 0) {
        return hf_error_set(error, HF_ERROR_NAME, "%.200s has no channel '%.100s'", run->label,
                            name);
    }
    *values = run->recording->values[channel];
    return HF_OK;
}

// The curve of one channel of one run.
static hf_status make_curve(const hf_page_run *run, const picture *p, const char *name,
                            hf_curve *curve, hf_error *error)
{
    const hf_recording *first = p->figure.recording;
    const double *x = run->recording->time, *y = NULL;
    HF_TRY(find_values(run, name, &y, error));
    if (p->figure.x >= 0) {
        HF_TRY(find_values(run, first->names[p->figure.x], &x, error));
    }
    *curve =
        (hf_curve){.name = run->label, .x = x, .y = y, .count = (size_t)run->recording->samples};
    return HF_OK;
}

static hf_status fill(picture *p, const hf_page_run *runs, int count, hf_error *error)
{
    const hf_recording *first = p->figure.recording;
    const bool phase = p->figure.x >= 0;
    write_label(p->x_label, phase ? first->names[p->figure.x] : "time",
                phase ? first->units[p->figure.x] : "s");
    for (int i = 0; i < p->figure.curve_count; ++i) {
        int channel = p->figure.curves[i];
        hf_curve *curves = &p->curves[(size_t)i * (size_t)count];
        for (int k = 0; k < count; ++k) {
            HF_TRY(make_curve(&runs[k], p, first->names[channel], &curves[k], error));
        }
        write_label(p->labels[i], first->names[channel], first->units[channel]);
        p->panels[i] = (hf_panel){.title = "",
                                  .x_label = i == p->figure.curve_count - 1 ? p->x_label : "",
                                  .y_label = p->labels[i],
                                  .curves = curves,
                                  .curve_count = count};
    }
    return HF_OK;
}

static hf_status draw(picture *p, const hf_page_run *runs, int count, const hf_plot_def *def,
                      hf_error *error)
{
    size_t panels = (size_t)p->figure.curve_count;
    p->panels = calloc(panels, sizeof *p->panels);
    p->curves = calloc(panels * (size_t)count, sizeof *p->curves);
    p->labels = calloc(panels, sizeof *p->labels);
    if (p->panels == NULL || p->curves == NULL || p->labels == NULL) {
        return hf_error_set(error, HF_ERROR_MEMORY, "out of memory for a figure");
    }
    HF_TRY(fill(p, runs, count, error));
    const hf_panels_def all = {.output = def->output,
                               .title = p->figure.title,
                               .columns = 1,
                               .one_key = true,
                               .panels = p->panels,
                               .panel_count = p->figure.curve_count};
    return hf_panels_draw(&all, error);
}

hf_status hf_plot_runs(const hf_page_run *runs, int count, const hf_plot_def *def, hf_error *error)
{
    if (count < 1 || count > HF_PLOT_MAX_CURVES) {
        return hf_error_set(error, HF_ERROR_RANGE, "%d runs in one figure; expected 1 to %d", count,
                            HF_PLOT_MAX_CURVES);
    }
    picture p = {.figure = {.recording = runs[0].recording,
                            .format = hf_plot_format_of(def->output),
                            .title = def->title != NULL ? def->title : "",
                            .x = -1}};
    hf_status status = hf_plot_arrange(&p.figure, def, error);
    if (status == HF_OK) {
        status = draw(&p, runs, count, def, error);
    }
    free(p.panels);
    free(p.curves);
    free(p.labels);
    return status;
}
