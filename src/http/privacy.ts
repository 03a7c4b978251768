import type { Principal } from '../access/principal.ts';
import type { StreamSource } from '../app/shown_stream.ts';
import { fullReader, isAtLeast } from '../model/actor.ts';
import type { Detection } from '../model/detection.ts';
import type { Flush, StreamEvent } from '../model/event.ts';
import type { Picture } from '../model/picture.ts';
import type { Threat } from '../model/threat.ts';
import type { Track } from '../model/track.ts';
import type { HttpSettings } from './settings.ts';

/**
 * Whether the box's configuration hides pilots from this caller. A pilot's position and operator id are personal data:
 * both are null in every document, as if they had not been received.
 */
export function hidesPilot(
  { role }: Principal,
  { privacy, recovery }: Pick<HttpSettings, 'privacy' | 'recovery'>,
): boolean {
  // Without the state no caller can be identified.
  if (recovery !== null) return true;
  return !isAtLeast(role, fullReader) && !privacy.viewerSeesPilot;
}

type Piloted = Pick<Track, 'operator' | 'takeoff'>;

/** A document, whole or in part, without its pilot; unchanged where it names none. */
export function withoutPilot<T extends Partial<Piloted> | Pick<Detection, 'operator' | 'takeoff'>>(document: T): T {
  if (document.operator == null && document.takeoff == null) return document;
  return {
    ...document,
    ...('operator' in document ? { operator: null } : {}),
    ...('takeoff' in document ? { takeoff: null } : {}),
  };
}

const elsewhere = 'The reported position of its pilot is not shown to your role.';

/** A threat whose factors do not reveal the pilot's position. Their points stay, so that the score adds up. */
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

/** A world's events for callers from whom pilots are hidden. */
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
 * An event without pilots. Only events of tracks and threats contain one; `operator` in other documents means another
 * person.
 */
function eventWithoutPilots(event: StreamEvent): StreamEvent {
  if (event.kind === 'snapshot') return { ...event, body: pictureWithoutPilots(event.body as Picture) };
  if (event.kind === 'threat_update') return { ...event, body: threatWithoutPilot(event.body as Threat) };
  if (event.kind !== 'track_new' && event.kind !== 'track_update') return event;
  const body = withoutPilot(event.body as Partial<Track>);
  return body === event.body ? event : { ...event, body };
}
