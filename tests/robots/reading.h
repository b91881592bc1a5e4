// SPDX-License-Identifier: Apache-2.0
// Robots from texts, what they become, and machines that run them.
#ifndef HF_TESTS_READING_H
#define HF_TESTS_READING_H

#include "hf_test.h"

#include <holdfast/models.h>
#include <holdfast/sim.h>

// Read without a folder, or from a file's folder; fails the test with the message otherwise.
hf_robot *hf_reading_load(const char *text, const hf_robot_options *options);
hf_robot *hf_reading_load_file(const char *path, const hf_robot_options *options);

// The model's text has these words, else a failure that shows it.
void hf_reading_has(const hf_robot *robot, const char *words);
void hf_reading_lacks(const hf_robot *robot, const char *words);

// Adds to the present answer what a file became: the robot's model, account and bodies, or the
// error (robot NULL). Then ends it: it must be the one of known.txt (hf_known.h).
void hf_reading_note(const hf_robot *robot, const hf_error *error);
void hf_reading_known(const char *what);

// The first item of the account for an element (attribute NULL) or an attribute of it.
hf_robot_item hf_reading_item(const hf_robot *robot, const char *element, const char *attribute);

// That the four lists add up, and how many are not represented.
int hf_reading_missing(const hf_robot *robot);

// Deletes every attribute (but names and versions), and every element with a text, that the account
// calls taken, one at a time: the model must become another, or the file be refused. The text must
// give nothing that is its default anyhow. Returns how many.
int hf_reading_check_taken(const char *text);

typedef struct hf_reading_machine {
    hf_spec *spec;
    hf_model *model;
    hf_sim *sim;
} hf_reading_machine;

// With a change of the model, "bodies.robot.joints.j.velocity=4", or NULL.
hf_reading_machine hf_reading_start(const hf_robot *robot, const char *change);
void hf_reading_run(hf_reading_machine *m, double until);
void hf_reading_end(hf_reading_machine *m);
double hf_reading_q(const hf_reading_machine *m, const char *joint, int axis);
double hf_reading_v(const hf_reading_machine *m, const char *joint, int axis);

#endif
