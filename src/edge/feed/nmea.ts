import type { NmeaFix } from '../wire/message.ts';
import type { LinkFeed } from './link_feed.ts';
import type { ProtocolFeed } from './protocols.ts';

/** Receiver name of the box's own position on its link. */
export const OWN_POSITION = 'own position';

/**
 * Time for which a height is added to later positions, ms. NMEA sends height (GGA) and speed (RMC) in different
 * sentences; both sentences have a position.
 */
const OWN_HEIGHT_JOIN_MS = 10_000;

/**
 * Time after a fix in which a ZDA sentence of the same sender is accepted, ms. ZDA has the time but does not state
 * whether there is a fix.
 */
const FIX_JOIN_MS = 3_000;

/**
 * Feed of the box's own position and time. It moves the sensor row of the box, reports the time, and makes no
 * observations.
 */
export function nmeaFeed(link: LinkFeed): ProtocolFeed<NmeaFix> {
  let height = { alt_hae_m: 0, atMs: Number.NEGATIVE_INFINITY };
  let fix = { from: '', atMs: Number.NEGATIVE_INFINITY };
  return {
    take({ latDeg: lat, lonDeg: lon, altMslM, geoidSeparationM, utcMs, refusedUtcMs, sentence }, from, atMs) {
      if (!link.admit(from, null, atMs)) return;
      const sensorId = link.aliveSensor(OWN_POSITION, 'telemetry', atMs);
      if (lat !== null) fix = { from, atMs };
      else if (sentence !== 'ZDA') fix = { from: '', atMs: Number.NEGATIVE_INFINITY };
      const reportedMs = utcMs ?? refusedUtcMs;
      const isFixed = fix.from === from && atMs - fix.atMs <= FIX_JOIN_MS;
      if (reportedMs !== null && isFixed) link.deps.timeReported?.(reportedMs, from, atMs);
      if (!sensorId || lat === null || lon === null) return;
      if (altMslM !== null && geoidSeparationM !== null) height = { alt_hae_m: altMslM + geoidSeparationM, atMs };
      const { alt_hae_m, atMs: receivedMs } = height;
      const known = atMs - receivedMs <= OWN_HEIGHT_JOIN_MS ? { alt_hae_m } : {};
      link.deps.sensors.moved(sensorId, { lat, lon, ...known, mount: 'mobile' });
    },
  };
}
