// SPDX-License-Identifier: Apache-2.0
// Files that a robot names.
//
//   assets/foot.stl          in the robot's folder
//   package://go1/foot.stl   in the package go1: one that the caller names (--package go1=DIR),
//   model://go1/foot.stl     else an ancestor folder called go1, else a folder go1 beside an
//                            ancestor, else the path below an ancestor. Of 503 public URDFs 446
//                            are found so.
//   file://...               as the plain path behind it
//
// After symbolic links a file must lie in the robot's folder or in the package's.
#define _XOPEN_SOURCE 700 // realpath
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "robots/robot.h"

enum { MOST_ANCESTORS = 12 };

static bool lies_in(const char *path, const char *folder)
{
    size_t length = strlen(folder);
    length -= length > 0 && folder[length - 1] == '/' ? 1 : 0; // the root
    return strncmp(path, folder, length) == 0 && path[length] == '/';
}

static bool fail(hf_robot *robot, const hf_xml_element *element, const hf_xml_attribute *attribute,
                 const char *file, const char *what)
{
    return attribute != NULL
               ? hf_xml_fail_at(attribute, robot->error, HF_ERROR_FILE, "file '%.150s' %s", file,
                                what)
               : hf_xml_fail(element, robot->error, HF_ERROR_FILE, "file '%.150s' %s", file, what);
}

// The true path of FOLDER/FILE if it lies in the folder; NULL else.
static char *inside(hf_robot *robot, const char *folder, const char *file, bool *leads_out)
{
    const char *joined = hf_robot_print(robot, "%s/%s", folder, file);
    char *true_folder = realpath(folder, NULL);
    char *path = joined == NULL || true_folder == NULL ? NULL : realpath(joined, NULL);
    if (path != NULL && strcmp(path, true_folder) != 0 && !lies_in(path, true_folder)) {
        *leads_out = true;
        free(path);
        path = NULL;
    }
    free(true_folder);
    return path;
}

// A package by the caller's list.
static const char *named_package(const hf_robot *robot, const char *name, size_t length)
{
    for (int i = 0; i < robot->options.package_count; ++i) {
        const char *entry = robot->options.packages[i];
        if (strncmp(entry, name, length) == 0 && entry[length] == '=') {
            return entry + length + 1;
        }
    }
    return NULL;
}

// *named: its folder is among the options.
static char *from_package(hf_robot *robot, const char *rest, bool *leads_out, bool *named)
{
    size_t length = strcspn(rest, "/");
    const char *behind = rest[length] == '/' ? rest + length + 1 : "";
    const char *folder = named_package(robot, rest, length);
    *named = folder != NULL;
    if (folder != NULL) {
        return inside(robot, folder, behind, leads_out);
    }
    if (robot->folder == NULL || length == 0) {
        return NULL;
    }
    char *ancestor = hf_arena_string(&robot->xml.arena, robot->folder);
    for (int i = 0; i < MOST_ANCESTORS && ancestor != NULL && ancestor[0] == '/'; ++i) {
        char *slash = strrchr(ancestor, '/');
        bool called = strlen(slash + 1) == length && strncmp(slash + 1, rest, length) == 0;
        const char *beside = hf_robot_print(robot, "%s/%.*s", ancestor, (int)length, rest);
        char *path = called ? inside(robot, ancestor, behind, leads_out) : NULL;
        path = path != NULL || beside == NULL ? path : inside(robot, beside, behind, leads_out);
        path = path != NULL ? path : inside(robot, ancestor, behind, leads_out);
        if (path != NULL || slash == ancestor) {
            return path;
        }
        *slash = '\0';
    }
    return NULL;
}

const char *hf_robot_file_name(const hf_robot *robot, const char *file)
{
    const char *from = robot->options.mesh_folder;
    if (robot->folder == NULL) {
        return file;
    }
    const char *path =
        file[0] == '/' ? file : hf_robot_print((hf_robot *)robot, "%s/%s", robot->folder, file);
    char *true_folder = from == NULL ? NULL : realpath(from, NULL);
    const char *root = true_folder != NULL ? true_folder : robot->root;
    const char *name = path == NULL                          ? file
                       : root != NULL && lies_in(path, root) ? path + strlen(root) + 1
                                                             : path;
    name = root != NULL && strcmp(root, "/") == 0 && path != NULL ? path + 1 : name;
    free(true_folder);
    return name;
}

bool hf_robot_find_root(hf_robot *robot)
{
    char *root = robot->folder == NULL ? NULL : hf_arena_string(&robot->xml.arena, robot->folder);
    robot->root = root;
    size_t shapes = robot->shapes.count, all = shapes + robot->looks.count;
    for (size_t i = 0; i < all && root != NULL; ++i) {
        const char *file =
            i < shapes ? robot->shapes.items[i].file : robot->looks.items[i - shapes].shape.file;
        while (file != NULL && file[0] == '/' && root[1] != '\0' && !lies_in(file, root)) {
            char *slash = strrchr(root, '/');
            slash[slash == root ? 1 : 0] = '\0';
        }
    }
    return robot->folder == NULL || root != NULL || hf_robot_out_of_memory(robot);
}

char *hf_robot_resolve(hf_robot *robot, const hf_xml_element *element,
                       const hf_xml_attribute *attribute, const char *file, const char **relative)
{
    static const char *const schemes[] = {"package://", "model://"};
    *relative = NULL;
    if (robot->folder == NULL) {
        (void)fail(robot, element, attribute, file, "cannot be read: the robot is not in a file");
        return NULL;
    }
    // In a package, or beside the robot
    char *path = NULL;
    bool packaged = false, leads_out = false, named = false;
    for (size_t i = 0; i < 2 && !packaged; ++i) {
        size_t length = strlen(schemes[i]);
        packaged = strncmp(file, schemes[i], length) == 0;
        path = packaged ? from_package(robot, file + length, &leads_out, &named) : NULL;
    }
    if (!packaged) {
        const char *plain = strncmp(file, "file://", 7) == 0 ? file + 7 : file;
        path = plain[0] == '/' || plain[0] == '\0'
                   ? NULL
                   : inside(robot, robot->folder, plain, &leads_out);
        leads_out = leads_out || plain[0] == '/';
    }
    // What is wrong
    if (path == NULL) {
        (void)fail(robot, element, attribute, file,
                   leads_out  ? "leads out of the robot's folder and its packages"
                   : named    ? "is not found in the folder that --package names"
                   : packaged ? "is not found; name its package: --package NAME=FOLDER"
                              : "is not found");
        return NULL;
    }
    // As the model will name it
    *relative = hf_robot_print(
        robot, "%s", lies_in(path, robot->folder) ? path + strlen(robot->folder) + 1 : path);
    if (*relative == NULL) {
        free(path);
        return NULL;
    }
    if (robot->options.files != NULL) {
        robot->options.files->visit(robot->options.files->context, path, NULL);
    }
    return path;
}
