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
 * - `texts`: any text of a track; a value that ends in `*` matches every text with that beginning
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

/** Fields that a rule may test. A condition on a track's unknown value is false. */
export const ruleFields = {
  'track.score': number(0, 100, null, 'how much it matters'),
  'track.level': { kind: 'rank', words: threatLevels, changes: true, description: 'the level of its threat' },
  'track.affiliation': words(affiliations, 'affiliation of the track'),
  'track.affiliation_basis': words(['telemetry', 'remote_id', 'assignment', 'none'], 'and by what'),
  'track.state': words(trackStates, 'tentative ones raise nothing, whatever is asked'),
  'track.speed_mps': speed(0, 'along the ground'),
  'track.climb_mps': speed(-1_000, 'negative in descent'),
  'track.course_deg': number(0, 360, 'deg', 'clockwise from true north'),
  'track.height_m': number(-10_000, 100_000, 'm', 'above ground, else above the take-off point'),
  'track.alt_hae_m': number(-1_000, 100_000, 'm', 'above the ellipsoid'),
  'track.identity': { kind: 'texts', changes: true, description: 'any name that it tells: serial, registration, …' },
  'track.named': { kind: 'flag', description: 'the track reports an identity' },
  'track.classification': { kind: 'texts', changes: true, description: 'any type that it may be' },
  'track.cooperative': words(cooperatives, 'whether it reports itself, is seen by sensors, or both'),
  'track.verdict': words(['consistent', 'unchecked', 'suspect'], 'verdict on its claims'),
  'track.doubt': { kind: 'marks', words: integrityReasons, changes: false, description: 'why it is not borne out' },
  'track.flag': { kind: 'marks', words: trackFlags, changes: false, description: 'any of its flags' },
  'track.crewed': { kind: 'flag', description: 'people are on board' },
  'track.group_size': number(1, 10_000, null, 'how many fly together, itself included'),
  'track.loiter_s': number(0, 1e6, 's', 'how long it has stood or circled within a small place'),
  'track.visits': number(0, 1e6, null, 'earlier days on which it was here'),
  'track.age_s': number(0, 1e9, 's', 'since it was seen first'),
  'track.unseen_s': number(0, 1e9, 's', 'since it was seen last'),
  'track.nearest_m': number(-1e6, 1e6, 'm', 'along the ground to the nearest protected thing, negative inside'),
  'track.zone': { kind: 'zone', description: 'inside or outside a zone (its id) or every zone of a kind' },
  'track.position': { kind: 'position', description: 'within so many metres of a place, an asset or a zone' },
  'sensor.state': words(sensorStates, 'how a sensor is'),
  'sensor.name': { kind: 'texts', changes: false, description: 'what a sensor is called' },
  'sensor.id': { kind: 'texts', changes: false, description: 'the id of a sensor' },
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
