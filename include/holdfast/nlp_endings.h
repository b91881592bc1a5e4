// SPDX-License-Identifier: Apache-2.0
// How programs of the method nlp end.
#ifndef HOLDFAST_NLP_ENDINGS_H
#define HOLDFAST_NLP_ENDINGS_H

#ifdef __cplusplus
extern "C" {
#endif

// How IPOPT ended, by its own names. hf_sim_stats.nlp_endings counts them.
#define HF_NLP_ENDING_LIST(X)                                                                      \
    X(Solve_Succeeded)                                                                             \
    X(Solved_To_Acceptable_Level)                                                                  \
    X(Infeasible_Problem_Detected)                                                                 \
    X(Search_Direction_Becomes_Too_Small)                                                          \
    X(Diverging_Iterates)                                                                          \
    X(Maximum_Iterations_Exceeded)                                                                 \
    X(Restoration_Failed)                                                                          \
    X(Error_In_Step_Computation)                                                                   \
    X(Invalid_Number_Detected)

typedef enum hf_nlp_ending {
#define HF_NLP_ENDING_ENUM(name) HF_NLP_##name,
    HF_NLP_ENDING_LIST(HF_NLP_ENDING_ENUM)
#undef HF_NLP_ENDING_ENUM
        HF_NLP_Other, // any other of IPOPT's codes
    HF_NLP_ENDING_COUNT
} hf_nlp_ending;

#ifdef __cplusplus
}
#endif
#endif
