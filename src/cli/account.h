// SPDX-License-Identifier: Apache-2.0
// The account of a robot's file, for people.
#ifndef HF_CLI_ACCOUNT_H
#define HF_CLI_ACCOUNT_H

#include <stdio.h>

#include <holdfast/robots.h>

// Its four counts, and what is not represented, `most` lines of it at most.
void hf_cli_put_account(FILE *file, const hf_robot *robot, int most);
// Whether a word names the file of a robot.
bool hf_cli_is_robot(const char *word);
// Reads a robot's file once more for its account alone; prints nothing for other files, or when
// `quiet`. Returns how much is not represented.
int hf_cli_tell_account(const char *word, const hf_robot_options *options, bool quiet);

#endif
