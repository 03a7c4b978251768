import type { Principal } from '../access/principal.ts';
import type { StreamSource } from '../app/shown_stream.ts';
import { fullReader, isAtLeast } from '../model/actor.ts';
import type { Detection } from '../model/detection.ts';
import { type Flush, type LogEvent, type StreamEvent, unattended } from '../model/event.ts';
import type { Picture } from '../model/picture.ts';
import { identitiesWithoutOperator, lineageWithoutOperator, withoutPilotDistance } from '../model/pilot_facts.ts';
import type { Threat } from '../model/threat.ts';
import type { Track } from '../model/track.ts';
import type { HttpSettings } from './settings.ts';

/**
 * Returns true if the configuration hides pilots from this caller, or if the box runs in recovery. A pilot's position
 * and operator id are personal data. Tracks and detections then show them as null, as if they had not been received.
 */
export function hidesPilot(
  { role }: Principal,
  { privacy, recovery }: Pick<HttpSettings, 'privacy' | 'recovery'>,
): boolean {
  // During a recovery no caller can be identified.
  if (recovery !== null) return true;
  return !isAtLeast(role, fullReader) && !privacy.viewerSeesPilot;
}

type Piloted = Partial<Pick<Track, 'identities' | 'lineage' | 'integrity'>> & {
  [K in 'operator' | 'takeoff' | 'identity']?: Detection[K];
};

/**
 * Returns a document, or a part of one, without its pilot. A part with an identity that repeats the operator id also
 * has the operator (see `published` of the picture). A document without a pilot is returned unchanged.
 */
export function withoutPilot<T extends Piloted>(document: T): T {
  const { operator, takeoff, identities, identity, lineage, integrity } = document;
  const shown = integrity && withoutPilotDistance(integrity);
  if (operator == null && takeoff == null && shown === integrity) return document;
  return {
    ...document,
    ...('operator' in document ? { operator: null } : {}),
    ...('takeoff' in document ? { takeoff: null } : {}),
    ...(identities ? { identities: identitiesWithoutOperator(document, identities) } : {}),
    ...(identity ? { identity: identitiesWithoutOperator(document, identity) } : {}),
    ...(lineage ? { lineage: lineageWithoutOperator(document, lineage) } : {}),
    ...(shown ? { integrity: shown } : {}),
  };
}

const elsewhere = 'The reported position of its pilot is not shown to your role.';

/**
 * Removes the pilot's position from the factors of a threat. The factor's points remain, so that the score still adds
 * up.
 */
export function threatWithoutPilot(threat: Threat): Threat {
  if (!threat.factors.some(({ id }) => id === 'operator_near')) return threat;
  const factors = threat.factors.map((factor) =>
    factor.id === 'operator_near' ? { ...factor, value: null, text: elsewhere } : factor,
  );
  return { ...threat, factors };
}

export function pictureWithoutPilots(picture: Picture): Picture {
  const { tracks, threats } = picture;
  return { ...picture, tracks: tracks.map(withoutPilot), threats: threats.map(threatWithoutPilot) };
}

/** Wraps the events of a world for callers from whom pilots are hidden. */
export function streamWithoutPilots(source: StreamSource): StreamSource {
  return {
    snapshot: () => pictureWithoutPilots(source.snapshot()),
    now: () => source.now(),
    since: (epoch, seq) => source.since(epoch, seq)?.map(eventWithoutPilots) ?? null,
    follow: (listener) =>
      source.follow(({ epoch, events }: Flush) => listener({ epoch, events: events.map(eventWithoutPilots) })),
  };
}

/**
 * Removes pilots from an event. Only snapshots and events of tracks and threats contain pilots; the field `operator` of
 * other documents means another person.
 */
function eventWithoutPilots(event: StreamEvent): StreamEvent {
  if (event.kind === 'snapshot') return { ...event, body: pictureWithoutPilots(event.body as Picture) };
  if (event.kind === 'threat_update') return { ...event, body: threatWithoutPilot(event.body as Threat) };
  if (event.kind !== 'track_new' && event.kind !== 'track_update') return event;
  const body = withoutPilot(event.body as Partial<Track>);
  return body === event.body ? event : { ...event, body };
}

/**
 * Removes the content of a log row about the whole box, such as a refused sign-in, for callers other than owners. The
 * event stays, so that its number is not missing.
 */
export function withoutBoxRow(event: StreamEvent): StreamEvent {
  if (!event.ownersOnly) return event;
  const { seq, at, kind } = event;
  const { id, seq: number, at: rowAt, kind: of, severity } = event.body as LogEvent;
  const text = 'An event of the whole box, which only owners may read.';
  const body: LogEvent = { id, seq: number, at: rowAt, kind: of, severity, subject: null, text, ...unattended };
  return { seq, at, kind, body };
}
