// SPDX-License-Identifier: Apache-2.0
// Reads the values of input signals from a recorded log or from standard input.
#include "cli/input.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <holdfast/record.h>

#include "base/error.h"
#include "base/names.h"
#include "cli/cli.h"
#include "cli/recording.h"

enum { LONGEST_LINE = 1 << 16, LIST_SIZE = 160 };

// A row of a log belongs to the step that begins at its time, or this part of a step before it.
static const double TIME_SLACK = 1e-6;

struct hf_cli_input {
    int count; // inputs of the model
    hf_signal *signals;
    const char **names;
    double *values; // now in the sim; NaN: not set yet
    double *wanted;
    // A log
    hf_recording *log;
    int *columns;   // of each input; -1: none
    long long next; // row
    // Standard input
    bool waits, ended;
    char *text; // [LONGEST_LINE]
    size_t length, used;
    long long line; // number of the line last taken
    // What came, for a second run: rows of a time and all values, one a step
    bool keeps;
    double *rows;
    long long row_count, row_room;
    bool borrowed; // all but the values is another's (hf_cli_input_again)
};

// "fx, fy"
static void list_inputs(const hf_cli_input *input, char list[LIST_SIZE])
{
    size_t length = 0;
    list[0] = '\0';
    for (int i = 0; i < input->count; ++i) {
        int more = snprintf(list + length, LIST_SIZE - length, "%s%s", i == 0 ? "" : ", ",
                            input->names[i]);
        length += more > 0 && (size_t)more < LIST_SIZE - length ? (size_t)more : 0;
        list[length] = '\0';
    }
}

static int find_input(const hf_cli_input *input, const char *name, size_t length)
{
    for (int i = 0; i < input->count; ++i) {
        if (strlen(input->names[i]) == length && memcmp(input->names[i], name, length) == 0) {
            return i;
        }
    }
    return -1;
}

// ------------------------------------------------------------------------------------------------
// A log

static bool match_columns(hf_cli_input *input, const char *source)
{
    int matched = 0;
    for (int column = 0; column < input->log->channel_count; ++column) {
        const char *name = input->log->names[column];
        size_t length = strlen(name);
        // A recording calls the signal fx "fx.value".
        length -= length > 6 && strcmp(name + length - 6, ".value") == 0 ? 6 : 0;
        int i = find_input(input, name, length);
        if (i < 0) {
            char list[LIST_SIZE];
            list_inputs(input, list);
            const char *nearest = hf_nearest_name(name, input->names, input->count);
            (void)hf_cli_error("%s: column '%s' is no input of the model%s%s%s; inputs are %s",
                               source, name, nearest == NULL ? "" : " (did you mean '",
                               nearest == NULL ? "" : nearest, nearest == NULL ? "" : "'?)", list);
            return false;
        }
        input->columns[i] = column;
        ++matched;
    }
    for (int i = 0; i < input->count && matched > 0; ++i) {
        if (input->columns[i] < 0) {
            hf_cli_warning("%s: no column '%s': that input keeps its first value", source,
                           input->names[i]);
        }
    }
    return matched > 0 || (hf_cli_error("%s: there is no column but time", source), false);
}

static bool check_rows(const hf_cli_input *input, const char *source)
{
    const hf_recording *log = input->log;
    for (long long k = 0; k < log->samples; ++k) {
        bool finite = isfinite(log->time[k]);
        for (int c = 0; c < log->channel_count; ++c) {
            finite = finite && isfinite(log->values[c][k]);
        }
        if (!finite || (k > 0 && !(log->time[k] > log->time[k - 1]))) {
            (void)hf_cli_error("%s: row %lld: %s", source, k + 1,
                               finite ? "time must rise" : "a number is not finite");
            return false;
        }
    }
    return true;
}

static bool open_log(hf_cli_input *input, const char *source)
{
    hf_error error = {0};
    input->log = hf_cli_read_recording(source, &error);
    if (input->log == NULL) {
        hf_cli_report(&error);
        return false;
    }
    if (input->log->truncated) {
        hf_cli_warning("%s: the last row is not complete and was left out", source);
    }
    return match_columns(input, source) && check_rows(input, source);
}

static void look_up(hf_cli_input *input, const hf_sim *sim)
{
    double now = hf_sim_time(sim) + TIME_SLACK * hf_sim_method(sim).step;
    while (input->next < input->log->samples && input->log->time[input->next] <= now) {
        for (int i = 0; i < input->count; ++i) {
            if (input->columns[i] >= 0) {
                input->wanted[i] = input->log->values[input->columns[i]][input->next];
            }
        }
        input->next += 1;
    }
}

// The same of what came by standard input.
static void look_up_kept(hf_cli_input *input, const hf_sim *sim)
{
    double now = hf_sim_time(sim) + TIME_SLACK * hf_sim_method(sim).step;
    size_t size = (size_t)input->count;
    while (input->next < input->row_count) {
        const double *row = input->rows + (size_t)input->next * (size + 1);
        if (!(row[0] <= now)) {
            break;
        }
        memcpy(input->wanted, row + 1, size * sizeof *row);
        input->next += 1;
    }
}

// ------------------------------------------------------------------------------------------------
// Standard input

static hf_status malformed(const hf_cli_input *input, hf_error *error, const char *what,
                           const char *word)
{
    char list[LIST_SIZE];
    list_inputs(input, list);
    return hf_error_set(error, HF_ERROR_SYNTAX,
                        "standard input, line %lld: %s%.60s%s; a line has a value for each of %s, "
                        "or name=value",
                        input->line, what, word, word[0] == '\0' ? "" : "'", list);
}

static hf_status take_word(hf_cli_input *input, char *word, int index, bool *named, hf_error *error)
{
    char *equals = strchr(word, '=');
    if (index > 0 && *named != (equals != NULL)) {
        return malformed(input, error, "values and name=value are mixed at '", word);
    }
    *named = equals != NULL;
    int i = equals == NULL ? index : find_input(input, word, (size_t)(equals - word));
    if (equals != NULL && i < 0) {
        return malformed(input, error, "there is no such input: '", word);
    }
    double value = 0.0;
    if (!hf_cli_read_number(equals == NULL ? word : equals + 1, &value)) {
        return malformed(input, error, "expected a number, not '",
                         equals == NULL ? word : equals + 1);
    }
    if (i < input->count) {
        input->wanted[i] = value;
    }
    return HF_OK;
}

// An empty line keeps all values.
static hf_status take_line(hf_cli_input *input, char *line, hf_error *error)
{
    char *rest = NULL;
    int words = 0;
    bool named = false;
    for (char *word = strtok_r(line, ", \t\r;", &rest); word != NULL;
         word = strtok_r(NULL, ", \t\r;", &rest)) {
        HF_TRY(take_word(input, word, words, &named, error));
        ++words;
    }
    if (words > 0 && !named && words != input->count) {
        char what[60];
        (void)snprintf(what, sizeof what, "expected %d values, not %d", input->count, words);
        return malformed(input, error, what, "");
    }
    return HF_OK;
}

// Reads what there is; waits for it if `input->waits`. False: nothing came.
static bool fill(hf_cli_input *input, hf_status *status, hf_error *error)
{
    struct pollfd ready = {.fd = STDIN_FILENO, .events = POLLIN};
    if (!input->waits && poll(&ready, 1, 0) <= 0) {
        return false;
    }
    ssize_t count =
        read(STDIN_FILENO, input->text + input->length, (size_t)LONGEST_LINE - 1 - input->length);
    if (count < 0) {
        if (errno != EINTR && errno != EAGAIN) {
            *status = hf_error_set(error, HF_ERROR_FILE, "cannot read standard input: %s",
                                   strerror(errno));
        }
        return false;
    }
    input->ended = count == 0;
    input->length += (size_t)count;
    return count > 0;
}

// The next line, ended by a zero in place; NULL when there is none (yet).
static char *next_line(hf_cli_input *input, hf_status *status, hf_error *error)
{
    for (;;) {
        char *start = input->text + input->used;
        char *end = memchr(start, '\n', input->length - input->used);
        if (end == NULL && input->ended && input->used < input->length) {
            end = input->text + input->length; // the last line needs no end
            input->length += 1;
        }
        if (end != NULL) {
            *end = '\0';
            input->used = (size_t)(end - input->text) + 1;
            input->line += 1;
            return start;
        }
        memmove(input->text, start, input->length - input->used);
        input->length -= input->used;
        input->used = 0;
        if (input->length >= LONGEST_LINE - 1) {
            input->line += 1;
            *status = malformed(input, error, "longer than 64 KiB", "");
            return NULL;
        }
        if (input->ended || (!fill(input, status, error) && !input->ended)) {
            return NULL;
        }
    }
}

static hf_status read_line(hf_cli_input *input, hf_error *error)
{
    hf_status status = HF_OK;
    char *line = next_line(input, &status, error);
    return line == NULL ? status : take_line(input, line, error);
}

static hf_status keep_row(hf_cli_input *input, double time, hf_error *error)
{
    size_t size = (size_t)input->count + 1;
    if (input->row_count == input->row_room) {
        long long room = 2 * input->row_room + 64;
        double *rows = realloc(input->rows, (size_t)room * size * sizeof *rows);
        if (rows == NULL) {
            return hf_error_set(error, HF_ERROR_MEMORY, "out of memory for the inputs");
        }
        input->rows = rows;
        input->row_room = room;
    }
    double *row = input->rows + (size_t)input->row_count++ * size;
    row[0] = time;
    memcpy(row + 1, input->wanted, (size - 1) * sizeof *row);
    return HF_OK;
}

// ------------------------------------------------------------------------------------------------
// Both

static bool find_inputs(hf_cli_input *input, const hf_model *model)
{
    int signals = hf_model_get_info(model).signals;
    // Room for as many as there are signals
    size_t room = (size_t)signals + 1;
    input->signals = calloc(room, sizeof *input->signals);
    input->names = calloc(room, sizeof *input->names);
    input->values = calloc(2 * room, sizeof *input->values);
    input->columns = calloc(room, sizeof *input->columns);
    input->text = calloc(LONGEST_LINE, 1);
    if (input->signals == NULL || input->names == NULL || input->values == NULL ||
        input->columns == NULL || input->text == NULL) {
        (void)hf_cli_error("out of memory");
        return false;
    }
    input->wanted = input->values + room;
    // Those that are inputs
    for (int id = 1; id <= signals; ++id) {
        hf_signal_info info = hf_model_signal_info(model, (hf_signal){id});
        if (info.type == HF_SIGNAL_INPUT) {
            input->values[input->count] = input->wanted[input->count] = (double)NAN;
            input->columns[input->count] = -1;
            input->signals[input->count] = (hf_signal){id};
            input->names[input->count++] = info.name;
        }
    }
    if (input->count == 0) {
        (void)hf_cli_error("--input: the model has no input signals; an input is declared as "
                           "'signals: {NAME: {input: 0}}'");
    }
    return input->count > 0;
}

hf_cli_input *hf_cli_input_open(const char *source, const hf_model *model, bool waits)
{
    hf_cli_input *input = calloc(1, sizeof *input);
    if (input == NULL) {
        (void)hf_cli_error("out of memory");
        return NULL;
    }
    input->waits = waits;
    if (!find_inputs(input, model) || (strcmp(source, "-") != 0 && !open_log(input, source))) {
        hf_cli_input_close(input);
        return NULL;
    }
    return input;
}

hf_status hf_cli_input_apply(hf_cli_input *input, hf_sim *sim, hf_error *error)
{
    if (input->log != NULL) {
        look_up(input, sim);
    } else if (input->borrowed) {
        look_up_kept(input, sim);
    } else {
        HF_TRY(read_line(input, error));
        if (input->keeps) {
            HF_TRY(keep_row(input, hf_sim_time(sim), error));
        }
    }
    for (int i = 0; i < input->count; ++i) {
        if (!isnan(input->wanted[i]) && input->wanted[i] != input->values[i]) {
            input->values[i] = input->wanted[i];
            hf_sim_set_input(sim, input->signals[i], input->values[i]);
        }
    }
    return HF_OK;
}

bool hf_cli_input_is_live(const hf_cli_input *input)
{
    return input->log == NULL;
}

void hf_cli_input_keep(hf_cli_input *input)
{
    input->keeps = input->log == NULL;
}

hf_cli_input *hf_cli_input_again(const hf_cli_input *input)
{
    size_t room = (size_t)input->count + 1;
    hf_cli_input *again = malloc(sizeof *again);
    double *values = malloc(2 * room * sizeof *values);
    if (again == NULL || values == NULL) {
        free(again);
        free(values);
        return NULL;
    }
    *again = *input;
    again->borrowed = true;
    again->next = 0;
    again->text = NULL;
    again->values = values;
    again->wanted = values + room;
    for (int i = 0; i < input->count; ++i) {
        again->values[i] = again->wanted[i] = (double)NAN;
    }
    return again;
}

void hf_cli_input_close(hf_cli_input *input)
{
    if (input == NULL) {
        return;
    }
    if (!input->borrowed) {
        hf_recording_destroy(input->log);
        free(input->signals);
        free((void *)input->names);
        free(input->columns);
        free(input->rows);
    }
    free(input->values);
    free(input->text);
    free(input);
}
