import { z } from 'zod';
import { responses } from './doctrine.ts';
import { performanceSchema } from './performance.ts';
import { threatLevels } from './posture.ts';
import { runMetric } from './run.ts';
import {
  altHaeM,
  between,
  lat,
  lon,
  name,
  namedObject,
  patchOf,
  positiveUpTo,
  sigmaM,
  timestamp,
  unitInterval,
  uuid,
  wholeBetween,
} from './scalar.ts';
import { commandParamsSchema, verbNames } from './verb.ts';
import { alertSeverities, zoneSpecSchema } from './zone.ts';

/** Limits of a scenario. They leave enough processor time for the live world on the same box. */
export const MOST_ACTORS = 500;
/** Limit of the objects of all actors. Each drone of a swarm, and each claimed aircraft of a spoofer, counts. */
export const MOST_FLYING = 1_000;
export const MOST_SENSORS = 64;
export const MOST_DURATION_S = 6 * 3_600;

/** Default start of scenarios. It is constant, so that two runs of a scenario are equal. */
export const SCENARIO_START = '2026-06-01T10:00:00.000Z';

/** Key of an actor or sensor within a scenario. */
const key = z.string().regex(/^[a-z0-9][a-z0-9_-]{0,39}$/, 'must be 1 to 40 small letters, digits, - or _');

const offset = between(-200_000, 200_000);
const height = between(0, 20_000).describe('metres above the ground of the origin');
const speed = between(0, 350);
const seconds = between(0, MOST_DURATION_S);

/** Position relative to the scenario's origin, m. Relative positions allow a scenario to be moved to another site. */
const place = z.strictObject({ east_m: offset, north_m: offset, height_m: height.optional() });
export type ScenarioPlace = z.infer<typeof place>;

const span = z
  .strictObject({ from_s: seconds, to_s: seconds })
  .refine(({ from_s, to_s }) => from_s < to_s, { path: ['to_s'], error: 'must be later than from_s' });

const waypoint = place.extend({
  speed_mps: speed.optional(),
  wait_s: seconds.optional().describe('time at the waypoint, s; an aircraft that cannot hover circles'),
});

/** Target of a behaviour, or of the expectation `near`: an actor or a position. */
const target = z.union([z.strictObject({ actor: key }), place]);

/** Behaviour of an actor after the end of its route, or from the beginning if it has no route. */
const behaviour = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('route'), repeat: z.boolean().default(false) }),
  z.strictObject({ kind: z.literal('loiter'), radius_m: between(1, 20_000).default(60) }),
  z.strictObject({ kind: z.literal('approach'), target, speed_mps: speed.optional(), height_m: height.optional() }),
  z.strictObject({
    kind: z.literal('evade'),
    from: key,
    within_m: between(10, 20_000).default(200).describe('distance below which the actor flees, m'),
  }),
  z.strictObject({ kind: z.literal('land') }),
  z.strictObject({
    kind: z.literal('formation'),
    with: key,
    right_m: between(-5_000, 5_000).default(0),
    ahead_m: between(-5_000, 5_000).default(-20),
    above_m: between(-2_000, 2_000).default(0),
  }),
  z.strictObject({
    kind: z.literal('orbit'),
    target,
    radius_m: between(5, 20_000),
    direction: z.enum(['clockwise', 'counter_clockwise']).default('clockwise'),
    speed_mps: speed.optional(),
    height_m: height.optional(),
  }),
]);

/** Remote ID broadcast of an aircraft, including its false claims. */
const remoteId = z.strictObject({
  serial: z
    .string()
    .regex(/^[0-9A-Z]{4,20}$/, 'must be 4 to 20 capital letters and digits')
    .optional()
    .describe('derived from the seed where absent'),
  operator_id: z
    .string()
    .regex(/^[\x20-\x7e]{1,20}$/, 'must be 1 to 20 plain characters')
    .optional(),
  pilot: place.optional().describe('reported place of the pilot'),
  period_s: between(0.2, 60).default(1),
  loss: unitInterval.default(0.05),
  sigma_m: between(0, 1_000).default(3),
  off: z.array(span).max(64).default([]),
  lies: z
    .strictObject({
      east_m: offset.default(0),
      north_m: offset.default(0),
      up_m: between(-5_000, 5_000).default(0),
      from_s: seconds.default(0),
    })
    .optional()
    .describe('offset of the reported place from the true place'),
});

const adsb = z.strictObject({
  icao24: z
    .string()
    .regex(/^[0-9a-f]{6}$/, 'must be 6 small hexadecimal digits')
    .optional()
    .describe('derived from the seed where absent'),
  callsign: z
    .string()
    .regex(/^[0-9A-Z]{1,8}$/, 'must be 1 to 8 capital letters and digits')
    .optional(),
  period_s: between(0.2, 60).default(1),
});

const mavlink = z.strictObject({
  autopilot: z.enum(['ardupilot', 'px4']).default('ardupilot'),
  sysid: wholeBetween(1, 250)
    .optional()
    .describe('default: the lowest system id from 1 that no other simulated vehicle of the scenario has'),
  battery_pct: between(0, 100).default(95),
});

export const actorKinds = ['drone', 'bird', 'aircraft', 'asset', 'spoofer', 'swarm'] as const;

export const scenarioActorSchema = namedObject('ScenarioActor', {
  id: key,
  kind: z
    .enum(actorKinds)
    .describe(
      'asset: own simulated vehicle that obeys commands, or a protected place; spoofer: ground transmitter that claims absent aircraft; swarm: `count` drones in formation',
    ),
  name: name.optional(),
  catalog: name.optional().describe('name of a catalog entry, whose performance the actor has'),
  performance: performanceSchema.optional().describe('takes precedence over the catalog'),
  type: z.enum(['multirotor', 'fixed_wing', 'vtol', 'helicopter', 'bird']).optional(),
  truth_affiliation: z.enum(['friend', 'hostile', 'neutral', 'unknown']).default('unknown'),
  start: place,
  appears_s: seconds.default(0),
  leaves_s: seconds.optional(),
  route: z.array(waypoint).max(500).default([]),
  behaviour: behaviour.optional(),
  hidden: z.array(span).max(64).default([]).describe('periods in which no sensor detects the actor'),
  remote_id: remoteId.optional(),
  adsb: adsb.optional(),
  mavlink: mavlink.optional().describe('autopilot of an asset, on its own link'),
  count: wholeBetween(1, 500).optional().describe('number of drones of a swarm, or of claimed aircraft of a spoofer'),
  spacing_m: between(1, 2_000).default(15),
  size_m: between(0.05, 100).optional().describe('size for radar, m; default 0.4 for a drone'),
});
export type ScenarioActor = z.infer<typeof scenarioActorSchema>;

export const scenarioSensorSchema = namedObject('ScenarioSensor', {
  id: key,
  modality: z.enum(['remote_id', 'adsb', 'radar', 'rf', 'camera', 'acoustic']),
  placement: place.extend({
    azimuth_deg: z.number().min(0).lt(360).default(0),
    hfov_deg: positiveUpTo(360).default(360),
    min_range_m: between(0, 200_000).default(0),
    max_range_m: positiveUpTo(200_000),
  }),
  pd: unitInterval.default(0.9).describe('probability of detection within coverage'),
  false_per_scan: between(0, 500).default(0),
  sigma: z
    .strictObject({
      range_m: sigmaM.default(10),
      azimuth_deg: positiveUpTo(30).default(0.5),
      elevation_deg: positiveUpTo(30).optional().describe('absent for a sensor without elevation'),
    })
    .prefault({}),
  bias: z
    .strictObject({
      range_m: between(-1_000, 1_000).default(0),
      azimuth_deg: between(-30, 30).default(0),
    })
    .prefault({}),
  latency_s: between(0, 10).default(0.1),
  period_s: between(0.1, 60).default(1),
  outages: z.array(span).max(64).default([]).describe('periods with the link down'),
  heartbeat_s: between(1, 3_600).default(10),
});
export type ScenarioSensor = z.infer<typeof scenarioSensorSchema>;

/** Action of an operator during a scenario. */
const order = z.discriminatedUnion('do', [
  z.strictObject({
    do: z.literal('command'),
    at_s: seconds,
    asset: key,
    verb: z.enum(verbNames),
    params: commandParamsSchema.optional(),
    track_of: key.optional().describe('actor whose track is the target, instead of params'),
    to: place.optional().describe('position in the scenario as the target, instead of params'),
  }),
  z.strictObject({
    do: z.literal('approve_plan'),
    at_s: seconds,
    about: key,
    response: z.enum(responses).optional().describe('response of the plan; default is the first feasible plan'),
  }),
]);
export type ScenarioOrder = z.infer<typeof order>;

const bounds = { at_least: z.number().optional(), at_most: z.number().optional() };

/** Expected event or state of a run. Without `by_s`, the deadline is the end of the run. */
const expectation = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('metric'), metric: runMetric, ...bounds }),
  z.strictObject({
    kind: z.literal('alert'),
    rule: z.string().max(60).optional().describe('built-in rule that raises the alert; absent for any rule'),
    about: key.optional().describe('actor whose track is the subject; absent for any track'),
    severity: z.enum(alertSeverities).optional().describe('least severity'),
    by_s: seconds.optional(),
    never: z.boolean().default(false).describe('true if no such alert may be raised'),
  }),
  z.strictObject({
    kind: z.literal('threat'),
    actor: key,
    at_least: z.enum(threatLevels).optional(),
    at_most: z.enum(threatLevels).optional().describe('greatest allowed level at any time'),
    by_s: seconds.optional(),
  }),
  z.strictObject({
    kind: z.literal('affiliation'),
    actor: key,
    is: z.enum(['friend', 'hostile', 'neutral', 'unknown']),
    always: z
      .boolean()
      .default(false)
      .describe('true if this must be so whenever there is a confirmed track; else once is enough'),
  }),
  z.strictObject({ kind: z.literal('flag'), actor: key, flag: z.string().max(60), by_s: seconds.optional() }),
  z.strictObject({
    kind: z.literal('near'),
    actor: key,
    to: target,
    within_m: between(1, 20_000),
    from_s: seconds.optional().describe('begin of the check, s'),
    by_s: seconds.optional(),
  }),
  z.strictObject({
    kind: z.literal('task'),
    asset: key,
    verb: z.enum(verbNames),
    about: key.optional().describe('actor, or its track, as the subject; absent for any subject'),
    is: z
      .enum(['on_station', 'done'])
      .default('done')
      .describe('on_station: the vehicle reached its commanded position'),
    by_s: seconds.optional(),
  }),
  z.strictObject({
    kind: z.literal('apart'),
    actors: z.tuple([key, key.describe('second actor')]),
    at_least_m: between(1, 20_000),
  }),
]);
export type Expectation = z.infer<typeof expectation>;

const body = {
  name,
  description: z.string().max(4_000).default(''),
  seed: wholeBetween(0, 4_294_967_295).default(1),
  duration_s: between(1, MOST_DURATION_S),
  starts_at: timestamp.default(SCENARIO_START).describe('simulated start time; schedules of zones depend on the time'),
  origin: z.strictObject({
    lat: lat.min(-85).max(85),
    lon,
    alt_hae_m: altHaeM.default(0).describe('height of the ground above the WGS 84 ellipsoid, m'),
  }),
  wind: z
    .strictObject({
      speed_mps: between(0, 60),
      from_deg: z.number().min(0).lt(360),
      gusts_mps: between(0, 30).default(0),
    })
    .optional(),
  actors: z.array(scenarioActorSchema).max(MOST_ACTORS),
  sensors: z.array(scenarioSensorSchema).max(MOST_SENSORS),
  zones: z
    .array(zoneSpecSchema)
    .max(64)
    .default([])
    .describe('zones of this scenario, in addition to those of the workspace'),
  orders: z.array(order).max(500).default([]),
  expect: z.array(expectation).max(200).default([]),
};

/** Scenario as people write it, in YAML or JSON. `sim/scenarios/check.ts` checks its parts against each other. */
export const scenarioSpecSchema = namedObject('ScenarioSpec', body);
export type ScenarioSpec = z.infer<typeof scenarioSpecSchema>;

/** Change of a scenario. Absent fields stay unchanged; lists are replaced as a whole. */
export const scenarioPatchSchema = z
  .strictObject(patchOf({ ...body, wind: body.wind.unwrap().nullable().describe('null for none') }))
  .meta({ id: 'ScenarioPatch', description: 'Absent fields stay unchanged' });
export type ScenarioPatch = z.infer<typeof scenarioPatchSchema>;

export const scenarioSchema = z
  .strictObject({
    id: uuid,
    ...body,
    // In answers these rows have all fields, including optional ones. Their schemas differ from those of requests, so
    // they need other names.
    actors: z.array(namedObject('ScenarioActorRow', scenarioActorSchema.shape)),
    sensors: z.array(namedObject('ScenarioSensorRow', scenarioSensorSchema.shape)),
    zones: z.array(namedObject('ScenarioZoneRow', zoneSpecSchema.shape)),
    builtin: z.boolean().describe('true for a built-in scenario, which can be copied but not changed'),
    version: z.int(),
    created_at: timestamp.nullable().describe('null for a built-in scenario'),
    updated_at: timestamp.nullable(),
  })
  .meta({ id: 'Scenario', description: 'Actors, sensors and expectations of a simulation' });
export type Scenario = z.infer<typeof scenarioSchema>;
