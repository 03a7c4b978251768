import type { BroadcastMessage } from '../links/odid25.ts';
import { Aircraft } from '../sky/aircraft.ts';
import { byHand, type Flight } from '../sky/flight.ts';
import type { Frame } from './remote_id_receiver.ts';
import { type Reporting, reportedFlight } from './reported_flight.ts';

/** Stands, takes off, flies by hand, comes down and stands, in so many seconds. */
export function sortie(random: () => number, untilS: number, standsS = 20): Flight {
  const hand = byHand(random, untilS);
  const heightM = 20 + 80 * random();
  const climbMps = 1 + 4 * random();
  const climbS = heightM / climbMps;
  const downS = untilS - standsS - climbS;
  return (s) => {
    const flownS = Math.max(0, Math.min(s, downS) - standsS - climbS);
    const { place, velocity } = hand(flownS);
    const flies = s > standsS + climbS && s < downS;
    const upM = Math.max(0, Math.min(heightM, (s - standsS) * climbMps, heightM - (s - downS) * climbMps));
    const climbs = s > standsS && s < standsS + climbS;
    const sinks = s > downS && s < downS + climbS;
    return {
      place: [place[0], place[1], upM],
      velocity: [flies ? velocity[0] : 0, flies ? velocity[1] : 0, climbs ? climbMps : sinks ? -climbMps : 0],
    };
  };
}

export type HonestFlight = Reporting & { mac: string; serial: string; beginsMs: number; lost?: number };

/** Received frames of an honest flight, in order of arrival; some reports are lost. */
export function honestFrames(flight: Flight, random: () => number, way: HonestFlight): Frame[] {
  const { mac, serial, beginsMs, lost = 0 } = way;
  const aircraft = new Aircraft({ mac, serial, from: { lat: 48.2, lon: 16.37 } });
  let hole = 0;
  const frames: Frame[] = [];
  for (const reported of reportedFlight(flight, way)) {
    hole--;
    if (random() < lost / 40) hole = 30 * random();
    if (hole > 0 || random() < lost) continue;
    const courseDeg = ((Math.atan2(reported.eastMps, reported.northMps) * 180) / Math.PI + 360) % 360;
    const messages: BroadcastMessage[] = [
      {
        ...aircraft.location(0),
        status: reported.heightM > 0.5 ? 2 : 1,
        latDeg: reported.latDeg,
        lonDeg: reported.lonDeg,
        heightM: reported.heightM,
        directionDeg: Math.round(courseDeg) % 360,
        speedHMps: reported.speedMps,
        speedVMps: reported.climbMps,
        secondsAfterHour: Math.round(((((reported.sourceS + beginsMs / 1000) % 3_600) + 3_600) % 3_600) * 10) / 10,
      },
    ];
    if (random() < 0.3) messages.push(aircraft.basicId(), aircraft.system());
    frames.push({ atMs: beginsMs + reported.receivedS * 1000, mac, messages });
  }
  return frames.sort((a, b) => a.atMs - b.atMs);
}
