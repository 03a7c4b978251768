import { zoneSentence } from '../core/site/zone_sentence.ts';
import type { ZoneEvent } from '../model/firing.ts';
import type { PictureState } from '../picture/picture.ts';
import type { EventLog } from './event_log.ts';

/** Who comes near, enters, stays and leaves, for the log. */
export class ZoneNews {
  readonly #events: EventLog;
  readonly #picture: PictureState;

  constructor(events: EventLog, picture: PictureState) {
    this.#events = events;
    this.#picture = picture;
  }

  take(events: readonly ZoneEvent[]): void {
    for (const event of events) {
      const { trackId, zoneId, transition } = event;
      const label = this.#picture.track(trackId)?.number ?? 'a track that is gone';
      const zone = this.#picture.listed.row('zones', zoneId) as { name?: string } | undefined;
      const text = zoneSentence(event, label, zone?.name ?? 'a zone that is gone');
      const change = { before: null, after: { zone_id: zoneId, height: event.height, because: event.because } };
      this.#events.write(`zone.${transition}`, 'info', text, { type: 'track', id: trackId, label }, change);
    }
  }
}
