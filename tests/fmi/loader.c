// SPDX-License-Identifier: Apache-2.0
// A host for FMUs, written apart from src/fmi: loads a binary and drives it.
#include "loader.h"

#include <dlfcn.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void give_up(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    (void)vfprintf(stderr, format, arguments);
    va_end(arguments);
    (void)fputc('\n', stderr);
    exit(1);
}

// A function of the FMU of this version, as a pointer of the type that is given.
#define CALL(type, i, name2, name3)                                                                \
    ((type)(intptr_t)fmu_symbol((i)->of, (i)->of->version == 2 ? (name2) : (name3)))

// ------------------------------------------------------------------------------------------------
// The description

static char *read_all(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        give_up("%s: cannot be read", path);
    }
    char *text = calloc(1, 4 << 20);
    if (text == NULL || fread(text, 1, (4 << 20) - 1, file) == 0) {
        give_up("%s: is empty", path);
    }
    (void)fclose(file);
    return text;
}

// The value of an attribute behind `from`, up to the end of the element.
static bool attribute(const char *from, const char *name, char *value, size_t size)
{
    char key[64];
    (void)snprintf(key, sizeof key, " %s=\"", name);
    const char *end = strstr(from, "\n"), *found = strstr(from, key);
    if (found == NULL || (end != NULL && found > end)) {
        value[0] = '\0';
        return false;
    }
    found += strlen(key);
    (void)snprintf(value, size, "%.*s", (int)strcspn(found, "\""), found);
    return true;
}

static const char *find_variable(const fmu *f, const char *name)
{
    char key[300];
    (void)snprintf(key, sizeof key, "name=\"%s\" valueReference=", name);
    const char *found = strstr(f->description, key);
    return found == NULL ? NULL : found - 1;
}

bool fmu_has(const fmu *f, const char *name)
{
    return find_variable(f, name) != NULL;
}

void fmu_attribute(const fmu *f, const char *name, const char *key, char *value, size_t size)
{
    const char *found = find_variable(f, name);
    if (found == NULL) {
        give_up("the FMU has no variable %s", name);
    }
    (void)attribute(found, key, value, size);
}

unsigned fmu_reference(const fmu *f, const char *name)
{
    char value[32];
    fmu_attribute(f, name, "valueReference", value, sizeof value);
    return (unsigned)strtoul(value, NULL, 10);
}

static char *head_attribute(const fmu *f, const char *name)
{
    char value[300];
    const char *head = strstr(f->description, "<fmiModelDescription");
    if (strcmp(name, "modelIdentifier") == 0) {
        head = strstr(f->description, "<CoSimulation");
    }
    if (head == NULL || !attribute(head, name, value, sizeof value)) {
        give_up("the description has no %s", name);
    }
    char *copy = malloc(strlen(value) + 1);
    return copy == NULL ? NULL : strcpy(copy, value);
}

fmu *fmu_open(const char *folder)
{
    fmu *f = calloc(1, sizeof *f);
    char path[4096];
    (void)snprintf(path, sizeof path, "%s/modelDescription.xml", folder);
    f->description = read_all(path);
    f->folder = strcpy(malloc(strlen(folder) + 1), folder);
    char *version = head_attribute(f, "fmiVersion");
    f->version = version[0] - '0';
    free(version);
    f->identifier = head_attribute(f, "modelIdentifier");
    f->token = head_attribute(f, f->version == 2 ? "guid" : "instantiationToken");
    (void)snprintf(path, sizeof path, "%s/binaries/%s/%s.so", folder,
                   f->version == 2 ? "linux64" : "x86_64-linux", f->identifier);
    f->library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (f->library == NULL) {
        give_up("%s", dlerror());
    }
    return f;
}

void fmu_close(fmu *f)
{
    (void)dlclose(f->library);
    free(f->description);
    free(f->folder);
    free(f->identifier);
    free(f->token);
    free(f);
}

void *fmu_symbol(const fmu *f, const char *name)
{
    void *symbol = dlsym(f->library, name);
    if (symbol == NULL) {
        give_up("the FMU has no function %s", name);
    }
    return symbol;
}

// ------------------------------------------------------------------------------------------------
// Instances

static void keep(instance *i, const char *category, const char *text)
{
    size_t used = strlen(i->log);
    (void)snprintf(i->log + used, sizeof i->log - used, "%s: %s\n", category, text);
}

static void log2_(void *environment, const char *name, int status, const char *category,
                  const char *message, ...)
{
    char text[3000];
    va_list arguments;
    va_start(arguments, message);
    (void)vsnprintf(text, sizeof text, message, arguments);
    va_end(arguments);
    (void)status;
    instance *i = environment;
    if (strcmp(name, i->name) != 0) {
        give_up("a message of '%s' came to '%s'", name, i->name);
    }
    keep(i, category, text);
}

static void log3_(void *environment, int status, const char *category, const char *message)
{
    (void)status;
    keep(environment, category, message);
}

typedef struct callbacks2 {
    void (*logger)(void *, const char *, int, const char *, const char *, ...);
    void *(*allocate)(size_t, size_t);
    void (*release)(void *);
    void (*finished)(void *, int);
    void *environment;
} callbacks2;

instance *fmu_instantiate(const fmu *f, const char *token, const char *resources, bool logging,
                          instance *into)
{
    char place[4200];
    *into = (instance){.of = f};
    (void)snprintf(into->name, sizeof into->name, "instance %p", (void *)into);
    token = token == NULL ? f->token : token;
    if (f->version == 2) {
        const callbacks2 callbacks = {log2_, calloc, free, NULL, into};
        (void)snprintf(place, sizeof place, "file://%s/resources", f->folder);
        into->c = CALL(
            void *(*)(const char *, int, const char *, const char *, const callbacks2 *, int, int),
            into, "fmi2Instantiate", "")(
            into->name, 1, token, resources == NULL ? place : resources, &callbacks, 0, logging);
    } else {
        (void)snprintf(place, sizeof place, "%s/resources/", f->folder);
        into->c = CALL(void *(*)(const char *, const char *, const char *, bool, bool, bool, bool,
                                 const uint32_t *, size_t, void *,
                                 void (*)(void *, int, const char *, const char *), void (*)(void)),
                       into, "", "fmi3InstantiateCoSimulation")(
            into->name, token, resources == NULL ? place : resources, false, logging, false, false,
            NULL, 0, into, log3_, NULL);
    }
    return into->c == NULL ? NULL : into;
}

void fmu_free(instance *i)
{
    CALL(void (*)(void *), i, "fmi2FreeInstance", "fmi3FreeInstance")(i->c);
    i->c = NULL;
}

int fmu_setup(instance *i, double start, double stop)
{
    bool ends = stop > start;
    if (i->of->version == 2) {
        return CALL(int (*)(void *, int, double, double, int, double), i, "fmi2SetupExperiment",
                    "")(i->c, 0, 0.0, start, ends, stop);
    }
    return CALL(int (*)(void *, bool, double, double, bool, double), i, "",
                "fmi3EnterInitializationMode")(i->c, false, 0.0, start, ends, stop);
}

int fmu_enter(instance *i)
{
    return i->of->version == 3 ? STATUS_OK
                               : CALL(int (*)(void *), i, "fmi2EnterInitializationMode", "")(i->c);
}

int fmu_exit(instance *i)
{
    return CALL(int (*)(void *), i, "fmi2ExitInitializationMode",
                "fmi3ExitInitializationMode")(i->c);
}

int fmu_step(instance *i, double point, double step)
{
    if (i->of->version == 2) {
        return CALL(int (*)(void *, double, double, int), i, "fmi2DoStep", "")(i->c, point, step,
                                                                               1);
    }
    bool event = true, terminate = true, early = true;
    double last = -1.0;
    int status = CALL(int (*)(void *, double, double, bool, bool *, bool *, bool *, double *), i,
                      "", "fmi3DoStep")(i->c, point, step, true, &event, &terminate, &early, &last);
    if (event || terminate || early || (status == STATUS_OK && last != point + step)) {
        give_up("fmi3DoStep does not end at %.17g, but at %.17g", point + step, last);
    }
    return status;
}

int fmu_terminate(instance *i)
{
    return CALL(int (*)(void *), i, "fmi2Terminate", "fmi3Terminate")(i->c);
}

int fmu_reset(instance *i)
{
    return CALL(int (*)(void *), i, "fmi2Reset", "fmi3Reset")(i->c);
}

int fmu_get(instance *i, const unsigned *references, size_t count, double *values)
{
    return i->of->version == 2
               ? CALL(int (*)(void *, const unsigned *, size_t, double *), i, "fmi2GetReal",
                      "")(i->c, references, count, values)
               : CALL(int (*)(void *, const unsigned *, size_t, double *, size_t), i, "",
                      "fmi3GetFloat64")(i->c, references, count, values, count);
}

int fmu_set(instance *i, const unsigned *references, size_t count, const double *values)
{
    return i->of->version == 2
               ? CALL(int (*)(void *, const unsigned *, size_t, const double *), i, "fmi2SetReal",
                      "")(i->c, references, count, values)
               : CALL(int (*)(void *, const unsigned *, size_t, const double *, size_t), i, "",
                      "fmi3SetFloat64")(i->c, references, count, values, count);
}

int fmu_get_state(instance *i, void **state)
{
    return CALL(int (*)(void *, void **), i, "fmi2GetFMUstate", "fmi3GetFMUState")(i->c, state);
}

int fmu_set_state(instance *i, void *state)
{
    return CALL(int (*)(void *, void *), i, "fmi2SetFMUstate", "fmi3SetFMUState")(i->c, state);
}

int fmu_free_state(instance *i, void **state)
{
    return CALL(int (*)(void *, void **), i, "fmi2FreeFMUstate", "fmi3FreeFMUState")(i->c, state);
}

int fmu_state_size(instance *i, void *state, size_t *size)
{
    return CALL(int (*)(void *, void *, size_t *), i, "fmi2SerializedFMUstateSize",
                "fmi3SerializedFMUStateSize")(i->c, state, size);
}

int fmu_serialize(instance *i, void *state, unsigned char *bytes, size_t size)
{
    return CALL(int (*)(void *, void *, unsigned char *, size_t), i, "fmi2SerializeFMUstate",
                "fmi3SerializeFMUState")(i->c, state, bytes, size);
}

int fmu_deserialize(instance *i, const unsigned char *bytes, size_t size, void **state)
{
    return CALL(int (*)(void *, const unsigned char *, size_t, void **), i,
                "fmi2DeSerializeFMUstate", "fmi3DeserializeFMUState")(i->c, bytes, size, state);
}

// ------------------------------------------------------------------------------------------------
// By name

double fmu_read(instance *i, const char *name)
{
    unsigned reference = fmu_reference(i->of, name);
    double value = 0.0;
    if (fmu_get(i, &reference, 1, &value) != STATUS_OK) {
        give_up("%s cannot be read: %s", name, i->log);
    }
    return value;
}

int fmu_try(instance *i, const char *name, double value)
{
    unsigned reference = fmu_reference(i->of, name);
    return fmu_set(i, &reference, 1, &value);
}

void fmu_write(instance *i, const char *name, double value)
{
    if (fmu_try(i, name, value) != STATUS_OK) {
        give_up("%s cannot be set: %s", name, i->log);
    }
}

void fmu_begin(instance *i)
{
    if (fmu_setup(i, 0.0, 0.0) != STATUS_OK || fmu_enter(i) != STATUS_OK ||
        fmu_exit(i) != STATUS_OK) {
        give_up("initialization failed: %s", i->log);
    }
}
