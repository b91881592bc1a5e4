// SPDX-License-Identifier: Apache-2.0
// Pictures in recordings: /scene, /frames and /summary.
#define _DEFAULT_SOURCE // MAP_ANONYMOUS
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <holdfast/record.h>

#include "files.h"
#include "hf_test.h"
#include "scenes.h"

static hf_recording *read_or_fail(const char *path)
{
    hf_error error = {0};
    hf_recording *r = hf_recording_read(path, &error);
    if (r == NULL) {
        fail_msg("%s", error.text);
    }
    return r;
}

// Runs the arm for `steps` steps and records it; the sim stays at the end.
static hf_sim *record_arm(const char *path, const hf_model *model, int steps, double duration)
{
    hf_error error = {0};
    hf_sim *sim = hf_sim_create(model, NULL, &error);
    assert_non_null(sim);
    hf_record_def def = hf_record_def_default(model);
    def.duration = duration;
    hf_record *record = hf_record_create(path, sim, &def, &error);
    if (record == NULL) {
        fail_msg("%s", error.text);
    }
    assert_int_equal(hf_record_sample(record, sim, &error), HF_OK);
    for (int k = 0; k < steps; ++k) {
        assert_int_equal(hf_sim_step(sim, &error), HF_OK);
        assert_int_equal(hf_record_sample(record, sim, &error), HF_OK);
    }
    assert_int_equal(hf_record_close(record, &error), HF_OK);
    return sim;
}

static void frames_hold_the_movement(void **state)
{
    (void)state;
    files f = files_create();
    hf_model *model = hf_scene_two_link_arm(HF_ARM_STICTION, true);
    const double step = hf_model_method(model).step;
    hf_sim *sim = record_arm(files_path(&f, "arm.h5"), model, 5000, 5000 * step);
    hf_recording *r = read_or_fail(f.path);
    const hf_recording_frames *frames = &r->frames;
    hf_model_info info = hf_model_get_info(model);
    assert_int_equal(frames->bodies, info.bodies);
    assert_int_equal(frames->forces, info.forces);
    assert_true(frames->count >= 1000 && frames->count <= 2000);
    for (long long k = 1; k < frames->count; ++k) {
        assert_true(frames->time[k] > frames->time[k - 1]);
    }
    hf_check_same_bits(frames->time[frames->count - 1], hf_sim_time(sim), "time of the last frame");

    const float *pose =
        frames->poses + (frames->count - 1) * frames->bodies * HF_FRAME_POSE_COLUMNS;
    for (int id = 1; id <= info.bodies; ++id, pose += HF_FRAME_POSE_COLUMNS) {
        hf_vec3 place;
        hf_quat turn;
        hf_sim_pose(sim, (hf_body){id}, &place, &turn);
        const double want[HF_FRAME_POSE_COLUMNS] = {place.x, place.y, place.z, turn.w,
                                                    turn.x,  turn.y,  turn.z};
        for (int i = 0; i < HF_FRAME_POSE_COLUMNS; ++i) {
            hf_check_same_bits((double)pose[i], (double)(float)want[i], "pose of the last frame");
        }
    }
    const double *energy = frames->energy + (frames->count - 1) * HF_FRAME_ENERGY_COLUMNS;
    hf_check_same_bits(energy[0], hf_sim_energy(sim).kinetic, "kinetic energy");
    hf_check_same_bits(energy[4], hf_sim_energy(sim).dissipated, "dissipated energy");
    hf_recording_destroy(r);
    hf_sim_destroy(sim);
    hf_model_destroy(model);
    files_remove(&f);
}

static void texts_describe_the_run(void **state)
{
    (void)state;
    files f = files_create();
    hf_model *model = hf_scene_two_link_arm(HF_ARM_STICTION, true);
    const double step = hf_model_method(model).step;
    hf_sim *sim = record_arm(files_path(&f, "whole.h5"), model, 100, 100 * step);
    hf_sim_destroy(sim);
    hf_recording *r = read_or_fail(f.path);
    assert_non_null(strstr(r->scene, "\"joint\":\"revolute\""));
    assert_non_null(strstr(r->scene, "\"coupling\":\"coordinate\""));
    assert_non_null(strstr(r->summary, "\"completed\":true"));
    assert_non_null(strstr(r->summary, "\"steps\":100,"));
    hf_recording_destroy(r);

    // One step or two before the end is not the end.
    for (int missing = 1; missing <= 2; ++missing) {
        sim = record_arm(files_path(&f, "early.h5"), model, 100 - missing, 100 * step);
        hf_sim_destroy(sim);
        r = read_or_fail(f.path);
        assert_non_null(strstr(r->summary, "\"completed\":false"));
        hf_recording_destroy(r);
    }

    sim = record_arm(files_path(&f, "part.h5"), model, 100, 1000 * step);
    hf_sim_destroy(sim);
    r = read_or_fail(f.path);
    assert_non_null(strstr(r->summary, "\"completed\":false"));
    hf_recording_destroy(r);

    sim = record_arm(files_path(&f, "plain.csv"), model, 10, 10 * step);
    hf_sim_destroy(sim);
    r = read_or_fail(f.path);
    assert_string_equal(r->scene, "");
    assert_string_equal(r->summary, "");
    assert_int_equal(r->frames.count, 0);
    hf_recording_destroy(r);
    hf_model_destroy(model);
    files_remove(&f);
}

// A run that goes on far beyond its duration thins its frames out instead of filling the disk.
static void frames_stay_few(void **state)
{
    (void)state;
    files f = files_create();
    hf_model *model = hf_scene_two_link_arm(HF_ARM_FREE, false);
    hf_sim *sim = record_arm(files_path(&f, "long.h5"), model, 20000, 0.0);
    hf_recording *r = read_or_fail(f.path);
    assert_int_equal(r->samples, 20001);
    assert_true(r->frames.count >= 1500 && r->frames.count < 2500);
    hf_check_same_bits(r->frames.time[r->frames.count - 1], hf_sim_time(sim), "last frame");
    hf_recording_destroy(r);
    hf_sim_destroy(sim);
    const double step = hf_model_method(model).step;
    sim = record_arm(files_path(&f, "longer.h5"), model, 20000, 1500 * step);
    hf_sim_destroy(sim);
    r = read_or_fail(f.path);
    assert_true(r->frames.count >= 1400 && r->frames.count < 2500);
    hf_recording_destroy(r);
    hf_model_destroy(model);
    files_remove(&f);
}

// ------------------------------------------------------------------------------------------------
// Killed

enum { BODIES = 3, FORCES = 2, CONTACTS = 4 };

static float made_up_float(long long frame, int column)
{
    return (float)(frame * 1000 + column);
}

static void write_frames_until_killed(const char *path, const hf_run_facts *facts,
                                      volatile long long *flushed)
{
    float poses[BODIES * HF_FRAME_POSE_COLUMNS], forces[FORCES * HF_FRAME_FORCE_COLUMNS];
    hf_writer *writer = writer_open(path, facts, NULL);
    float contacts[CONTACTS * HF_FRAME_CONTACT_COLUMNS];
    hf_frame_rows rows = {.poses = poses, .forces = forces, .contacts = contacts};
    for (long long k = 0; writer != NULL; ++k) {
        const double row[2] = {(double)k, made_up(k, 0)};
        rows.time = (double)k;
        for (int i = 0; i < BODIES * HF_FRAME_POSE_COLUMNS; ++i) {
            poses[i] = made_up_float(k, i);
        }
        for (int i = 0; i < FORCES * HF_FRAME_FORCE_COLUMNS; ++i) {
            forces[i] = made_up_float(k, -i);
        }
        for (int i = 0; i < CONTACTS * HF_FRAME_CONTACT_COLUMNS; ++i) {
            contacts[i] = made_up_float(k, 500 + i);
        }
        rows.energy[0] = made_up(k, 1);
        if (writer->sample(writer, row, NULL) != HF_OK ||
            writer->frame(writer, &rows, NULL) != HF_OK) {
            break;
        }
        if (k % 7 == 6) {
            if (writer->flush(writer, NULL) != HF_OK) {
                break;
            }
            *flushed = k + 1;
        }
    }
    _exit(1);
}

static void check_killed(const hf_recording *r, long long flushed)
{
    const hf_recording_frames *frames = &r->frames;
    assert_string_equal(r->scene, "{\"bodies\":[]}");
    assert_string_equal(r->summary, "");
    if (frames->count < flushed || r->samples < flushed) {
        fail_msg("%lld frames and %lld samples, but %lld were flushed", frames->count, r->samples,
                 flushed);
    }
    assert_int_equal(frames->bodies, BODIES);
    assert_int_equal(frames->forces, FORCES);
    assert_int_equal(frames->contacts, CONTACTS);
    for (long long k = 0; k < frames->count; ++k) {
        hf_check_same_bits(frames->time[k], (double)k, "time");
        hf_check_same_bits(frames->energy[k * HF_FRAME_ENERGY_COLUMNS], made_up(k, 1), "energy");
        for (int i = 0; i < BODIES * HF_FRAME_POSE_COLUMNS; ++i) {
            hf_check_same_bits((double)frames->poses[k * BODIES * HF_FRAME_POSE_COLUMNS + i],
                               (double)made_up_float(k, i), "pose");
        }
        for (int i = 0; i < FORCES * HF_FRAME_FORCE_COLUMNS; ++i) {
            hf_check_same_bits((double)frames->forces_at[k * FORCES * HF_FRAME_FORCE_COLUMNS + i],
                               (double)made_up_float(k, -i), "force");
        }
        for (int i = 0; i < CONTACTS * HF_FRAME_CONTACT_COLUMNS; ++i) {
            hf_check_same_bits(
                (double)frames->contacts_at[k * CONTACTS * HF_FRAME_CONTACT_COLUMNS + i],
                (double)made_up_float(k, 500 + i), "contact");
        }
    }
}

static void frames_survive_a_kill(void **state)
{
    (void)state;
    hf_rng rng = hf_rng_create(11);
    files f = files_create();
    hf_run_facts facts = facts_create(1);
    facts.scene = "{\"bodies\":[]}";
    facts.frame_bodies = BODIES;
    facts.frame_forces = FORCES;
    facts.frame_contacts = CONTACTS;
    volatile long long *flushed =
        mmap(NULL, sizeof *flushed, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert_true(flushed != MAP_FAILED);
    for (int i = 0; i < 25; ++i) {
        *flushed = 0;
        pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0) {
            write_frames_until_killed(files_path(&f, "killed.h5"), &facts, flushed);
        }
        const struct timespec tick = {.tv_nsec = 1000000};
        for (int k = 0; k < 20000 && *flushed == 0; ++k) {
            (void)nanosleep(&tick, NULL);
        }
        const struct timespec rest = {.tv_nsec = (long)(hf_rng_uniform(&rng, 0.0, 4e7))};
        (void)nanosleep(&rest, NULL);
        assert_int_equal(kill(child, SIGKILL), 0);
        int result = 0;
        assert_int_equal(waitpid(child, &result, 0), child);
        assert_true(WIFSIGNALED(result));
        hf_recording *r = read_or_fail(files_path(&f, "killed.h5"));
        check_killed(r, *flushed);
        hf_recording_destroy(r);
    }
    assert_int_equal(munmap((void *)(uintptr_t)flushed, sizeof *flushed), 0);
    facts_free(&facts);
    files_remove(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frames_hold_the_movement),
        cmocka_unit_test(texts_describe_the_run),
        cmocka_unit_test(frames_stay_few),
        cmocka_unit_test(frames_survive_a_kill),
    };
    return hf_run_tests(tests);
}
