// SPDX-License-Identifier: Apache-2.0
// Models in models, and models of other files.
//
// The uri of an <include> names a folder or a file: model://NAME/..., package://NAME/..., or a path
// from the robot's folder. A folder has a model.config, whose <sdf> names the file, or a model.sdf.
// The same file may be included many times; it is read once.
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "robots/sdf/sdf.h"

enum { MOST_SCOPES = 2000, MOST_DEEP = 16 };

bool hf_sdf_version(hf_robot *robot, hf_xml_element *root, double *version)
{
    hf_xml_attribute *given = hf_xml_get(root, "version");
    hf_xml_mark(given, HF_FATE_TAKEN, NULL);
    *version = 1.6;
    if (given == NULL) {
        return true;
    }
    bool first = strncmp(given->value, "1.", 2) == 0;
    size_t digits = first ? strspn(given->value + 2, "0123456789") : 0;
    if (digits == 0 || given->value[2 + digits] != '\0') {
        return hf_xml_fail_at(given, robot->error, HF_ERROR_INPUT,
                              "version must be 1.0, 1.1 and so on, got '%.40s'", given->value);
    }
    // 1.10 and 1.11 come after 1.9.
    *version = digits > 1 ? 1.9 : 1.0 + (given->value[2] - '0') / 10.0;
    return true;
}

// A file of the robot's, read once.
static hf_xml_element *load(hf_robot *robot, hf_xml_element *at, const char *path,
                            const char *relative)
{
    for (size_t i = 0; i < robot->xml.file_count; ++i) {
        const hf_xml_file *file = &robot->xml.files[i];
        if (file->path != NULL && strcmp(file->path, path) == 0) {
            return file->root;
        }
    }
    const char *slash = strrchr(robot->label, '/');
    const char *label =
        hf_robot_print(robot, "%.*s%s", slash == NULL ? 0 : (int)(slash - robot->label) + 1,
                       robot->label, relative);
    (void)at;
    return label == NULL ? NULL : hf_xml_load(&robot->xml, path, label, robot->error);
}

// The file that a folder's model.config names: the last of its <sdf>, else model.sdf.
static const char *file_of(hf_robot *robot, hf_xml_element *uri, const char *folder_uri)
{
    const char *config = hf_robot_print(robot, "%s/model.config", folder_uri), *relative = NULL;
    hf_error kept = *robot->error;
    char *path = config == NULL ? NULL : hf_robot_resolve(robot, uri, NULL, config, &relative);
    if (path == NULL) {
        *robot->error = kept;
        return config == NULL ? NULL : hf_robot_print(robot, "%s/model.sdf", folder_uri);
    }
    hf_xml_element *root = load(robot, uri, path, relative), *last = NULL;
    free(path);
    if (root == NULL) {
        return NULL;
    }
    for (hf_xml_element *e = hf_xml_child(root, "sdf"); e != NULL; e = hf_xml_next(e)) {
        last = e;
    }
    hf_xml_mark_all(root, HF_FATE_SEEN, "what a model is called, and which file has it");
    hf_xml_mark_element(last, HF_FATE_TAKEN, NULL);
    return hf_robot_print(robot, "%s/%s", folder_uri, last == NULL ? "model.sdf" : last->text);
}

hf_xml_element *hf_sdf_included(hf_robot *robot, hf_xml_element *include, double *version)
{
    hf_xml_element *uri = hf_xml_child(include, "uri");
    const char *relative = NULL;
    if (uri == NULL || uri->text[0] == '\0') {
        (void)hf_xml_fail(include, robot->error, HF_ERROR_INPUT, "include needs a uri");
        return NULL;
    }
    // The file, or that of the folder
    size_t length = strlen(uri->text);
    const char *plain = hf_robot_print(
        robot, "%.*s", (int)(length - (uri->text[length - 1] == '/' ? 1 : 0)), uri->text);
    char *path = plain == NULL ? NULL : hf_robot_resolve(robot, uri, NULL, plain, &relative);
    struct stat what;
    if (path != NULL && stat(path, &what) == 0 && S_ISDIR(what.st_mode)) {
        const char *file = file_of(robot, uri, plain);
        free(path);
        path = file == NULL ? NULL : hf_robot_resolve(robot, uri, NULL, file, &relative);
    }
    // Its model
    hf_xml_element *root = path == NULL ? NULL : load(robot, uri, path, relative);
    free(path);
    hf_xml_element *model = hf_xml_child(root, "model");
    if (root != NULL && (strcmp(root->name, "sdf") != 0 || model == NULL)) {
        (void)hf_xml_fail(uri, robot->error, HF_ERROR_INPUT, "'%.100s' has no model", uri->text);
        return NULL;
    }
    hf_xml_mark_element(root, HF_FATE_TAKEN, NULL);
    hf_xml_mark_element(include, HF_FATE_TAKEN, NULL);
    hf_xml_mark_element(uri, HF_FATE_TAKEN, NULL);
    return root != NULL && hf_sdf_version(robot, root, version) ? model : NULL;
}

// ------------------------------------------------------------------------------------------------

static bool open_scope(hf_sdf *s, hf_xml_element *model, hf_xml_element *include, double version,
                       int parent, int depth);

static bool open_inner(hf_sdf *s, int scope, int depth)
{
    hf_xml_element *model = s->scopes.items[scope].model;
    for (hf_xml_element *e = model->first; e != NULL; e = e->next) {
        double version = s->scopes.items[scope].version;
        bool include = strcmp(e->name, "include") == 0;
        if (!include && strcmp(e->name, "model") != 0) {
            continue;
        }
        hf_xml_element *inner = include ? hf_sdf_included(s->robot, e, &version) : e;
        if (inner == NULL || !open_scope(s, inner, include ? e : NULL, version, scope, depth + 1)) {
            return false;
        }
    }
    return true;
}

static bool open_scope(hf_sdf *s, hf_xml_element *model, hf_xml_element *include, double version,
                       int parent, int depth)
{
    hf_xml_element *renamed = hf_xml_child(include, "name");
    hf_xml_attribute *own = hf_xml_get(model, "name");
    const char *name = renamed != NULL ? renamed->text : own != NULL ? own->value : "model";
    if (depth > MOST_DEEP || s->scopes.count == MOST_SCOPES) {
        return hf_xml_fail(model, s->robot->error, HF_ERROR_INPUT,
                           depth > MOST_DEEP ? "models are nested deeper than 16: does one include "
                                               "itself?"
                                             : "there are more than 2000 models in the model");
    }
    void *grown =
        hf_grow(s->scopes.items, s->scopes.count, &s->scopes.capacity, sizeof *s->scopes.items);
    s->scopes.items = grown == NULL ? s->scopes.items : grown;
    const char *prefix =
        parent < 0 ? "" : hf_robot_print(s->robot, "%s%s::", s->scopes.items[parent].prefix, name);
    if (grown == NULL || prefix == NULL) {
        return hf_robot_out_of_memory(s->robot);
    }
    hf_xml_mark_element(model, HF_FATE_TAKEN, NULL);
    hf_xml_mark(own, HF_FATE_TAKEN, NULL);
    hf_xml_mark_element(renamed, HF_FATE_TAKEN, NULL);
    s->scopes.items[s->scopes.count++] = (hf_sdf_scope){.model = model,
                                                        .include = include,
                                                        .name = name,
                                                        .prefix = prefix,
                                                        .parent = parent,
                                                        .version = version};
    // `static` holds for the whole; of inner models the outer one's word counts
    hf_xml_element *fixed = parent < 0 ? NULL : hf_xml_child(include, "static");
    fixed = fixed == NULL && parent >= 0 ? hf_xml_child(model, "static") : fixed;
    hf_xml_mark_element(fixed, HF_FATE_SEEN, "the model around it says whether it stands still");
    hf_xml_mark_element(parent < 0 ? NULL : hf_xml_child(model, "self_collide"), HF_FATE_SEEN,
                        "the model around it says whether its links touch each other");
    return open_inner(s, (int)s->scopes.count - 1, depth);
}

bool hf_sdf_open(hf_sdf *s, hf_xml_element *model, hf_xml_element *include, double version)
{
    return open_scope(s, model, include, version, -1, 0);
}
