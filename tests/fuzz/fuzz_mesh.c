// SPDX-License-Identifier: Apache-2.0
// Meshes: OBJ (the bytes begin with 'o') and STL, text and binary.
#include <stdlib.h>

#include "fuzz.h"
#include "shapes/mesh_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    hf_error error = {0};
    char *text = hf_fuzz_text(data, size);
    const char *label = size > 0 && data[0] == 'o' ? "mesh.obj" : "mesh.stl";
    hf_mesh *mesh = hf_mesh_parse(text, size, label, (hf_vec3){1.0, 1.0, 1.0}, &error);
    hf_fuzz_expect(mesh != NULL || error.text[0] != '\0', "a refusal has a reason");
    hf_mesh_destroy(mesh);
    free(text);
    return 0;
}
