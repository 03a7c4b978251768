import type { Principal } from '../access/principal.ts';
import type { Detection } from '../model/detection.ts';
import type { Picture } from '../model/picture.ts';
import type { Threat } from '../model/threat.ts';
import type { Track } from '../model/track.ts';
import type { Flush, StreamEvent, StreamSource } from './service.ts';
import type { HttpSettings } from './settings.ts';

/**
 * Where a pilot stands and what his operator id is are personal data. Where the box's owner says so, whoever may only
 * read is not told: in every document both are null, as if nobody had heard them.
 */
export function hidesPilot(
  { role }: Principal,
  { privacy, recovery }: Pick<HttpSettings, 'privacy' | 'recovery'>,
): boolean {
  // Without the state nobody can be told from anybody else.
  if (recovery !== null) return true;
  return role === 'viewer' && !privacy.viewerSeesPilot;
}

type Piloted = Pick<Track, 'operator' | 'takeoff'>;

/** A document, whole or in part, without its pilot. What it has none of stays as it is. */
export function withoutPilot<T extends Partial<Piloted> | Pick<Detection, 'operator' | 'takeoff'>>(document: T): T {
  if (document.operator == null && document.takeoff == null) return document;
  return {
    ...document,
    ...('operator' in document ? { operator: null } : {}),
    ...('takeoff' in document ? { takeoff: null } : {}),
  };
}

const elsewhere = 'Where its pilot says to stand is not shown to you.';

/** A threat whose factors do not tell where the pilot stands; what they count stays, so that the score adds up. */
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

/** A world's events for those who are not told of pilots. */
export function streamWithoutPilots(source: StreamSource): StreamSource {
  return {
    snapshot: () => pictureWithoutPilots(source.snapshot()),
    since: (epoch, seq) => source.since(epoch, seq)?.map(eventWithoutPilots) ?? null,
    onFlush: (callback) =>
      source.onFlush(({ epoch, events }: Flush) => callback({ epoch, events: events.map(eventWithoutPilots) })),
  };
}

/** Events of tracks and threats are the ones that carry a pilot; every other document's `operator` is somebody else. */
function eventWithoutPilots(event: StreamEvent): StreamEvent {
  if (event.kind === 'snapshot') return { ...event, body: pictureWithoutPilots(event.body as Picture) };
  if (event.kind === 'threat_update') return { ...event, body: threatWithoutPilot(event.body as Threat) };
  if (event.kind !== 'track_new' && event.kind !== 'track_update') return event;
  const body = withoutPilot(event.body as Partial<Track>);
  return body === event.body ? event : { ...event, body };
}
