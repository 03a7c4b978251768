import type { Severity } from '../model/event.ts';
import type { Sensor, SensorState } from '../model/sensor.ts';

type News = { kind: string; severity: Severity; text: string };

/** Which changes of sensors are worth a line of the log. */
export class SensorNews {
  readonly #states = new Map<string, SensorState>();

  of({ id, name, state }: Sensor): News | null {
    const was = this.#states.get(id);
    this.#states.set(id, state);
    if (was === state) return null;
    if (state === 'silent') return { kind: 'sensor.silent', severity: 'warning', text: `${name} has fallen silent` };
    if (was === 'silent' && state === 'operational') {
      return { kind: 'sensor.heard', severity: 'notice', text: `${name} is heard again` };
    }
    return null;
  }

  forget(id: string): void {
    this.#states.delete(id);
  }
}
