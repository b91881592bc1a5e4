// SPDX-License-Identifier: Apache-2.0
// kill -9 while a run is recorded: the file reads, and at most the stated interval is lost.
//   kills HOLDFAST COUNT [SEED]
// The run goes by the clock, so that its time is the wall's: what is lost is the time from when the
// file appeared to the kill, less the time of the last sample.
#include <holdfast/record.h>

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "hf_test.h"

static const double PROMISED = 1.0; // [s] hf_record_def.flush_seconds
static const double SLACK = 0.25;   // [s] by which the kill and the look at the file may be late

static const char MODEL[] =
    "method: {type: rk4, step: 1e-3}\nduration: 60\n"
    "bodies: {block: {type: mass, dim: 1, mass: 1}}\nsignals: {pull: \"2*t\"}\n"
    "forces:\n  - {name: spring, on: block, type: spring, to: pull, stiffness: 90}\n"
    "  - {name: floor, on: block, type: friction, level: {coulomb: 10}}\n";

typedef struct tally {
    int unreadable, late, before;
    double sum, most;
    int count;
} tally;

static double now(void)
{
    struct timespec time;
    (void)clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void sleep_for(double seconds)
{
    const struct timespec time = {(time_t)seconds, (long)(1e9 * fmod(seconds, 1.0))};
    (void)nanosleep(&time, NULL);
}

static pid_t start(const char *holdfast, const char *model, const char *output)
{
    pid_t child = fork();
    if (child == 0) {
        (void)execl(holdfast, holdfast, "run", model, "-q", "--realtime", "-o", output,
                    (char *)NULL);
        _exit(127);
    }
    return child;
}

// Kills a run `after` seconds from when its file appeared; with `early`, from its start.
static void kill_once(const char *holdfast, const char *model, const char *output, double after,
                      bool early, tally *t)
{
    (void)unlink(output);
    pid_t child = start(holdfast, model, output);
    double begun = now();
    while (!early && access(output, F_OK) != 0 && now() - begun < 30.0) {
        sleep_for(0.001);
    }
    double appeared = now();
    sleep_for(after);
    (void)kill(child, SIGKILL);
    double killed = now();
    (void)waitpid(child, NULL, 0);
    if (access(output, F_OK) != 0) { // it has no name before it is whole
        t->before += 1;
        return;
    }
    hf_error error = {0};
    hf_recording *r = hf_recording_read(output, &error);
    if (r == NULL) {
        (void)printf("killed after %.3f s: %s\n", after, error.text);
        t->unreadable += 1;
        return;
    }
    double last = r->samples > 0 ? r->time[r->samples - 1] : 0.0;
    double lost = early ? 0.0 : killed - appeared - last;
    t->sum += lost;
    t->count += early ? 0 : 1;
    t->most = lost > t->most ? lost : t->most;
    if (lost > PROMISED + SLACK) {
        (void)printf("killed after %.3f s: %.3f s are lost\n", after, lost);
        t->late += 1;
    }
    hf_recording_destroy(r);
}

int main(int count, char **words)
{
    if (count < 3) {
        (void)fprintf(stderr, "usage: kills HOLDFAST COUNT [SEED]\n");
        return 2;
    }
    char folder[] = "/tmp/holdfast-kills-XXXXXX", model[64], output[64];
    if (mkdtemp(folder) == NULL) {
        return 2;
    }
    (void)snprintf(model, sizeof model, "%s/m.yaml", folder);
    FILE *file = fopen(model, "w");
    if (file == NULL || fputs(MODEL, file) < 0 || fclose(file) != 0) {
        return 2;
    }
    hf_rng rng = hf_rng_create(count > 3 ? strtoull(words[3], NULL, 10) : 1);
    tally t = {0};
    int number = atoi(words[2]);
    for (int i = 0; i < number; ++i) {
        bool early = i % 4 == 3;
        (void)snprintf(output, sizeof output, "%s/run.%s", folder, i % 2 == 0 ? "csv" : "h5");
        double after = early ? hf_rng_uniform(&rng, 0.0, 0.05) : hf_rng_uniform(&rng, 0.0, 3.0);
        kill_once(words[1], model, output, after, early, &t);
        (void)unlink(output);
        (void)strcat(output, ".part");
        (void)unlink(output);
    }
    (void)unlink(model);
    (void)rmdir(folder);
    (void)printf(
        "%d kills: %d unreadable, %d lost more than %g s; lost %.2f s in the mean, %.2f s at most; "
        "%d before the file had its name\n",
        number, t.unreadable, t.late, PROMISED, t.count > 0 ? t.sum / t.count : 0.0, t.most,
        t.before);
    return number > 0 && t.unreadable == 0 && t.late == 0 ? 0 : 1;
}
