import { haeOfMsl } from '../../geo/geoid.ts';
import type { Identity, Observation } from '../../model/observation.ts';
import type { AdsbReport, DatedAdsbReport, SbsMessage } from '../wire/message.ts';
import { blankObservation } from './blank.ts';
import { ClockOffset } from './clock_offset.ts';
import type { LinkFeed } from './link_feed.ts';
import type { ProtocolFeed } from './protocols.ts';
import { FORGET_SILENT_MS, SenderMap } from './sender_map.ts';

/**
 * Standard deviation of an ADS-B altitude, m. An ADS-B altitude is a pressure altitude, which is used as height above
 * mean sea level. The deviation covers the error from the weather.
 */
const PRESSURE_ALTITUDE_SD_M = 150;
const POSITION_SD_M = 30;
/**
 * Greatest age of an altitude, speed, course or climb rate that is added to a position, ms. A transponder may send
 * these values in messages without a position.
 */
const JOIN_MS = 10_000;
/** Least interval between observations of an aircraft that sends no positions, ms. */
const RECEIVED_EVERY_MS = 1_000;

/**
 * True for addresses that belong to no registered aircraft: those marked as non-ICAO, and `FF…` and `000000`, which are
 * allocated to no state. Programs that export Remote ID as ADS-B use such addresses for drones.
 */
function isInvented(icao24: string, nonIcao: boolean): boolean {
  return nonIcao || icao24.startsWith('FF') || icao24 === '000000';
}

/**
 * Confidence of the class that a transponder states as its emitter category, from 0 to 1. It is limited because the
 * category is a claim.
 */
const CATEGORY_CONFIDENCE = 0.8;

type Received = { value: number; atMs: number };
/** Fields of an ADS-B report that this feed uses. A field that the report's format lacks is null or absent. */
export type AdsbFields = Omit<SbsMessage, 'kind' | 'transmission' | 'squawk'> &
  Partial<Pick<AdsbReport, 'altHaeM' | 'sigmaHM' | 'emitter'>>;

/**
 * Returns the class that a transponder states. Adds `crewed_aircraft` if the address is real and the class is
 * `helicopter` or missing.
 */
function classesOf(emitter: AdsbReport['emitter'], invented: boolean): Observation['classification'] {
  const claimed = emitter === null ? [] : [{ type: emitter, confidence: CATEGORY_CONFIDENCE }];
  if (emitter !== null && emitter !== 'helicopter') return claimed;
  return invented ? claimed : [{ type: 'crewed_aircraft', confidence: 0.9 }, ...claimed];
}

/** Feed of one ADS-B receiver. A time in a message, corrected to our clock, dates the observation. */
export function adsbFeed(link: LinkFeed): ProtocolFeed<SbsMessage | DatedAdsbReport> {
  const senders = new SenderMap<AdsbSender>(link.deps.settings.maxSenders, FORGET_SILENT_MS);
  const clock = new ClockOffset();
  return {
    take(message, _from, atMs) {
      if (!link.admit(message.icao24, null, atMs)) return;
      const sender = senders.of(message.icao24, () => new AdsbSender(), atMs);
      const sensorId = link.aliveSensor('', 'adsb', atMs);
      const observation = sensorId && sender.take(message, sensorId, link.deps.link.id, atMs);
      if (!observation) return;
      if ('sentMs' in message && message.sentMs !== null && message.sourceMs !== null) {
        const { sourceMs, sentMs } = message;
        observation.sourceMs = sourceMs;
        // The clock is judged by the times of reports: a last position that is repeated would look like a stopped clock.
        observation.timeMs = clock.correct(sentMs, atMs) - (sentMs - sourceMs);
        link.noteClock(observation.sensorId, clock);
      }
      link.report(observation);
    },
  };
}

/** Last values of one ADS-B transponder. Altitudes and velocities are added to its positions for `JOIN_MS`. */
export class AdsbSender {
  #altitude: Received | null = null;
  #speed: Received | null = null;
  #course: Received | null = null;
  #climb: Received | null = null;
  #altHae: Received | null = null;
  #emitter: AdsbReport['emitter'] = null;
  #callsign: string | null = null;
  #status: Observation['status'] = null;
  #reportedMs = Number.NEGATIVE_INFINITY;

  take(message: AdsbFields, sensorId: string, linkId: string, receivedMs: number): Observation | null {
    this.#receive(message, receivedMs);
    const placed = message.latDeg !== null && message.lonDeg !== null;
    if (!placed && receivedMs - this.#reportedMs < RECEIVED_EVERY_MS) return null;
    const invented = isInvented(message.icao24, message.nonIcao);
    if (!placed && invented) return null;
    this.#reportedMs = receivedMs;
    const observation = blankObservation(sensorId, linkId, receivedMs);
    observation.report = placed ? 'position' : 'identity';
    observation.identities = invented ? [] : this.#identities(message.icao24);
    observation.classification = classesOf(this.#emitter, invented);
    observation.status = this.#status;
    if (placed) this.#place(observation, message, receivedMs);
    return observation;
  }

  #receive(m: AdsbFields, atMs: number): void {
    const received = (value: number | null, before: Received | null): Received | null =>
      value === null ? before : { value, atMs };
    this.#altitude = received(m.altPressureM, this.#altitude);
    this.#speed = received(m.speedMps, this.#speed);
    this.#course = received(m.courseDeg, this.#course);
    this.#climb = received(m.climbMps, this.#climb);
    this.#altHae = received(m.altHaeM ?? null, this.#altHae);
    this.#emitter = m.emitter ?? this.#emitter;
    this.#callsign = m.callsign ?? this.#callsign;
    if (m.emergency) this.#status = 'emergency';
    else if (m.onGround !== null) this.#status = m.onGround ? 'ground' : 'airborne';
  }

  #place(observation: Observation, m: AdsbFields, atMs: number): void {
    const fresh = (received: Received | null): number | null =>
      received && atMs - received.atMs <= JOIN_MS ? received.value : null;
    const { latDeg, lonDeg } = m;
    observation.latDeg = latDeg;
    observation.lonDeg = lonDeg;
    observation.sigmaHM = m.sigmaHM ?? POSITION_SD_M;
    observation.altMslM = fresh(this.#altitude);
    observation.altHaeM = fresh(this.#altHae);
    if (observation.altHaeM === null && observation.altMslM !== null && latDeg !== null && lonDeg !== null) {
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
