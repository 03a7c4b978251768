import type { Test } from 'tap';
import { begun, type FlightOptions, type FlightRig } from '../../support/daemon/flights.ts';
import { ArduCopter } from '../../support/vehicles/arducopter.ts';
import { groundSpeed } from '../../support/vehicles/flight.ts';

/** Where a vehicle is and how fast, of its own account where it is a real one. */
export type Whereabouts = { lat: number; lon: number; heightM: number; speedMps: number };

/** The copter of a test: the emulated one, or a real autopilot in the loop. */
export type Copter = {
  sysid: number;
  isReal: boolean;
  /** What it died of, where it was sent a number that is none. */
  killedBy(): string | null;
  where(): Promise<Whereabouts>;
  /** Seconds for what takes the emulated one so long: a real one flies in real time, and waits for its filters. */
  withinMs(ms: number): { withinMs: number };
};

/** The emulated copter lives so many seconds in one. */
const SPEED = 4;

/** `udp:HOST:PORT`, where the autopilot sends to, or `tcp:HOST:PORT`, where it listens. */
function given(): { transport: 'udp' | 'tcp_client'; host: string; port: number } | null {
  const value = process.env.DUNLIN_SITL;
  if (!value) return null;
  const [, kind, host = '', port] = /^(udp|tcp):(.+):(\d+)$/.exec(value) ?? [];
  if (!kind) throw new Error(`DUNLIN_SITL must be udp:HOST:PORT or tcp:HOST:PORT, and not ${value}`);
  return { transport: kind === 'udp' ? 'udp' : 'tcp_client', host, port: Number(port) };
}

/** What `startFlights` takes so that the daemon hears the copter of this test. */
export function flightsOfCopter(): FlightOptions {
  const real = given();
  if (!real) return {};
  const { transport, host, port } = real;
  return {
    transport,
    host,
    port,
    link: transport === 'udp' ? 'command=allow,sources_allow=0.0.0.0/0' : 'command=allow',
  };
}

export async function copterOf(t: Test, rig: FlightRig): Promise<Copter> {
  if (given()) return realCopter(rig);
  const copter = await begun(t, new ArduCopter({ groundStation: rig.groundStation, speed: SPEED }));
  const { body } = copter;
  return {
    sysid: copter.sysid,
    isReal: false,
    killedBy: () => copter.killedByNaN,
    where: async () => ({ lat: body.lat, lon: body.lon, heightM: body.altM, speedMps: groundSpeed(body) }),
    withinMs: (ms) => ({ withinMs: ms }),
  };
}

async function realCopter(rig: FlightRig): Promise<Copter> {
  const { key, sysid } = await rig.row((row) => row.vehicle_type === 'multirotor', 'a copter is heard', {
    withinMs: 120_000,
  });
  return {
    sysid: sysid ?? 0,
    isReal: true,
    killedBy: () => null,
    where: async () => {
      const row = await rig.row((row) => row.key === key && row.position !== null, 'it says where it is');
      const { lat = 0, lon = 0, height_takeoff_m: heightM } = row.position ?? {};
      return { lat, lon, heightM: heightM ?? 0, speedMps: row.velocity?.speed_mps ?? 0 };
    },
    withinMs: (ms) => ({ withinMs: SPEED * ms + 60_000 }),
  };
}
