import type { WatchedSensor } from '../edge/feed/sensor_document.ts';
import type { Severity } from '../model/event.ts';
import type { SensorState } from '../model/sensor.ts';

type News = { kind: string; severity: Severity; text: string };

/** Which changes of sensors are worth a line of the log. A link that is down has its own. */
export class SensorNews {
  readonly #before = new Map<string, { state: SensorState; lifeMs: number | null }>();

  of({ id, name, state, reason, lifeMs, isReceived }: WatchedSensor): News | null {
    const was = this.#before.get(id);
    this.#before.set(id, { state, lifeMs });
    if (was?.state === state) return null;
    if (state === 'silent') {
      return { kind: 'sensor.silent', severity: 'warning', text: `${name} has fallen silent: ${reason ?? state}` };
    }
    if (was?.state !== 'silent' || state !== 'operational') return null;
    if (isReceived && lifeMs !== was.lifeMs) {
      const text = was.lifeMs === null ? `${name} is received for the first time` : `${name} is received again`;
      return { kind: 'sensor.heard', severity: 'notice', text };
    }
    // Nothing was received: what people set of it was changed.
    const why = isReceived ? 'its deadline is not over' : 'its silence is allowed';
    return { kind: 'sensor.not_silent', severity: 'notice', text: `${name} is not silent any more: ${why}` };
  }

  forget(id: string): void {
    this.#before.delete(id);
  }
}
