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
 * schema fixes the sign of every factor, so no policy can make nearness lower a score.
 */
const weights = z
  .strictObject({
    proximity: worse('distance to the protected area'),
    approach: worse('time until it can reach the protected area'),
    closest_approach: worse('predicted smallest distance to the protected area'),
    inside: worse('it is inside the protected area'),
    closing: worse('closing speed; hovering counts half, moving away counts nothing'),
    low_altitude: worse('it flies low near the protected area'),
    dwell: worse('time inside the protected area'),
    loiter: worse('it circles or hovers near the protected area'),
    unidentified: worse('no confirmed identity'),
    no_remote_id: worse('no Remote ID where it is required'),
    suspect_identity: worse('suspect claims'),
    operator_near: worse('its pilot is near the protected area'),
    hostile: worse('a person set the affiliation hostile'),
    swarm: worse('it is a member of a group'),
    repeat_visitor: worse('it was here on earlier days'),
    neutral: calmer(-100, 'a person set the affiliation neutral'),
    remote_id_friend: calmer(-20, 'it claims to be a friend, and nothing contradicts the claim'),
    crewed: calmer(-100, 'people are on board'),
    bird: calmer(-100, 'it is a bird'),
    emergency: calmer(-20, 'it reports an emergency'),
  })
  .describe('points that each factor adds at full strength');

/** Distances, times and other measures at which factors begin to count or count in full. */
const curves = z
  .strictObject({
    proximity_near_m: number(1, 100_000, 'distance below which proximity counts in full, m'),
    proximity_far_m: number(2, 200_000, 'distance above which proximity counts nothing, m'),
    edge_ramp_m: number(10, 1_000, 'distance outside the edge at which `inside` begins to count, m'),
    height_over_m: number(
      50,
      20_000,
      'height above the ceiling at which the points for horizontal distances have faded to zero, m',
    ),
    open_ceiling_m: number(10, 20_000, 'ceiling of a zone that has none of its own, m above ground'),
    eta_soon_s: number(1, 3_600, 'time to arrival below which approach counts in full, s'),
    eta_late_s: number(2, 7_200, 'time to arrival above which approach counts nothing, s'),
    near_miss_m: number(10, 10_000, 'predicted passing distance that counts a little more than half of an entry, m'),
    passing_far_m: number(50, 100_000, 'predicted passing distance above which the approach counts nothing, m'),
    closing_fast_mps: number(1, 400, 'closing speed above which closing counts in full, m/s'),
    altitude_low_m: number(0, 10_000, 'height above ground below which low altitude counts in full, m'),
    altitude_high_m: number(1, 20_000, 'height above ground above which low altitude counts nothing, m'),
    dwell_full_s: number(1, 86_400, 'time inside after which dwell counts in full, s'),
    loiter_from_s: number(0, 86_400, 'time below which loitering counts nothing, s'),
    loiter_full_s: number(1, 86_400, 'time after which loitering counts in full, s'),
    operator_near_m: number(10, 100_000, 'distance of the pilot above which operator_near counts nothing, m'),
    swarm_full: whole(3, 1_000, 'group size that counts in full; fewer than three aircraft count nothing'),
    visits_full: whole(1, 1_000, 'number of earlier days that counts in full'),
  })
  .refine((of) => of.proximity_near_m < of.proximity_far_m, rising('proximity_far_m', 'proximity_near_m'))
  .refine((of) => of.eta_soon_s < of.eta_late_s, rising('eta_late_s', 'eta_soon_s'))
  .refine((of) => of.altitude_low_m < of.altitude_high_m, rising('altitude_high_m', 'altitude_low_m'))
  .refine((of) => of.loiter_from_s < of.loiter_full_s, rising('loiter_full_s', 'loiter_from_s'));

const levels = z
  .strictObject({
    low: number(1, 100, 'lowest score of the level low'),
    medium: number(1, 100, 'lowest score of the level medium'),
    high: number(1, 100, 'lowest score of the level high'),
    critical: number(1, 100, 'lowest score of the level critical'),
    hysteresis: number(0, 20, 'points by which the score must be below a level before the level falls'),
    rise_s: number(
      0,
      30,
      'time for which the score must be above a level before the level rises, s; it rises at once if a cause changed',
    ),
    dwell_s: number(0, 60, 'time for which the score must be below a level before the level falls, s'),
  })
  .refine((of) => of.low < of.medium, rising('medium', 'low'))
  .refine((of) => of.medium < of.high, rising('high', 'medium'))
  .refine((of) => of.high < of.critical, rising('critical', 'high'));

const tracking = z
  .strictObject({
    confirm_hits: whole(1, 8, 'observations that confirm a track'),
    confirm_window_s: number(0.1, 120, 'time within which confirm_hits observations must arrive, s'),
    coast_s: number(0.1, 3_600, 'time without an observation after which the position is a prediction, s'),
    lost_s: number(0.1, 3_600, 'time without an observation after which a track is lost, s'),
    close_s: number(0.1, 86_400, 'time without an observation after which a track is closed, s'),
  })
  .refine((of) => of.coast_s < of.lost_s, rising('lost_s', 'coast_s'))
  .refine((of) => of.lost_s < of.close_s, rising('close_s', 'lost_s'));

const identity = z.strictObject({
  telemetry_agree_m: number(1, 10_000, "distance from an asset's telemetry above which a track is not that asset, m"),
  telemetry_fresh_s: number(0.5, 600, 'age above which telemetry proves nothing, s'),
  operator_far_m: number(100, 200_000, 'distance of the pilot above which the claim becomes suspect, m'),
  duplicate_hold_s: number(1, 86_400, 'time for which an identity used by two aircraft stays suspect, s'),
  require_remote_id: z
    .boolean()
    .describe('true if aircraft must send Remote ID: an aircraft without it has the factor no_remote_id'),
});

const engagement = z.strictObject({
  standoff_m: number(10, 10_000, 'least distance of a friendly vehicle from its target, m'),
  plan_ttl_s: number(5, 3_600, 'time after which an unanswered plan expires, s'),
  max_track_age_s: number(0.5, 120, 'age of the last observation above which no plan is made for a track, s'),
  reserve_pct: number(5, 90, 'energy that a vehicle keeps for the return, percent'),
  max_assets: whole(1, 16, 'most own vehicles that are sent to one track'),
  automatic: someOf(verbNames)
    .describe('observing verbs that may start without a person while autonomy is observe_auto')
    .superRefine((listed, context) => {
      for (const [index, verb] of listed.entries()) {
        if (verbs[verb].class === 'observation') continue;
        context.addIssue({
          code: 'custom',
          path: [index],
          message: `must not be ${verb}, which is not an observing verb`,
        });
      }
    }),
  two_person: someOf(verbNames).describe('verbs that need the approval of two persons'),
});

const alerts = z.strictObject({
  cooldown_s: number(
    0,
    86_400,
    'time for which a new event reopens a cleared alert without a sound, unless it is worse, s',
  ),
  max_active: whole(10, 10_000, 'most alerts held at once; beyond it the least severe alert is dropped'),
  quiet_hours: z
    .strictObject({
      from: clockTime,
      to: clockTime,
      tz: timeZone,
      at_least: z
        .enum(alertSeverities)
        .describe(
          'least severity that is notified in quiet hours; less severe alerts are raised without a notification',
        ),
    })
    .nullable()
    .describe('null for no quiet hours'),
});

const limits = z.strictObject({
  commands_per_asset_per_s: number(0.1, 100, 'most commands to one asset per second'),
  max_ceiling_agl_m: number(1, 10_000, 'greatest height to which an own vehicle is sent, m above ground'),
  max_range_m: number(10, 200_000, 'greatest distance from the take-off point to which an own vehicle is sent, m'),
  max_speed_mps: number(0.5, 200, 'greatest speed of an own vehicle, m/s'),
  max_wind_mps: number(0, 100, 'greatest wind speed in which an own vehicle is sent, m/s'),
  keep_out_margin_m: number(0, 10_000, 'least distance of an own vehicle from a keep-out zone, m'),
  crewed_separation_m: number(50, 50_000, 'least distance of an own vehicle from a crewed aircraft, m'),
});

function rising(field: string, below: string) {
  return { path: [field], error: `must be greater than ${below}` };
}

const policy = {
  posture: z.enum(postures),
  autonomy: z
    .enum(autonomies)
    .describe(
      'limit of what the service starts without a person; after its start at most advise, until a person confirms more',
    ),
  weights,
  curves,
  levels,
  tracking,
  identity,
  engagement,
  alerts,
  limits,
};

/** Decision config in the body of a request. Every field of the policy is required. */
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

/** Decision config without version, author and time; its `shape` lists the fields of a policy. */
export const decisionPolicySchema = z.strictObject(policy);
