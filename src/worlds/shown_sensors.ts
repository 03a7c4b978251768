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

  constructor(rim: SensorsRim) {
    this.#rim = rim;
  }

  /** As they are now; to be told with the next delta. */
  look(): void {
    const { sensors, picture, events, nowMs } = this.#rim;
    for (const sensor of sensors.list(nowMs())) {
      picture.listed.setSensor(sensor);
      const news = this.#news.of(sensor);
      const subject = { type: 'sensor', id: sensor.id, label: sensor.name };
      if (news) events.write(news.kind, news.severity, news.text, subject);
    }
  }

  /** Tells at once what was changed. */
  changed(): void {
    this.look();
    this.#rim.flush();
  }

  removed(...ids: string[]): void {
    for (const id of ids) {
      this.#news.forget(id);
      this.#rim.picture.listed.removeSensor(id);
    }
    this.#rim.flush();
  }
}
