// SPDX-License-Identifier: Apache-2.0
// The page is a template with one gap. The gap takes elements that are data, never code: the
// numbers (page_column.h), then one JSON text that describes them. Texts of a recording are escaped
// twice: as JSON, and so that no `<` reaches the page.
#include <holdfast/report.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/discard.h"
#include "base/error.h"
#include "base/json.h"
#include "report/page_column.h"
#include "report/page_contacts.h"
#include "report/page_template.h"

// More numbers than this are kept in 32 bits: 8 bytes each would make the page too heavy to send.
static const double WHOLE_NUMBERS_MOST = 6e6;

// Events that a page shows.
enum { EVENTS_MOST = 100000 };

static const char GAP[] = "<!--holdfast:data-->";

bool hf_page_is_built(void)
{
    return hf_page_template_size > 0;
}

static void write_channels(hf_page_columns *c, const hf_recording *r)
{
    hf_json_begin_list(c->json, "channels");
    for (int i = 0; i < r->channel_count; ++i) {
        hf_json_begin(c->json, NULL);
        hf_json_text(c->json, "name", r->names[i]);
        hf_json_text(c->json, "unit", r->units[i]);
        hf_page_column_write(c, "values", r->values[i], r->samples);
        hf_json_end(c->json);
    }
    hf_json_end_list(c->json);
}

// Columns of the energy table, each on its own.
static void write_energy(hf_page_columns *c, const hf_recording_frames *frames)
{
    static const char *const names[HF_FRAME_ENERGY_COLUMNS] = {"kinetic", "potential",  "stored",
                                                               "input",   "dissipated", "residual"};
    size_t n = (size_t)frames->count;
    double *column = malloc((n + 1) * sizeof *column);
    if (column == NULL) {
        c->trouble = "out of memory";
        return;
    }
    hf_json_begin(c->json, "energy");
    for (size_t k = 0; k < HF_FRAME_ENERGY_COLUMNS; ++k) {
        for (size_t i = 0; i < n; ++i) {
            column[i] = frames->energy[i * HF_FRAME_ENERGY_COLUMNS + k];
        }
        hf_page_column_write(c, names[k], column, frames->count);
    }
    hf_json_end(c->json);
    free(column);
}

static void write_frames(hf_page_columns *c, const hf_recording_frames *frames)
{
    hf_json_begin(c->json, "frames");
    hf_json_count(c->json, "count", frames->count);
    hf_json_count(c->json, "bodies", frames->bodies);
    hf_json_count(c->json, "forces", frames->forces);
    hf_json_count(c->json, "contacts", frames->contacts);
    if (frames->count > 0) {
        hf_page_column_write_times(c, "time", frames->time, frames->count);
        hf_page_column_write_floats(c, "poses", frames->poses, frames->count,
                                    (long long)frames->bodies * HF_FRAME_POSE_COLUMNS);
        hf_page_column_write_floats(c, "forces_at", frames->forces_at, frames->count,
                                    (long long)frames->forces * HF_FRAME_FORCE_COLUMNS);
        if (frames->contacts > 0) {
            hf_page_column_write_floats(c, "contacts_at", frames->contacts_at, frames->count,
                                        (long long)frames->contacts * HF_FRAME_CONTACT_COLUMNS);
        }
        hf_page_contacts_write(c, frames);
        write_energy(c, frames);
    }
    hf_json_end(c->json);
}

// Columns of the table of events, each on its own.
static void write_events(hf_page_columns *c, const hf_recording *r)
{
    static const char *const names[HF_EVENT_COLUMNS] = {"time", "force", "from", "to"};
    long long n = r->event_count < EVENTS_MOST ? r->event_count : EVENTS_MOST;
    double *column = malloc(((size_t)n + 1) * sizeof *column);
    if (column == NULL) {
        c->trouble = "out of memory";
        return;
    }
    hf_json_begin(c->json, "events");
    hf_json_count(c->json, "count", n);
    hf_json_count(c->json, "all", r->event_count);
    for (long long k = 0; n > 0 && k < HF_EVENT_COLUMNS; ++k) {
        for (long long i = 0; i < n; ++i) {
            column[i] = r->events[i * HF_EVENT_COLUMNS + k];
        }
        hf_page_column_write(c, names[k], column, n);
    }
    hf_json_end(c->json);
    free(column);
}

static void write_run(hf_page_columns *c, const hf_page_run *run)
{
    const hf_recording *r = run->recording;
    hf_json_begin(c->json, NULL);
    hf_json_text(c->json, "label", run->label);
    hf_json_text(c->json, "title", r->title);
    hf_json_text(c->json, "model", r->model_text);
    // Texts within the text: what another program wrote there is parsed by the page, with care.
    hf_json_text(c->json, "scene", r->scene);
    hf_json_text(c->json, "summary", r->summary);
    hf_json_flag(c->json, "truncated", r->truncated);
    hf_json_count(c->json, "samples", r->samples);
    hf_page_column_write_times(c, "time", r->time, r->samples);
    write_channels(c, r);
    write_frames(c, &r->frames);
    write_events(c, r);
    hf_json_end(c->json);
}

static bool is_large(const hf_page_run *runs, int count)
{
    double numbers = 0.0;
    for (int i = 0; i < count; ++i) {
        numbers += (double)runs[i].recording->samples * runs[i].recording->channel_count;
    }
    return numbers > WHOLE_NUMBERS_MOST;
}

typedef struct book {
    const hf_page_run *runs;
    int count;
} book;

// Writes the elements that fill the gap. NULL, or what went wrong.
static const char *write_data(FILE *file, const void *context)
{
    const hf_page_run *runs = ((const book *)context)->runs;
    int count = ((const book *)context)->count;
    char *text = NULL;
    size_t size = 0;
    // A description of the runs, gathered while their columns are written
    FILE *description = open_memstream(&text, &size);
    if (description == NULL) {
        return "out of memory";
    }
    hf_json json = {.file = description, .compact = true};
    hf_page_columns columns = {.file = file, .json = &json, .shorten = is_large(runs, count)};
    // Each run
    hf_json_begin(&json, NULL);
    hf_json_text(&json, "version", HF_VERSION);
    hf_json_flag(&json, "shortened", columns.shorten);
    hf_json_begin_list(&json, "runs");
    for (int i = 0; i < count && columns.trouble == NULL; ++i) {
        write_run(&columns, &runs[i]);
    }
    hf_json_end_list(&json);
    hf_json_end(&json);
    bool good = !ferror(description);
    if (fclose(description) != 0 || !good) {
        columns.trouble = "out of memory";
    }
    // Behind the columns, the description
    if (columns.trouble == NULL) {
        (void)fputs("<script type=\"application/json\" id=\"runs\">", file);
        (void)fwrite(text, 1, size, file);
        (void)fputs("</script>\n", file);
    }
    free(text);
    return columns.trouble;
}

// Where the gap is; the template's size when it has none.
static size_t find_gap(void)
{
    const size_t length = sizeof GAP - 1;
    for (size_t i = 0; i + length <= hf_page_template_size; ++i) {
        if (memcmp(hf_page_template + i, GAP, length) == 0) {
            return i;
        }
    }
    return hf_page_template_size;
}

hf_status hf_page_put(const char *path, const char *(*write)(FILE *file, const void *context),
                      const void *context, hf_error *error)
{
    // Where the data belongs in the page
    size_t gap = find_gap();
    if (gap == hf_page_template_size) {
        return hf_error_set(error, HF_ERROR_UNSUPPORTED,
                            "the page was not built into this program: it needs node and npm when "
                            "holdfast is built (scripts/web.sh)");
    }
    errno = 0;
    FILE *file = fopen(path, "wb");
    if (file == NULL) {
        return hf_error_set(error, HF_ERROR_FILE, "%.300s: cannot create: %s", path,
                            strerror(errno));
    }
    // The page's beginning, the data, its end
    (void)fwrite(hf_page_template, 1, gap, file);
    const char *trouble = write(file, context);
    gap += sizeof GAP - 1;
    (void)fwrite(hf_page_template + gap, 1, hf_page_template_size - gap, file);
    // A page that is not whole is taken away
    bool good = fflush(file) == 0 && !ferror(file);
    if (trouble == NULL && !good) {
        trouble = errno == 0 ? "write failed" : strerror(errno);
    }
    if (fclose(file) != 0 && trouble == NULL) {
        trouble = strerror(errno);
    }
    if (trouble != NULL) {
        hf_status status =
            hf_error_set(error, HF_ERROR_FILE, "%.300s: cannot write: %s", path, trouble);
        hf_discard(path);
        return status;
    }
    return HF_OK;
}

hf_status hf_page_write(const char *path, const hf_page_run *runs, int count, hf_error *error)
{
    const book all = {runs, count};
    return hf_page_put(path, write_data, &all, error);
}
