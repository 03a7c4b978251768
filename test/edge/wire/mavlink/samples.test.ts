import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as library from 'node-mavlink';
import t from 'tap';
import type { MavlinkMessage } from '../../../../src/edge/wire/message.ts';
import { datagrams, decode, refusals, stream } from './aids.ts';

const folder = join(process.cwd(), '../shared/samples');
const skip = existsSync(folder) ? false : 'the sample captures are not here';

/** The packets that node-mavlink's splitter finds, given the capture in one piece. */
function packetsByLibrary(bytes: Buffer): number {
  const splitter = new library.MavLinkPacketSplitter();
  let packets = 0;
  splitter.push = () => {
    packets++;
    return true;
  };
  splitter._transform(bytes, 'buffer', () => {});
  return packets;
}

/** Frames of a capture that has a time of 8 bytes before each. */
function tlogFrames(bytes: Buffer): Buffer[] {
  const frames: Buffer[] = [];
  for (let at = 8; at < bytes.length; ) {
    const length = bytes[at + 1] ?? 0;
    const signed = bytes[at] === 0xfd && ((bytes[at + 2] ?? 0) & 1) === 1;
    const size = bytes[at] === 0xfd ? 12 + length + (signed ? 13 : 0) : 8 + length;
    frames.push(bytes.subarray(at, at + size));
    at += size + 8;
  }
  return frames;
}

const captures = [
  'derived_from_log171.tlog',
  'hw_pixhawk6x_copter457_radio.tlog',
  'sitl_arducopter_455_commands_acks.tlog',
  'vtol_sitl_arduplane.tlog',
  'px4_mixed_v1_v2_GH-5.bin',
  'px4_v2_3412_packets.bin',
];

for (const name of captures) {
  t.test(`${name}: no packet that node-mavlink finds is missed`, { skip }, async (t) => {
    const bytes = readFileSync(join(folder, 'mavlink', name));
    const codec = stream();
    for (let at = 0; at < bytes.length; at += 997) decode(codec, bytes.subarray(at, at + 997));
    const theirs = packetsByLibrary(bytes);
    t.comment(
      `${name}: ${codec.messages} messages, node-mavlink ${theirs}, refused ${JSON.stringify(refusals(codec))}`,
    );
    t.ok(codec.messages >= theirs, `${codec.messages} messages, node-mavlink finds ${theirs}`);
    t.ok(codec.messages > 0);
  });
}

t.test('captures with times: cut by their times, nearly every frame is a message', { skip }, async (t) => {
  for (const name of captures.filter((capture) => capture.endsWith('.tlog'))) {
    const codec = datagrams();
    const frames = tlogFrames(readFileSync(join(folder, 'mavlink', name)));
    for (const frame of frames) decode(codec, frame, 'tlog:1');
    const refused = Object.values(codec.rejects).reduce((sum, count) => sum + count, 0);
    t.comment(
      `${name}: ${frames.length} frames, ${codec.messages} messages, ${JSON.stringify(refusals(codec))}, ${codec.sequenceGaps} gaps`,
    );
    // One capture has a damaged record that holds two frames.
    t.ok(codec.messages + refused >= frames.length, name);
    t.ok(codec.messages > 0.99 * frames.length, name);
  }
});

for (const name of ['anafi4_real', 'odid_wifi']) {
  t.test(`${name}: every derived pack is a report about its transmitter`, { skip }, async (t) => {
    const text = readFileSync(join(folder, 'remote_id', `${name}.derived_mavlink.jsonl`), 'utf8');
    const lines = text.split('\n').filter((line) => line !== '');
    const codec = datagrams();
    const messages: MavlinkMessage[] = [];
    for (const line of lines) {
      const row = JSON.parse(line) as Record<string, string>;
      messages.push(...decode(codec, Buffer.from(row.hex ?? '', 'hex'), 'rid:1'));
    }
    t.comment(`${name}: ${lines.length} lines, ${codec.messages} messages, ${JSON.stringify(refusals(codec))}`);
    t.equal(messages.length, lines.length);
    for (const message of messages) t.match(message, { kind: 'odid', pack: true, tag: { mac: /^[0-9A-F:]{17}$/ } });
    t.equal(codec.sequenceGaps, 0);
  });
}
