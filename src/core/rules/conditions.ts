import { areWithin } from '../../geo/sphere.ts';
import { isZoneKind, placeOf, type RuleCondition } from '../../model/rule_condition.ts';
import { factsOfField, type RuleField } from '../../model/rule_fields.ts';
import type { Evaluation } from './evaluation.ts';
import type { SensorFact, TrackFacts, ZoneFact } from './facts.ts';
import { trackNumbers, trackWords } from './track_fields.ts';

export type TrackTest = (track: TrackFacts, evaluation: Evaluation) => boolean;
export type SensorTest = (sensor: SensorFact, look: Evaluation) => boolean;

const numbers: Partial<Record<RuleField, (track: TrackFacts, nowMs: number) => number>> = trackNumbers;
const words: Partial<Record<RuleField, (track: TrackFacts) => string>> = trackWords;

/** Tests for fields with several values. A condition holds if any of the values matches; with `ne`, if none does. */
const lists: Partial<Record<RuleField, (track: TrackFacts, fits: (text: string) => boolean) => boolean>> = {
  'track.identity': ({ identities }, fits) => identities.some(({ value }) => fits(value)),
  'track.classification': ({ classification }, fits) => classification.some(({ label }) => fits(label)),
  'track.doubt': ({ doubts }, fits) => doubts.some(({ id }) => fits(id)),
  'track.flag': ({ flags }, fits) => flags.some(fits),
};

const sensors: Partial<Record<RuleField, (sensor: SensorFact) => string>> = {
  'sensor.state': ({ state }) => state,
  'sensor.name': ({ name }) => name,
  'sensor.id': ({ id }) => id,
};

/**
 * Returns the test of a condition on a track. Conditions are validated when saved; a field that has no test matches no
 * track.
 */
export function trackTest(condition: RuleCondition): TrackTest {
  const { field, op, value } = condition;
  if (op === 'changed') return ({ id }, look) => look.changed(id, field);
  if (op === 'inside') {
    const fits = zoneFits(value);
    return ({ zones }) => zones.some((zone) => zone.inside && fits(zone));
  }
  if (op === 'outside') return outsideTest(value);
  if (op === 'within_m') return placeTest(condition);
  if (field === 'track.named' || field === 'track.crewed') return flagTest(condition);
  const number = numbers[field];
  if (number) {
    const fits = numberFits(op, typeof value === 'number' ? value : Number.NaN);
    return (track, { nowMs }) => fits(number(track, nowMs));
  }
  const word = words[field];
  if (word) {
    const fits = wordFits(field, op, value);
    return (track) => fits(word(track));
  }
  const list = lists[field];
  if (!list) return () => false;
  const fits = anyOf(value);
  return op === 'ne' ? (track) => !list(track, fits) : (track) => list(track, fits);
}

export function sensorTest({ field, op, value }: RuleCondition): SensorTest {
  if (op === 'changed') return ({ id }, look) => look.changed(id, field);
  const text = sensors[field];
  if (!text) return () => false;
  const fits = anyOf(value);
  return op === 'ne' ? (sensor) => !fits(text(sensor)) : (sensor) => fits(text(sensor));
}

/** No track is outside a zone that is deleted or not active: each track would be, and each would raise an alert. */
function outsideTest(value: unknown): TrackTest {
  const fits = zoneFits(value);
  const zoneId = typeof value === 'string' && !isZoneKind(value) ? value.toLowerCase() : null;
  return ({ latDeg, zones }, { zoneIds }) => {
    if (Number.isNaN(latDeg) || (zoneId !== null && zoneIds?.has(zoneId) === false)) return false;
    return !zones.some((zone) => zone.inside && fits(zone));
  };
}

export function zoneFits(value: unknown): (zone: ZoneFact) => boolean {
  if (typeof value !== 'string') return () => false;
  if (isZoneKind(value)) return ({ kind }) => kind === value;
  const wanted = value.toLowerCase();
  return ({ id }) => id === wanted;
}

function flagTest({ field, op, value }: RuleCondition): TrackTest {
  const wanted = (op === 'eq') === (value === true);
  if (field === 'track.crewed') return ({ crewed }) => crewed === wanted;
  return ({ named }) => named === wanted;
}

/** Returns a comparison with a number. An unknown value (NaN) never matches. */
function numberFits(op: RuleCondition['op'], than: number): (value: number) => boolean {
  switch (op) {
    case 'eq':
      return (value) => value === than;
    case 'ne':
      return (value) => value < than || value > than;
    case 'gt':
      return (value) => value > than;
    case 'gte':
      return (value) => value >= than;
    case 'lt':
      return (value) => value < than;
    case 'lte':
      return (value) => value <= than;
    default:
      return () => false;
  }
}

function wordFits(field: RuleField, op: RuleCondition['op'], value: unknown): (word: string) => boolean {
  const fits = anyOf(value);
  if (op === 'eq' || op === 'in') return fits;
  if (op === 'ne') return (word) => !fits(word);
  const facts = factsOfField(field);
  const order = 'words' in facts ? facts.words : [];
  const compare = numberFits(op, order.indexOf(String(value)));
  return (word) => compare(order.indexOf(word));
}

/**
 * Returns a test of a text against one word or a list of words. A word that ends in `*` matches all texts with that
 * beginning. Ignores case, because people type serials that were read aloud to them.
 */
function anyOf(value: unknown): (text: string) => boolean {
  const wanted = (Array.isArray(value) ? value : [value]).map((entry) => String(entry).toLowerCase());
  const whole = new Set(wanted.filter((entry) => !entry.endsWith('*')));
  const starts = wanted.filter((entry) => entry.endsWith('*')).map((entry) => entry.slice(0, -1));
  if (starts.length === 0) return (text) => whole.has(text) || whole.has(text.toLowerCase());
  // Prefixes are grouped by length, so that one look-up for each length suffices; there are few lengths. The test must
  // be fast: it runs for each name of each track, in each evaluation of each rule.
  const byLength = new Map<number, Set<string>>();
  for (const start of starts) byLength.set(start.length, (byLength.get(start.length) ?? new Set()).add(start));
  return (text) => {
    const lower = text.toLowerCase();
    if (whole.has(lower)) return true;
    for (const [length, of] of byLength) if (of.has(lower.slice(0, length))) return true;
    return false;
  };
}

function placeTest(condition: RuleCondition): TrackTest {
  const place = placeOf(condition);
  if (!place) return () => false;
  const { m } = place;
  if ('zone_id' in place)
    return ({ zones }) => zones.some(({ id, distanceM }) => id === place.zone_id && distanceM <= m);
  if ('asset_id' in place)
    return (track, { assets }) => {
      const asset = assets.get(place.asset_id);
      return asset !== undefined && track.assetId !== asset.id && areWithin(track, asset, m);
    };
  const middle = { latDeg: place.lat, lonDeg: place.lon };
  return (track) => areWithin(track, middle, m);
}
