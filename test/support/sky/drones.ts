import type { ObservationDocument } from '../../../src/model/observation.ts';
import type { Owner } from '../basics/owner.ts';
import { type Place, placeAt } from '../basics/place.ts';
import type { Daemon } from '../daemon/daemon.ts';

const EVERY_MS = 200;

export type Flown = Place & {
  heightM?: number;
  altHaeM?: number;
  speedMps?: number;
  courseDeg?: number;
  climbMps?: number;
};
/** Where it is so many seconds after it began. */
export type Way = (s: number) => Flown;

export const hovering = (place: Place, heightM = 60): Way => {
  return (s) => ({ ...placeAt(place, (s * 101) % 360, 0.7), heightM, speedMps: 0 });
};

export const straight = (from: Place, courseDeg: number, speedMps: number, heightM = 60): Way => {
  return (s) => ({ ...placeAt(from, courseDeg, speedMps * s), heightM, speedMps, courseDeg });
};

type Drone = { way: Way; beganMs: number; identity: ObservationDocument['identity'] };

/** Aircraft of which a sensor tells several times a second until the test ends: over HTTP, or `say` sends the lines. */
export class Drones {
  /** To whom it is told; another one after a restart. */
  daemon: Daemon;
  readonly sensor: string;
  readonly #drones = new Map<string, Drone>();
  readonly #say: ((lines: string) => Promise<void>) | null;

  constructor(t: Owner, daemon: Daemon, sensor = 'mast', say: ((lines: string) => Promise<void>) | null = null) {
    this.daemon = daemon;
    this.sensor = sensor;
    this.#say = say;
    const timer = setInterval(() => void this.tell().catch(() => {}), EVERY_MS);
    t.teardown(() => clearInterval(timer));
  }

  /** It flies so from now on; the serial may be that of one that flies. */
  fly(serial: string, way: Way): this {
    const identity = [{ type: 'serial', value: serial, transport: 'other' } as const];
    this.#drones.set(serial, { way, beganMs: performance.now(), identity });
    return this;
  }

  ground(serial: string): void {
    this.#drones.delete(serial);
  }

  /** What is told of all now; resolves when it was taken. */
  async tell(): Promise<void> {
    if (this.#drones.size === 0) return;
    const obs = Array.from(this.#drones.values(), (drone) => this.#rowOf(drone));
    try {
      if (this.#say) await this.#say(obs.map((row) => `${JSON.stringify(row)}\n`).join(''));
      else await this.daemon.post('/api/ingest/obs', { obs });
    } catch {
      // The daemon is down for a moment: nobody hears it.
    }
  }

  #rowOf({ way, beganMs, identity }: Drone): ObservationDocument {
    const {
      lat,
      lon,
      heightM,
      altHaeM,
      speedMps = 0,
      courseDeg = 0,
      climbMps = 0,
    } = way((performance.now() - beganMs) / 1_000);
    return {
      sensor_id: this.sensor,
      report: 'position',
      position: { lat, lon, alt_hae_m: altHaeM ?? null, alt_agl_m: heightM ?? null },
      velocity: { speed_mps: speedMps, course_deg: courseDeg, climb_mps: climbMps },
      sigma: { h_m: 3, v_m: 3, speed_mps: 0.5 },
      identity,
    };
  }
}
