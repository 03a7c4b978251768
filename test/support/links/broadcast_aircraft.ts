import type { OdidLocation, OdidMessage } from '../../../src/edge/wire/odid/message.ts';
import { type BroadcastMessage, encodeMessage25, encodePack } from './odid25.ts';
import * as packets from './packets.ts';

/** An aircraft that flies north and sends Remote ID over all its radios. */
export type BroadcastAircraft = { serial: string; wifiMac: string; bluetoothMac: string; lat: number; lon: number };

/** Its messages at second `s`: identity, location and operator. */
export function messagesAt({ serial, lat, lon }: BroadcastAircraft, s: number): BroadcastMessage[] {
  const location: OdidLocation = {
    type: 'location',
    ...{ status: 2, latDeg: lat + s * 9e-5, lonDeg: lon, directionDeg: 0, speedHMps: 10, speedVMps: 0 },
    ...{ altBaroM: null, altGeoM: 560, heightM: 60, heightRef: 0 },
    ...{ hAcc: 10, vAcc: 4, baroAcc: 0, speedAcc: 3, tsAcc: 1 },
    ...{ secondsAfterHour: 100 + s, implausible: false },
  };
  return [{ type: 'basic_id', idType: 1, uaType: 2, uasId: serial }, location];
}

/** Frames of one second over each radio: Wi-Fi with radiotap, Bluetooth as H4 events. */
export function framesAt(aircraft: BroadcastAircraft, s: number) {
  const messages = messagesAt(aircraft, s);
  const pack = encodePack(messages);
  const advertised = (content: Buffer): Buffer => packets.advertisingData(s & 0xff, content);
  const whole = advertised(pack);
  return {
    beacon: packets.radiotap(packets.beacon(aircraft.wifiMac, s & 0xff, pack)),
    nan: packets.radiotap(packets.nanFrame(aircraft.wifiMac, s & 0xff, pack)),
    bt4: messages.map((message) =>
      packets.hciReport(aircraft.bluetoothMac, advertised(encodeMessage25(message as OdidMessage as BroadcastMessage))),
    ),
    bt5: [
      packets.hciExtended(aircraft.bluetoothMac, whole.subarray(0, 40), { status: 1 }),
      packets.hciExtended(aircraft.bluetoothMac, whole.subarray(40)),
    ],
  };
}
