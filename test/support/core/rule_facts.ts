import type { SensorFact, TrackFacts, ZoneFact } from '../../../src/core/rules/facts.ts';
import { type BuiltinRuleId, builtinRules } from '../../../src/model/builtin_rules.ts';
import { trackLabel } from '../../../src/model/ids.ts';
import { type RuleSpec, ruleSpecSchema } from '../../../src/model/rule.ts';
import type { RuleValue } from '../../../src/model/rule_value.ts';

/** A drone of which nothing is known but that it is there, 1 km from what is protected. */
export function trackFact(number: number, changes: Partial<TrackFacts> = {}): TrackFacts {
  return {
    id: `track-${String(number).padStart(4, '0')}`,
    number,
    label: trackLabel(number),
    state: 'confirmed',
    affiliation: 'unknown',
    affiliationBasis: 'none',
    assetId: null,
    clonedOf: null,
    identities: [{ type: 'serial', value: `1581F${number}` }],
    named: true,
    classification: [{ label: 'multirotor', confidence: 0.9 }],
    cooperative: 'both',
    flags: [],
    verdict: 'consistent',
    doubts: [],
    crewed: false,
    latDeg: 48.2,
    lonDeg: 16.37,
    altHaeM: 300,
    heightM: 80,
    heightAbove: 'ground',
    speedMps: 12,
    courseDeg: 90,
    climbMps: 0,
    score: 40,
    level: 'medium',
    groupId: null,
    groupSize: 1,
    loiterS: 0,
    visits: 0,
    firstSeenMs: 0,
    sureFriendMs: 0,
    lastSeenMs: 0,
    ignored: false,
    dismissed: false,
    nearest: { id: 'apron', name: 'apron', zoneKind: 'protected', distanceM: 1_000, closingMps: 5 },
    zones: [],
    near: [],
    ...changes,
  };
}

export function zoneFact(changes: Partial<ZoneFact> = {}): ZoneFact {
  return {
    id: 'apron',
    name: 'apron',
    kind: 'protected',
    alarm: { on: ['enter', 'approach', 'dwell'], severity: 'warning' },
    inside: true,
    distanceM: -50,
    closingMps: 0,
    etaS: 0,
    dwellS: 0,
    approaching: false,
    dwelling: false,
    ...changes,
  };
}

export const silent: SensorFact = {
  id: 'sensor-1',
  name: 'north mast',
  state: 'silent',
  reason: 'no sign of life for over 60 s',
};

export function builtinValue(id: BuiltinRuleId, changes: Partial<RuleValue> = {}): RuleValue {
  const { severity, forS, cooldownS } = builtinRules.find((rule) => rule.id === id) ?? builtinRules[0];
  const does = { alert: true, log: true, notify: true, propose: false };
  const value = { id, version: 1, name: id, severity, forS, cooldownS, does, builtin: id, parameters: {} };
  return { ...value, ...changes } as RuleValue;
}

export const allBuiltins = builtinRules.map(({ id }) => builtinValue(id));

/** A rule as an owner would write it. */
export function userValue(spec: Partial<RuleSpec> & Pick<RuleSpec, 'when'>, id = 'user-1'): RuleValue {
  const read = ruleSpecSchema.parse({ name: `rule ${id}`, ...spec });
  const raise = read.then.find((action) => action.do === 'raise_level');
  const has = (what: string): boolean => read.then.some((action) => action.do === what);
  return {
    id,
    version: 1,
    name: read.name,
    severity: read.severity,
    forS: read.for_s,
    cooldownS: read.cooldown_s,
    does: { alert: has('alert'), log: has('log'), notify: has('notify'), propose: has('propose_plan') },
    builtin: null,
    when: read.when,
    message: read.message,
    raiseLevel: raise?.do === 'raise_level' ? raise.level : null,
  };
}
