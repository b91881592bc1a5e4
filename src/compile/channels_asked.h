// SPDX-License-Identifier: Apache-2.0
// Channels that are there because a recording names them (channels_asked.c).
#ifndef HF_COMPILE_CHANNELS_ASKED_H
#define HF_COMPILE_CHANNELS_ASKED_H

#include "compile/model_data.h"

// Fills model->asked with what the spec's recording names.
hf_status hf_asked_list(hf_model *model, const hf_spec *spec, hf_error *error);
// Whether a recording may ask for it.
bool hf_asked_known(const hf_model *model, const char *name);
// How many channels it is.
int hf_asked_axes(const hf_model *model, const hf_asked *asked);
// The name of one; of accelerations it is that of the velocity.
const char *hf_asked_axis(const hf_asked *asked, int axis);
// The one with this name, its first `length` letters; NULL: none.
const hf_asked *hf_asked_find(const hf_model *model, const char *name, size_t length);
// rate: the unit of the coordinate's velocity.
const char *hf_asked_unit(const hf_asked *asked, int axis, const char *rate);

#endif
