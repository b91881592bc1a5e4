// SPDX-License-Identifier: Apache-2.0
#ifndef HF_FMI_WRAPPER_LOCATION_H
#define HF_FMI_WRAPPER_LOCATION_H

// The path of a folder that a URI (file:///home/user/my%20fmu/resources) or a path names, without
// a slash at its end. For the caller to free. NULL: it is no folder of this machine, or out of
// memory.
char *hf_fmu_location(const char *uri);

#endif
