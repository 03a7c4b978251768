import { z } from 'zod';
import { autonomies, postures } from './posture.ts';
import { between, count, namedObject, someOf, timestamp, wholeBetween } from './scalar.ts';
import { clockTime, timeZone } from './time_zone.ts';
import { verbNames, verbs } from './verb.ts';
import { alertSeverities } from './zone.ts';

const number = (least: number, most: number, text: string) => between(least, most).describe(text);
const whole = (least: number, most: number, text: string) => wholeBetween(least, most).describe(text);
const worse = (text: string) => number(0, 100, `points of the score: ${text}`);
const calmer = (least: number, text: string) => number(least, 0, `points of the score: ${text}`);

/**
 * Points that each factor adds to a threat's score at full strength. The score is the sum, limited to 0 to 100. The
 * schema fixes the sign of every factor, so a nearer aircraft never has a lower score.
 */
const weights = z
  .strictObject({
    proximity: worse('how near it is to what is protected'),
    approach: worse('how soon it can be there'),
    closest_approach: worse('how near it will pass as it flies'),
    inside: worse('it is in what is protected'),
    closing: worse('how fast it comes nearer; standing counts half, going away nothing'),
    low_altitude: worse('it flies low near what is protected'),
    dwell: worse('it stays in or at what is protected'),
    loiter: worse('it circles or stands near what is protected'),
    unidentified: worse('no confirmed identity'),
    no_remote_id: worse('no Remote ID where it is required'),
    suspect_identity: worse('suspect claims'),
    operator_near: worse('its pilot stands near what is protected'),
    hostile: worse('a person holds it for hostile'),
    swarm: worse('it is one of several that fly together'),
    repeat_visitor: worse('it was here on other days'),
    neutral: calmer(-100, 'a person holds it for neutral'),
    remote_id_friend: calmer(-20, 'it claims to be a friend, and nothing contradicts it'),
    crewed: calmer(-100, 'people are on board'),
    bird: calmer(-100, 'it is a bird'),
    emergency: calmer(-20, 'it reports an emergency'),
  })
  .describe('points that each reason adds at full strength');

/** Values between which each factor rises from zero to its full points. */
const curves = z
  .strictObject({
    proximity_near_m: number(1, 100_000, 'nearer than this counts in full'),
    proximity_far_m: number(2, 200_000, 'farther than this counts nothing'),
    edge_ramp_m: number(10, 1_000, 'so far outside the edge, being there begins to count'),
    height_over_m: number(50, 20_000, 'so far above the ceiling, being near counts nothing'),
    open_ceiling_m: number(10, 20_000, 'so high above ground reaches what has no ceiling of its own'),
    eta_soon_s: number(1, 3_600, 'sooner than this counts in full'),
    eta_late_s: number(2, 7_200, 'later than this counts nothing'),
    near_miss_m: number(
      10,
      10_000,
      'what will pass at this distance counts little more than half of what will come in',
    ),
    passing_far_m: number(50, 100_000, 'what will pass farther away counts nothing'),
    closing_fast_mps: number(1, 400, 'coming nearer faster than this counts in full'),
    altitude_low_m: number(0, 10_000, 'lower above ground than this counts in full'),
    altitude_high_m: number(1, 20_000, 'higher than this counts nothing'),
    dwell_full_s: number(1, 86_400, 'after so long dwelling counts in full'),
    loiter_from_s: number(0, 86_400, 'loitering shorter than this counts nothing'),
    loiter_full_s: number(1, 86_400, 'after so long loitering counts in full'),
    operator_near_m: number(10, 100_000, 'a pilot farther from what is protected counts nothing'),
    swarm_full: whole(3, 1_000, 'so many that fly together count in full; fewer than three count nothing'),
    visits_full: whole(1, 1_000, 'so many earlier days count in full'),
  })
  .refine((of) => of.proximity_near_m < of.proximity_far_m, rising('proximity_far_m', 'proximity_near_m'))
  .refine((of) => of.eta_soon_s < of.eta_late_s, rising('eta_late_s', 'eta_soon_s'))
  .refine((of) => of.altitude_low_m < of.altitude_high_m, rising('altitude_high_m', 'altitude_low_m'))
  .refine((of) => of.loiter_from_s < of.loiter_full_s, rising('loiter_full_s', 'loiter_from_s'));

const levels = z
  .strictObject({
    low: number(1, 100, 'from this score on'),
    medium: number(1, 100, 'from this score on'),
    high: number(1, 100, 'from this score on'),
    critical: number(1, 100, 'from this score on'),
    hysteresis: number(0, 20, 'points below a level until it is left'),
    rise_s: number(
      0,
      30,
      'the score stays above a level for this time before the track reaches it; after a change of its facts, at once',
    ),
    dwell_s: number(0, 60, 'a score is below a level for so long until it is left'),
  })
  .refine((of) => of.low < of.medium, rising('medium', 'low'))
  .refine((of) => of.medium < of.high, rising('high', 'medium'))
  .refine((of) => of.high < of.critical, rising('critical', 'high'));

const tracking = z
  .strictObject({
    confirm_hits: whole(1, 8, 'observations that confirm a track'),
    confirm_window_s: number(0.1, 120, 'within which they come'),
    coast_s: number(0.1, 3_600, 'silent for so long its place is a prediction'),
    lost_s: number(0.1, 3_600, 'silent for so long it is lost'),
    close_s: number(0.1, 86_400, 'silent for so long it is history'),
  })
  .refine((of) => of.coast_s < of.lost_s, rising('lost_s', 'coast_s'))
  .refine((of) => of.lost_s < of.close_s, rising('close_s', 'lost_s'));

const identity = z.strictObject({
  telemetry_agree_m: number(1, 10_000, 'farther from its own telemetry a track is not the asset'),
  telemetry_fresh_s: number(0.5, 600, 'older telemetry proves nothing'),
  operator_far_m: number(100, 200_000, 'a pilot farther away than this counts against what is said'),
  duplicate_hold_s: number(1, 86_400, 'time for which an identity of two aircraft stays suspect'),
  require_remote_id: z
    .boolean()
    .describe('true where aircraft must send Remote ID: an aircraft without it has the factor no_remote_id'),
});

const engagement = z.strictObject({
  standoff_m: number(10, 10_000, 'least distance of a friendly vehicle from its target'),
  plan_ttl_s: number(5, 3_600, 'an unanswered plan expires after this time'),
  max_track_age_s: number(0.5, 120, 'a track last received longer ago is too old to plan on'),
  reserve_pct: number(5, 90, 'energy that a vehicle keeps for the way home'),
  max_assets: whole(1, 16, 'vehicles of ours sent after one track'),
  automatic: someOf(verbNames)
    .describe('observing verbs that may start without a person while autonomy is observe_auto')
    .superRefine((listed, context) => {
      for (const [index, verb] of listed.entries()) {
        if (verbs[verb].class === 'observation') continue;
        context.addIssue({
          code: 'custom',
          path: [index],
          message: `must not be ${verb}, which is more than observing`,
        });
      }
    }),
  two_person: someOf(verbNames).describe('verbs that need the approval of two persons'),
});

const alerts = z.strictObject({
  cooldown_s: number(0, 86_400, 'an alert that was cleared is not raised again for'),
  max_active: whole(10, 10_000, 'alerts held at once; the least of them makes room'),
  quiet_hours: z
    .strictObject({
      from: clockTime,
      to: clockTime,
      tz: timeZone,
      at_least: z
        .enum(alertSeverities)
        .describe('least severity that is notified meanwhile; less severe alerts are raised without a notification'),
    })
    .nullable()
    .describe('null for none'),
});

const limits = z.strictObject({
  commands_per_asset_per_s: number(0.1, 100, 'commands to one asset a second'),
  max_ceiling_agl_m: number(1, 10_000, 'no vehicle of ours is sent higher above ground'),
  max_range_m: number(10, 200_000, 'nor farther than this from its take-off point'),
  max_speed_mps: number(0.5, 200, 'nor faster'),
  max_wind_mps: number(0, 100, 'nor in more wind'),
  keep_out_margin_m: number(0, 10_000, 'nor nearer to a keep-out zone'),
  crewed_separation_m: number(50, 50_000, 'nor nearer to a crewed aircraft'),
});

function rising(field: string, below: string) {
  return { path: [field], error: `must be greater than ${below}` };
}

const policy = {
  posture: z.enum(postures),
  autonomy: z
    .enum(autonomies)
    .describe('limit of what starts without a person; at most advise after a start, until a person confirms more'),
  weights,
  curves,
  levels,
  tracking,
  identity,
  engagement,
  alerts,
  limits,
};

/** Decision config as a request contains it, with every field. */
export const decisionConfigBodySchema = namedObject('DecisionConfigBody', {
  ...policy,
  version: z.unknown().optional().describe('ignored: the service counts versions'),
  updated_at: z.unknown().optional().describe('ignored'),
  updated_by: z.unknown().optional().describe('ignored'),
});

export const decisionConfigSchema = z
  .strictObject({
    version: count.describe('0 before the first saved version'),
    updated_at: timestamp.nullable(),
    updated_by: z.string().nullable(),
    ...policy,
  })
  .meta({ id: 'DecisionConfig', description: 'Settings of scoring, alerts and plans of a workspace' });
export type DecisionConfig = z.infer<typeof decisionConfigSchema>;
export type DecisionPolicy = Omit<DecisionConfig, 'version' | 'updated_at' | 'updated_by'>;

/** Decision config without version, author and time; its shape lists the fields of the policy. */
export const decisionPolicySchema = z.strictObject(policy);
