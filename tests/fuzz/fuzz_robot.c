// SPDX-License-Identifier: Apache-2.0
// Robots: MJCF, URDF and SDF, told by their root. What is read has an account that adds up, and a
// text that the reader of model files either reads or refuses with a reason.
#include <stdlib.h>
#include <string.h>

#include <holdfast/models.h>

#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    hf_error error = {0};
    char *text = hf_fuzz_text(data, size);
    hf_robot *robot = hf_robot_parse(text, size, "robot.xml", NULL, NULL, &error);
    hf_fuzz_expect(robot != NULL || error.text[0] != '\0', "a refusal has a reason");
    if (robot != NULL) {
        hf_robot_counts counts = hf_robot_count(robot);
        int sum = 0;
        for (int i = 0; i < HF_ROBOT_LOT_COUNT; ++i) {
            sum += counts.lots[i];
        }
        hf_fuzz_expect(sum == counts.elements + counts.attributes, "the account adds up");
        const char *model = hf_robot_model(robot);
        hf_spec *spec = hf_spec_parse(model, strlen(model), "robot", NULL, NULL, &error);
        hf_fuzz_expect(spec != NULL || error.text[0] != '\0', "a refusal has a reason");
        hf_spec_destroy(spec);
    }
    hf_robot_destroy(robot);
    free(text);
    return 0;
}
