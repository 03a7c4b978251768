import type { CoreOutput } from '../../model/track_row.ts';
import type { SensorValue } from './settings.ts';
import type { Tracker } from './tracker.ts';

const LOOKED_AT_EVERY_MS = 1_000;

/**
 * Learnt azimuth and range offsets of radars. An offset is published only when its value rounded to 0.01° or 0.1 m
 * changes, since documents show rounded values.
 */
export class SensorOffsets {
  readonly #published = new Map<string, string>();
  #lookedMs = Number.NEGATIVE_INFINITY;

  news(sensors: Iterable<SensorValue>, tracker: Tracker, nowMs: number): CoreOutput['offsets'] {
    if (nowMs - this.#lookedMs < LOOKED_AT_EVERY_MS) return [];
    this.#lookedMs = nowMs;
    const news: CoreOutput['offsets'] = [];
    for (const { id, index, seeing } of sensors) {
      if (!seeing?.ranges) continue;
      const { azimuthDeg, rangeM } = tracker.learnt(index);
      const shown = `${azimuthDeg.toFixed(2)} ${rangeM.toFixed(1)}`;
      if (shown === (this.#published.get(id) ?? '0.00 0.0')) continue;
      this.#published.set(id, shown);
      news.push({ sensorId: id, azimuthDeg, rangeM });
    }
    return news;
  }
}
