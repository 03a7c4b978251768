// Settings of the tracker. This list has the name and the default of every setting. The array from TypeScript that
// configures a tracker has the same order.
#pragma once

namespace dunlin {

#define DUNLIN_TRACKER_SETTINGS(X)                                                                      \
  /* motion */                                                                                          \
  X(q_calm, 0.5)              /* m²/s³ */                                                               \
  X(q_wild, 40)               /* m²/s³ */                                                               \
  X(climb_at_birth, 0.125)    /* initial ratio of vertical to horizontal noise density, `climb` */      \
  X(climb_gain, 0.5)          /* ln(climb) changes by this · innovation · mean innovation */            \
  X(climb_kept, 0.7)          /* share of the mean height innovation that each measurement keeps */     \
  X(climb_least, 0.015625)    /* bounds of the learnt `climb` */                                        \
  X(climb_most, 1)                                                                                      \
  X(calm_s, 8)                /* mean time until a calm track's model is drawn anew, s */               \
  X(wild_s, 3)                /* mean time until a manoeuvring track's model is drawn anew, s */        \
  X(calm_odds, 0.8)           /* initial habit */                                                       \
  X(habit_gain, 0.3)          /* habit changes by this · (new − predicted probability of calm) */       \
  X(habit_least, 0.3)         /* bounds of the habit */                                                 \
  X(habit_most, 0.98)                                                                                   \
  X(calm_at_birth, 0.5)       /* initial probability of the calm model */                               \
  X(speed_sd_mps, 20)         /* 1-sigma of an unknown initial velocity, horizontal */                  \
  X(climb_sd_mps, 4)          /* 1-sigma of an unknown initial velocity, vertical */                    \
  X(late_s, 3)                /* greatest delay of a measurement that is applied, s */                  \
  /* association */                                                                                     \
  X(gate, 21)                 /* greatest squared Mahalanobis distance, 3 degrees of freedom */         \
  X(doubt_margin, 2)                                                                                    \
  X(cluster_most, 192)        /* greatest number of tracks plus plots assigned together */              \
  /* existence */                                                                                       \
  X(hide_per_s, 0.01)                                                                                   \
  X(show_per_s, 0.08)                                                                                   \
  X(end_per_s, 0.003)                                                                                   \
  X(end_hidden_per_s, 0.034)                                                                            \
  X(silences, 4)              /* prior number of silences with a return, and of those without */        \
  X(ending_least, 0.2)        /* bounds of the learnt factor on the ending rates above */               \
  X(ending_most, 2)                                                                                     \
  X(birth_density, 2e-12)     /* new aircraft per m³ and scan */                                        \
  X(birth_least, 0.02)                                                                                  \
  X(birth_most, 0.5)                                                                                    \
  X(confirm_existence, 0.98)                                                                            \
  X(confirm_hits, 2)                                                                                    \
  X(confirm_window_s, 10)     /* time within which all confirming hits must come, s */                 \
  X(coast_s, 5)               /* silence after which the published position is a prediction, s */       \
  X(flock_least, 6)           /* number of neighbours that makes a crowd */                             \
  X(flock_m, 60)                                                                                        \
  X(flock_sd_mps, 2)                                                                                    \
  X(flock_spread_mps, 12)                                                                               \
  X(beside_gate, 12)                                                                                    \
  X(beside_looks, 2)                                                                                    \
  X(tentative_existence, 1e-3)                                                                          \
  X(tentative_s, 4)                                                                                     \
  X(confirmed_existence, 0.15)                                                                          \
  X(lost_s, 22)               /* silence after which only the claim of the track revives it, s */       \
  X(close_s, 600)                                                                                       \
  X(stitch_s, 15)                                                                                       \
  X(stitch_gate, 16)                                                                                    \
  X(stitch_q, 60)                                                                                       \
  /* identity */                                                                                        \
  X(claim_odds, 0.98)                                                                                   \
  X(bind_gate, 20)                                                                                      \
  X(bind_margin, 15)                                                                                    \
  X(merge_gate, 20)                                                                                     \
  X(merge_margin, 8)                                                                                    \
  X(merge_s, 3)                                                                                         \
  X(ghost_merge_s, 30)        /* the same for a claim that sensors did not see where it was alone, s */ \
  X(slack_m, 12)              /* unknown offset of a satellite fix, 1 sigma */                          \
  X(change_over, 15)                                                                                    \
  X(conflict_gate, 25)                                                                                  \
  X(conflict_slack_m, 20)                                                                               \
  X(conflict_reports, 3)                                                                                \
  X(sensed_s, 4)              /* age up to which a plot shows where the aircraft is, s */               \
  X(proven_s, 10)                                                                                       \
  X(claim_fresh_s, 2)         /* age up to which a claim's report confirms its presence, s */           \
  X(hidden_kept, 0.8)         /* factor on the hidden probability when the claim falls silent */        \
  X(word_fades_s, 8)                                                                                    \
  X(parted_s, 60)                                                                                       \
  X(bind_sd_m, 60)                                                                                      \
  X(shadow_m, 400)                                                                                      \
  X(hidden_doubt, 0.8)                                                                                  \
  X(stale_misses, 10)                                                                                   \
  X(hidden_misses, 30)                                                                                  \
  X(ghost_prior, 0.3)                                                                                   \
  X(hidden_prior, 0.05)                                                                                 \
  X(ghost_verdict, 0.8)                                                                                 \
  X(ghost_misses, 4)                                                                                    \
  X(noise_ewma, 0.08)                                                                                   \
  X(noise_samples, 8)                                                                                   \
  X(noise_stands_out, 2)                                                                                \
  X(source_alone, 0.3)                                                                                  \
  X(source_stands_out, 1.3)                                                                             \
  X(noise_most, 100)                                                                                    \
  X(offset_sigma, 1.5)                                                                                  \
  X(max_speed_mps, 350)                                                                                 \
  X(jump_m, 300)                                                                                        \
  /* registration */                                                                                    \
  X(bias_azimuth_deg, 1)                                                                                \
  X(bias_range_m, 20)                                                                                   \
  X(bias_caution, 4)                                                                                    \
  X(bias_sigma, 4)                                                                                      \
  X(bias_plots, 40)                                                                                     \
  /* bearings */                                                                                        \
  X(crossing_s, 1.2)                                                                                    \
  X(crossing_gate, 9)                                                                                   \
  X(birth_crossing, 0.1)                                                                                \
  X(crossing_sd_m, 120)                                                                                 \
  X(bearing_hits, 10)

struct Settings {
#define DUNLIN_FIELD(name, value) double name = value;
  DUNLIN_TRACKER_SETTINGS(DUNLIN_FIELD)
#undef DUNLIN_FIELD
};

}  // namespace dunlin
