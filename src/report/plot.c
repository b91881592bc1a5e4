// SPDX-License-Identifier: Apache-2.0
// hf_plot: channels of a recording, by quantity in panels, as a figure.
#include <holdfast/report.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/discard.h"
#include "base/error.h"
#include "base/names.h"
#include "report/plot_internal.h"

hf_figure_format hf_plot_format_of(const char *path)
{
    const char *ending = strrchr(path, '.');
    if (ending == NULL) {
        return HF_FIGURE_UNKNOWN;
    }
    if (strcasecmp(ending, ".svg") == 0) {
        return HF_FIGURE_SVG;
    }
    if (strcasecmp(ending, ".png") == 0) {
        return HF_FIGURE_PNG;
    }
    return strcasecmp(ending, ".pdf") == 0 ? HF_FIGURE_PDF : HF_FIGURE_UNKNOWN;
}

// ------------------------------------------------------------------------------------------------
// Which curves

static hf_status unknown_channel(const hf_recording *recording, const char *name, hf_error *error)
{
    const char *nearest =
        hf_nearest_name(name, (const char *const *)recording->names, recording->channel_count);
    if (nearest != NULL) {
        return hf_error_set(error, HF_ERROR_NAME,
                            "the recording has no channel '%.100s'; did you mean '%.100s'?", name,
                            nearest);
    }
    char list[200] = "";
    size_t length = 0;
    for (int i = 0; i < recording->channel_count; ++i) {
        const char *known = recording->names[i];
        if (length + strlen(known) + 6 > sizeof list) {
            memcpy(list + length, " ...", 5);
            break;
        }
        list[length++] = ' ';
        memcpy(list + length, known, strlen(known) + 1);
        length += strlen(known);
    }
    return hf_error_set(error, HF_ERROR_NAME,
                        "the recording has no channel '%.100s'; it has:%.200s", name, list);
}

static hf_status add_curve(hf_figure *figure, int channel, hf_error *error)
{
    for (int i = 0; i < figure->curve_count; ++i) {
        if (figure->curves[i] == channel) {
            return HF_OK;
        }
    }
    if (figure->curve_count == HF_PLOT_MAX_CURVES) {
        return hf_error_set(error, HF_ERROR_RANGE, "more than %d curves in one figure",
                            HF_PLOT_MAX_CURVES);
    }
    figure->curves[figure->curve_count++] = channel;
    return HF_OK;
}

// A channel, or all channels whose names continue `name` after a point.
static hf_status add_name(hf_figure *figure, const char *name, hf_error *error)
{
    const hf_recording *recording = figure->recording;
    int exact = hf_recording_find(recording, name), found = 0;
    if (exact >= 0) {
        return add_curve(figure, exact, error);
    }
    size_t length = strlen(name);
    for (int i = 0; i < recording->channel_count; ++i) {
        if (strncmp(recording->names[i], name, length) == 0 && recording->names[i][length] == '.') {
            HF_TRY(add_curve(figure, i, error));
            ++found;
        }
    }
    return found > 0 ? HF_OK : unknown_channel(recording, name, error);
}

// ------------------------------------------------------------------------------------------------
// Which panels

const char *hf_plot_quantity(const char *name, size_t *length)
{
    const char *last = strrchr(name, '.');
    const char *end = name + strlen(name);
    if (last != NULL && strlen(last + 1) <= 2 && last > name) { // an axis or a number: x, w, 0
        end = last;
        do {
            --last;
        } while (last > name && *last != '.');
    }
    const char *start = last == NULL || *last != '.' ? name : last + 1;
    *length = (size_t)(end - start);
    return start;
}

static bool share_panel(const hf_recording *recording, int a, int b)
{
    const char *unit_a = recording->units[a], *unit_b = recording->units[b];
    if (unit_a[0] != '\0' || unit_b[0] != '\0') {
        return strcmp(unit_a, unit_b) == 0;
    }
    size_t length_a = 0, length_b = 0;
    const char *quantity_a = hf_plot_quantity(recording->names[a], &length_a);
    const char *quantity_b = hf_plot_quantity(recording->names[b], &length_b);
    return length_a == length_b && memcmp(quantity_a, quantity_b, length_a) == 0;
}

static void sort_into_panels(hf_figure *figure)
{
    for (int i = 0; i < figure->curve_count; ++i) {
        int panel = -1;
        for (int j = 0; j < i && panel < 0; ++j) {
            if (share_panel(figure->recording, figure->curves[i], figure->curves[j])) {
                panel = figure->panels[j];
            }
        }
        figure->panels[i] = panel >= 0 ? panel : figure->panel_count++;
    }
}

hf_status hf_plot_arrange(hf_figure *figure, const hf_plot_def *def, hf_error *error)
{
    if (figure->format == HF_FIGURE_UNKNOWN) {
        return hf_error_set(error, HF_ERROR_INPUT,
                            "%.300s: the ending must be .svg, .png or .pdf, to select the format",
                            def->output);
    }
    if (figure->recording->samples == 0) {
        return hf_error_set(error, HF_ERROR_INPUT, "the recording has no samples to draw");
    }
    if (def->x != NULL && strcmp(def->x, "time") != 0) {
        figure->x = hf_recording_find(figure->recording, def->x);
        if (figure->x < 0) {
            return unknown_channel(figure->recording, def->x, error);
        }
    }
    for (int i = 0; i < def->channel_count; ++i) {
        HF_TRY(add_name(figure, def->channels[i], error));
    }
    if (figure->curve_count == 0) {
        return hf_error_set(error, HF_ERROR_INPUT, "no channel to draw");
    }
    sort_into_panels(figure);
    return HF_OK;
}

// ------------------------------------------------------------------------------------------------
// Drawing

static hf_status copy_to(const char *path, FILE *from, hf_error *error)
{
    FILE *to = fopen(path, "wb");
    if (to == NULL) {
        return hf_error_set(error, HF_ERROR_FILE, "%.300s: cannot create: %s", path,
                            strerror(errno));
    }
    char buffer[1 << 14];
    size_t count = 0;
    bool good = true;
    while (good && (count = fread(buffer, 1, sizeof buffer, from)) > 0) {
        good = fwrite(buffer, 1, count, to) == count;
    }
    int number = errno;
    if (fclose(to) != 0) {
        number = good ? errno : number;
        good = false;
    }
    if (good && !ferror(from)) {
        return HF_OK;
    }
    hf_discard(path);
    return hf_error_set(error, HF_ERROR_FILE, "%.300s: cannot write: %s", path, strerror(number));
}

hf_status hf_plot_make(const char *output,
                       hf_status (*write)(const void *figure, FILE *script, hf_error *error),
                       const void *figure, hf_error *error)
{
    FILE *script = tmpfile(), *drawn = tmpfile();
    hf_status status = HF_OK;
    if (script == NULL || drawn == NULL) {
        status = hf_error_set(error, HF_ERROR_FILE, "cannot create a temporary file: %s",
                              strerror(errno));
    }
    if (status == HF_OK) {
        status = write(figure, script, error);
    }
    if (status == HF_OK) {
        status = hf_plot_run_gnuplot(script, drawn, error);
    }
    if (status == HF_OK) {
        status = copy_to(output, drawn, error);
    }
    if (script != NULL) {
        (void)fclose(script);
    }
    if (drawn != NULL) {
        (void)fclose(drawn);
    }
    return status;
}

hf_status hf_plot(const hf_recording *recording, const hf_plot_def *def, hf_error *error)
{
    hf_figure figure = {.recording = recording,
                        .format = hf_plot_format_of(def->output),
                        .title = def->title != NULL ? def->title : recording->title,
                        .x = -1};
    HF_TRY(hf_plot_arrange(&figure, def, error));
    return hf_plot_make(def->output, hf_plot_write_script, &figure, error);
}
