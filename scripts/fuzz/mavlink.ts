/**
 * Throws damaged bytes at the MAVLink codec: `node build/scripts/fuzz/mavlink.js [--inputs N] [--seed S]`. It ends with
 * exit code 1 and the input that broke a promise. Decoding never throws, holds less than one frame, and counts every
 * frame that it emits or refuses. It finds exactly the frames that a slow, independent scanner finds, wherever the
 * bytes are cut.
 */
import { strict as assert } from 'node:assert';
import { argv } from 'node:process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { MSG_ID_MAGIC_NUMBER, x25crc } from 'node-mavlink';
import { createMavlinkCodec, type MavlinkCodec } from '../../src/edge/wire/mavlink/codec.ts';
import { encodeFrame } from '../../src/edge/wire/mavlink/encode.ts';
import { messageRows } from '../../src/edge/wire/mavlink/messages.ts';
import type { MavlinkMessage } from '../../src/edge/wire/message.ts';

export type FuzzResult = { inputs: number; bytes: number; frames: number; refused: number };

/** Any more than this is a longest frame. */
const HELD_LIMIT = 280;
/** Ends every frame that an input may leave begun, so that what stands behind a false start byte comes out. */
const flush = Buffer.alloc(HELD_LIMIT);
/** Messages that a good frame may carry with content that is refused. */
const refusable = new Set([12902, 12915]);

const lengthsOf = new Map(messageRows.map(([msgid, , min, max]) => [msgid, { min, max }]));

/** Runs `inputs` random inputs. Throws an AssertionError that shows the input where a promise does not hold. */
export function fuzzMavlink(inputs: number, seed: number): FuzzResult {
  const random = generator(seed);
  const result: FuzzResult = { inputs, bytes: 0, frames: 0, refused: 0 };
  const codec = createMavlinkCodec({ datagrams: false });
  for (let i = 0; i < inputs; i++) {
    const input = makeInput(random);
    try {
      result.frames += checkInput(codec, `sender ${i % 300}`, input, random);
    } catch (failure) {
      const hex = input.toString('hex');
      throw new assert.AssertionError({ message: `seed ${seed}, input ${i}: ${String(failure)}\n${hex}` });
    }
    result.bytes += input.length;
  }
  result.refused = refusedBy(codec);
  return result;
}

/** Feeds one input in random cuts, ends it, and gives the number of good frames in it. */
function checkInput(codec: MavlinkCodec, from: string, input: Buffer, random: () => number): number {
  const expected = slowScan(Buffer.concat([input, flush]));
  const before = { messages: codec.messages, refused: refusedBy(codec) };
  const emitted: MavlinkMessage[] = [];
  const feed = (bytes: Buffer) => {
    codec.decode(bytes, from, 0, (message) => emitted.push(message));
    assert.ok(codec.heldBytes < HELD_LIMIT, `${codec.heldBytes} bytes are held`);
  };
  for (let at = 0; at < input.length; ) {
    const size = random() < 0.3 ? 1 : 1 + Math.floor(random() * input.length);
    feed(input.subarray(at, at + size));
    at += size;
  }
  feed(flush);
  codec.forget(from);
  assert.equal(codec.heldBytes, 0, 'a forgotten sender leaves nothing');
  assert.equal(codec.messages - before.messages, emitted.length, 'every emitted message is counted');
  const refused = refusedBy(codec) - before.refused;
  assert.ok(refused > 0 && refused <= input.length + flush.length, `${refused} refusals`);
  assert.deepEqual(
    emitted.filter(isCertain).map(sourceOf),
    expected.filter((frame) => !refusable.has(frame.msgid)).map(sourceOf),
  );
  const contentRefused = expected.length - emitted.length;
  assert.ok(contentRefused >= 0 && contentRefused <= expected.filter((frame) => refusable.has(frame.msgid)).length);
  return expected.length;
}

const isCertain = (message: MavlinkMessage): boolean =>
  message.kind !== 'odid' || (!message.pack && message.messages[0]?.type !== 'auth');

type Source = { sysid: number; compid: number; seq: number };

const sourceOf = ({ sysid, compid, seq }: Source): string => `${sysid}/${compid}/${seq}`;

function refusedBy({ rejects }: MavlinkCodec): number {
  return Object.values(rejects).reduce((sum, count) => sum + count, 0);
}

/** The frames of a buffer by the letter of the MAVLink guide, one byte on after everything else. */
function slowScan(bytes: Buffer): (Source & { msgid: number })[] {
  const frames: (Source & { msgid: number })[] = [];
  for (let at = 0; at < bytes.length; ) {
    const frame = slowFrame(bytes.subarray(at, at + HELD_LIMIT));
    if (frame) frames.push(frame);
    at += frame?.size ?? 1;
  }
  return frames;
}

function slowFrame(bytes: Buffer): (Source & { msgid: number; size: number }) | null {
  if (bytes.length < 8) return null;
  const isV2 = bytes[0] === 0xfd;
  if (!isV2 && bytes[0] !== 0xfe) return null;
  const header = isV2 ? 10 : 6;
  const length = bytes.readUInt8(1);
  if (bytes.length < header + length + 2) return null;
  const signed = isV2 && bytes[2] === 1;
  if (isV2 && !signed && bytes[2] !== 0) return null;
  const msgid = isV2 ? bytes.readUIntLE(7, 3) : bytes.readUInt8(5);
  const extra = MSG_ID_MAGIC_NUMBER[msgid as unknown as keyof typeof MSG_ID_MAGIC_NUMBER];
  if (extra === undefined) return null;
  const lengths = lengthsOf.get(msgid);
  if (!isV2 && lengths && (length < lengths.min || length > lengths.max)) return null;
  const checked = bytes.subarray(0, header + length + 2);
  const size = checked.length + (signed ? 13 : 0);
  if (bytes.length < size || x25crc(checked, 1, 2, Number(extra)) !== checked.readUInt16LE(header + length))
    return null;
  const [seq = 0, sysid = 0, compid = 0] = bytes.subarray(isV2 ? 4 : 2);
  return { seq, sysid, compid, msgid, size };
}

/** Noise, damaged frames and whole frames, one after another. */
function makeInput(random: () => number): Buffer {
  const parts: Buffer[] = [];
  for (let count = 1 + Math.floor(random() * 4); count > 0; count--) parts.push(makePart(random));
  return Buffer.concat(parts);
}

function makePart(random: () => number): Buffer {
  const choice = random();
  if (choice < 0.25) return noise(random, 1 + Math.floor(random() * 60));
  const frame = makeFrame(random);
  if (choice < 0.45) return frame.subarray(0, 1 + Math.floor(random() * frame.length));
  if (choice < 0.65) frame[Math.floor(random() * frame.length)] = Math.floor(random() * 256);
  return frame;
}

function makeFrame(random: () => number): Buffer {
  const version = random() < 0.3 ? 1 : 2;
  const rows = version === 1 ? messageRows.filter(([msgid]) => msgid < 256) : messageRows;
  const hot = version === 2 && random() < 0.5;
  const [msgid = 0, , , max = 0] =
    (hot ? rows.filter(([id]) => id >= 12900 && id < 12920) : rows).at(
      Math.floor(random() * (hot ? 9 : rows.length)),
    ) ?? [];
  const payload = noise(random, max);
  const seq = Math.floor(random() * 256);
  const frame = encodeFrame({ version, sysid: 1 + Math.floor(random() * 250), compid: 1, seq, msgid, payload });
  return version === 2 && random() < 0.2 ? signedLike(frame, random) : frame;
}

/** The same frame again with the flag of a signature and 13 bytes that stand for one. */
function signedLike(frame: Buffer, random: () => number): Buffer {
  const signed = Buffer.concat([frame, noise(random, 13)]);
  signed[2] = 1;
  const extra = MSG_ID_MAGIC_NUMBER[signed.readUIntLE(7, 3) as unknown as keyof typeof MSG_ID_MAGIC_NUMBER];
  const crc = x25crc(signed, 1, 15, Number(extra));
  signed.writeUInt16LE(crc, frame.length - 2);
  return signed;
}

function noise(random: () => number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  for (let i = 0; i < length; i++) {
    const choice = random();
    bytes[i] = choice < 0.05 ? 0xfd : choice < 0.1 ? 0xfe : choice < 0.3 ? 0 : Math.floor(random() * 256);
  }
  return bytes;
}

/** Numbers from 0 up to 1, the same for the same seed (mulberry32). */
function generator(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

if (argv[1] === fileURLToPath(import.meta.url)) {
  const options = { inputs: { type: 'string', default: '1000000' }, seed: { type: 'string', default: '1' } } as const;
  const { values } = parseArgs({ options });
  console.log(`seed ${values.seed}`);
  console.log(fuzzMavlink(Number(values.inputs), Number(values.seed)));
}
