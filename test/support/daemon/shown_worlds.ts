import type { Picture, SimState } from '../../../src/model/picture.ts';
import type { Scenario } from '../../../src/model/scenario.ts';
import type { Zone } from '../../../src/model/zone.ts';
import { until } from '../basics/patience.ts';
import { type Place, placeAt } from '../basics/place.ts';
import type { StreamClient, StreamEvent } from '../http/stream_client.ts';
import { type Drones, straight, type Way } from '../sky/drones.ts';
import { must } from './alerts.ts';
import type { Daemon } from './daemon.ts';

/** Where the live world is, and far from it where scenarios play. */
export const LIVE_SITE: Place = { lat: 47.1987, lon: 8.7302 };
export const SIM_SITE: Place = { lat: 52.1, lon: 4.3 };

/** A drone that stands in the air, seen by a Remote ID receiver. */
export const visitor = (serial: string, more: object = {}): object => ({
  ...{ id: 'visitor', kind: 'drone', type: 'multirotor', start: { east_m: 200, north_m: 100, height_m: 60 } },
  remote_id: { serial, loss: 0 },
  ...more,
});

export const receiver = {
  id: 'mast',
  modality: 'remote_id',
  placement: { east_m: 0, north_m: 0, height_m: 10, max_range_m: 5_000 },
  pd: 1,
};

/** One of ours that obeys commands and is in the air. */
export const simulatedVehicle = (more: object = {}): object => ({
  ...{ id: 'heron', kind: 'asset', name: 'Heron', type: 'multirotor', truth_affiliation: 'friend' },
  ...{ start: { east_m: 0, north_m: 0, height_m: 50 }, mavlink: { sysid: 42 } },
  ...more,
});

/** A scenario as a person would write it, taken by the daemon. */
export function scenarioIn(daemon: Daemon, parts: object): Promise<Scenario> {
  const body = { name: 'small', duration_s: 3_600, origin: SIM_SITE, actors: [], sensors: [], ...parts };
  return must<Scenario>(daemon, '/api/scenarios', body);
}

/** Starts a scenario; `runs` may say how fast. */
export function play(daemon: Daemon, { id }: { id: string }, more: object = {}): Promise<SimState> {
  return must<SimState>(daemon, '/api/sim/start', { scenario_id: id, ...more });
}

export const show = (daemon: Daemon, mode: 'live' | 'sim'): Promise<SimState> =>
  must<SimState>(daemon, '/api/sim/mode', { mode });

export const simState = (daemon: Daemon): Promise<SimState> => daemon.get<SimState>('/api/sim');

export const simAs = (daemon: Daemon, run: SimState['run']): Promise<SimState> =>
  until(async () => {
    const state = await simState(daemon);
    return state.run === run && state;
  }, `the run is ${run}`);

/** The first event that fits after the last snapshot before `from`. */
export const epochOf = ({ id }: StreamEvent): string => id.slice(0, id.indexOf(':'));

/** The snapshot of another world than those that were shown before, and the first word of it that follows. */
export async function nextWorld(
  stream: StreamClient,
  known: readonly string[],
): Promise<{ epoch: string; picture: Picture; second: StreamEvent }> {
  const isNew = (event: StreamEvent): boolean => !known.includes(epochOf(event));
  const first = await stream.next(isNew);
  if (first.event !== 'snapshot') throw new Error(`another world began with ${first.event}`);
  const second = await stream.next((event) => isNew(event) && event !== first && event.event === 'sim_state');
  return { epoch: epochOf(first), picture: first.data.body as Picture, second };
}

/** A protected zone of the workspace around the live site. */
export const guard = (daemon: Daemon, more: object = {}): Promise<Zone> =>
  must<Zone>(daemon, '/api/zones', {
    name: 'works',
    kind: 'protected',
    geometry: { type: 'Point', coordinates: [LIVE_SITE.lon, LIVE_SITE.lat], radius_m: 300 },
    ...more,
  });

/** Somebody flies into the live site: he is within 300 m of it ten seconds later. */
export function intrude(drones: Drones, serial: string): void {
  const way: Way = straight(placeAt(LIVE_SITE, 90, 500), 270, 20);
  drones.fly(serial, way);
}

/** Shows a simulation with one confirmed drone, which is no track of the live world. */
export async function showSimulatedDrone(daemon: Daemon): Promise<void> {
  const { id } = await scenarioIn(daemon, {
    actors: [{ id: 'd', kind: 'drone', start: { east_m: 100, north_m: 0, height_m: 50 }, remote_id: {} }],
    sensors: [
      { id: 'r', modality: 'remote_id', placement: { east_m: 0, north_m: 0, height_m: 10, max_range_m: 5_000 } },
    ],
  });
  await play(daemon, { id }, { rate: 10 });
  await show(daemon, 'sim');
  await simAs(daemon, 'running');
  await until(async () => {
    const { mode, tracks } = await daemon.get<Picture>('/api/picture');
    return mode === 'sim' && tracks.some(({ state }) => state === 'confirmed');
  }, 'a simulated track is shown');
}
