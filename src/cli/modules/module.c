// SPDX-License-Identifier: Apache-2.0
// Finds and loads the modules with heavy libraries (IPOPT, HDF5) when a run needs them.
#include "cli/modules/module.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"

// The folder of the running command, with its last slash. False when it is not known.
static bool own_folder(char folder[HF_MODULE_PATH])
{
    ssize_t length = readlink("/proc/self/exe", folder, HF_MODULE_PATH - 1);
    folder[length > 0 ? length : 0] = '\0';
    char *slash = strrchr(folder, '/');
    if (slash != NULL) {
        slash[1] = '\0';
    }
    return slash != NULL;
}

bool hf_module_find(const char *name, char path[HF_MODULE_PATH], hf_error *error)
{
    // From the folder of the command, in its build and where it was installed, so that a tree may
    // be moved; last where it was meant to be installed, for systems without /proc.
    static const char *const places[] = {"lib/holdfast", HF_MODULE_FOLDER, HF_MODULE_INSTALLED};
    char folder[HF_MODULE_PATH];
    bool known = own_folder(folder);
    path[0] = '\0';
    for (size_t i = 0; i < sizeof places / sizeof *places; ++i) {
        bool absolute = places[i][0] == '/';
        if (absolute == known) {
            continue;
        }
        int length = snprintf(path, HF_MODULE_PATH, "%s%s/holdfast-%s.so", absolute ? "" : folder,
                              places[i], name);
        if (length > 0 && length < HF_MODULE_PATH && access(path, F_OK) == 0) {
            return true;
        }
    }
    (void)hf_error_set(error, HF_ERROR_FILE,
                       "%.300s: this part of holdfast is not installed (module '%s')", path, name);
    return false;
}

// Opens the file of a module. `path` is that of the file which is there, or was looked for last.
static void *open_module(const char *name, char path[HF_MODULE_PATH], hf_error *error)
{
    bool found = hf_module_find(name, path, error);
    void *file = found ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
    if (found && file == NULL) {
        (void)hf_error_set(error, HF_ERROR_FILE, "%.200s: cannot load: %.250s", path, dlerror());
    }
    return file;
}

const hf_module *hf_module_load(const char *name, hf_error *error)
{
    char path[HF_MODULE_PATH], symbol[64];
    void *file = open_module(name, path, error);
    if (file == NULL) {
        return NULL;
    }
    (void)snprintf(symbol, sizeof symbol, "hf_module_%s", name);
    const hf_module *module = dlsym(file, symbol);
    if (module == NULL || strcmp(module->version, HF_VERSION) != 0) {
        (void)hf_error_set(error, HF_ERROR_FILE,
                           "%.300s: is of another version of holdfast (%.20s, not " HF_VERSION ")",
                           path, module == NULL ? "unknown" : module->version);
        (void)dlclose(file);
        return NULL;
    }
    return module; // stays loaded until the command ends
}
