import { mslOfHae } from '../../geo/geoid.ts';
import { lookAt } from '../control/cameras.ts';
import { Ended, type Flight } from '../control/flight.ts';
import type { Done } from '../control/maneuvers.ts';
import type { ControlRim } from '../control/rim.ts';
import { HEARD_MS } from '../fleet/available.ts';
import type { LiveTask } from './live_task.ts';
import { seen } from './target.ts';

const STEP_MS = 1_000;

/** Keeps the camera on a track until somebody says otherwise or the track is gone. */
export async function lookAtTrack(rim: ControlRim, flight: Flight, task: LiveTask, trackId: string): Promise<Done> {
  for (;;) {
    if (rim.nowMs() - flight.vehicle.heardMs > HEARD_MS) throw new Ended('failed', 'the link to it is lost');
    const target = seen(rim, trackId);
    if ('lost' in target) throw new Ended('failed', target.lost);
    const { lat, lon, altHaeM } = target.place;
    if (altHaeM === null) throw new Ended('failed', `it is not known how high ${target.label} is`);
    await lookAt(flight, { latDeg: lat, lonDeg: lon, altMslM: mslOfHae(altHaeM, lat, lon) }, rim.fleet.sysid);
    flight.goOn();
    task.set({ phase: 'on_station' });
    await flight.until(() => false, STEP_MS);
  }
}
