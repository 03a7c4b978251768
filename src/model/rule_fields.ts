import { threatLevels } from './posture.ts';
import { sensorStates } from './sensor.ts';
import { affiliations, cooperatives, integrityReasons, trackFlags, trackStates } from './track.ts';

export const ruleOps = [
  'eq',
  'ne',
  'gt',
  'gte',
  'lt',
  'lte',
  'in',
  'inside',
  'outside',
  'within_m',
  'changed',
] as const;
export type RuleOp = (typeof ruleOps)[number];

const equal: readonly RuleOp[] = ['eq', 'ne', 'in'];
const ordered: readonly RuleOp[] = ['eq', 'ne', 'gt', 'gte', 'lt', 'lte'];

/**
 * Type of a rule field, which decides how a condition compares it:
 *
 * - `words`: one word of a list
 * - `rank`: one word of an ordered list
 * - `marks`: any number of words of a list
 * - `texts`: any text; a value such as `DJI*` matches every text that begins with `DJI`
 */
export type RuleFieldKind =
  | { kind: 'number'; min: number; max: number; unit: string | null }
  | { kind: 'words' | 'rank' | 'marks'; words: readonly string[]; changes: boolean }
  | { kind: 'texts'; changes: boolean }
  | { kind: 'flag' | 'zone' | 'position' };

export type RuleFieldFacts = RuleFieldKind & { description: string };

const number = (min: number, max: number, unit: string | null, description: string): RuleFieldFacts => ({
  kind: 'number',
  min,
  max,
  unit,
  description,
});
const words = (list: readonly string[], description: string): RuleFieldFacts => ({
  kind: 'words',
  words: list,
  changes: true,
  description,
});
const speed = (least: number, description: string) => number(least, 1_000, 'm/s', description);

/** Fields that a rule may test. A condition on an unknown number or position of a track is false. */
export const ruleFields = {
  'track.score': number(0, 100, null, 'score of the threat'),
  'track.level': { kind: 'rank', words: threatLevels, changes: true, description: 'level of the threat' },
  'track.affiliation': words(affiliations, 'affiliation of the track'),
  'track.affiliation_basis': words(['telemetry', 'remote_id', 'assignment', 'none'], 'basis of the affiliation'),
  'track.state': words(trackStates, 'state of the track; tentative tracks never raise events'),
  'track.speed_mps': speed(0, 'ground speed'),
  'track.climb_mps': speed(-1_000, 'climb rate; negative in descent'),
  'track.course_deg': number(0, 360, 'deg', 'course, clockwise from true north'),
  'track.height_m': number(-10_000, 100_000, 'm', 'height above ground, or if unknown above the take-off point'),
  'track.alt_hae_m': number(-1_000, 100_000, 'm', 'altitude above the WGS 84 ellipsoid'),
  'track.identity': { kind: 'texts', changes: true, description: 'any identity of the track: serial, registration, …' },
  'track.named': { kind: 'flag', description: 'the track reports an identity' },
  'track.classification': { kind: 'texts', changes: true, description: 'any possible type of the aircraft' },
  'track.cooperative': words(cooperatives, 'whether the aircraft reports itself, is seen by sensors, or both'),
  'track.verdict': words(['consistent', 'unchecked', 'suspect'], 'verdict on its claims'),
  'track.doubt': {
    kind: 'marks',
    words: integrityReasons,
    changes: false,
    description: 'any reason to doubt its claims',
  },
  'track.flag': { kind: 'marks', words: trackFlags, changes: false, description: 'any flag of the track' },
  'track.crewed': { kind: 'flag', description: 'people are on board' },
  'track.group_size': number(1, 10_000, null, 'number of aircraft in its group, including itself'),
  'track.loiter_s': number(0, 1e6, 's', 'time for which it has hovered or circled in a small area'),
  'track.visits': number(0, 1e6, null, 'number of earlier days on which it was here'),
  'track.age_s': number(0, 1e9, 's', 'time since its first observation, without times as a proven friend'),
  'track.unseen_s': number(0, 1e9, 's', 'time since its last observation'),
  'track.nearest_m': number(
    -1e6,
    1e6,
    'm',
    'distance along the ground to the nearest protected area, m; negative inside',
  ),
  'track.zone': {
    kind: 'zone',
    description: 'inside or outside a zone (its id), inside any or outside every zone of a kind',
  },
  'track.position': { kind: 'position', description: 'within a distance of a point, an asset or a zone' },
  'sensor.state': words(sensorStates, 'state of the sensor'),
  'sensor.name': { kind: 'texts', changes: false, description: 'name of the sensor' },
  'sensor.id': { kind: 'texts', changes: false, description: 'id of the sensor' },
} as const satisfies Record<string, RuleFieldFacts>;

export type RuleField = keyof typeof ruleFields;
export const ruleFieldNames = Object.keys(ruleFields) as [RuleField, ...RuleField[]];

export function factsOfField(field: RuleField): RuleFieldFacts {
  return ruleFields[field];
}

export function opsOfField(field: RuleField): readonly RuleOp[] {
  const facts = factsOfField(field);
  switch (facts.kind) {
    case 'number':
      return ordered;
    case 'rank':
      return [...ordered, 'in', 'changed'];
    case 'flag':
      return ['eq', 'ne'];
    case 'zone':
      return ['inside', 'outside'];
    case 'position':
      return ['within_m'];
    default:
      return facts.changes ? [...equal, 'changed'] : equal;
  }
}

/** Fields that a message may contain in braces, by the kind of the rule's subject. */
export const messageFields = {
  always: ['rule.name', 'subject.label', 'count'],
  track: [
    'track.label',
    'track.identity',
    'track.classification',
    'track.affiliation',
    'track.state',
    'track.verdict',
    'track.score',
    'track.level',
    'track.speed_mps',
    'track.climb_mps',
    'track.course_deg',
    'track.height_m',
    'track.alt_hae_m',
    'track.group_size',
    'track.loiter_s',
    'track.visits',
    'track.age_s',
    'nearest.name',
    'nearest.distance_m',
  ],
  zone: ['zone.name', 'zone.kind', 'zone.eta_s', 'zone.dwell_s'],
  sensor: ['sensor.name', 'sensor.state'],
} as const;
export type MessageField = (typeof messageFields)[keyof typeof messageFields][number];
