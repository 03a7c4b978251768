import type { SensorBook } from '../edge/feed/sensor_book.ts';
import type { PictureState } from '../picture/picture.ts';
import type { EventLog } from './event_log.ts';
import { SensorNews } from './sensor_news.ts';

export type SensorsRim = {
  sensors: SensorBook;
  picture: PictureState;
  events: Pick<EventLog, 'write'>;
  nowMs(): number;
  flush(): void;
};

/** The sensors of a world as those who watch it see them, and what of them is worth a line of the log. */
export class ShownSensors {
  readonly #rim: SensorsRim;
  readonly #news = new SensorNews();
  #shown = new Set<string>();

  constructor(rim: SensorsRim) {
    this.#rim = rim;
  }

  /** As they are now; to be told with the next delta. */
  look(): void {
    const { sensors, picture, events, nowMs } = this.#rim;
    const list = sensors.list(nowMs());
    const shown = new Set(list.map(({ id }) => id));
    for (const id of this.#shown) if (!shown.has(id)) this.#forget(id);
    this.#shown = shown;
    for (const sensor of list) picture.listed.setSensor(sensor);
    for (const sensor of sensors.watched(nowMs())) {
      const news = this.#news.of(sensor);
      const subject = { type: 'sensor', id: sensor.id, label: sensor.name };
      if (news) events.write(news.kind, news.severity, news.text, subject);
    }
  }

  #forget(id: string): void {
    this.#news.forget(id);
    this.#rim.picture.listed.removeSensor(id);
  }

  /** Tells at once what was changed. */
  changed(): void {
    this.look();
    this.#rim.flush();
  }

  removed(...ids: string[]): void {
    for (const id of ids) this.#forget(id);
    this.#rim.flush();
  }
}
