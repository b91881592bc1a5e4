// SPDX-License-Identifier: Apache-2.0
// Pages for the browser that no honest run makes: make_page KIND PAGE.html
//   hostile   names and texts that try to become elements, attributes, scripts
//   large     a million samples of eight channels
//   gaps      a channel with NaN and infinity
//   empty     no sample
//   one       one sample
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/page.h"

enum { MOST = 8, LONG = 10000 };

static char long_name[LONG + 1], no_text[1];

static double wave(int channel, double t)
{
    return (channel + 1) * sin(6.0 * t * (channel + 1)) + 0.001 * sin(5000.0 * t);
}

// Fills a recording whose texts are not its own. False when out of memory.
static bool fill(hf_recording *r, const char *const *names, int count, long long samples)
{
    size_t n = (size_t)samples;
    *r = (hf_recording){.channel_count = count, .samples = samples};
    r->title = r->model_text = r->scene = r->summary = no_text;
    r->time = malloc((n + 1) * sizeof *r->time);
    r->values = calloc(MOST, sizeof *r->values);
    r->names = calloc(MOST, sizeof *r->names);
    r->units = calloc(MOST, sizeof *r->units);
    if (r->time == NULL || r->values == NULL || r->names == NULL || r->units == NULL) {
        return false;
    }
    for (size_t i = 0; i < n; ++i) {
        r->time[i] = 1e-5 * (double)i;
    }
    for (int k = 0; k < count; ++k) {
        r->names[k] = (char *)names[k];
        r->units[k] = (char *)"m";
        r->values[k] = malloc((n + 1) * sizeof **r->values);
        for (size_t i = 0; r->values[k] != NULL && i < n; ++i) {
            r->values[k][i] = wave(k, r->time[i]);
        }
        if (r->values[k] == NULL) {
            return false;
        }
    }
    return true;
}

// Texts and frames are not the recording's own.
static void release(hf_recording *r)
{
    for (int k = 0; k < r->channel_count; ++k) {
        free(r->values[k]);
    }
    free(r->time);
    free(r->values);
    free(r->names);
    free(r->units);
}

static const char *const plain[MOST] = {"a.position.x", "a.position.y", "a.position.z",
                                        "a.velocity.x", "a.velocity.y", "a.velocity.z",
                                        "pull.value",   "floor.force"};

static bool make_hostile(hf_recording *r)
{
    static const char *const names[MOST] = {
        "<script>window.hacked=1</script>",
        "\"><img src=x onerror=window.hacked=2>",
        "</script><script>window.hacked=3</script>",
        "'; window.hacked=4; //",
        "<!--holdfast:data-->",
        "javascript:window.hacked=5",
        "__proto__",
        long_name,
    };
    memset(long_name, 'W', LONG);
    memcpy(long_name, "<b>", 3);
    if (!fill(r, names, MOST, 100)) {
        return false;
    }
    r->units[0] = (char *)"<i>m</i>";
    r->title = (char *)"<script>window.hacked=6</script> \"quoted\" & <b>bold</b>";
    r->model_text = (char *)"</pre></script><script>window.hacked=7</script>\xff\xfe";
    r->scene = (char *)"{\"run\":{\"method\":\"<script>window.hacked=8</script>\",\"step\":\"x\"},"
                       "\"note\":\"<img src=x onerror=window.hacked=9>\",\"bodies\":"
                       "[{\"name\":\"<script>\",\"type\":\"rigid\",\"shape\":{},\"size\":\"big\"},"
                       "null],\"forces\":[{\"friction\":true},7]}";
    r->summary = (char *)"{\"forces\":[{\"name\":\"<script>window.hacked=10</script>\","
                         "\"friction\":true,\"transitions\":\"many\"},null],\"energy\":[],"
                         "\"steps\":\"<b>\"}";
    static double time[2] = {0.0, 1e-3}, energy[2 * HF_FRAME_ENERGY_COLUMNS];
    static float poses[4 * HF_FRAME_POSE_COLUMNS], forces[4 * HF_FRAME_FORCE_COLUMNS];
    r->frames = (hf_recording_frames){.count = 2,
                                      .bodies = 2,
                                      .forces = 2,
                                      .time = time,
                                      .poses = poses,
                                      .forces_at = forces,
                                      .energy = energy};
    return true;
}

int main(int count, char **arguments)
{
    if (count != 3) {
        (void)fprintf(stderr, "make_page hostile|large|gaps|empty|one PAGE.html\n");
        return 2;
    }
    const char *kind = arguments[1];
    hf_recording r;
    bool good = false;
    if (strcmp(kind, "hostile") == 0) {
        good = make_hostile(&r);
    } else if (strcmp(kind, "large") == 0) {
        good = fill(&r, plain, MOST, 1000000);
    } else if (strcmp(kind, "gaps") == 0) {
        good = fill(&r, plain, 2, 1000);
        for (int i = 300; good && i < 400; ++i) {
            r.values[0][i] = i % 2 == 0 ? (double)NAN : (double)INFINITY;
        }
    } else if (strcmp(kind, "empty") == 0) {
        good = fill(&r, plain, 2, 0);
    } else if (strcmp(kind, "one") == 0) {
        good = fill(&r, plain, 2, 1);
    }
    if (!good) {
        (void)fprintf(stderr, "make_page: cannot make '%s'\n", kind);
        return 1;
    }
    const hf_page_run run = {&r, "<script>window.hacked=11</script>.h5"};
    hf_error error = {0};
    if (hf_page_write(arguments[2], &run, 1, &error) != HF_OK) {
        (void)fprintf(stderr, "%s\n", error.text);
        return 1;
    }
    release(&r);
    return 0;
}
