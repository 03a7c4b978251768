/**
 * Throws damaged frames at the codecs of radios: `node build/scripts/fuzz/radio.js [--inputs N] [--seed S]`. It ends with
 * exit code 1 and the input that broke a promise. Decoding never throws and keeps every value in its range. A frame whose
 * check sum does not hold gives no message. The copies for a recording give the same messages. Nothing is left of a stream
 * that went away, and memory stays flat.
 */
import { isDeepStrictEqual, parseArgs } from 'node:util';
import type { Codec } from '../../src/edge/wire/codec.ts';
import type { RadioMessage } from '../../src/edge/wire/radio/message.ts';
import { damaged, noise } from './damage.ts';
import { faultOfMessage } from './lines/messages.ts';
import { createRandom, type Random } from './lines/random.ts';
import { type Subject, subjects } from './radio/subjects.ts';

export type FuzzResult = { inputs: number; bytes: number; messages: number; refused: number };

/** `player` decodes the copies for a recording that `codec` makes. */
type Running = Subject & { codec: Codec<RadioMessage>; player: Codec<RadioMessage>; said: ReadonlySet<string> };

/** Runs `inputs` damaged streams over all links in turn. Throws with the input where a promise does not hold. */
export function fuzzRadio(inputs: number, seed: number, onEach: (done: number) => void = () => {}): FuzzResult {
  const random = createRandom(seed);
  const result: FuzzResult = { inputs: 0, bytes: 0, messages: 0, refused: 0 };
  const running = subjects.map(begun);
  for (; result.inputs < inputs; result.inputs++) {
    const subject = running[result.inputs % running.length] as Running;
    const isChecked = subject.checkedFrom !== null && random.below(3) === 0;
    const input = isChecked ? flipped(subject, random) : mangled(subject, random);
    const fault = faultOf(subject, input, { isChecked, random, atMs: result.inputs }, result);
    if (fault !== null) {
      throw new Error(`${subject.name}: ${fault}; seed ${seed}, input ${result.inputs}, hex ${input.toString('hex')}`);
    }
    result.bytes += input.length;
    onEach(result.inputs);
  }
  result.refused = running.reduce((sum, { codec }) => sum + refusedBy(codec), 0);
  return result;
}

function begun(subject: Subject): Running {
  const said = new Set<string>();
  const codec = subject.create();
  codec.decode(subject.stream(subject.frames), '', 0, (message) => said.add(JSON.stringify(message)));
  if (said.size === 0) throw new Error(`${subject.name}: its good frames say nothing`);
  return { ...subject, codec: subject.create(), player: subject.create(), said };
}

type Turn = { isChecked: boolean; random: Random; atMs: number };

/** Broken promise of one input, or null. */
function faultOf(
  subject: Running,
  input: Buffer,
  { isChecked, random, atMs }: Turn,
  result: FuzzResult,
): string | null {
  const { codec, player, said } = subject;
  const messages: RadioMessage[] = [];
  const played: RadioMessage[] = [];
  for (let at = 0; at < input.length; ) {
    const size = random.below(4) === 0 ? 1 + random.below(16) : input.length;
    codec.restated?.begin();
    codec.decode(input.subarray(at, at + size), '', atMs, (message) => messages.push(message));
    const copy = codec.restated?.end();
    if (copy !== undefined) player.decode(copy, '', atMs, (message) => played.push(message));
    at += size;
  }
  codec.forget('');
  player.forget('');
  if (codec.restated !== undefined && !isDeepStrictEqual(played, messages)) return 'its recording gives other messages';
  result.messages += messages.length;
  for (const message of messages) {
    const fault = faultOfRadio(message);
    if (fault !== null) return fault;
    if (isChecked && !said.has(JSON.stringify(message))) return 'a frame with a wrong check sum gave a message';
  }
  return null;
}

function faultOfRadio(message: RadioMessage): string | null {
  if (!/^(?:[0-9a-f]{2}:){5}[0-9a-f]{2}$/.test(message.mac)) return `mac ${message.mac}`;
  if (message.kind !== 'odid') return faultOfMessage(message);
  if (message.messages.length === 0 || message.messages.length > 9) return `${message.messages.length} messages`;
  for (const one of message.messages) {
    const isPlaced = one.type === 'location' && one.latDeg !== null && !one.implausible;
    if (isPlaced && !(Math.abs(one.latDeg ?? 0) <= 90 && Math.abs(one.lonDeg ?? 0) <= 180))
      return 'an impossible place';
  }
  return null;
}

/** A stream in which one to three bits of a frame's checked part are turned over. */
function flipped({ frames, stream, checkedFrom }: Subject, random: Random): Buffer {
  const chosen = random.below(frames.length);
  const turned = frames.map((frame, n) => {
    if (n !== chosen) return frame;
    const copy = Buffer.from(frame);
    const from = checkedFrom ?? 0;
    for (let count = 1 + random.below(3); count > 0; count--) {
      const at = from + random.below(copy.length - from);
      copy[at] = (copy[at] ?? 0) ^ (1 << random.below(8));
    }
    return copy;
  });
  return stream(turned);
}

const tellingBytes = [0, 1, 2, 4, 0x0d, 0x3e, 0x7f, 0x80, 0xdd, 0xff];

/** A stream with damage anywhere; a changed byte gets a value that means something to a reader. */
function mangled({ frames, stream }: Subject, random: Random): Buffer {
  if (random.below(50) === 0) return noise(random, random.below(400));
  const bytes = stream(frames.slice(random.below(frames.length)));
  const changed = () => tellingBytes[random.below(tellingBytes.length)] ?? random.below(256);
  return damaged(bytes, random, 1 + random.below(4), { changed });
}

function refusedBy({ rejects }: Codec<RadioMessage>): number {
  return Object.values(rejects).reduce((sum, count) => sum + count, 0);
}

/** Memory that is in use after a collection, MB; without --expose-gc what the process holds. */
function usedMb(): number {
  globalThis.gc?.();
  const { heapUsed, rss } = process.memoryUsage();
  return (globalThis.gc === undefined ? rss : heapUsed) / 1e6;
}

const LOOK_EVERY = 500_000;

if (process.argv[1] === import.meta.filename) {
  const { values } = parseArgs({ options: { inputs: { type: 'string' }, seed: { type: 'string' } } });
  const inputs = Number(values.inputs ?? 1_000_000);
  const seed = Number(values.seed ?? 1);
  const startMs = performance.now();
  const looks: string[] = [];
  const result = fuzzRadio(inputs, seed, (done) => {
    if (done % LOOK_EVERY === LOOK_EVERY - 1) looks.push(usedMb().toFixed(1));
  });
  const seconds = ((performance.now() - startMs) / 1000).toFixed(1);
  console.log(
    `seed ${seed}: ${result.inputs} inputs (${(result.bytes / 1e6).toFixed(0)} MB), ${result.messages} messages, ${result.refused} refused, no fault, ${seconds} s`,
  );
  console.log(`memory in use each ${LOOK_EVERY} inputs, MB: ${looks.join(' ')}`);
}
