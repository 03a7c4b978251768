import { createSocket, type Socket } from 'node:dgram';
import { placeOf } from './expected.ts';
import { between, type Work } from './work.ts';

/** A flight past the site: straight, from one side to the other, then over. */
type Flight = {
  serial: string;
  mac: string;
  receiver: number;
  beginsMs: number;
  endsMs: number;
  northM: number;
  eastM: number;
  courseRad: number;
  speedMps: number;
  everyMs: number;
  nextMs: number;
};

/** A receiver falls silent now and then: its cable, its battery, its operator. */
class Receivers {
  readonly #silentFromMs: number[];
  readonly #silentUntilMs: number[];
  readonly #random: () => number;

  constructor(count: number, random: () => number) {
    this.#random = random;
    this.#silentFromMs = Array.from({ length: count }, () => performance.now() + between(random, 60_000, 400_000));
    this.#silentUntilMs = this.#silentFromMs.map((fromMs) => fromMs + between(random, 40_000, 100_000));
  }

  isSilent(receiver: number, nowMs: number): boolean {
    if (nowMs > (this.#silentUntilMs[receiver] ?? 0)) {
      const fromMs = nowMs + between(this.#random, 180_000, 500_000);
      this.#silentFromMs[receiver] = fromMs;
      this.#silentUntilMs[receiver] = fromMs + between(this.#random, 40_000, 100_000);
    }
    return nowMs >= (this.#silentFromMs[receiver] ?? 0);
  }
}

/** Aircraft with Remote ID that come and go, as the receivers of a site pass them on: JSON lines in UDP datagrams. */
export function flyVisitors(work: Work, port: number, aircraft: number, receivers: number): void {
  const socket: Socket = createSocket('udp4');
  socket.on('error', (error) => work.failures.note('remote id socket', error.message));
  const random = work.random();
  const sites = new Receivers(receivers, work.random());
  let flown = 0;
  const next = (nowMs: number, slot: number): Flight => {
    const beginsMs = nowMs + between(random, 0, 45_000);
    const bearing = between(random, 0, 2 * Math.PI);
    const distanceM = between(random, 900, 2_500);
    const everyMs = between(random, 500, 1_000);
    flown++;
    return {
      serial: `1581F${String(flown).padStart(15, '0')}`,
      mac: `60:60:1f:${hex(flown >> 16)}:${hex((flown >> 8) & 0xff)}:${hex(flown & 0xff)}`,
      receiver: slot % receivers,
      beginsMs,
      endsMs: beginsMs + between(random, 90_000, 300_000),
      northM: distanceM * Math.cos(bearing),
      eastM: distanceM * Math.sin(bearing),
      // Towards the site, past it on one side or the other.
      courseRad: bearing + Math.PI + between(random, -0.6, 0.6),
      speedMps: between(random, 6, 18),
      everyMs,
      nextMs: beginsMs,
    };
  };
  const flights = Array.from({ length: aircraft }, (_, slot) => next(performance.now(), slot));
  work.tick(50, () => {
    const nowMs = performance.now();
    for (const [slot, flight] of flights.entries()) {
      if (nowMs > flight.endsMs) flights[slot] = next(nowMs, slot);
      if (nowMs < flight.nextMs || nowMs > flight.endsMs) continue;
      flight.nextMs = Math.max(nowMs, flight.nextMs + flight.everyMs);
      if (!sites.isSilent(flight.receiver, nowMs)) socket.send(lineOf(flight, nowMs), port, '127.0.0.1');
    }
  });
  work.atEnd(() => socket.close());
}

function lineOf(flight: Flight, nowMs: number): string {
  const flownM = (flight.speedMps * (nowMs - flight.beginsMs)) / 1_000;
  const { lat, lon } = placeOf(
    flight.northM + flownM * Math.cos(flight.courseRad),
    flight.eastM + flownM * Math.sin(flight.courseRad),
  );
  const pilot = placeOf(flight.northM - 100, flight.eastM - 100);
  const line = {
    mac: flight.mac,
    rssi: -60,
    drone_lat: lat,
    drone_long: lon,
    drone_altitude: 560,
    pilot_lat: pilot.lat,
    pilot_long: pilot.lon,
    basic_id: flight.serial,
    node_id: `R${flight.receiver + 1}`,
  };
  return `${JSON.stringify(line)}\n`;
}

function hex(byte: number): string {
  return (byte & 0xff).toString(16).padStart(2, '0');
}
