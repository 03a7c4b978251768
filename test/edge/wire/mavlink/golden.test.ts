import t, { type Test } from 'tap';
import { createMavlinkCodec, type MavlinkCodec } from '../../../../src/edge/wire/mavlink/codec.ts';
import { SignatureGate } from '../../../../src/edge/wire/mavlink/signing.ts';
import { SigningClock } from '../../../../src/edge/wire/mavlink/signing_clock.ts';
import type { MavlinkMessage, OdidReport } from '../../../../src/edge/wire/message.ts';
import {
  type GoldenLine,
  goldenLines,
  goldenMissing,
  isImplausible,
  type Normalised,
  normalised,
  normalisedTag,
  normalisedWithType,
} from '../odid/golden.ts';

function decodeOne(codec: MavlinkCodec, hex: string): MavlinkMessage[] {
  const messages: MavlinkMessage[] = [];
  codec.decode(Buffer.from(hex, 'hex'), '', 0, (message) => messages.push(message));
  return messages;
}

function reportOf(t: Test, codec: MavlinkCodec, line: GoldenLine): OdidReport | null {
  const [message, ...more] = decodeOne(codec, line.hex);
  t.equal(more.length, 0, `${line.case}: one message`);
  if (message?.kind !== 'odid') {
    t.fail(`${line.case}: no Remote ID report`);
    return null;
  }
  const { sysid, compid, seq } = message;
  t.same({ sysid, compid, seq }, { sysid: line.sysid, compid: line.compid, seq: line.seq }, `${line.case}: source`);
  return message;
}

/** The golden values, with what the standard does not allow made null. */
function expected({ si, out_of_range = [] }: GoldenLine): Normalised {
  const nulled: Record<string, string[]> = {
    latitude: ['lat', 'lon'],
    longitude: ['lat', 'lon'],
    altitude_geodetic: ['alt_geo_m'],
    altitude_barometric: ['alt_baro_m'],
    height: ['height_m'],
    timestamp: ['ts_s_after_hour'],
    direction: ['direction_deg'],
    speed_horizontal: ['speed_h_ms'],
    speed_vertical: ['speed_v_ms'],
  };
  const values = { ...si };
  delete values.id_or_mac;
  for (const name of out_of_range) for (const key of nulled[name] ?? []) values[key] = null;
  return values;
}

t.test('every golden frame decodes to its normalised values', { skip: goldenMissing }, async (t) => {
  for (const line of goldenLines('odid_frames.jsonl')) {
    const codec = createMavlinkCodec({ datagrams: false });
    const report = reportOf(t, codec, line);
    const [message] = report?.messages ?? [];
    if (!report || !message) continue;
    t.same(normalised(message), expected(line), `${line.name} ${line.case}`);
    t.same(normalisedTag(report.tag), line.si?.id_or_mac ?? null, `${line.case}: tag`);
    t.equal(isImplausible(message), line.out_of_range !== undefined, `${line.case}: flagged where impossible`);
    t.equal(report.pack, false);
    t.equal(codec.messages, 1);
  }
});

t.test('golden packs decode to all their messages, malformed ones are refused', { skip: goldenMissing }, async (t) => {
  for (const line of goldenLines('odid_packs.jsonl')) {
    const codec = createMavlinkCodec({ datagrams: false });
    if (line.pack_ok === false && !line.case.startsWith('reserved type')) {
      t.same(decodeOne(codec, line.hex), [], `${line.case}: refused`);
      t.equal(codec.rejects.length + codec.rejects.malformed, 1, `${line.case}: counted once`);
      continue;
    }
    const report = reportOf(t, codec, line);
    t.equal(report?.pack, true);
    t.same(normalisedTag(report?.tag ?? null), line.si?.id_or_mac ?? null, `${line.case}: tag`);
    const types = report?.messages.map((message) => message.type);
    if (line.pack_ok) t.same(report?.messages.map(normalisedWithType), line.messages_si, line.case);
    else t.same(types, ['basic_id'], `${line.case}: the known message is kept`);
  }
});

t.test('golden signatures hold with their key and with no other', { skip: goldenMissing }, async (t) => {
  const lines = goldenLines('odid_frames.jsonl').filter((line) => line.signed);
  t.ok(lines.length > 0, 'the set has signed frames');
  const key = Buffer.from(lines[0]?.sign_key_hex ?? '', 'hex');
  const clock = new SigningClock(() => 0);
  const gate = new SignatureGate(key, clock);
  const right = createMavlinkCodec({ datagrams: false, signing: { required: true, gate: () => gate } });
  const other = new SignatureGate(Buffer.alloc(32, 7), clock);
  const wrong = createMavlinkCodec({ datagrams: false, signing: { required: true, gate: () => other } });
  for (const { hex } of lines) {
    t.same(
      decodeOne(right, hex).map(({ signed }) => signed),
      [true],
    );
    t.same(decodeOne(wrong, hex), []);
  }
  t.equal(wrong.rejects.not_allowed, lines.length);
  const newest = Math.max(...lines.map((line) => line.sign_timestamp ?? 0));
  const [first] = lines;
  t.same(gate.streams, [{ sysid: first?.sysid, compid: first?.compid, linkId: 3, timestamp: newest }]);
});
