import { parseArgs } from 'node:util';
import type { WireMessage } from '../../src/edge/feed/protocols.ts';
import type { Codec } from '../../src/edge/wire/codec.ts';
import { createNmeaCodec } from '../../src/edge/wire/nmea/codec.ts';
import { createObsJsonCodec } from '../../src/edge/wire/obs_json/codec.ts';
import { createOdidJsonCodec } from '../../src/edge/wire/odid_json/codec.ts';
import { createReadsbJsonCodec } from '../../src/edge/wire/readsb_json/codec.ts';
import { createSbsCodec } from '../../src/edge/wire/sbs/codec.ts';
import { faultOfMessage } from './lines/messages.ts';
import { createMutator, type Mutator } from './lines/mutator.ts';
import { createRandom } from './lines/random.ts';

type Protocol = {
  name: string;
  create: () => Codec<WireMessage>;
  maxLineBytes: number;
  good: string[];
  /** Whether a piece that is nothing but an empty line is a message: a sign of life. */
  isEmptyMessage?: true;
  /** Makes the checksums of a damaged input hold, so that damage gets past them. */
  mend?: (input: Buffer) => Buffer;
};

/** Lines that decode, one message each: what the mutations begin with, and the proof of recovery. */
const protocols: Protocol[] = [
  {
    name: 'odid_json',
    create: createOdidJsonCodec,
    maxLineBytes: 4096,
    good: [
      '{"mac":"30:ae:a4:00:00:01","rssi":-57,"drone_lat":60.169900,"drone_long":24.938400,"drone_altitude":-1000,"pilot_lat":60.170000,"pilot_long":24.938000,"basic_id":"FUZZ0001"}',
      '{"mac":"30:ae:a4:00:00:02","rssi":-80,"band":"5GHz","channel":149,"drone_lat":-33.8,"drone_long":151.2,"drone_altitude":95,"pilot_lat":0.0,"pilot_long":0.0,"basic_id":"FUZZ0002","node_id":"0C7E"}',
      '{"basic_id":"X","mac":"30:ae:a4:00:00:03","drone_lat":1,"drone_long":2}',
    ],
  },
  {
    name: 'sbs',
    create: createSbsCodec,
    isEmptyMessage: true,
    maxLineBytes: 4096,
    good: [
      'MSG,3,1,1,3C6444,1,2031/02/03,04:05:06.200,2031/02/03,04:05:06.200,CALL1,12000,250,90,50.10000,8.50000,-640,7700,0,-1,0,0',
      '1970154010,MSG,4,,,~A39089,,,,,,,,282,347,,,2176,,0,0,0,0',
    ],
  },
  {
    name: 'nmea',
    create: createNmeaCodec,
    maxLineBytes: 4096,
    good: [
      '$GNRMC,120000.00,A,6010.1940,N,02456.3040,E,0.1,45.0,010625,,,A*7C',
      '$GPGGA,120000.00,6010.1940,N,02456.3040,E,1,12,0.8,25.4,M,17.9,M,,*5E',
      '$GNGNS,120000.00,6010.1940,N,02456.3040,E,AAN,12,0.8,25.4,17.9,,*5B',
    ].map(mendChecksums),
    mend: (input) => Buffer.from(mendChecksums(input.toString('latin1')), 'latin1'),
  },
  {
    name: 'obs_json',
    create: createObsJsonCodec,
    maxLineBytes: 65_536,
    good: [
      '{"sensor_id":"radar-1","report":"position","position":{"lat":60.17,"lon":24.94,"alt_msl_m":80},"sigma":{"h_m":12},"velocity":{"speed_mps":14,"course_deg":270}}',
      '{"sensor_id":"df","report":"identity","identity":[{"type":"serial","value":"F","transport":"bt5"}],"classification":[{"type":"bird","confidence":0.4}]}',
    ],
  },
  {
    name: 'readsb_json',
    create: createReadsbJsonCodec,
    maxLineBytes: 16_384,
    good: [
      '{"now":1772625600.4,"hex":"4b5c6d","flight":"HBABC   ","alt_baro":2900,"alt_geom":3000,"gs":116.7,"track":181.5,"geom_rate":-500,"category":"A1","lat":47.21,"lon":8.7,"nac_p":8,"seen_pos":0.4,"rssi":-12.1}',
      '{"now":1772625601.0,"hex":"~2a0001","alt_baro":"ground","lat":47.2,"lon":8.7,"rc":186,"category":"C2"}',
    ],
  },
];

function mendChecksums(text: string): string {
  return text.replace(/\$([^$*\r\n]*)\*[0-9A-F]{2}/g, (_, body: string) => {
    let sum = 0;
    for (const byte of Buffer.from(body, 'latin1')) sum ^= byte;
    return `$${body}*${sum.toString(16).toUpperCase().padStart(2, '0')}`;
  });
}

export type FuzzResult = { inputs: number; messages: number; refused: number };

/**
 * Feeds `inputs` damaged lines, cut at random places, to the line codecs in turn, and throws at the first broken
 * promise. A codec throws nothing, gives one message or one reject for every line, and keeps every value in its range.
 * Its result does not depend on the cuts, and a good line after a damaged one is decoded.
 */
export function fuzzLines(inputs: number, seed: number): FuzzResult {
  const random = createRandom(seed);
  const mutator = createMutator(random);
  const result: FuzzResult = { inputs: 0, messages: 0, refused: 0 };
  const subjects = protocols.map((protocol) => new Subject(protocol));
  for (; result.inputs < inputs; result.inputs++) {
    const subject = subjects[result.inputs % subjects.length];
    const input = subject?.next(mutator) ?? Buffer.alloc(0);
    const fault = subject?.faultOf(input, mutator.cuts(input.length), result) ?? null;
    if (fault !== null) {
      throw new Error(
        `${subject?.name}: ${fault}; seed ${seed}, input ${result.inputs}, hex ${input.toString('hex', 0, 400)}`,
      );
    }
  }
  return result;
}

/** One codec under test, fed in pieces, beside a second that is fed whole. */
class Subject {
  readonly name: string;
  readonly #protocol: Protocol;
  readonly #cut: Codec<WireMessage>;
  readonly #whole: Codec<WireMessage>;
  readonly #good: Buffer[];
  readonly #expected: string;

  constructor(protocol: Protocol) {
    this.name = protocol.name;
    this.#good = protocol.good.map((line) => Buffer.from(line, 'latin1'));
    this.#protocol = protocol;
    this.#cut = protocol.create();
    this.#whole = protocol.create();
    this.#expected = JSON.stringify(
      decodeAll(protocol.create(), [Buffer.concat([this.#good[0] ?? Buffer.alloc(0), Buffer.from('\n')])])[0],
    );
  }

  next(mutator: Mutator): Buffer {
    const input = mutator.mutate(this.#good);
    return this.#protocol.mend === undefined || mutator.isOneIn(3) ? input : this.#protocol.mend(input);
  }

  /** What is wrong with how the codec took the input, or null. */
  faultOf(input: Buffer, cuts: readonly number[], result: FuzzResult): string | null {
    const before = countOf(this.#cut);
    const pieces = [...cuts, input.length].map((end, i) => input.subarray(i === 0 ? 0 : cuts[i - 1], end));
    const good = Buffer.concat([Buffer.from('\n'), this.#good[0] ?? Buffer.alloc(0), Buffer.from('\r\n')]);
    const fromCut = decodeAll(this.#cut, [...pieces, good]);
    const fromWhole = decodeAll(this.#whole, [input, good]);
    const told = countOf(this.#cut) - before;
    const signs = this.#protocol.isEmptyMessage ? emptyPiecesIn(pieces) : 0;
    const lines = linesIn(input, this.#protocol.maxLineBytes) + 1 + signs;
    result.messages += fromCut.length + signs;
    result.refused += told - fromCut.length - signs;
    if (told !== lines) return `${lines} lines, but ${told} told of`;
    if (JSON.stringify(fromCut.at(-1)) !== this.#expected) return 'the good line after it was lost';
    if (JSON.stringify(fromCut) !== JSON.stringify(fromWhole)) return 'cutting it changed what it says';
    if (JSON.stringify(this.#cut.rejects) !== JSON.stringify(this.#whole.rejects))
      return 'cutting it changed its rejects';
    for (const message of fromCut) {
      const fault = faultOfMessage(message);
      if (fault !== null) return fault;
    }
    return null;
  }
}

function decodeAll(codec: Codec<WireMessage>, pieces: readonly Buffer[]): WireMessage[] {
  const messages: WireMessage[] = [];
  for (const piece of pieces) codec.decode(piece, 'a', 0, (message) => messages.push(message));
  return messages;
}

function countOf(codec: Codec<WireMessage>): number {
  return codec.messages + Object.values(codec.rejects).reduce((sum, count) => sum + count, 0);
}

/** Pieces that are an empty line, and no end of a line that was begun in an earlier piece. */
function emptyPiecesIn(pieces: readonly Buffer[]): number {
  let [count, isBegun] = [0, false];
  for (const piece of pieces) {
    const text = piece.toString('latin1');
    if (!isBegun && (text === '\r\n' || text === '\r\n\0')) count++;
    if (text !== '') isBegun = !/[\r\n\0]$/.test(text);
  }
  return count;
}

/** Lines that a codec has to tell of: all but blank ones, unless they are too long to be looked at. */
function linesIn(input: Buffer, maxLineBytes: number): number {
  const lines = input.toString('latin1').split(/[\r\n\0]/);
  return lines.filter((line) => line.length > maxLineBytes || /[^ \t]/.test(line)).length;
}

if (process.argv[1] === import.meta.filename) {
  const { values } = parseArgs({ options: { inputs: { type: 'string' }, seed: { type: 'string' } } });
  const inputs = Number(values.inputs ?? 1_000_000);
  const seed = Number(values.seed ?? 1);
  const startMs = performance.now();
  const result = fuzzLines(inputs, seed);
  const seconds = ((performance.now() - startMs) / 1000).toFixed(1);
  console.log(
    `seed ${seed}: ${result.inputs} inputs, ${result.messages} messages, ${result.refused} refused, no fault, ${seconds} s`,
  );
}
