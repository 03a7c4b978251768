import type { Health, HealthPart } from '../model/health.ts';
import type { HistoryLog } from '../store/log/history.ts';
import type { World } from '../world/world.ts';
import { linkHealth, sensorHealth } from './sensor_health.ts';

/** Silence of the core after which it counts as dead. */
const CORE_DEAD_MS = 5_000;

type HealthServiceDeps = {
  world: Pick<World, 'coreSilentMs' | 'links' | 'sensors'>;
  history: HistoryLog;
  nowMs(): number;
  /** Why the state of the box is not used; null where it is. */
  recovery: string | null;
};

/**
 * Readiness by part. A link that is down or a sensor that is silent is shown, and does not make the box unhealthy; a box
 * that receives none of the sensors that watch its sky is. The watchdog of the service manager does not go by this: a
 * start anew mends no antenna.
 */
export class HealthService {
  readonly #deps: HealthServiceDeps;

  constructor(deps: HealthServiceDeps) {
    this.#deps = deps;
  }

  get(): Health {
    const { world, nowMs, recovery } = this.#deps;
    const sensors = world.sensors.watched(nowMs());
    const links = world.links.list();
    const open = links.filter((link) => link.status().state === 'open').length;
    const parts = [
      this.#core(),
      this.#history(),
      linkHealth(open, links.length, sensors.length),
      sensorHealth(sensors),
    ];
    if (recovery !== null) parts.push({ name: 'state', state: 'down', needed: true, text: recovery });
    return { healthy: parts.every((part) => !part.needed || part.state !== 'down'), parts };
  }

  #core(): HealthPart {
    const silentMs = this.#deps.world.coreSilentMs();
    const isDead = silentMs > CORE_DEAD_MS;
    const text = isDead ? `no answer for ${Math.round(silentMs / 1000)} s` : 'answers';
    return { name: 'core', state: isDead ? 'down' : 'up', needed: true, text };
  }

  #history(): HealthPart {
    const { state, text, note } = this.#deps.history.status();
    return {
      name: 'history',
      state: state === 'ok' ? 'up' : 'degraded',
      needed: false,
      text: text ?? note ?? 'writes',
    };
  }
}
