import { createCaptureCodec } from '../../src/edge/wire/capture/codec.ts';
import { capturedPacket, captureHeader } from '../../src/edge/wire/capture/write.ts';
import { linkTypes } from '../../src/edge/wire/radio/radio_frames.ts';
import { framesAt } from '../../test/support/links/broadcast_aircraft.ts';
import * as packets from '../../test/support/links/packets.ts';
import { microsecondsEach } from './cpu_time.ts';
import type { Row } from './row.ts';

const FRAMES_PER_S = 2_000;
const OURS_PER_S = 50;
const SECONDS = 20;
/** Length of a beacon of an access point, bytes. */
const BEACON_BYTES = 330;
/** Share of a core for the radio's program and the daemon together, %. */
const MOST_PERCENT = 2;

/**
 * CPU share of decoding what a busy place sends: beacons of access points, among them aircraft. The radio's program passes
 * on frames of aircraft alone, so a live link has far fewer; 'tcpdump' has them all. Each frame is a read of its own.
 */
export async function benchDecodeRadio(): Promise<Row[]> {
  const stranger = packets.radiotap(
    packets.vendorBeacon('02:00:5e:00:00:01', Buffer.alloc(BEACON_BYTES - 72, 0x5a).subarray(0, 255)),
  );
  const records = Array.from({ length: FRAMES_PER_S * SECONDS }, (_, n) => {
    const isOurs = n % (FRAMES_PER_S / OURS_PER_S) === 0;
    return capturedPacket(n / 2, isOurs ? aircraftFrame(n) : stranger);
  });
  let decoded = 0;
  const each = microsecondsEach(records.length, () => {
    const codec = createCaptureCodec();
    codec.decode(captureHeader(linkTypes.radiotap), '', 0, () => {});
    for (const record of records) codec.decode(record, '', 0, () => decoded++);
  });
  if (decoded % (OURS_PER_S * SECONDS) !== 0 || decoded === 0) throw new Error(`${decoded} messages were decoded`);
  const percent = (each * FRAMES_PER_S) / 1e4;
  const name = `decode radio: ${FRAMES_PER_S} frames/s, ${OURS_PER_S} of aircraft`;
  return [{ name, value: percent, unit: '% of a core', target: { atMost: MOST_PERCENT } }];
}

function aircraftFrame(n: number): Buffer {
  const mac = `60:60:1f:10:01:${(n % 50).toString(16).padStart(2, '0')}`;
  const aircraft = { serial: `1581F5FKD2294BENCH${n % 50}`, wifiMac: mac, bluetoothMac: mac, lat: 47.2, lon: 8.73 };
  return framesAt(aircraft, n % 200).beacon;
}
