import { type Camera, project } from './camera.ts';
import type { Pickable } from './pick.ts';
import { type Drawn, pilotPlace, takeoffPlace } from './tracks.ts';

/** Tracks that a click can select: each at its symbol, and at its pilot and take-off point where those are drawn. */
export function pickables(drawn: readonly Drawn[], now: Camera | null): Pickable[] {
  return drawn.flatMap(({ track, spot, hasPeople }) => {
    const own = { id: track.id, spot };
    if (!hasPeople || now === null) return [own];
    const places = [pilotPlace(track), takeoffPlace(track)].flatMap((place) => place ?? []);
    return [own, ...places.map((place) => ({ id: track.id, spot: project(now, place) }))];
  });
}
