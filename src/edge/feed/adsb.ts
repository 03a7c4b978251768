import { haeOfMsl } from '../../geo/geoid.ts';
import type { Identity, Observation } from '../../model/observation.ts';
import type { SbsMessage } from '../wire/message.ts';
import { blankObservation } from './blank.ts';

/** ADS-B altitudes are pressure altitudes: told as above mean sea level with the error the weather brings. */
const PRESSURE_ALTITUDE_SD_M = 150;
const POSITION_SD_M = 30;
/** Speed and altitude come in other messages than the position and are joined to it for so long. */
const JOIN_MS = 10_000;
/** An aircraft that sends no positions is told as heard at most so often. */
const HEARD_EVERY_MS = 1_000;

/** Addresses that no state has allocated: exporters put drones there that Remote ID already tells of. */
function isInvented(icao24: string, nonIcao: boolean): boolean {
  return nonIcao || icao24.startsWith('FF') || icao24 === '000000';
}

type Heard = { value: number; atMs: number };

/** All that one ADS-B transponder has said, joined to each of its positions. */
export class AdsbSender {
  #altitude: Heard | null = null;
  #speed: Heard | null = null;
  #course: Heard | null = null;
  #climb: Heard | null = null;
  #callsign: string | null = null;
  #status: Observation['status'] = null;
  #toldMs = Number.NEGATIVE_INFINITY;

  take(message: SbsMessage, sensorId: string, linkId: string, receivedMs: number): Observation | null {
    this.#hear(message, receivedMs);
    const placed = message.latDeg !== null && message.lonDeg !== null;
    if (!placed && receivedMs - this.#toldMs < HEARD_EVERY_MS) return null;
    const invented = isInvented(message.icao24, message.nonIcao);
    if (!placed && invented) return null;
    this.#toldMs = receivedMs;
    const observation = blankObservation(sensorId, linkId, receivedMs);
    observation.report = placed ? 'position' : 'identity';
    observation.identities = invented ? [] : this.#identities(message.icao24);
    observation.classification = invented ? [] : [{ type: 'crewed_aircraft', confidence: 0.9 }];
    observation.status = this.#status;
    if (placed) this.#place(observation, message, receivedMs);
    return observation;
  }

  #hear(m: SbsMessage, atMs: number): void {
    const heard = (value: number | null, before: Heard | null): Heard | null =>
      value === null ? before : { value, atMs };
    this.#altitude = heard(m.altPressureM, this.#altitude);
    this.#speed = heard(m.speedMps, this.#speed);
    this.#course = heard(m.courseDeg, this.#course);
    this.#climb = heard(m.climbMps, this.#climb);
    this.#callsign = m.callsign ?? this.#callsign;
    if (m.emergency) this.#status = 'emergency';
    else if (m.onGround !== null) this.#status = m.onGround ? 'ground' : 'airborne';
  }

  #place(observation: Observation, m: SbsMessage, atMs: number): void {
    const fresh = (heard: Heard | null): number | null => (heard && atMs - heard.atMs <= JOIN_MS ? heard.value : null);
    const { latDeg, lonDeg } = m;
    observation.latDeg = latDeg;
    observation.lonDeg = lonDeg;
    observation.sigmaHM = POSITION_SD_M;
    observation.altMslM = fresh(this.#altitude);
    if (observation.altMslM !== null && latDeg !== null && lonDeg !== null) {
      observation.altHaeM = haeOfMsl(observation.altMslM, latDeg, lonDeg);
      observation.sigmaVM = PRESSURE_ALTITUDE_SD_M;
    }
    observation.speedMps = fresh(this.#speed);
    observation.courseDeg = fresh(this.#course);
    observation.climbMps = fresh(this.#climb);
  }

  #identities(icao24: string): Identity[] {
    const identities: Identity[] = [{ type: 'icao24', value: icao24, transport: 'adsb' }];
    if (this.#callsign) identities.push({ type: 'callsign', value: this.#callsign, transport: 'adsb' });
    return identities;
  }
}
