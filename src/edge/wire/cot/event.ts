import { formatTime } from '../../../model/time.ts';
import { writeXml, type XmlElement } from './xml.ts';

/** Value of unknown `hae`, `ce` and `le` (ATAK, COMMO_COT_POINT_NO_VALUE). */
const UNKNOWN_M = '9999999.0';
/** XML declaration, which ATAK's protocol.txt requires before every event of a stream. */
const HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n';

/** Point of an event, degrees and metres. `ceM` and `leM` are standard deviations; null or undefined means unknown. */
export type CotPoint = {
  lat: number;
  lon: number;
  haeM?: number | null | undefined;
  ceM?: number | null | undefined;
  leM?: number | null | undefined;
};

/** One event of MITRE's schema 2.0. */
export type CotEvent = {
  uid: string;
  type: string;
  how: string;
  timeMs: number;
  startMs: number;
  staleMs: number;
  point: CotPoint;
  detail: readonly XmlElement[];
};

/** Point of events without a position. */
export const noPlace: CotPoint = { lat: 0, lon: 0 };

/** Writes an event as one XML document, in the form for streams and datagrams. */
export function writeEvent(event: CotEvent): Uint8Array {
  return Buffer.from(HEAD + eventText(event), 'utf8');
}

function eventText({ uid, type, how, timeMs, startMs, staleMs, point, detail }: CotEvent): string {
  const times = { time: formatTime(timeMs), start: formatTime(startMs), stale: formatTime(staleMs) };
  return writeXml({
    name: 'event',
    attributes: { version: '2.0', uid, type, how, ...times },
    children: [
      { name: 'point', attributes: pointAttributes(point) },
      { name: 'detail', attributes: {}, children: detail },
    ],
  });
}

function pointAttributes({ lat, lon, haeM, ceM, leM }: CotPoint): Record<string, string> {
  return { lat: lat.toFixed(7), lon: lon.toFixed(7), hae: metres(haeM), ce: metres(ceM), le: metres(leM) };
}

function metres(value: number | null | undefined): string {
  return value === null || value === undefined ? UNKNOWN_M : value.toFixed(1);
}
