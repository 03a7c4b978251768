/**
 * Throws damaged blocks at the ASTERIX codec: `node build/scripts/fuzz/asterix.js [--inputs N] [--seed S]`. It ends with exit
 * code 1 and the input that broke a promise. Decoding never throws, and every value is in the range of its item. A datagram is
 * decoded alike after any other, and a stream alike however it is cut. Nothing is left of a stream that went away.
 */
import { parseArgs } from 'node:util';
import { createAsterixCodec } from '../../src/edge/wire/asterix/codec.ts';
import type { AsterixMessage } from '../../src/edge/wire/asterix/message.ts';
import type { Codec } from '../../src/edge/wire/codec.ts';
import { asterixBlock, northRecord, plotRecord, trackRecord } from '../../test/support/links/asterix_blocks.ts';
import { damaged } from './damage.ts';
import { createRandom, type Random } from './lines/random.ts';

export type FuzzResult = { inputs: number; messages: number; refused: number };

const timeS = 43_200;
const site = { lat: 47.2, lon: 8.73, altMslM: 565 };
const plot = { timeS, rangeM: 2_600, azimuthDeg: 72, altMslM: 650, track: 11, speed: { mps: 12, courseDeg: 288 } };
/** Blocks that decode: what the damage begins with. The station report is of a CAT 021 with a fine position. */
const good: readonly Buffer[] = [
  asterixBlock(34, northRecord({ timeS, turnS: 2, isNoGo: false, site })),
  asterixBlock(48, plotRecord(plot), plotRecord({ ...plot, track: 12, codes: [19, 23], icao24: 0x4b5c6d })),
  asterixBlock(62, trackRecord({ timeS, track: 4711, lat: 47.2, lon: 8.7, eastMps: 1, northMps: -2, ageS: 1 })),
  Buffer.from('15002fe3197319c0cc3c00000010c928bc0317e4b14b5c6d54603301e051f21200727fb0021381112020420e082001', 'hex'),
  Buffer.from('41000cf4cc32010154602600', 'hex'),
];

/** Greatest magnitude of each value by the width of its item. */
const limits: Readonly<Record<string, number>> = {
  timeOfDayS: 131_072,
  rangeM: 474_112,
  azimuthDeg: 360,
  altMslM: 62_424,
  latDeg: 11_520,
  lonDeg: 11_520,
  speedMps: 7_408,
  courseDeg: 360,
  sigmaHM: 7_566,
};

/** Runs `inputs` damaged inputs. Throws with the input where a promise does not hold. */
export function fuzzAsterix(inputs: number, seed: number): FuzzResult {
  const random = createRandom(seed);
  const result: FuzzResult = { inputs: 0, messages: 0, refused: 0 };
  const datagrams = createAsterixCodec({ datagrams: true });
  const [whole, cut] = [createAsterixCodec({ datagrams: false }), createAsterixCodec({ datagrams: false })];
  for (; result.inputs < inputs; result.inputs++) {
    const input = damagedBlocks(random);
    const fault = faultOf(input, { datagrams, whole, cut, random }, result);
    if (fault !== null) throw new Error(`${fault}; seed ${seed}, input ${result.inputs}, hex ${input.toString('hex')}`);
  }
  result.refused = [datagrams, cut].reduce((sum, codec) => sum + refusedBy(codec), 0);
  return result;
}

type AsterixCodec = Codec<AsterixMessage>;
type Subjects = { datagrams: AsterixCodec; whole: AsterixCodec; cut: AsterixCodec; random: Random };

function faultOf(input: Buffer, { datagrams, whole, cut, random }: Subjects, result: FuzzResult): string | null {
  const [datagram, stream, pieces]: AsterixMessage[][] = [[], [], []];
  datagrams.decode(input, 'a', 0, (message) => datagram?.push(message));
  whole.decode(input, 'a', 0, (message) => stream?.push(message));
  for (let at = 0; at < input.length; ) {
    const size = 1 + random.below(random.below(3) === 0 ? 4 : 64);
    cut.decode(input.subarray(at, at + size), 'a', 0, (message) => pieces?.push(message));
    at += size;
  }
  for (const codec of [datagrams, whole, cut]) codec.forget('a');
  result.messages += (datagram?.length ?? 0) + (pieces?.length ?? 0);
  if (JSON.stringify(stream) !== JSON.stringify(pieces)) return 'cutting it changed what it says';
  if (JSON.stringify(whole.rejects) !== JSON.stringify(cut.rejects)) return 'cutting it changed its rejects';
  for (const message of [...(datagram ?? []), ...(pieces ?? [])]) {
    const fault = faultOfMessage(message);
    if (fault !== null) return fault;
  }
  return null;
}

function faultOfMessage(message: AsterixMessage): string | null {
  if (!/^\d{1,3}\/\d{1,3}$/.test(message.source)) return `source ${message.source}`;
  for (const [name, value] of Object.entries(message)) {
    if (typeof value === 'number' && !Number.isFinite(value)) return `${name} is ${value}`;
    const limit = limits[name];
    if (limit !== undefined && typeof value === 'number' && Math.abs(value) > limit) return `${name} is ${value}`;
  }
  return null;
}

/** One to three blocks with one to four damages. */
function damagedBlocks(random: Random): Buffer {
  const blocks = Array.from({ length: 1 + random.below(3) }, () => good[random.below(good.length)] ?? Buffer.alloc(0));
  return damaged(Buffer.concat(blocks), random, 1 + random.below(4));
}

function refusedBy({ rejects }: AsterixCodec): number {
  return Object.values(rejects).reduce((sum, count) => sum + count, 0);
}

if (process.argv[1] === import.meta.filename) {
  const { values } = parseArgs({ options: { inputs: { type: 'string' }, seed: { type: 'string' } } });
  const inputs = Number(values.inputs ?? 1_000_000);
  const seed = Number(values.seed ?? 1);
  const startMs = performance.now();
  const { messages, refused } = fuzzAsterix(inputs, seed);
  const seconds = ((performance.now() - startMs) / 1000).toFixed(1);
  const usedMb = (process.memoryUsage().rss / 1e6).toFixed(0);
  console.log(
    `seed ${seed}: ${inputs} inputs, ${messages} messages, ${refused} refused, no fault, ${seconds} s, ${usedMb} MB`,
  );
}
