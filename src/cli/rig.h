// SPDX-License-Identifier: Apache-2.0
// A slider under a friction law: moved along a given path, or pushed. Laws that are found over
// steps need a mass to act on: it is moved by a servo that compensates the friction of the last
// step.
#ifndef HF_CLI_RIG_H
#define HF_CLI_RIG_H

#include "cli/characterize.h"

typedef struct hf_cli_rig {
    hf_sim *sim;
    double step, mass; // [s], [kg]
    hf_body slider;
    hf_signal input; // its load, or its velocity
    hf_channel force;
    bool driven; // the motion of the slider is given
} hf_cli_rig;

// The machine: a slider whose motion is given (`driven`), or a mass of 1 kg under a load.
HF_NODISCARD hf_status hf_cli_rig_compile(const char *law, const char *const *parameters,
                                          int parameter_count, bool driven, hf_model **model,
                                          hf_error *error);

// `moved`: for hf_cli_rig_move; else for hf_cli_rig_push. The step may become smaller than asked
// for, to be stable. The rig must be closed whatever is returned.
HF_NODISCARD hf_status hf_cli_rig_open(hf_cli_rig *rig, const hf_cli_character *character,
                                       bool moved, double step, hf_error *error);
// One step at a velocity [m/s].
HF_NODISCARD hf_status hf_cli_rig_move(hf_cli_rig *rig, double speed, hf_error *error);
// One step under a load [N].
HF_NODISCARD hf_status hf_cli_rig_push(hf_cli_rig *rig, double load, hf_error *error);
// Friction over the last step, with the sign of the motion [N]; and the motion [m], [m/s].
double hf_cli_rig_force(const hf_cli_rig *rig);
double hf_cli_rig_position(const hf_cli_rig *rig);
double hf_cli_rig_speed(const hf_cli_rig *rig);
void hf_cli_rig_close(hf_cli_rig *rig);

#endif
