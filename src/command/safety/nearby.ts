import { CREWED_AHEAD_S, mayBeCrewed } from './crewed.ts';
import type { Fence } from './fence.ts';
import { spansIn } from './keep_out.ts';
import { motionOf, nearestMeeting } from './motion.ts';
import { type LocalLeg, metres } from './move.ts';
import { type Path, pathOn, staysClear } from './path.ts';

/** Distance from a leg within which a risk is reported although the leg may be flown. */
const KEEP_OUT_NEAR_M = 50;
const CREWED_NEAR_M = 2_000;
/** Limit that excludes no height: a person who approves has to know of it. */
const ANY_HEIGHT_M = 100_000;

/** Objects near a leg that may be flown, in sentences: keep-out zones, and aircraft with people on board. */
export function nearbyOf(
  name: string,
  leg: LocalLeg,
  speedMps: number,
  { fences, paths }: { fences: readonly Fence[]; paths: readonly Path[] },
): string[] {
  return [
    ...fences.flatMap((fence) => (isNear(leg, fence) ? [keepOut(name, fence)] : [])),
    ...paths.flatMap((path) => crewed(name, leg, speedMps, path) ?? []),
  ];
}

function isNear(leg: LocalLeg, fence: Fence): boolean {
  if (fence.zone.kind !== 'keep_out') return false;
  const drawn = fence.footprint.on(leg.chart, leg.groundM + KEEP_OUT_NEAR_M);
  return drawn !== null && spansIn(leg, fence, drawn, KEEP_OUT_NEAR_M, KEEP_OUT_NEAR_M).length > 0;
}

function keepOut(name: string, { zone }: Fence): string {
  return `The way of ${name} comes within ${KEEP_OUT_NEAR_M} m of the keep-out zone ${zone.name}.`;
}

function crewed(name: string, leg: LocalLeg, speedMps: number, course: Path): string | null {
  if (!mayBeCrewed(course.track) || staysClear(course, leg, CREWED_NEAR_M)) return null;
  const theirs = pathOn(course, leg.chart, 0, CREWED_AHEAD_S);
  const meeting = nearestMeeting(motionOf(leg, speedMps), theirs, CREWED_AHEAD_S, ANY_HEIGHT_M);
  if (!meeting || meeting.distanceM > CREWED_NEAR_M) return null;
  return `The crewed aircraft ${course.track.number} comes within ${metres(meeting.distanceM)} of ${name} on its way.`;
}
