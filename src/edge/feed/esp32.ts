import type { Identity, Observation } from '../../model/observation.ts';
import type { OdidJsonLine } from '../wire/message.ts';
import { blankObservation } from './blank.ts';
import type { LinkFeed } from './link_feed.ts';
import type { ProtocolFeed } from './protocols.ts';
import { FORGET_SILENT_MS, SenderMap } from './sender_map.ts';

/** Least interval between equal observations, ms: these receivers print their last state at every received frame. */
const REPEAT_EVERY_MS = 1_000;

/** Feed of JSON lines of ESP32 receivers. Each line is a broadcast, which other receivers may report too. */
export function esp32Feed(link: LinkFeed): ProtocolFeed<OdidJsonLine> {
  const senders = new SenderMap<Esp32Sender>(link.deps.settings.maxSenders, FORGET_SILENT_MS);
  return {
    take(line, _from, atMs) {
      if (!link.admit(line.mac, line.receiver, atMs)) return;
      const sender = senders.of(line.mac.toUpperCase(), () => new Esp32Sender(), atMs);
      const sensorId = link.aliveSensor(line.receiver ?? '', 'remote_id', atMs);
      const observation = sensorId && sender.take(line, sensorId, link.deps.link.id, atMs);
      if (observation) link.reportOnce(observation);
    },
  };
}

/** One aircraft as an ESP32 receiver prints it. The lines contain neither time nor speed. */
class Esp32Sender {
  #last = '';
  #reportedMs = Number.NEGATIVE_INFINITY;

  take(line: OdidJsonLine, sensorId: string, linkId: string, receivedMs: number): Observation | null {
    const content = `${line.latDeg},${line.lonDeg},${line.altGeoM},${line.operatorLatDeg},${line.operatorLonDeg},${line.basicId}`;
    if (content === this.#last && receivedMs - this.#reportedMs < REPEAT_EVERY_MS) return null;
    this.#last = content;
    this.#reportedMs = receivedMs;
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
      // The line does not state the kind of the operator's position; take-off is the default of the standard (F3411-22a
      // table 8).
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
