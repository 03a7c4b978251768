import { identityKey } from '../integrity/dossier.ts';
import type { TrackFacts } from '../rules/facts.ts';
import type { Situation } from '../threat/situation.ts';
import { confidenceOf, isName, isNamed } from './situate.ts';
import type { Watched } from './watched.ts';

const CREWED_FROM = 0.5;
const FULL_TURN_DEG = 360;

/**
 * Copies a track's present numbers into its facts. `describeFacts` copies the reported values, which change only with
 * the record.
 */
export function moveFacts(watched: Watched, situation: Situation): TrackFacts {
  const { facts, word, record, course } = watched;
  facts.affiliation = word.affiliation;
  facts.affiliationBasis = word.affiliationBasis;
  facts.clonedOf = word.clonedOf;
  facts.visits = word.visits;
  facts.assetId = word.asset?.id ?? null;
  facts.state = watched.state;
  facts.verdict = record.integrity.verdict;
  facts.doubts = record.integrity.reasons;
  facts.crewed = situation.crewed >= CREWED_FROM;
  facts.latDeg = watched.latDeg;
  facts.lonDeg = watched.lonDeg;
  facts.altHaeM = watched.altHaeM;
  facts.heightM = situation.heightM;
  facts.heightAbove = situation.heightAbove;
  facts.speedMps = situation.speedMps;
  facts.courseDeg = ((Math.atan2(watched.eastMps, watched.northMps) * 180) / Math.PI + FULL_TURN_DEG) % FULL_TURN_DEG;
  facts.climbMps = situation.climbMps;
  facts.score = course?.score ?? 0;
  facts.level = watched.level;
  facts.groupId = watched.groupId;
  facts.groupSize = situation.groupSize;
  facts.loiterS = watched.loiterS;
  facts.sureFriendMs = watched.sureFriendMs;
  facts.lastSeenMs = record.lastSeenMs;
  return facts;
}

/**
 * Returns the identities that name the aircraft, without repetition. The record has an entry for each transport, but
 * one identity received over two transports counts once.
 */
function namesOf({ identities }: Watched['record']): TrackFacts['identities'] {
  const names = [...identities.values()].filter(isName);
  return [...new Map(names.map((identity) => [identityKey(identity), identity])).values()];
}

/** Copies the values that the aircraft reports about itself into the track's facts. */
export function describeFacts(watched: Watched): void {
  const { facts, record } = watched;
  watched.crewed = confidenceOf(record.classification, 'crewed_aircraft');
  watched.bird = confidenceOf(record.classification, 'bird');
  watched.emergency = record.flags.has('emergency');
  facts.identities = namesOf(record);
  facts.named = isNamed({ record });
  facts.classification = record.classification.map(({ type, confidence }) => ({ label: type, confidence }));
  facts.cooperative = record.sensed ? (record.cooperative ? 'both' : 'non_coop_only') : 'coop_only';
  facts.flags = [...record.flags];
  facts.firstSeenMs = record.firstSeenMs;
  facts.radios = [...record.identities.values()].filter(({ type }) => type === 'mac').map(({ value }) => value);
}
