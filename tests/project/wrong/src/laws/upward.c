// SPDX-License-Identifier: Apache-2.0
// Wrong on purpose: the include test must refuse each of these.
#include <stdlib.h>

#include <holdfast/sim.h>

#include "sim/sim.h"
#include "stranger.h"
