import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { createCaptureCodec } from '../../../../src/edge/wire/capture/codec.ts';
import type { Codec } from '../../../../src/edge/wire/codec.ts';
import { createHciH4Codec } from '../../../../src/edge/wire/radio/h4_codec.ts';
import type { RadioMessage } from '../../../../src/edge/wire/radio/message.ts';
import { linkTypes } from '../../../../src/edge/wire/radio/radio_frames.ts';
import { createSniffleCodec } from '../../../../src/edge/wire/radio/sniffle_codec.ts';
import { pcapngFile } from '../../../support/links/packets.ts';
import { normalisedWithType } from '../odid/golden.ts';

type Emitted = { kind: string; [key: string]: unknown };
type Golden = {
  id: string;
  medium: string;
  hex: string | string[];
  expect: { emit: Emitted[]; rejects: Record<string, number> };
};

const goldenFile = join(process.cwd(), '../shared/golden/radio_frames.jsonl');
const goldenMissing = existsSync(goldenFile) ? false : 'the golden frames of radios are not here';

type Read = { messages: RadioMessage[]; rejects: Record<string, number> };

function readBy(codec: Codec<RadioMessage>, pieces: readonly Buffer[]): Read {
  const messages: RadioMessage[] = [];
  for (const piece of pieces) codec.decode(piece, '', 1_000, (message) => messages.push(message));
  return { messages, rejects: Object.fromEntries(Object.entries(codec.rejects).filter(([, count]) => count > 0)) };
}

function inCapture(linkType: number, frames: readonly Buffer[]): Buffer[] {
  return [
    pcapngFile(
      [linkType],
      frames.map((bytes) => ({ atMs: 1_000, bytes })),
    ),
  ];
}

/** Links that may bring the frames of a medium, and what they read of a line. */
const linksOf: Record<string, (frames: readonly Buffer[]) => [string, Read][]> = {
  radiotap: (frames) => [['capture', readBy(createCaptureCodec(), inCapture(linkTypes.radiotap, frames))]],
  hci_h4: (frames) => [['hci_h4', readBy(createHciH4Codec(), frames)]],
  hci_h4_stream: (frames) => [['hci_h4', readBy(createHciH4Codec(), frames)]],
  sniffle: (frames) => [['sniffle', readBy(createSniffleCodec({ phy: 'coded' }), frames)]],
};

/** A stream of a serial port, which a capture never is: its records are whole packets. */
const ofStreams = new Set(['s-h4-garbage-then-report']);

const sixPlaces = (value: number | null): number | null => (value === null ? null : Math.round(value * 1e6) / 1e6);

/** A message in the names of the golden set. */
function inGoldenWords(message: RadioMessage): Emitted {
  const { kind, transport, mac, rssiDbm, freqMhz } = message;
  const source = { kind, transport, mac, rssi_dbm: rssiDbm, freq_mhz: freqMhz };
  switch (message.kind) {
    case 'odid':
      return {
        ...source,
        counter: message.counter,
        pack: message.pack,
        messages: message.messages.map(normalisedWithType),
      };
    case 'dji_droneid':
      return {
        ...source,
        ...{ version: message.version, seq: message.seq, serial: message.serial },
        ...{ lat: sixPlaces(message.latDeg), lon: sixPlaces(message.lonDeg) },
        ...{ operator_lat: sixPlaces(message.operatorLatDeg), operator_lon: sixPlaces(message.operatorLonDeg) },
        ...{ home_lat: sixPlaces(message.homeLatDeg), home_lon: sixPlaces(message.homeLonDeg) },
        ...{ product_type: message.productType, uuid: message.uuid },
        ...{ airborne: message.airborne, motor_on: message.motorOn, gps_valid: message.gpsValid },
      };
    case 'dji_purpose':
      return { ...source, serial: message.serial, drone_id: message.droneId, purpose: message.purpose };
    case 'fr_beacon':
      return {
        ...source,
        ...{ version: message.version, fr_id: message.frId, ansi_id: message.ansiId },
        ...{ lat: message.latDeg, lon: message.lonDeg, alt_m: message.altMslM, height_m: message.heightM },
        ...{ home_lat: message.homeLatDeg, home_lon: message.homeLonDeg },
        ...{ speed_mps: message.speedMps, course_deg: message.courseDeg },
      };
  }
}

t.test(
  'golden frames of radios give what was sent, and their rejects, over every link',
  { skip: goldenMissing },
  async (t) => {
    const lines = readFileSync(goldenFile, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Golden);
    t.ok(lines.length >= 46, `${lines.length} lines`);
    for (const { id, medium, hex, expect } of lines) {
      const frames = [hex].flat().map((text) => Buffer.from(text, 'hex'));
      const reads = linksOf[medium]?.(frames) ?? [];
      if (medium === 'hci_h4' && !ofStreams.has(id)) {
        const withDirection = frames.map((frame) => Buffer.concat([Buffer.from([0, 0, 0, 1]), frame]));
        reads.push(['capture of 187', readBy(createCaptureCodec(), inCapture(linkTypes.hci, frames))]);
        reads.push([
          'capture of 201',
          readBy(createCaptureCodec(), inCapture(linkTypes.hciWithDirection, withDirection)),
        ]);
      }
      t.ok(reads.length > 0, `${id}: the medium ${medium} is known`);
      for (const [link, { messages, rejects }] of reads) {
        t.same(rejects, expect.rejects, `${id} over ${link}: rejects`);
        t.same(messages.map(inGoldenWords), expect.emit, `${id} over ${link}: ${messages.length} messages`);
      }
    }
  },
);
