import { writeEvent } from '../../../src/edge/wire/cot/event.ts';

/** Values of an event of another system that a test changes. */
export type ForeignEvent = {
  uid: string;
  type?: string;
  how?: string;
  callsign?: string | null;
  timeMs: number;
  startMs?: number;
  staleMs?: number;
  lat: number;
  lon: number;
  haeM?: number | null;
  ceM?: number | null;
  leM?: number | null;
  course?: number;
  speed?: number;
};

/** An event as another system writes it. */
export function foreignEvent(event: ForeignEvent): Uint8Array {
  const { uid, type = 'a-u-A-M-H-Q', how = 'm-g', callsign = null, timeMs, startMs = timeMs } = event;
  const { staleMs = timeMs + 30_000, lat, lon, haeM, ceM, leM, course, speed } = event;
  return writeEvent({
    ...{ uid, type, how, timeMs, startMs, staleMs, point: { lat, lon, haeM, ceM, leM } },
    detail: [
      ...(callsign === null ? [] : [{ name: 'contact', attributes: { callsign } }]),
      ...(course === undefined || speed === undefined ? [] : [{ name: 'track', attributes: { course, speed } }]),
    ],
  });
}
