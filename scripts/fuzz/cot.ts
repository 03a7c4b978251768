/**
 * Throws damaged events at the codec of Cursor on Target: `node build/scripts/fuzz/cot.js [--inputs N] [--seed S]`. It ends
 * with exit code 1 and the input that broke a promise. Decoding never throws and keeps every value in its range. A datagram
 * is one event or one refusal, a good event after a damaged stream is read, and memory stays flat.
 */
import { parseArgs } from 'node:util';
import type { Codec } from '../../src/edge/wire/codec.ts';
import { createCotCodec } from '../../src/edge/wire/cot/codec.ts';
import { writeProtobufEvent } from '../../src/edge/wire/cot/write_protobuf.ts';
import type { CotMessage } from '../../src/edge/wire/message.ts';
import { foreignEvent } from '../../test/support/links/cot_events.ts';
import { damaged } from './damage.ts';
import { createRandom, type Random } from './lines/random.ts';

export type FuzzResult = { inputs: number; messages: number; refused: number };

const timeMs = 1_780_000_000_000;
const point = { lat: 47.2, lon: 8.7, haeM: 655.5, ceM: 6, leM: 8 };
const xml = Buffer.from(foreignEvent({ uid: 'f.1', callsign: 'F é', timeMs, ...point, course: 293, speed: 8 }));
const protobuf = Buffer.from(
  writeProtobufEvent({
    ...{ uid: 'f.1', type: 'a-u-A-M-H-Q', how: 'm-g', timeMs, startMs: timeMs, staleMs: timeMs + 30_000, point },
    detail: [
      { name: 'contact', attributes: { callsign: 'F é' } },
      { name: 'track', attributes: { course: 293, speed: 8 } },
      { name: 'remarks', attributes: {}, children: ['said'] },
    ],
  }),
);
const marks = [
  '<event ',
  '</event>',
  '<event',
  '<!DOCTYPE x>',
  '<![CDATA[',
  ']]>',
  '<!--',
  '&#0;',
  '&amp;',
  '<a>',
  '"',
  '\0',
];

/** Runs `inputs` damaged datagrams and streams in turn. Throws with the input where a promise does not hold. */
export function fuzzCot(inputs: number, seed: number): FuzzResult {
  const random = createRandom(seed);
  const codecs = { datagrams: createCotCodec({ datagrams: true }), stream: createCotCodec() };
  const result: FuzzResult = { inputs: 0, messages: 0, refused: 0 };
  for (; result.inputs < inputs; result.inputs++) {
    const isStream = random.below(2) === 0;
    const input = damagedEvent(isStream || random.below(2) === 0 ? xml : protobuf, random);
    const fault = isStream
      ? faultOfStream(codecs.stream, input, random, result)
      : faultOfDatagram(codecs.datagrams, input, result);
    if (fault !== null) throw new Error(`${fault}; seed ${seed}, input ${result.inputs}, hex ${input.toString('hex')}`);
  }
  return result;
}

function faultOfDatagram(codec: Codec<CotMessage>, input: Buffer, result: FuzzResult): string | null {
  const before = refusedBy(codec);
  const messages = decode(codec, [input]);
  const refused = refusedBy(codec) - before;
  result.messages += messages.length;
  result.refused += refused;
  if (messages.length + refused !== 1) return `${messages.length} events and ${refused} refusals of one datagram`;
  return faultOf(messages);
}

/** Sends the damaged bytes, then two good events: the damage may cost the first of them. */
function faultOfStream(codec: Codec<CotMessage>, input: Buffer, random: Random, result: FuzzResult): string | null {
  const before = refusedBy(codec);
  const cut = random.below(input.length + 1);
  const messages = decode(codec, [input.subarray(0, cut), input.subarray(cut), xml, xml]);
  codec.forget('');
  result.messages += messages.length;
  result.refused += refusedBy(codec) - before;
  return messages.at(-1)?.uid === 'f.1' ? faultOf(messages) : 'a good event after the damage is not read';
}

function decode(codec: Codec<CotMessage>, chunks: readonly Buffer[]): CotMessage[] {
  const messages: CotMessage[] = [];
  for (const chunk of chunks) codec.decode(chunk, '', 0, (message) => messages.push(message));
  return messages;
}

function faultOf(messages: readonly CotMessage[]): string | null {
  for (const { latDeg, lonDeg, altHaeM, ceM, leM, courseDeg, speedMps, uid, timeMs: sentMs } of messages) {
    if (!(Math.abs(latDeg) <= 90 && Math.abs(lonDeg) <= 180)) return `the place ${latDeg}, ${lonDeg}`;
    if (altHaeM !== null && !(altHaeM >= -1_000 && altHaeM <= 100_000)) return `the height ${altHaeM}`;
    for (const error of [ceM, leM]) if (error !== null && !(error > 0 && error < 999_999)) return `the error ${error}`;
    if (courseDeg !== null && !(courseDeg >= 0 && courseDeg < 360)) return `the course ${courseDeg}`;
    if (speedMps !== null && !(speedMps >= 0 && speedMps <= 2_000)) return `the speed ${speedMps}`;
    if (uid === '' || uid.length > 120 || !Number.isFinite(sentMs)) return `the uid ${uid} at ${sentMs}`;
  }
  return null;
}

/** An event with one to four damages: marks of XML, and now and then more text than an event may have, are put in. */
function damagedEvent(event: Buffer, random: Random): Buffer {
  const inserted = (): Buffer =>
    random.below(40) === 0
      ? Buffer.alloc(random.below(70_000), 'x')
      : Buffer.from(marks[random.below(marks.length)] ?? '');
  return damaged(event, random, 1 + random.below(4), { inserted });
}

function refusedBy({ rejects }: Codec<CotMessage>): number {
  return Object.values(rejects).reduce((sum, count) => sum + count, 0);
}

function usedMb(): number {
  globalThis.gc?.();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return (heapUsed + arrayBuffers) / 2 ** 20;
}

function main(): void {
  const { values } = parseArgs({
    options: { inputs: { type: 'string', default: '100000' }, seed: { type: 'string', default: '1' } },
  });
  const before = usedMb();
  const { inputs, messages, refused } = fuzzCot(Number(values.inputs), Number(values.seed));
  const memory = `${before.toFixed(0)} MB before, ${usedMb().toFixed(0)} MB after`;
  process.stdout.write(`${inputs} inputs: ${messages} events, ${refused} refused; ${memory}\n`);
}

if (process.argv[1] === import.meta.filename) main();
