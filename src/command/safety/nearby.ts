import { type Course, courseOn, staysClear } from './course.ts';
import { CREWED_AHEAD_S, mayBeCrewed } from './crewed.ts';
import type { Fence } from './fence.ts';
import { spansIn } from './keep_out.ts';
import { motionOf, nearestMeeting } from './motion.ts';
import { metres, type Way } from './move.ts';

/** What is nearer to a way than this is told of, although the way may be flown. */
const KEEP_OUT_NEAR_M = 50;
const CREWED_NEAR_M = 2_000;
/** Whatever its height: who approves is to know of it. */
const ANY_HEIGHT_M = 100_000;

/** What lies near a way that may be flown, in sentences: what is kept out of, and aircraft with people on board. */
export function nearbyOf(
  name: string,
  way: Way,
  speedMps: number,
  { fences, courses }: { fences: readonly Fence[]; courses: readonly Course[] },
): string[] {
  return [
    ...fences.flatMap((fence) => (isNear(way, fence) ? [keepOut(name, fence)] : [])),
    ...courses.flatMap((course) => crewed(name, way, speedMps, course) ?? []),
  ];
}

function isNear(way: Way, fence: Fence): boolean {
  if (fence.zone.kind !== 'keep_out') return false;
  const drawn = fence.footprint.on(way.chart, way.groundM + KEEP_OUT_NEAR_M);
  return drawn !== null && spansIn(way, fence, drawn, KEEP_OUT_NEAR_M, KEEP_OUT_NEAR_M).length > 0;
}

function keepOut(name: string, { zone }: Fence): string {
  return `The way of ${name} comes within ${KEEP_OUT_NEAR_M} m of the keep-out zone ${zone.name}.`;
}

function crewed(name: string, way: Way, speedMps: number, course: Course): string | null {
  if (!mayBeCrewed(course.track) || staysClear(course, way, CREWED_NEAR_M)) return null;
  const theirs = courseOn(course, way.chart, 0, CREWED_AHEAD_S);
  const meeting = nearestMeeting(motionOf(way, speedMps), theirs, CREWED_AHEAD_S, ANY_HEIGHT_M);
  if (!meeting || meeting.distanceM > CREWED_NEAR_M) return null;
  return `The crewed aircraft ${course.track.number} comes within ${metres(meeting.distanceM)} of ${name} on its way.`;
}
