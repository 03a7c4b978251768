import { RuleEngine } from '../../src/core/rules/engine.ts';
import type { TrackFacts, ZoneFact } from '../../src/core/rules/facts.ts';
import { builtinRules } from '../../src/model/builtin_rules.ts';
import type { RuleCondition } from '../../src/model/rule_condition.ts';
import type { RuleValue } from '../../src/model/rule_value.ts';
import { microsecondsEach } from './cpu_time.ts';
import type { Row } from './row.ts';

const TRACKS = 1_000;
const USER_RULES = 20;
const LOOKS = 100;
const does = { alert: true, log: true, notify: true, propose: false };

/** What a look of the rules costs where nothing is told, where a tenth of all are in zones, and where everybody is. */
export async function benchRules(): Promise<Row[]> {
  const name = `a look, ${TRACKS} tracks, ${builtinRules.length} built-in and ${USER_RULES} other rules`;
  return [
    { name: `${name}: quiet`, value: costOf(0), unit: 'µs', target: { below: 2_000 } },
    { name: `${name}: a tenth in zones`, value: costOf(0.1), unit: 'µs', target: { below: 2_000 } },
    { name: `${name}: all in zones`, value: costOf(1), unit: 'µs' },
    { name: 'of it, the built-in ones alone: a tenth in zones', value: costOf(0.1, builtinValues()), unit: 'µs' },
  ];
}

function costOf(share: number, rules: readonly RuleValue[] = [...builtinValues(), ...userValues()]): number {
  const tracks = Array.from({ length: TRACKS }, (_, i) => trackOf(i + 1, i < TRACKS * share));
  const sensors = Array.from({ length: 20 }, (_, i) => ({ id: `sensor-${i}`, name: `s${i}`, state: 'operational' }));
  const engine = new RuleEngine();
  engine.set(rules);
  let nowMs = 0;
  return microsecondsEach(LOOKS, () => {
    for (let look = 0; look < LOOKS; look++) {
      nowMs += 100;
      engine.evaluate({ nowMs, tracks, sensors });
    }
  });
}

export function builtinValues(): RuleValue[] {
  return builtinRules.map(({ id, severity, forS, cooldownS }) => ({
    id,
    version: 1,
    name: id,
    severity,
    forS,
    cooldownS,
    does,
    builtin: id,
    parameters: {},
  }));
}

/** Of every kind of question, two or three to a rule. */
function userValues(): RuleValue[] {
  const questions: RuleCondition[] = [
    { field: 'track.zone', op: 'inside', value: 'protected' },
    { field: 'track.height_m', op: 'lt', value: 60 },
    { field: 'track.affiliation', op: 'in', value: ['unknown', 'hostile'] },
    { field: 'track.identity', op: 'eq', value: '1596F*' },
    { field: 'track.level', op: 'gte', value: 'high' },
    { field: 'track.position', op: 'within_m', value: { lat: 48.2, lon: 16.4, m: 2_000 } },
  ];
  return Array.from({ length: USER_RULES }, (_, i) => {
    const all = [0, 1, 2].map((k) => questions[(i + k * (1 + (i % 3))) % questions.length] ?? questions[0]);
    const when = { all: all.filter((one) => one !== undefined) };
    return {
      id: `user-${i}`,
      version: 1,
      name: `user ${i}`,
      severity: 'warning',
      forS: i % 4,
      cooldownS: 60,
      does,
      builtin: null,
      when,
      message: '{track.label}: {rule.name}',
      raiseLevel: i % 5 === 0 ? 'high' : null,
    };
  });
}

function trackOf(number: number, inZone: boolean): TrackFacts {
  return {
    id: `5e0f6a52-0d3c-8a11-9c55-${String(number).padStart(12, '0')}`,
    number,
    label: `T-${number}`,
    state: 'confirmed',
    affiliation: 'unknown',
    affiliationBasis: 'none',
    assetId: null,
    clonedOf: null,
    identities: [{ type: 'serial', value: `1581F5BK${number}` }],
    named: true,
    classification: [{ label: 'multirotor', confidence: 0.9 }],
    cooperative: 'both',
    flags: [],
    verdict: 'consistent',
    doubts: [],
    crewed: false,
    latDeg: 48.2 + number * 1e-4,
    lonDeg: 16.3 + (number % 100) * 1e-3,
    altHaeM: 300,
    heightM: number % 200,
    heightAbove: 'ground',
    speedMps: 12,
    courseDeg: 90,
    climbMps: 0,
    score: number % 100,
    level: number % 10 === 0 ? 'high' : 'low',
    groupId: number % 20 === 0 ? `group-${Math.floor(number / 100)}` : null,
    groupSize: number % 20 === 0 ? 5 : 1,
    loiterS: 0,
    visits: 0,
    firstSeenMs: 0,
    sureFriendMs: 0,
    lastSeenMs: 0,
    ignored: false,
    dismissed: false,
    nearest: { id: 'zone-0', name: 'zone 0', zoneKind: 'protected', distanceM: 5_000, closingMps: 0 },
    zones: [zoneOf(number % 10, inZone), zoneOf((number + 3) % 10, false)],
    near: [],
  };
}

function zoneOf(index: number, inside: boolean): ZoneFact {
  return {
    id: `zone-${index}`,
    name: `zone ${index}`,
    kind: index % 2 === 0 ? 'protected' : 'warning',
    alarm: { on: ['enter', 'approach'], severity: 'warning' },
    inside,
    distanceM: inside ? -50 : 400,
    closingMps: 3,
    etaS: 0,
    dwellS: 0,
    approaching: false,
    dwelling: false,
  };
}
