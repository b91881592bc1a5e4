// SPDX-License-Identifier: Apache-2.0
// How a host makes instances of an FMU: addresses of the resources, what it may leave out, and what
// is refused.
//   test-fmu-instances walk FOLDER           any FMU with the output block.position
//   test-fmu-instances refused FOLDER TEXT   one that cannot be instantiated, because of TEXT
#include <hf_test.h>

#include <stdio.h>
#include <string.h>

#include "loader.h"

static fmu *opened;

// The function of this name and version, as a pointer of the type that is given.
#define CALL(type, name) ((type)(intptr_t)fmu_symbol(opened, name))

static void test_addresses(void **state)
{
    (void)state;
    char coded[8200], *to = coded;
    for (const char *c = opened->folder; *c != '\0'; ++c) {
        to += sprintf(to, c - opened->folder < 2 ? "%c" : "%%%02X", (unsigned char)*c);
    }
    static const struct {
        const char *before;
        bool coded;
        const char *after, *why; // NULL: it works
    } forms[] = {{"file://", false, "/resources", NULL},
                 {"file:", false, "/resources", NULL},
                 {"file://localhost", false, "/resources///", NULL},
                 {"", false, "/resources", NULL},
                 {"", false, "/resources/", NULL},
                 {"file://", true, "/%72esources", NULL},
                 {"", true, "/resources", "No such file"}, // no URI: taken as it is
                 {"file://elsewhere", false, "/resources", "names no folder of resources"},
                 {"file:here", false, "/resources", "names no folder of resources"},
                 {"file://", false, "/resources%00", "names no folder of resources"},
                 {"file://", false, "/%7", "/%7/holdfast.json"},
                 {"file://", false, "/%", "/%/holdfast.json"},
                 {"file://", false, "/%gg%4g", "/%gg%4g/holdfast.json"},
                 {"file://", false, "/%2fresources%3A", "//resources:/holdfast.json"}};
    for (size_t k = 0; k < sizeof forms / sizeof *forms; ++k) {
        instance i;
        char place[9000];
        (void)snprintf(place, sizeof place, "%s%s%s", forms[k].before,
                       forms[k].coded ? coded : opened->folder, forms[k].after);
        bool made = fmu_instantiate(opened, NULL, place, true, &i) != NULL;
        if (made != (forms[k].why == NULL)) {
            fail_msg("%s: %s", place, i.log);
        }
        if (made) {
            fmu_free(&i);
        } else {
            assert_non_null(strstr(i.log, forms[k].why));
        }
    }
}

static char last_text[3000];

static void keep2(void *environment, const char *name, int status, const char *category,
                  const char *message, ...)
{
    (void)environment, (void)name, (void)category;
    assert_int_equal(status, STATUS_ERROR);
    (void)snprintf(last_text, sizeof last_text, "%s", message);
}

static void keep3(void *environment, int status, const char *category, const char *message)
{
    keep2(environment, "", status, category, message);
}

static void test_instances_two(void **state)
{
    (void)state;
    if (opened->version != 2) {
        skip();
    }
    typedef struct callbacks {
        void (*logger)(void *, const char *, int, const char *, const char *, ...);
        void *others[4];
    } callbacks;
    typedef void *create(const char *, int, const char *, const char *, const callbacks *, int,
                         int);
    create *make2 = CALL(create *, "fmi2Instantiate");
    const callbacks told = {.logger = keep2}, silent = {0};
    char place[4200];
    (void)snprintf(place, sizeof place, "file://%s/resources", opened->folder);
    // Model exchange, no resources, no token
    assert_null(make2("a", 0, opened->token, place, &told, 0, 1));
    assert_string_equal(last_text, "fmi2Instantiate: the FMU is for co-simulation only");
    assert_null(make2("a", 1, opened->token, NULL, &told, 0, 1));
    assert_string_equal(last_text, "instantiate: the host names no folder of resources");
    assert_null(make2("a", 1, NULL, place, &told, 0, 1));
    assert_non_null(strstr(last_text, "the GUID or token is missing, that of the resources is {"));
    // Without a name, a logger or callbacks: messages go nowhere
    const callbacks *const ways[] = {&told, &silent, NULL};
    for (int k = 0; k < 3; ++k) {
        assert_null(make2(NULL, 1, "{wrong}", place, ways[k], 0, 1));
        assert_null(make2(NULL, 0, opened->token, place, ways[k], 0, 1));
        instance i = {.of = opened, .c = make2(NULL, 1, opened->token, place, ways[k], 1, 0)};
        assert_non_null(i.c);
        assert_int_equal(fmu_step(&i, 0.0, 1.0), STATUS_ERROR);
        fmu_begin(&i);
        assert_int_equal(fmu_step(&i, 0.0, 1.0), STATUS_OK);
        fmu_free(&i);
    }
}

static void test_instances_three(void **state)
{
    (void)state;
    if (opened->version != 3) {
        skip();
    }
    typedef void log3(void *, int, const char *, const char *);
    typedef void *create(const char *, const char *, const char *, bool, bool, bool, bool,
                         const unsigned *, size_t, void *, log3 *, void (*)(void));
    typedef void *exchange(const char *, const char *, const char *, bool, bool, void *, log3 *);
    typedef void *schedule(const char *, const char *, const char *, bool, bool, void *, log3 *,
                           void (*)(void), void (*)(void), void (*)(void));
    create *make3 = CALL(create *, "fmi3InstantiateCoSimulation");
    char place[4200];
    (void)snprintf(place, sizeof place, "%s/resources/", opened->folder);
    static const unsigned refs[] = {1};
    log3 *const loggers[] = {keep3, NULL};
    for (int k = 0; k < 2; ++k) {
        const char *token = opened->token;
        const char *neither = "the FMU has neither an event mode nor intermediate variables";
        const char *only = "the FMU is for co-simulation only";
        last_text[0] = '\0';
        assert_null(make3("a", token, place, 0, 1, true, 0, NULL, 0, NULL, loggers[k], NULL));
        assert_int_equal(strstr(last_text, neither) != NULL, k == 0);
        last_text[0] = '\0';
        assert_null(make3("a", token, place, 0, 1, false, 0, refs, 1, NULL, loggers[k], NULL));
        assert_int_equal(strstr(last_text, neither) != NULL, k == 0);
        assert_null(CALL(exchange *, "fmi3InstantiateModelExchange")("a", token, place, false, true,
                                                                     NULL, loggers[k]));
        assert_int_equal(strstr(last_text, only) != NULL, k == 0);
        last_text[0] = '\0';
        assert_null(CALL(schedule *, "fmi3InstantiateScheduledExecution")(
            "a", token, place, false, true, NULL, loggers[k], NULL, NULL, NULL));
        assert_int_equal(strstr(last_text, only) != NULL, k == 0);
        assert_null(make3("a", NULL, place, 0, 1, false, 0, NULL, 0, NULL, loggers[k], NULL));
        assert_int_equal(strstr(last_text, "token is missing") != NULL, k == 0);
        assert_null(make3("a", token, NULL, 0, 1, false, 0, NULL, 0, NULL, loggers[k], NULL));
        assert_int_equal(strstr(last_text, "names no folder") != NULL, k == 0);
        // Early return may be wished for; none is ever made
        instance i = {
            .of = opened,
            .c = make3(NULL, token, place, 1, 0, false, true, NULL, 0, NULL, loggers[k], NULL)};
        assert_non_null(i.c);
        fmu_begin(&i);
        assert_int_equal(fmu_step(&i, 0.0, 1.0), STATUS_OK);
        fmu_free(&i);
    }
}

int main(int count, char **arguments)
{
    bool walks = count == 3 && strcmp(arguments[1], "walk") == 0;
    if (!walks && (count != 4 || strcmp(arguments[1], "refused") != 0)) {
        (void)fprintf(stderr, "test-fmu-instances walk FOLDER | refused FOLDER TEXT\n");
        return 2;
    }
    opened = fmu_open(arguments[2]);
    if (!walks) {
        instance i;
        bool made = fmu_instantiate(opened, NULL, NULL, true, &i) != NULL;
        (void)printf("%s", made ? "an instance\n" : i.log);
        return made || strstr(i.log, arguments[3]) == NULL;
    }
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_addresses),
                                       cmocka_unit_test(test_instances_two),
                                       cmocka_unit_test(test_instances_three)};
    int failed = hf_run_tests(tests);
    fmu_close(opened);
    return failed;
}
