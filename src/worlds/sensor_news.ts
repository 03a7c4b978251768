import type { WatchedSensor } from '../edge/feed/sensor_document.ts';
import type { Severity } from '../model/event.ts';
import type { SensorState } from '../model/sensor.ts';

type News = { kind: string; severity: Severity; text: string };

/** Which changes of sensors are worth a line of the log. A link that is down has its own. */
export class SensorNews {
  readonly #states = new Map<string, SensorState>();

  of({ id, name, state, reason }: WatchedSensor): News | null {
    const was = this.#states.get(id);
    this.#states.set(id, state);
    if (was === state) return null;
    if (state === 'silent') {
      return { kind: 'sensor.silent', severity: 'warning', text: `${name} has fallen silent: ${reason ?? state}` };
    }
    if (was === 'silent' && state === 'operational') {
      return { kind: 'sensor.heard', severity: 'notice', text: `${name} is received again` };
    }
    return null;
  }

  forget(id: string): void {
    this.#states.delete(id);
  }
}
