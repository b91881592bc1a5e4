// SPDX-License-Identifier: Apache-2.0
// Random damage to good model files: whatever comes out is a machine that compiles, or a message.
// Runs for a limited time; HF_FUZZ_SECONDS makes it longer.
#include "models_test.h"

#include <time.h>

enum { LARGEST = 1 << 16 };

static const char *const SEEDS[] = {
    "examples/spring-mass.yaml",          "examples/rolling-sphere.yaml",
    "examples/two-link-arm.yaml",         "examples/two-link-arm-lugre.yaml",
    "examples/two-link-arm-penalty.yaml", "tests/models/everything.yaml"};
enum { SEED_COUNT = sizeof SEEDS / sizeof SEEDS[0] };

static const char *const TOKENS[] = {"{",
                                     "}",
                                     "[",
                                     "]",
                                     ":",
                                     ": ",
                                     ",",
                                     "- ",
                                     "\n",
                                     "\n  ",
                                     "  ",
                                     "\t",
                                     "#",
                                     "\"",
                                     "'",
                                     "|",
                                     ">",
                                     "&a ",
                                     "*a",
                                     "!!int ",
                                     "---\n",
                                     "...\n",
                                     "? ",
                                     "%YAML 1.2\n",
                                     "~",
                                     "null",
                                     "true",
                                     "nan",
                                     ".inf",
                                     "-1",
                                     "0",
                                     "1e308",
                                     "-1e308",
                                     "1e-308",
                                     "1e999",
                                     "9999999999999999999999",
                                     "0x7f",
                                     "t",
                                     "t < 1 ? ",
                                     "sin(",
                                     "((((((((",
                                     "world",
                                     "type: ",
                                     "name: ",
                                     "on: ",
                                     "to: ",
                                     "mass",
                                     "rigid",
                                     "driven",
                                     "tree",
                                     "revolute",
                                     "spherical",
                                     "free",
                                     "planar",
                                     "parent: ",
                                     "friction",
                                     "contact",
                                     "joint",
                                     "spring",
                                     "stiction",
                                     "lugre",
                                     "level: ",
                                     "normal: ",
                                     "coupling: spin",
                                     "coupling: frames",
                                     "coupling: plane",
                                     "points",
                                     "block",
                                     "arm.elbow",
                                     "sphere",
                                     "\xEF\xBB\xBF",
                                     "\xC3\xA9",
                                     "\xFF",
                                     "\\x00",
                                     "\\u0000"};
enum { TOKEN_COUNT = sizeof TOKENS / sizeof TOKENS[0] };

typedef struct text {
    char bytes[LARGEST];
    size_t length;
} text;

static void replace(text *t, size_t at, size_t removed, const char *with, size_t length)
{
    if (at + removed > t->length || t->length - removed + length >= LARGEST) {
        return;
    }
    memmove(t->bytes + at + length, t->bytes + at + removed, t->length - at - removed);
    memcpy(t->bytes + at, with, length);
    t->length += length - removed;
}

// The line that holds `at`: its start, and its length with the end of line.
static size_t line_start(const text *t, size_t at)
{
    while (at > 0 && t->bytes[at - 1] != '\n') {
        --at;
    }
    return at;
}

static size_t line_length(const text *t, size_t start)
{
    size_t end = start;
    while (end < t->length && t->bytes[end] != '\n') {
        ++end;
    }
    return end - start + (end < t->length ? 1 : 0);
}

static size_t random_place(hf_rng *rng, const text *t)
{
    return (size_t)(hf_rng_bits(rng) % (t->length + 1));
}

static void mutate(hf_rng *rng, text *t)
{
    size_t at = random_place(rng, t), other = random_place(rng, t);
    const char *token = TOKENS[hf_rng_int(rng, 0, TOKEN_COUNT - 1)];
    size_t start = line_start(t, at), line = line_length(t, start);
    char copy[512];
    switch (hf_rng_int(rng, 0, 8)) {
    case 0: // flip a bit
        if (at < t->length) {
            t->bytes[at] = (char)(t->bytes[at] ^ (1 << hf_rng_int(rng, 0, 7)));
        }
        break;
    case 1: // any byte
        copy[0] = (char)hf_rng_int(rng, 0, 255);
        replace(t, at, at < t->length ? 1 : 0, copy, 1);
        break;
    case 2: // delete some
        replace(t, at, (size_t)hf_rng_int(rng, 1, 8), "", 0);
        break;
    case 3: // delete a line
        replace(t, start, line, "", 0);
        break;
    case 4: // double a line, or move it
        if (line < sizeof copy) {
            memcpy(copy, t->bytes + start, line);
            replace(t, line_start(t, other), 0, copy, line);
        }
        break;
    case 5: // double a piece
        line = (size_t)hf_rng_int(rng, 1, 200);
        if (other + line <= t->length) {
            memcpy(copy, t->bytes + other, line);
            replace(t, at, 0, copy, line);
        }
        break;
    case 6: // cut the end off
        if (hf_rng_int(rng, 0, 3) == 0) {
            t->length = at;
        }
        break;
    case 7: // a token instead of a word
        replace(t, at, strcspn(t->bytes + at, " ,:\n]})"), token, strlen(token));
        break;
    default: // a token
        replace(t, at, 0, token, strlen(token));
        break;
    }
    t->bytes[t->length] = '\0';
}

// True when the text was accepted. Anything accepted must also start, and step once or say why not.
static bool try_text(const text *t)
{
    hf_error error = {0};
    char *exact = malloc(t->length + 1); // so that a sanitizer sees reads beyond the end
    assert_non_null(exact);
    memcpy(exact, t->bytes, t->length);
    hf_spec *spec =
        hf_spec_parse(exact, t->length, "fuzz.yaml", HF_SOURCE_DIR "/examples", NULL, &error);
    free(exact);
    if (spec == NULL) {
        assert_true(error.status < 0);
        assert_true(error.text[0] != '\0');
        assert_non_null(memchr(error.text, '\0', sizeof error.text));
        return false;
    }
    hf_model *model = hf_model_compile(spec, &error);
    hf_spec_destroy(spec);
    if (model == NULL) {
        fail_msg("a description that was checked does not compile: %s\n%s", error.text, t->bytes);
    }
    hf_sim *sim = hf_sim_create(model, NULL, &error);
    if (sim != NULL) {
        (void)!hf_sim_step(sim, &error);
    }
    hf_sim_destroy(sim);
    hf_model_destroy(model);
    return true;
}

static void mutations(void **state)
{
    (void)state;
    static text seeds[SEED_COUNT], work;
    for (int i = 0; i < SEED_COUNT; ++i) {
        char path[600];
        (void)snprintf(path, sizeof path, "%s/%s", HF_SOURCE_DIR, SEEDS[i]);
        char *whole = read_whole(path, &seeds[i].length);
        memcpy(seeds[i].bytes, whole, seeds[i].length + 1);
        free(whole);
        if (!try_text(&seeds[i])) {
            fail_msg("%s is not accepted", path);
        }
    }
    const char *wanted = getenv("HF_FUZZ_SECONDS");
    double seconds = wanted == NULL ? 4 : strtod(wanted, NULL);
    hf_rng rng = hf_rng_create(1);
    clock_t start = clock();
    int cases = 0, accepted = 0;
    while ((double)(clock() - start) / CLOCKS_PER_SEC < seconds) {
        work = seeds[hf_rng_int(&rng, 0, SEED_COUNT - 1)];
        int count = hf_rng_int(&rng, 1, hf_rng_bool(&rng) ? 2 : 12);
        for (int k = 0; k < count; ++k) {
            mutate(&rng, &work);
        }
        accepted += try_text(&work);
        ++cases;
    }
    print_message("%d texts, %d accepted\n", cases, accepted);
    assert_true(cases > 500 && accepted > cases / 100);
}

int main(void)
{
    const struct CMUnitTest fuzz[] = {cmocka_unit_test(mutations)};
    return hf_run_tests(fuzz);
}
