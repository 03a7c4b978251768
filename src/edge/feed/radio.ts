import { haeOfMsl } from '../../geo/geoid.ts';
import type { Observation } from '../../model/observation.ts';
import type { OdidLocation, OdidMessage, OdidSystem } from '../wire/odid/message.ts';
import type { DjiDroneId, DjiPurpose, FrenchBeacon } from '../wire/radio/broadcast.ts';
import type { RadioMessage } from '../wire/radio/message.ts';
import type { LinkFeed } from './link_feed.ts';
import type { ProtocolFeed } from './protocols.ts';
import { RemoteIdSender, takeRemoteId } from './remote_id.ts';
import { TrustedSenders } from './trusted_senders.ts';

/**
 * Feed of aircraft that a radio of this box receives. A transmitter is identified by its address on each transport.
 * An aircraft may send on several transports; the messages of each transport are assembled separately. DJI DroneID
 * and the French beacon are converted to equivalent Remote ID messages, so that the same rules judge all identities.
 */
export function radioFeed(link: LinkFeed): ProtocolFeed<RadioMessage> {
  const senders = new TrustedSenders<RemoteIdSender>(link.deps.settings.maxSenders);
  return {
    take(message, _from, atMs) {
      const { mac, transport, rssiDbm, freqMhz } = message;
      if (!link.admit(mac, null, atMs)) return;
      const sensorId = link.aliveSensor('', 'remote_id', atMs);
      if (!sensorId) return;
      const tag = { type: 'mac', value: mac.toUpperCase(), transport } as const;
      const isProven = link.deps.link.provesSender;
      const sender = senders.of(`${mac} ${transport}`, isProven, () => new RemoteIdSender(tag, transport), atMs);
      takeRemoteId(link, sender, messagesOf(message), sensorId, atMs, (observation) => {
        observation.rssiDbm = rssiDbm;
        observation.centerHz = freqMhz === null ? null : freqMhz * 1e6;
        if (message.kind === 'dji_droneid') completeDji(observation, message);
        else if (message.kind === 'fr_beacon') completeFrench(observation, message);
      });
    },
  };
}

function messagesOf(message: RadioMessage): readonly OdidMessage[] {
  switch (message.kind) {
    case 'odid':
      return message.messages;
    case 'dji_droneid':
      return djiMessages(message);
    case 'dji_purpose':
      return serialMessages(message);
    case 'fr_beacon':
      return frenchMessages(message);
  }
}

const SERIAL = 1;
const CAA = 2;
const GROUND = 1;
const AIRBORNE = 2;
const LIVE_GNSS = 1;

const basicId = (idType: number, uasId: string): OdidMessage => ({ type: 'basic_id', idType, uaType: 0, uasId });

function serialMessages({ serial }: Pick<DjiPurpose, 'serial'>): OdidMessage[] {
  return serial === null ? [] : [basicId(SERIAL, serial)];
}

const unknownLocation: OdidLocation = {
  type: 'location',
  ...{ status: 0, latDeg: null, lonDeg: null, directionDeg: null, speedHMps: null, speedVMps: null },
  ...{ altBaroM: null, altGeoM: null, heightM: null, heightRef: 0 },
  ...{ hAcc: 0, vAcc: 0, baroAcc: 0, speedAcc: 0, tsAcc: 0, secondsAfterHour: null, implausible: false },
};

function djiMessages(message: DjiDroneId): OdidMessage[] {
  const { latDeg, lonDeg, airborne } = message;
  const status = airborne ? AIRBORNE : GROUND;
  const location: OdidLocation = { ...unknownLocation, status, latDeg, lonDeg };
  return [...serialMessages(message), location, ...operatorMessages(message)];
}

/** Converts the position of the pilot's app, which moves with the phone, to an operator position. */
function operatorMessages({ operatorLatDeg, operatorLonDeg }: DjiDroneId): OdidMessage[] {
  if (operatorLatDeg === null || operatorLonDeg === null) return [];
  const system: OdidSystem = {
    type: 'system',
    ...{ operatorLatDeg, operatorLonDeg, operatorAltGeoM: null, operatorLocationType: LIVE_GNSS },
    ...{ classificationType: 0, areaCount: 0, areaRadiusM: 0, areaCeilingM: null, areaFloorM: null },
    ...{ categoryEu: 0, classEu: 0, timestampUnixS: null, implausible: false },
  };
  return [system];
}

function frenchMessages(message: FrenchBeacon): OdidMessage[] {
  const { frId, ansiId, latDeg, lonDeg, heightM, speedMps, courseDeg } = message;
  const ids = [...(ansiId === null ? [] : [basicId(SERIAL, ansiId)]), ...(frId === null ? [] : [basicId(CAA, frId)])];
  const place = { latDeg, lonDeg, heightM, speedHMps: speedMps, directionDeg: courseDeg };
  return [...ids, { ...unknownLocation, ...place }];
}

function completeDji(observation: Observation, { homeLatDeg, homeLonDeg }: DjiDroneId): void {
  // DJI DroneID and the French beacon contain no time, so a missing time is no sign of a faulty clock.
  observation.isUndated = false;
  takeOffAt(observation, homeLatDeg, homeLonDeg);
}

function completeFrench(observation: Observation, { altMslM, homeLatDeg, homeLonDeg }: FrenchBeacon): void {
  observation.isUndated = false;
  observation.status = null;
  const { report, latDeg, lonDeg } = observation;
  if (report === 'position' && altMslM !== null && latDeg !== null && lonDeg !== null) {
    observation.altMslM = altMslM;
    observation.altHaeM = haeOfMsl(altMslM, latDeg, lonDeg);
  }
  takeOffAt(observation, homeLatDeg, homeLonDeg);
}

function takeOffAt(observation: Observation, lat: number | null, lon: number | null): void {
  if (lat !== null && lon !== null) observation.takeoff = { lat, lon };
}
