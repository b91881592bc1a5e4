// SPDX-License-Identifier: Apache-2.0
// Finds the files that a model reads and gives them their places in the FMU.
#define _XOPEN_SOURCE 700 // realpath
#include "fmi/files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

static char *join(hf_fmu_files *files, const char *folder, const char *name)
{
    size_t size = strlen(folder) + strlen(name) + 2;
    char *path = hf_arena_alloc(&files->arena, size, 1);
    if (path != NULL) {
        (void)snprintf(path, size, "%s/%s", strcmp(folder, "/") == 0 ? "" : folder, name);
    }
    return path;
}

// Takes "." and empty parts out of a path. Models do not write "..".
static void tidy(char *path)
{
    char *to = path;
    for (const char *part = path; *part != '\0';) {
        part += strspn(part, "/");
        size_t length = strcspn(part, "/");
        if (length > 0 && !(length == 1 && part[0] == '.')) {
            *to++ = '/';
            memmove(to, part, length);
            to += length;
        }
        part += length;
    }
    *to = '\0';
}

static bool is_known(const hf_fmu_files *files, const char *seen)
{
    for (int i = 0; i < files->count; ++i) {
        if (strcmp(files->items[i].seen, seen) == 0) {
            return true;
        }
    }
    return false;
}

static void add(hf_fmu_files *files, hf_fmu_file file)
{
    if (file.seen == NULL || is_known(files, file.seen)) {
        files->failed = files->failed || file.seen == NULL;
        return;
    }
    if (files->count == files->capacity) {
        int capacity = 2 * files->capacity + 16;
        hf_fmu_file *grown = realloc(files->items, (size_t)capacity * sizeof *grown);
        if (grown == NULL) {
            files->failed = true;
            return;
        }
        files->items = grown;
        files->capacity = capacity;
    }
    files->items[files->count++] = file;
}

hf_status hf_fmu_files_begin(hf_fmu_files *files, const char *text, size_t length,
                             const char *label, const char *folder, hf_error *error)
{
    *files = (hf_fmu_files){.folder = ""};
    char *found = folder == NULL ? NULL : realpath(folder, NULL);
    const char *slash = strrchr(label, '/'), *name = slash == NULL ? label : slash + 1;
    const char *ending = strrchr(name, '.');
    bool yaml = ending != NULL && (strcmp(ending, ".yaml") == 0 || strcmp(ending, ".yml") == 0);
    files->folder = found == NULL ? "" : hf_arena_string(&files->arena, found);
    free(found);
    // A robot's file has become the text of a model file
    size_t size = strlen(name) + sizeof ".yaml";
    char *own = hf_arena_alloc(&files->arena, size, 1), *seen = NULL;
    if (own != NULL && files->folder != NULL) {
        (void)snprintf(own, size, "%s%s", name, yaml ? "" : ".yaml");
        seen = join(files, files->folder, own);
    }
    if (seen != NULL) {
        tidy(seen);
    }
    add(files, (hf_fmu_file){.seen = seen, .text = text, .length = length});
    return files->failed ? hf_error_set(error, HF_ERROR_MEMORY, "out of memory") : HF_OK;
}

static void visit(void *context, const char *path, const char *name)
{
    hf_fmu_files *files = context;
    char *seen =
        name == NULL ? hf_arena_string(&files->arena, path) : join(files, files->folder, name);
    const char *place = hf_arena_string(&files->arena, path);
    files->robots = files->robots || name == NULL;
    files->failed = files->failed || place == NULL;
    if (seen != NULL && place != NULL) {
        tidy(seen);
    }
    add(files, (hf_fmu_file){.place = place, .seen = seen});
}

hf_file_visitor hf_fmu_files_visitor(hf_fmu_files *files)
{
    return (hf_file_visitor){.visit = visit, .context = files};
}

static bool lies_in(const char *path, const char *folder)
{
    size_t length = strlen(folder);
    return strncmp(path, folder, length) == 0 && path[length] == '/';
}

hf_status hf_fmu_files_place(hf_fmu_files *files, hf_error *error)
{
    // The lowest folder that has all of them
    char *root = hf_arena_string(&files->arena, files->folder);
    for (int i = 0; i < files->count && root != NULL; ++i) {
        while (root[0] != '\0' && !lies_in(files->items[i].seen, root)) {
            *strrchr(root, '/') = '\0';
        }
    }
    // A robot looks for its packages by the names of folders: those stay
    const char *slash = root == NULL ? NULL : strrchr(root, '/');
    const char *folder = files->robots && slash != NULL && slash[1] != '\0' ? slash + 1 : "model";
    bool done = root != NULL && !files->failed;
    for (int i = 0; i < files->count && done; ++i) {
        files->items[i].entry = join(files, folder, files->items[i].seen + strlen(root) + 1);
        done = files->items[i].entry != NULL;
    }
    return done ? HF_OK : hf_error_set(error, HF_ERROR_MEMORY, "out of memory");
}

void hf_fmu_files_free(hf_fmu_files *files)
{
    free(files->items);
    hf_arena_free(&files->arena);
    *files = (hf_fmu_files){0};
}
