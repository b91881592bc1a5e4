// SPDX-License-Identifier: Apache-2.0
// Prints the loops of a machine, for `check` and for the summary of a run.
#include "cli/loops.h"

#include <string.h>

#include "cli/cli.h"

enum { MOST_LOOPS = 200, LONGEST_NAME = 40, ROWS_SIZE = 80 };

static void name_rows(const hf_loop_info *loop, char text[ROWS_SIZE])
{
    size_t used = 0;
    text[0] = '\0';
    for (int k = 0; k < loop->rows; ++k) {
        if ((loop->redundant_rows >> k & 1U) != 0 && used < ROWS_SIZE - 16) {
            used += (size_t)snprintf(text + used, ROWS_SIZE - used, "%s%s", used > 0 ? ", " : "",
                                     hf_loop_row_name(loop->type, k));
        }
    }
}

static int widest(int width, const char *name)
{
    size_t length = strnlen(name, LONGEST_NAME);
    return (int)length > width ? (int)length : width;
}

void hf_cli_print_loop_sizes(const hf_model *model)
{
    hf_model_info info = hf_model_get_info(model);
    if (info.loops > 0) {
        (void)printf("  loops        %d: %d rows, %d independent; %d %s of freedom\n", info.loops,
                     info.loop_rows, info.loop_rank, info.freedoms,
                     info.freedoms == 1 ? "degree" : "degrees");
    }
}

void hf_cli_print_loops(const hf_model *model)
{
    hf_model_info info = hf_model_get_info(model);
    int width = 4, on_width = 2, to_width = 2;
    int shown = info.loops < MOST_LOOPS ? info.loops : MOST_LOOPS;
    if (info.loops == 0) {
        return;
    }
    // How wide the columns are
    for (int id = 1; id <= shown; ++id) {
        hf_loop_info loop = hf_model_loop_info(model, (hf_loop){id});
        width = widest(width, loop.name);
        on_width = widest(on_width, hf_model_body_name(model, loop.on_frame.body));
        to_width = widest(to_width, hf_model_body_name(model, loop.to_frame.body));
    }
    (void)printf("\n%-*s %-10s %-*s %-*s %5s %11s  %s\n", width + 2, "Loop", "type", on_width, "on",
                 to_width, "to", "rows", "closed to", "redundant rows");
    // A line for each
    for (int id = 1; id <= shown; ++id) {
        hf_loop_info loop = hf_model_loop_info(model, (hf_loop){id});
        char rows[ROWS_SIZE];
        name_rows(&loop, rows);
        bool turns = loop.type == HF_LOOP_RATIO && loop.start_angle > loop.start_error;
        (void)printf("  %-*s %-10s %-*s %-*s %5d %9.2g %s%s\n", width, loop.name,
                     hf_loop_type_name(loop.type), on_width,
                     hf_model_body_name(model, loop.on_frame.body), to_width,
                     hf_model_body_name(model, loop.to_frame.body), loop.rows,
                     turns ? loop.start_angle : loop.start_error, turns ? "rad " : "m  ",
                     rows[0] == '\0' ? "none" : rows);
    }
    if (shown < info.loops) {
        (void)printf("  and %d more\n", info.loops - shown);
    }
    // What redundant rows mean
    if (info.loop_rank < info.loop_rows) {
        (void)printf("\nRedundant rows follow from rows before them (loops in the order of names). "
                     "They change no\nmotion; forces that they could share are those of least "
                     "norm.\n");
    }
}

void hf_cli_print_openings(const hf_sim *sim)
{
    hf_sim_stats stats = hf_sim_get_stats(sim);
    if (hf_model_get_info(hf_sim_model(sim)).loops > 0) {
        (void)printf("  loops        open by %.3g m, %.3g rad at most\n", stats.largest_opening,
                     stats.largest_opening_angle);
    }
}

void hf_cli_write_loops(hf_json *json, const hf_sim *sim)
{
    const hf_model *model = hf_sim_model(sim);
    hf_model_info info = hf_model_get_info(model);
    hf_sim_stats stats = hf_sim_get_stats(sim);
    if (info.loops == 0) {
        return;
    }
    hf_json_begin(json, "loops");
    hf_json_count(json, "rows", info.loop_rows);
    hf_json_count(json, "rank", info.loop_rank);
    hf_json_count(json, "freedoms", info.freedoms);
    hf_json_number(json, "largest_opening", stats.largest_opening);
    hf_json_number(json, "largest_opening_angle", stats.largest_opening_angle);
    hf_json_begin(json, "redundant");
    for (int id = 1; id <= info.loops; ++id) {
        hf_loop_info loop = hf_model_loop_info(model, (hf_loop){id});
        hf_json_count(json, loop.name, loop.redundant);
    }
    hf_json_end(json);
    hf_json_end(json);
}

enum { MOST_CHANGES = 5 };

void hf_cli_warn_start(const hf_model *model)
{
    hf_start_change changes[MOST_CHANGES];
    int count = hf_model_start_changes(model, changes, MOST_CHANGES);
    for (int i = 0; i < count && i < MOST_CHANGES; ++i) {
        const hf_start_change *c = &changes[i];
        hf_cli_warning("'%s' starts at %.6g %s, not at %.6g as written: loops or ratios do not "
                       "allow it with the other velocities",
                       hf_model_body_info(model, c->body).name, c->found, c->unit, c->written);
    }
    if (count > MOST_CHANGES) {
        hf_cli_warning("and %d more velocities", count - MOST_CHANGES);
    }
}
