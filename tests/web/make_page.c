// SPDX-License-Identifier: Apache-2.0
// Pages for the browser that no honest run makes: make_page KIND PAGE.html
//   hostile   names and texts that try to become elements, attributes, scripts
//   large     a million samples of eight channels
//   gaps      a channel with NaN and infinity
//   empty     no sample
//   one       one sample
//   heap      a thousand bodies, one of them at no place in the last frame (heap.test.mjs
//             has which)
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <holdfast/report.h>

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

enum { SIDE = 10, HEAP = SIDE * SIDE * SIDE, FRAMES = 3, TOUCHES = 100, LOST = 320 };

// Six spheres, then a box, and so on.
static bool write_heap_scene(char *to, size_t room)
{
    size_t used = (size_t)snprintf(to, room, "{\"gravity\":[0,0,-9.81],\"forces\":[],\"bodies\":[");
    for (int k = 0; k < HEAP && used < room; ++k) {
        const char *shape =
            k % 7 == 6 ? "\"box\",\"size\":[0.06,0.05,0.04]" : "\"sphere\",\"size\":[0.04,0,0]";
        used += (size_t)snprintf(to + used, room - used,
                                 "%s{\"name\":\"b%d\",\"type\":\"rigid\",\"mass\":1,\"shape\":%s}",
                                 k > 0 ? "," : "", k, shape);
    }
    used += used < room ? (size_t)snprintf(to + used, room - used, "]}") : 0;
    return used < room;
}

// A lattice that falls by 0.02 m a frame; body k is turned about z by k/100.
static bool make_heap(hf_recording *r)
{
    static char scene[HEAP * 120];
    static double time[FRAMES] = {0.0, 5e-3, 1e-2}, energy[FRAMES * HF_FRAME_ENERGY_COLUMNS];
    static float poses[FRAMES][HEAP][HF_FRAME_POSE_COLUMNS], none[1];
    static float touches[FRAMES][TOUCHES][HF_FRAME_CONTACT_COLUMNS];
    if (!fill(r, plain, 1, 1001) || !write_heap_scene(scene, sizeof scene)) {
        return false;
    }
    for (int i = 0; i < FRAMES; ++i) {
        for (int k = 0; k < HEAP; ++k) {
            float *pose = poses[i][k];
            pose[0] = 0.1F * (float)(k % SIDE);
            pose[1] = 0.1F * (float)(k / SIDE % SIDE);
            pose[2] = 0.1F * (float)(k / SIDE / SIDE) - 0.02F * (float)i;
            pose[3] = cosf(0.005F * (float)k);
            pose[6] = sinf(0.005F * (float)k);
        }
    }
    poses[FRAMES - 1][LOST][1] = NAN;
    for (int k = 0; k < TOUCHES; ++k) { // in the middle frame: half of them stick, half slip
        float *touch = touches[1][k];
        memcpy(touch, poses[1][k], 3 * sizeof *touch);
        touch[5] = 1.0F;
        touch[6] = (float)(1 + k % 2);
    }
    r->scene = scene;
    r->frames = (hf_recording_frames){.count = FRAMES,
                                      .bodies = HEAP,
                                      .contacts = TOUCHES,
                                      .time = time,
                                      .poses = &poses[0][0][0],
                                      .forces_at = none,
                                      .contacts_at = &touches[0][0][0],
                                      .energy = energy};
    return true;
}

int main(int count, char **arguments)
{
    if (count != 3) {
        (void)fprintf(stderr, "make_page hostile|large|gaps|empty|one|heap PAGE.html\n");
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
    } else if (strcmp(kind, "heap") == 0) {
        good = make_heap(&r);
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
