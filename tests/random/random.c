// SPDX-License-Identifier: Apache-2.0
// Random machines under every method that admits them.
//   random check FIRST COUNT           ends in time, finite or told, same bits again, in any order
//                                      of declarations and in 8 threads
//   random differential FIRST COUNT [KNOWN]
//                                      with steps halved twice, all methods approach one answer,
//                                      but for KNOWN machines at most
//   random slow FIRST COUNT            made to last two million seconds, with the same forces and
//                                      places, each comes to the same end under every method
//   random hashes FIRST COUNT          a line a run, to compare compilers and machines
//   random show SEED                   the machine's text
// Each machine has a process of its own. Exit code 1: something broke; its line has the seed.
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "machine.h"
#include "trial.h"

enum { METHODS = HF_METHOD_COUNT, THREADS = 8, SHARE = 4, CPU_SECONDS = 300 };

// From this seed on every method that admits a machine must come to its end.
static const uint64_t MUST_RUN = 300000;
static const double STEP = 1e-3, DURATION = 0.2;   // [s]
static const double MOST_SECONDS = 20.0;           // of the processor, for 200 steps
static const double LARGEST_SHARE = 0.1;           // of the motion, by which methods may differ
static const double SLOW = 1e7, SLOW_SHARE = 0.02; // a second, and what may differ then
static const double APPROACH = 0.65; // of the difference is left, at most, when a step is halved
static const double RECORDED = 0.05; // the same between samples of methods with steps of their own

// The method nlp solves a program a step: too slow here, and tested with timestep elsewhere.
static bool is_tried(int method)
{
    return method != HF_METHOD_NLP;
}

// ------------------------------------------------------------------------------------------------
// check

typedef struct job {
    const hf_model *model;
    const char *text;
    hf_trial trial;
} job;

static void *run_job(void *context)
{
    job *j = context;
    j->trial = hf_trial_of(j->model, j->text, DURATION);
    return NULL;
}

static int complain(uint64_t seed, int method, const char *what, const char *why)
{
    (void)printf("seed %llu %s: %s%s%s\n", (unsigned long long)seed,
                 method < 0 ? "" : hf_method_name((hf_method_type)method), what,
                 why[0] == '\0' ? "" : ": ", why);
    return 1;
}

// Eight sims of one model at once; returns how many have other bits than one alone. Machines take
// turns with the methods.
static int check_threads(uint64_t seed, const char *text, const hf_trial *alone)
{
    pthread_t threads[THREADS];
    job jobs[THREADS];
    int bad = 0, started = 0, method = (int)(seed / SHARE % METHODS);
    while (!is_tried(method) || !alone[method].admitted) {
        method = (method + 1) % METHODS;
    }
    hf_error error = {0};
    hf_model *model = hf_trial_model(text, hf_method_name((hf_method_type)method), STEP, &error);
    for (; model != NULL && started < THREADS; ++started) {
        jobs[started] = (job){.model = model, .text = text};
        if (pthread_create(&threads[started], NULL, run_job, &jobs[started]) != 0) {
            break;
        }
    }
    for (int i = 0; i < started; ++i) {
        (void)pthread_join(threads[i], NULL);
        if (jobs[i].trial.hash != alone[method].hash) {
            bad += complain(seed, method, "other bits in a thread", "");
        }
    }
    hf_model_destroy(model);
    return bad + (started == THREADS ? 0 : complain(seed, method, "no threads", error.text));
}

static int check_trial(uint64_t seed, int method, const hf_trial *t)
{
    int bad = 0;
    if (!t->admitted && t->status != HF_ERROR_UNSUPPORTED) {
        bad += complain(seed, method, "not created", t->why);
    }
    if (t->admitted && !t->finite && t->status >= 0 && t->verdict.trustworthy) {
        bad += complain(seed, method, "not finite, and not told", "");
    }
    if (t->admitted && t->status < 0 && t->why[0] == '\0') {
        bad += complain(seed, method, "failed without a reason", "");
    }
    if (t->admitted && t->status >= 0 && t->verdict.trustworthy && !(t->verdict.ledger <= 0.02)) {
        bad += complain(seed, method, "the ledger is open, and not told", "");
    }
    if (t->admitted && t->status >= 0 && t->verdict.trustworthy && t->broken[0] != '\0') {
        bad += complain(seed, method, t->broken, "");
    }
    if (t->seconds > MOST_SECONDS) {
        bad += complain(seed, method, "takes too long", "");
    }
    return bad;
}

static int check(const hf_random_machine *machine)
{
    int bad = 0, admitted = 0;
    hf_trial alone[METHODS];
    uint64_t seed = machine->seed;
    char *text = hf_random_machine_text(machine, 0),
         *mixed = hf_random_machine_text(machine, seed + 1);
    for (int i = 0; i < METHODS; ++i) {
        if (!is_tried(i)) {
            continue;
        }
        const char *name = hf_method_name((hf_method_type)i);
        alone[i] = hf_trial_run(text, name, STEP, DURATION);
        bad += check_trial(seed, i, &alone[i]);
        admitted += alone[i].admitted;
        if (alone[i].admitted && alone[i].status < 0) {
            (void)printf("  seed %llu %s failed and told: %s\n", (unsigned long long)seed, name,
                         alone[i].why);
        }
        if (alone[i].admitted && seed % SHARE == 1 &&
            hf_trial_run(text, name, STEP, DURATION).hash != alone[i].hash) {
            bad += complain(seed, i, "other bits when repeated", "");
        }
        if (alone[i].admitted && hf_trial_run(mixed, name, STEP, DURATION).hash != alone[i].hash) {
            bad += complain(seed, i, "other bits when declared in another order", "");
        }
    }
    bad += admitted > 0 && seed % SHARE == 0 ? check_threads(seed, text, alone) : 0;
    if (admitted == 0) {
        bad += complain(seed, -1, "no method admits it", alone[0].why);
    }
    free(text);
    free(mixed);
    return bad;
}

// ------------------------------------------------------------------------------------------------
// differential

static int by_value(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

static bool is_done(const hf_trial *trial)
{
    return trial->admitted && trial->status >= 0;
}

// The last positions to compare with: those of the method switch, which locates every event, or the
// median of all methods where it was refused. Returns how far the machine moved at most.
static double find_answer(const hf_trial fine[METHODS], double *answer, int *count)
{
    double moved = 1e-4;
    *count = HF_TRIAL_POSITIONS;
    for (int i = 0; i < METHODS; ++i) {
        *count = is_done(&fine[i]) && fine[i].positions < *count ? fine[i].positions : *count;
    }
    for (int k = 0; k < *count; ++k) {
        double values[METHODS], start = 0.0;
        size_t used = 0;
        for (int i = 0; i < METHODS; ++i) {
            if (is_done(&fine[i])) {
                values[used++] = fine[i].at_end[k];
                start = fine[i].at_start[k];
            }
        }
        qsort(values, used, sizeof *values, by_value);
        answer[k] = is_done(&fine[HF_METHOD_SWITCH]) ? fine[HF_METHOD_SWITCH].at_end[k]
                    : used == 0                      ? 0.0
                                                     : values[used / 2];
        moved = fmax(moved, fabs(answer[k] - start));
    }
    return moved;
}

static double distance(const hf_trial *trial, const double *middle, int count, double moved)
{
    double largest = 0.0;
    for (int k = 0; k < count; ++k) {
        largest = fmax(largest, fabs(trial->at_end[k] - middle[k]) / moved);
    }
    return largest;
}

// Methods with steps of their own: what is recorded is no reason for another answer. Machines that
// stand for a mended fault must run to their ends.
static int differ_by_samples(const hf_random_machine *machine, int method, const hf_trial *coarse,
                             const hf_trial *fine, double off)
{
    bool own_steps = method == HF_METHOD_ADAPTIVE || method == HF_METHOD_SWITCH;
    if (fine->admitted && fine->status < 0 && machine->seed >= MUST_RUN) {
        return complain(machine->seed, method, "ends early", fine->why);
    }
    if (!own_steps || !is_done(coarse) || !is_done(fine) || !coarse->verdict.trustworthy ||
        off <= RECORDED) {
        return 0;
    }
    return complain(machine->seed, method, "another answer at other samples", "trustworthy");
}

// A line for every method that is far from the answer at a quarter of the step and does not
// approach it. Returns how many of them call themselves trustworthy.
static int differ(const hf_random_machine *machine)
{
    enum { LEVELS = 3 };
    hf_trial trials[LEVELS][METHODS] = {0};
    char *text = hf_random_machine_text(machine, 0);
    double answer[HF_TRIAL_POSITIONS], off[LEVELS];
    int count = 0, silent = 0;
    for (int level = 0; level < LEVELS; ++level) {
        for (int i = 0; i < METHODS; ++i) {
            if (is_tried(i)) {
                trials[level][i] = hf_trial_run(text, hf_method_name((hf_method_type)i),
                                                ldexp(STEP, -level), DURATION);
            }
        }
    }
    const hf_trial *fine = trials[LEVELS - 1];
    double moved = find_answer(fine, answer, &count);
    for (int i = 0; i < METHODS; ++i) {
        for (int level = 0; level < LEVELS; ++level) {
            off[level] = distance(&trials[level][i], answer, count, moved);
        }
        if (is_done(&fine[i]) && fine[i].verdict.trustworthy && fine[i].broken[0] != '\0') {
            silent += complain(machine->seed, i, fine[i].broken, "trustworthy");
        }
        bool ahead = i == HF_METHOD_SWITCH || i == HF_METHOD_ADAPTIVE || i == HF_METHOD_TIMESTEP;
        bool plain = machine->plain == HF_PLAIN_ALL || (machine->plain != HF_PLAIN_NONE && ahead);
        if (plain && is_done(&fine[i]) && !fine[i].verdict.trustworthy) {
            silent += complain(machine->seed, i, "early doubt", fine[i].verdict.why);
        }
        if (machine->coarse > 0.0 && i == HF_METHOD_TIMESTEP && off[0] > machine->coarse &&
            trials[0][i].verdict.trustworthy) {
            silent += complain(machine->seed, i, "another answer at 1 ms", "trustworthy");
        }
        silent += differ_by_samples(machine, i, &trials[0][i], &fine[i],
                                    distance(&trials[0][i], fine[i].at_end, count, moved));
        bool approaches = off[2] <= APPROACH * off[1] && off[1] <= APPROACH * off[0];
        if (!is_done(&fine[i]) || off[2] <= LARGEST_SHARE || approaches) {
            continue;
        }
        bool told = !fine[i].verdict.trustworthy;
        silent += told ? 0 : 1;
        (void)printf("seed %llu %s: off by %.3g, %.3g, %.3g of %.3g m at steps of 1, 1/2, 1/4 ms; "
                     "%s%s\n",
                     (unsigned long long)machine->seed, hf_method_name((hf_method_type)i), off[0],
                     off[1], off[2], moved, told ? "doubtful: " : "trustworthy",
                     fine[i].verdict.why);
    }
    free(text);
    return silent;
}

// The same machine slowly, to t = 2e6 s: no method has a time, a speed or a mass of its own. A line
// for every method that comes to another place and calls itself trustworthy, or fails.
static int differ_slowly(const hf_random_machine *machine)
{
    static hf_random_machine slow;
    hf_random_machine_make(&slow, machine->seed, SLOW);
    char *text = hf_random_machine_text(machine, 0), *slowly = hf_random_machine_text(&slow, 0);
    int silent = 0;
    for (int i = 0; i < METHODS; ++i) {
        const char *name = hf_method_name((hf_method_type)i);
        // BDF of adaptive begins with steps of its own, and may end there, or take minutes
        bool tried = is_tried(i) && i != HF_METHOD_ADAPTIVE;
        hf_trial fast = tried ? hf_trial_run(text, name, STEP, DURATION) : (hf_trial){0};
        if (!is_done(&fast)) {
            continue;
        }
        hf_trial late = hf_trial_run_slowly(slowly, name, STEP, DURATION, SLOW);
        double moved = 1e-4;
        for (int k = 0; k < fast.positions; ++k) {
            moved = fmax(moved, fabs(fast.at_end[k] - fast.at_start[k]));
        }
        double off = distance(&late, fast.at_end, fast.positions, moved);
        bool told = !late.verdict.trustworthy || !is_done(&late);
        if (!is_done(&late) || off > SLOW_SHARE) {
            silent += told ? 0 : 1;
            (void)printf("seed %llu %s: off by %.3g of %.3g m in two million seconds; %s%s\n",
                         (unsigned long long)machine->seed, name, off, moved,
                         told ? "told: " : "trustworthy",
                         is_done(&late) ? late.verdict.why : late.why);
        }
    }
    free(text);
    free(slowly);
    return silent;
}

static int print_hashes(const hf_random_machine *machine)
{
    char *text = hf_random_machine_text(machine, 0);
    for (int i = 0; i < METHODS; ++i) {
        const char *name = hf_method_name((hf_method_type)i);
        hf_trial trial = is_tried(i) ? hf_trial_run(text, name, STEP, DURATION) : (hf_trial){0};
        if (trial.admitted) {
            (void)printf("%llu %s %016llx\n", (unsigned long long)machine->seed, name,
                         (unsigned long long)trial.hash);
        }
    }
    free(text);
    return 0;
}

// ------------------------------------------------------------------------------------------------
// A process a machine

static int run_machine(uint64_t seed, int (*what)(const hf_random_machine *machine))
{
    (void)fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        static hf_random_machine machine;
        const struct rlimit limit = {CPU_SECONDS, CPU_SECONDS};
        (void)setrlimit(RLIMIT_CPU, &limit);
        hf_random_machine_make(&machine, seed, 1.0);
        int bad = what(&machine);
        (void)fflush(stdout);
        _exit(bad > 0 ? 1 : 0);
    }
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child) {
        return complain(seed, -1, "no process", "");
    }
    if (WIFSIGNALED(status)) {
        char why[40];
        (void)snprintf(why, sizeof why, "signal %d", WTERMSIG(status));
        return complain(seed, -1, "crashed, or hung", why);
    }
    return WEXITSTATUS(status) == 0 ? 0 : 1;
}

int main(int count, char **words)
{
    static const struct {
        const char *word;
        int (*what)(const hf_random_machine *machine);
    } kinds[] = {{"check", check},
                 {"differential", differ},
                 {"slow", differ_slowly},
                 {"hashes", print_hashes}};
    if (count == 3 && strcmp(words[1], "show") == 0) {
        static hf_random_machine machine;
        hf_random_machine_make(&machine, strtoull(words[2], NULL, 10), 1.0);
        char *text = hf_random_machine_text(&machine, 0);
        (void)fputs(text, stdout);
        free(text);
        return 0;
    }
    int known = count == 5 ? atoi(words[4]) : 0;
    for (size_t i = 0; (count == 4 || count == 5) && i < sizeof kinds / sizeof *kinds; ++i) {
        if (strcmp(words[1], kinds[i].word) == 0) {
            uint64_t first = strtoull(words[2], NULL, 10), number = strtoull(words[3], NULL, 10);
            int bad = 0;
            for (uint64_t k = 0; k < number; ++k) {
                bad += run_machine(first + k, kinds[i].what);
            }
            (void)fprintf(stderr, "%llu machines, %d of them with faults\n",
                          (unsigned long long)number, bad);
            return bad <= known && number > 0 ? 0 : 1;
        }
    }
    (void)fprintf(stderr,
                  "usage: random check|differential|slow|hashes FIRST COUNT [KNOWN] | show SEED\n");
    return 2;
}
