import { zoneSentence } from '../core/site/zone_sentence.ts';
import type { ZoneEvent } from '../model/firing.ts';
import type { PictureState } from '../picture/picture.ts';
import type { EventLog } from './event_log.ts';

/** Logs tracks that approach, enter, dwell in and leave a zone. */
export function logZoneEvents(events: EventLog, picture: PictureState, zoneEvents: readonly ZoneEvent[]): void {
  for (const event of zoneEvents) {
    const { trackId, zoneId, transition } = event;
    const label = picture.track(trackId)?.number ?? 'a track that is gone';
    const zone = picture.listed.row('zones', zoneId) as { name?: string } | undefined;
    const text = zoneSentence(event, label, zone?.name ?? 'a zone that is gone');
    const change = { before: null, after: { zone_id: zoneId, height: event.height, because: event.because } };
    events.write(`zone.${transition}`, 'info', text, { type: 'track', id: trackId, label }, change);
  }
}
