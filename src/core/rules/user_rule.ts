import { LAST_SEEN } from '../../model/firing.ts';
import { zoneConditionOf } from '../../model/rule.ts';
import type { MessageField } from '../../model/rule_fields.ts';
import { fillMessage } from '../../model/rule_message.ts';
import type { RuleValue } from '../../model/rule_value.ts';
import { sensorTest, type TrackTest, trackTest, zoneFits } from './conditions.ts';
import type { Evaluation, EventFacts, Finder } from './evaluation.ts';
import type { TrackFacts } from './facts.ts';
import { trackNumbers, trackWords } from './track_fields.ts';
import { isPast } from './words.ts';

type UserRule = Extract<RuleValue, { builtin: null }>;

/** Creates the finder of a rule that a person wrote. */
export function userRule(rule: UserRule): Finder {
  return {
    find: findOf(rule),
    say: (published) => say(rule, published),
    ends: zoneConditionOf(rule.when) ? (_track, isInside) => (isInside ? 'recovered' : 'left') : () => 'recovered',
    over: (label) => `${label}: ${rule.name} is over.`,
  };
}

function findOf({ when }: UserRule): Finder['find'] {
  const conditions = when.all ?? when.any ?? [];
  const isAll = when.all !== undefined;
  if (conditions[0]?.field.startsWith('sensor.')) {
    const test = joined(conditions.map(sensorTest), isAll);
    return (evaluation, hits) => {
      for (const sensor of evaluation.sensors) if (test(sensor, evaluation)) hits.sensor(sensor);
    };
  }
  const about = zoneConditionOf(when);
  const test: TrackTest = joined(conditions.filter((condition) => condition !== about).map(trackTest), isAll);
  if (!about)
    return (look, hits) => {
      for (const track of look.tracks) if (test(track, look)) hits.track(track, null);
    };
  const fits = zoneFits(about.value);
  return (look, hits) => {
    for (const track of look.tracks) {
      if (track.zones.length === 0 || !test(track, look)) continue;
      for (const zone of track.zones) if (zone.inside && fits(zone)) hits.track(track, zone);
    }
  };
}

function joined<T>(
  tests: readonly ((of: T, look: Evaluation) => boolean)[],
  isAll: boolean,
): (of: T, look: Evaluation) => boolean {
  const [first, second] = tests;
  if (first && !second) return first;
  // A loop is used because it is faster than `every` or `some`: this code runs for each track in each evaluation of
  // each rule.
  return (of, look) => {
    for (const test of tests) if (test(of, look) !== isAll) return !isAll;
    return isAll;
  };
}

/**
 * Message of an event. It describes the first subject. The number of further subjects is appended unless the message
 * contains `{count}` or `{subject.label}`. If all tracks are lost, the time when they were last seen is appended.
 */
function say({ name, message }: UserRule, event: EventFacts): string {
  const text = fillMessage(message, (field) => word(field, name, event));
  const now = event.tracks.length + event.sensors.length;
  const saysIt = message.includes('{count}') || message.includes('{subject.label}');
  const past = isPast(event.tracks) ? ` (last seen ${LAST_SEEN})` : '';
  return now > 1 && !saysIt ? `${text} (and ${now - 1} more)${past}` : `${text}${past}`;
}

function word(field: MessageField, ruleName: string, event: EventFacts): string {
  const { tracks, sensors, zone } = event;
  switch (field) {
    case 'rule.name':
      return ruleName;
    case 'subject.label':
      return event.label;
    case 'count':
      return String(tracks.length + sensors.length);
    case 'zone.name':
      return zone?.name ?? 'no zone';
    case 'zone.kind':
      return zone?.kind ?? 'no zone';
    case 'zone.eta_s':
      return whole(zone?.etaS ?? Number.NaN);
    case 'zone.dwell_s':
      return whole(zone?.dwellS ?? Number.NaN);
    case 'sensor.name':
      return sensors[0]?.name ?? 'no sensor';
    case 'sensor.state':
      return sensors[0]?.state ?? 'unknown';
    default:
      return tracks[0] ? ofTrack(field, tracks[0]) : 'unknown';
  }
}

type TrackField = Extract<MessageField, `track.${string}` | `nearest.${string}`>;

const ofTracks: Record<TrackField, (track: TrackFacts, nowMs: number) => string | number> = {
  ...trackWords,
  ...trackNumbers,
  'track.label': ({ label }) => label,
  'track.identity': ({ identities }) => identities[0]?.value ?? 'no name',
  'track.classification': ({ classification }) => classification[0]?.label ?? 'unknown type',
  // In a message, the age is the full age at the last report. In a condition, the age excludes the time as a friend by
  // telemetry or assignment.
  'track.age_s': ({ firstSeenMs, lastSeenMs }) => (lastSeenMs - firstSeenMs) / 1_000,
  'nearest.name': ({ nearest }) => nearest?.name ?? 'nothing protected',
  'nearest.distance_m': (track) => Math.max(0, trackNumbers['track.nearest_m'](track)),
};

function ofTrack(field: TrackField, track: TrackFacts): string {
  const value = ofTracks[field](track, track.lastSeenMs);
  return typeof value === 'number' ? whole(value) : value;
}

function whole(value: number): string {
  return Number.isFinite(value) ? String(Math.round(value)) : 'unknown';
}
