import type { WatchedSensor } from '../edge/feed/sensor_document.ts';
import type { Severity } from '../model/event.ts';
import type { LogKind } from '../model/log_kind.ts';
import type { SensorState } from '../model/sensor.ts';
import type { EventLog } from './event_log.ts';

type News = { kind: LogKind; severity: Severity; text: string };

/**
 * Logs sensors that fall silent, and silent sensors that become operational again. The failure of a link is logged by
 * `LinkWatch`.
 */
export class SensorNews {
  readonly #events: Pick<EventLog, 'write'>;
  readonly #nameOf: (id: string) => string | undefined;
  readonly #before = new Map<string, { state: SensorState; lifeMs: number | null }>();

  constructor(events: Pick<EventLog, 'write'>, nameOf: (id: string) => string | undefined) {
    this.#events = events;
    this.#nameOf = nameOf;
  }

  take(sensors: readonly WatchedSensor[]): void {
    for (const sensor of sensors) {
      const news = this.#of(sensor);
      const subject = { type: 'sensor', id: sensor.id, label: sensor.name };
      if (news) this.#events.write(news.kind, news.severity, news.text, subject);
    }
  }

  /** Logs an alert that a sensor raised itself. */
  readonly alerted = (id: string, severity: Severity, text: string): void => {
    const label = this.#nameOf(id) ?? id;
    this.#events.write('sensor.alert', severity, `sensor ${label}: ${text}`, { type: 'sensor', id, label });
  };

  #of({ id, name, state, reason, lifeMs, isReceived }: WatchedSensor): News | null {
    const was = this.#before.get(id);
    this.#before.set(id, { state, lifeMs });
    if (was?.state === state) return null;
    if (state === 'silent') {
      return {
        kind: 'sensor.silent',
        severity: 'warning',
        text: `sensor ${name} has fallen silent: ${reason ?? state}`,
      };
    }
    if (was?.state !== 'silent' || state !== 'operational') return null;
    if (isReceived && lifeMs !== was.lifeMs) {
      const text =
        was.lifeMs === null ? `sensor ${name} is received for the first time` : `sensor ${name} is received again`;
      return { kind: 'sensor.heard', severity: 'notice', text };
    }
    // Nothing was received from the sensor: a change of its settings ended the silence.
    const why = isReceived ? 'its deadline has not passed' : 'its silence is allowed';
    return { kind: 'sensor.not_silent', severity: 'notice', text: `sensor ${name} is not silent any more: ${why}` };
  }

  forget(ids: readonly string[]): void {
    for (const id of ids) this.#before.delete(id);
  }
}
