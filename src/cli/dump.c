// SPDX-License-Identifier: Apache-2.0
// Writes the friction-contact problems of a run as files, for `run --dump`.
#include "cli/dump.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include <holdfast/contact.h>
#include <holdfast/fclib.h>

#include "cli/cli.h"
#include "sim/method_info.h"

bool hf_cli_dump_begin(const hf_cli_dump *dump, const hf_sim *sim)
{
    if (dump->folder == NULL) {
        bool alone = dump->every != 1 || dump->above != 1;
        if (alone) {
            (void)hf_cli_usage_error("run", "--dump-every and --dump-above go with --dump FOLDER");
        }
        return !alone;
    }
    if (!hf_method_solves_contacts(hf_sim_method(sim).type)) {
        unsigned solving = 0;
        for (int i = 0; i < HF_METHOD_COUNT; ++i) {
            solving |= hf_method_solves_contacts((hf_method_type)i) ? 1u << i : 0u;
        }
        char owners[120];
        hf_method_list(solving, " and ", owners, sizeof owners);
        (void)hf_cli_usage_error(
            "run", "--dump writes the friction-contact problems of methods %s; %s has none", owners,
            hf_method_name(hf_sim_method(sim).type));
        return false;
    }
    if (mkdir(dump->folder, 0777) != 0 && errno != EEXIST) {
        (void)hf_cli_error("--dump: cannot make the folder '%s': %s", dump->folder,
                           strerror(errno));
        return false;
    }
    return true;
}

hf_status hf_cli_dump_step(hf_cli_dump *dump, hf_sim *sim, hf_error *error)
{
    hf_fc3d_problem problem;
    const double *reactions;
    hf_sim_stats stats = hf_sim_get_stats(sim);
    if (dump->folder == NULL || stats.steps % dump->every != 0 || stats.iterations < dump->above ||
        !hf_contact_problem(sim, &problem, &reactions)) {
        return HF_OK;
    }
    char path[4096], title[300], about[300];
    if (snprintf(path, sizeof path, "%s/step-%08lld.hdf5", dump->folder, stats.steps) >=
        (int)sizeof path) {
        (void)snprintf(error->text, sizeof error->text,
                       "--dump: the name of the folder is too long");
        return error->status = HF_ERROR_FILE;
    }
    (void)snprintf(title, sizeof title, "%.200s, step %lld", hf_model_name(hf_sim_model(sim)),
                   stats.steps);
    (void)snprintf(about, sizeof about,
                   "Holdfast " HF_VERSION
                   ", t = %.9g s, step %g s: impulses [N s] and velocities [m/s]; %d iterations, "
                   "residual %.3g; of the step's %d contacts those of islands at rest beside what "
                   "moves are left out",
                   hf_sim_time(sim), hf_sim_method(sim).step, stats.iterations, stats.residual,
                   stats.contacts);
    dump->files += 1;
    return hf_fclib_write(path, &problem, title, about, reactions, error);
}
