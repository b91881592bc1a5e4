// SPDX-License-Identifier: Apache-2.0
// The shipped examples load, and give the reference numbers of their simulations ([Kikuuwe2008]).
#include "models_test.h"

#include <dirent.h>
#include <math.h>

#define FOLDER HF_SOURCE_DIR "/examples"

static hf_sim *run_until(const hf_model *model, double end)
{
    hf_error error = {0};
    hf_sim *sim = hf_sim_create(model, NULL, &error);
    assert_non_null(sim);
    double half = 0.5 * hf_sim_method(sim).step;
    while (hf_sim_time(sim) < end - half) {
        if (hf_sim_step(sim, &error) < 0) {
            fail_msg("%s", error.text);
        }
    }
    return sim;
}

static hf_model *load(const char *name)
{
    char path[600];
    hf_error error = {0};
    (void)snprintf(path, sizeof path, "%s/%.100s", FOLDER, name);
    hf_model *model = hf_model_load(path, &error);
    if (model == NULL) {
        fail_msg("%s", error.text);
    }
    return model;
}

static double value(hf_sim *sim, const char *channel)
{
    return hf_sim_value(sim, hf_model_find_channel(hf_sim_model(sim), channel));
}

static void all_load(void **state)
{
    (void)state;
    DIR *folder = opendir(FOLDER);
    assert_non_null(folder);
    int files = 0;
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        size_t length = strlen(entry->d_name);
        if (length > 5 && strcmp(entry->d_name + length - 5, ".yaml") == 0) {
            hf_model *model = load(entry->d_name);
            assert_true(hf_model_record_count(model) > 0);
            assert_int_equal(hf_model_text(model)[0], '#'); // says what it shows
            hf_model_destroy(model);
            ++files;
        }
    }
    (void)closedir(folder);
    assert_true(files >= 5);
}

static void spring_mass(void **state)
{
    (void)state;
    hf_model *model = load("spring-mass.yaml");
    hf_sim *sim = run_until(model, 1);
    hf_check_near(value(sim, "block.position"), 0.1 * cos(10), 1e-10, "x(1)", "0.1 cos(10 t)");
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

static void rolling_sphere(void **state)
{
    (void)state;
    hf_model *model = load("rolling-sphere.yaml");
    hf_sim *sim = run_until(model, 1);
    hf_check_near(value(sim, "sphere.velocity.x"), 10.0 / 7, 1e-8, "vx(1)", "rolling");
    hf_check_near(value(sim, "sphere.position.x"), 1.595, 1e-3, "px(1)",
                  "Kikuuwe and Yamamoto 2008, Simulation I");
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

static void two_link_arm(void **state)
{
    (void)state;
    hf_model *model = load("two-link-arm.yaml");
    hf_sim *sim = run_until(model, 6);
    const char *origin = "Kikuuwe and Yamamoto 2008, Simulation II";
    hf_check_near(value(sim, "arm.shoulder.position"), 1.180225051, 1e-6, "theta0(6)", origin);
    hf_check_near(value(sim, "arm.elbow.position"), 2.451858190, 1e-6, "theta1(6)", origin);
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

static void two_link_arm_penalty(void **state)
{
    (void)state;
    hf_model *model = load("two-link-arm-penalty.yaml");
    hf_sim *sim = run_until(model, 6);
    const char *origin = "Kikuuwe and Yamamoto 2008, Simulation III against II";
    hf_check_near(value(sim, "shoulder.gap.angle"), 1.180225051, 2e-5, "theta0(6)", origin);
    hf_check_near(value(sim, "elbow.gap.angle"), 2.451858190, 2e-5, "theta1(6)", origin);
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

static void two_link_arm_lugre(void **state)
{
    (void)state;
    hf_model *model = load("two-link-arm-lugre.yaml");
    hf_sim *sim = run_until(model, 10);
    const char *origin = "Kikuuwe and Yamamoto 2008, Simulation II with LuGre";
    hf_check_near(value(sim, "arm.shoulder.position"), 1.230122169, 1e-6, "theta0(10)", origin);
    hf_check_near(value(sim, "arm.elbow.position"), 2.487345577, 1e-6, "theta1(10)", origin);
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest example_files[] = {
        cmocka_unit_test(all_load),
        cmocka_unit_test(spring_mass),
        cmocka_unit_test(rolling_sphere),
        cmocka_unit_test(two_link_arm),
        cmocka_unit_test(two_link_arm_penalty),
        cmocka_unit_test(two_link_arm_lugre),
    };
    return hf_run_tests(example_files);
}
