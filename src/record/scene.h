// SPDX-License-Identifier: Apache-2.0
// What a picture of the machine needs, as JSON (docs/report.md has the keys), and its movement.
#ifndef HF_RECORD_SCENE_H
#define HF_RECORD_SCENE_H

#include <holdfast/sim.h>

#include "base/json.h"
#include "record/writer.h"

// Frames of a run: all poses and forces at a limited number of times.
typedef struct hf_frame_plan {
    bool wanted;     // false: the machine is too large to be pictured
    double interval; // between frames [s]
    int most;        // frames at this interval; beyond, it doubles
    int bodies, forces;
    int contacts; // places for them; a frame with more keeps none
} hf_frame_plan;

hf_frame_plan hf_frame_plan_make(const hf_sim *sim, double duration);

// Reads a frame off a sim. The rows have the plan's columns; its list of contacts grows where it
// has to. False: out of memory for that.
bool hf_frame_fill(hf_sim *sim, const hf_frame_plan *plan, hf_frame_rows *rows);

// Members of the JSON object that is open: energies; what became of a force.
void hf_json_energy(hf_json *json, const hf_energy *e);
void hf_json_force_stats(hf_json *json, const hf_force_stats *s);

// The description of a machine and its run, to be freed; NULL when out of memory.
char *hf_scene_text(const hf_sim *sim, const hf_frame_plan *plan, double duration);
// What came of a run, to be freed; NULL when out of memory.
char *hf_summary_text(hf_sim *sim, bool completed, double wall_seconds, const hf_verdict *verdict);

#endif
