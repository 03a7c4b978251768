import type { Identity, Observation } from '../../model/observation.ts';
import type { OdidJsonLine } from '../wire/message.ts';
import { blankObservation } from './blank.ts';

/** These receivers print their last state at every frame they hear; the same state again is told at most so often. */
const REPEAT_EVERY_MS = 1_000;

/** One aircraft as an ESP32 receiver prints it. Its lines carry no time and no speed. */
export class Esp32Sender {
  #last = '';
  #toldMs = Number.NEGATIVE_INFINITY;
  repeats = 0;

  take(line: OdidJsonLine, sensorId: string, linkId: string, receivedMs: number): Observation | null {
    const content = `${line.latDeg},${line.lonDeg},${line.altGeoM},${line.operatorLatDeg},${line.operatorLonDeg},${line.basicId}`;
    if (content === this.#last && receivedMs - this.#toldMs < REPEAT_EVERY_MS) {
      this.repeats++;
      return null;
    }
    this.#last = content;
    this.#toldMs = receivedMs;
    const observation = blankObservation(sensorId, linkId, receivedMs);
    const placed = line.latDeg !== null && line.lonDeg !== null;
    observation.report = placed ? 'position' : 'identity';
    observation.identities = identitiesOf(line);
    observation.latDeg = line.latDeg;
    observation.lonDeg = line.lonDeg;
    observation.altHaeM = line.altGeoM;
    observation.rssiDbm = line.rssiDbm;
    observation.centerHz = line.channelHz;
    if (line.operatorLatDeg !== null && line.operatorLonDeg !== null) {
      // The line does not say what kind of place it is; take-off is the standard's default (F3411-22a table 8).
      observation.operator = { lat: line.operatorLatDeg, lon: line.operatorLonDeg, type: 'takeoff' };
    }
    return observation;
  }
}

function identitiesOf(line: OdidJsonLine): Identity[] {
  const identities: Identity[] = [{ type: 'mac', value: line.mac.toUpperCase(), transport: 'other' }];
  if (line.basicId) identities.push({ type: 'serial', value: line.basicId, transport: 'other' });
  return identities;
}
