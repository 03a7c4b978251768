/**
 * Throws damaged messages at the codec of SAPIENT: `node --expose-gc build/scripts/fuzz/sapient.js [--inputs N] [--seed S]`. It
 * ends with exit code 1 and the input that broke a promise. Decoding never throws; every frame is a message or counted under
 * one reason; a message that is read can be written and says the same again; memory stays flat.
 */
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { SapientAnswers, ulidOf } from '../../src/edge/wire/sapient/answers.ts';
import { createSapientCodec } from '../../src/edge/wire/sapient/codec.ts';
import { sapientFrame, sapientTime } from '../../src/edge/wire/sapient/encode.ts';
import type { SapientMessage, SapientRefusal } from '../../src/edge/wire/sapient/message.ts';
import type { SapientPart } from '../../src/edge/wire/sapient/schema.ts';
import { damage, damaged, noise } from './damage.ts';
import { createRandom, type Random } from './lines/random.ts';

export type FuzzResult = { inputs: number; bytes: number; messages: number; refused: number };

const node = '7b1c0f5e-3a52-4c1e-9d57-0a4be2f6a001';
const ulid = ulidOf(node);
const place = { x: 8.7, y: 47.2, z: 600, coordinate_system: 'LAT_LNG_DEG_M', datum: 'WGS84_E' } as const;
const cone = { azimuth: 10, range: 2_000, coordinate_system: 'DEGREES_M', datum: 'TRUE' } as const;
const seconds = { units: 'SECONDS', value: 5 } as const;

type Content = Omit<SapientPart<'SapientMessage'>, 'timestamp' | 'node_id'>;

const contents: readonly Content[] = [
  {
    registration: {
      node_definition: [{ node_type: 'RADAR', node_sub_type: ['3D'] }],
      icd_version: 'BSI Flex 335 v2.0',
      capabilities: [{ category: 'Radar', type: 'Range' }],
      status_definition: { status_interval: seconds },
      mode_definition: [
        {
          ...{ mode_name: 'Default', mode_type: 'DEFAULT', settle_time: seconds, tracking_type: 'TRACK' },
          task: {
            region_definition: {
              region_type: ['AREA_OF_INTEREST', 'IGNORE'],
              region_area: [{ location_units: 'UTM_M', location_datum: 'WGS84_E', zone: '32T' }],
            },
          },
        },
      ],
      config_data: [{ manufacturer: 'Example', model: 'R1', sub_components: [{ manufacturer: 'E', model: 'M' }] }],
    },
  },
  {
    status_report: {
      ...{ report_id: ulid, system: 'WARNING', info: 'NEW', mode: 'Default', node_location: place },
      field_of_view: { range_bearing: cone },
      status: [{ status_type: 'CLUTTER', status_value: 'rain' }],
    },
  },
  {
    detection_report: {
      ...{ report_id: ulid, object_id: ulid, location: place, detection_confidence: 0.5, id: 'ABC' },
      classification: [{ type: 'Air Vehicle', sub_class: [{ type: 'UAV', level: 1 }] }],
      signal: [{ amplitude: -70, centre_frequency: 2.4e9 }],
      enu_velocity: { east_rate: 1, north_rate: 2, up_rate: 0 },
    },
  },
  { detection_report: { report_id: ulid, object_id: ulid, range_bearing: cone } },
  { alert: { alert_id: ulid, alert_type: 'WARNING', status: 'ACTIVE', description: 'x', location: place } },
  { task: { task_id: ulid, control: 'START', command: { look_at: { range_bearing: cone } } } },
  { error: { packet: new Uint8Array([1, 2, 3]), error_message: ['no'] } },
];
const answers = new SapientAnswers(node, () => 1_772_625_600_000);
const frames = [
  ...contents.map((content) =>
    Buffer.from(sapientFrame({ timestamp: sapientTime(1_772_625_600_250), node_id: node, ...content })),
  ),
  Buffer.from(answers.registrationAck(node, 'no')),
  Buffer.from(answers.taskAck(node, ulid, 'no')),
];

/** Runs `inputs` damaged streams. Throws with the input where a promise does not hold. */
export function fuzzSapient(inputs: number, seed: number, onEach: (done: number) => void = () => {}): FuzzResult {
  const random = createRandom(seed);
  const codec = createSapientCodec();
  const result: FuzzResult = { inputs: 0, bytes: 0, messages: 0, refused: 0 };
  for (; result.inputs < inputs; result.inputs++) {
    const input = mangled(random);
    try {
      runOne(codec, input, random);
    } catch (thrown) {
      const at = `seed ${seed}, input ${result.inputs}, hex ${input.toString('hex')}`;
      throw new Error(`${thrown instanceof Error ? thrown.message : thrown}; ${at}`);
    }
    result.bytes += input.length;
    onEach(result.inputs);
  }
  result.messages = codec.messages;
  result.refused = Object.values(codec.rejects).reduce((sum, count) => sum + count, 0);
  return result;
}

function runOne(codec: ReturnType<typeof createSapientCodec>, input: Buffer, random: Random): void {
  const { messages } = codec;
  const { malformed } = codec.rejects;
  const taken: (SapientMessage | SapientRefusal)[] = [];
  for (let at = 0; at < input.length; ) {
    const size = random.below(4) === 0 ? 1 + random.below(40) : input.length;
    codec.decode(input.subarray(at, at + size), 'fuzz', 0, (message) => taken.push(message));
    at += size;
  }
  codec.forget('fuzz');
  const whole = taken.filter(({ kind }) => kind === 'sapient');
  if (codec.messages - messages !== whole.length) throw new Error('a message is not counted');
  const refused = taken.filter((one) => one.kind === 'sapient_refused' && !one.isLost);
  if (codec.rejects.malformed - malformed !== refused.length) throw new Error('a refused message is not counted once');
  for (const one of whole) if (one.kind === 'sapient') checkAgain(one);
}

/** A message that was read must be written, and read again as the same. */
function checkAgain({ message, sentMs }: SapientMessage): void {
  if (!Number.isFinite(sentMs)) throw new Error(`sent at ${sentMs}`);
  const again: (SapientMessage | SapientRefusal)[] = [];
  createSapientCodec().decode(sapientFrame(message), '', 0, (one) => again.push(one));
  const [first] = again;
  if (first?.kind !== 'sapient') throw new Error('a message that was read is refused when written again');
  if (!isDeepStrictEqual(first.message, message)) throw new Error('a message says something else again');
}

function mangled(random: Random): Buffer {
  if (random.below(50) === 0) return noise(random, random.below(400));
  const from = random.below(frames.length);
  const chosen = frames.slice(from, from + 1 + random.below(3));
  const parts = chosen.map((frame) => (random.below(2) === 0 ? body(frame, random) : frame));
  return random.below(4) === 0 ? damage(Buffer.concat(parts), random) : Buffer.concat(parts);
}

/** A frame whose message is damaged and whose length is right, so that the damage reaches the fields. */
function body(frame: Buffer, random: Random): Buffer {
  const bytes = damaged(frame.subarray(4), random, 1 + random.below(3));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(bytes.length);
  return Buffer.concat([length, bytes]);
}

const LOOK_EVERY = 100_000;

if (process.argv[1] === import.meta.filename) {
  const { values } = parseArgs({ options: { inputs: { type: 'string' }, seed: { type: 'string' } } });
  const seed = Number(values.seed ?? 1);
  const startMs = performance.now();
  const looks: string[] = [];
  const result = fuzzSapient(Number(values.inputs ?? 500_000), seed, (done) => {
    if (done % LOOK_EVERY !== LOOK_EVERY - 1) return;
    globalThis.gc?.();
    looks.push((process.memoryUsage().heapUsed / 1e6).toFixed(1));
  });
  const { inputs, bytes, messages, refused } = result;
  const took = ((performance.now() - startMs) / 1000).toFixed(1);
  console.log(
    `seed ${seed}: ${inputs} inputs (${(bytes / 1e6).toFixed(0)} MB), ${messages} messages, ${refused} refused, no fault, ${took} s`,
  );
  console.log(`heap in use each ${LOOK_EVERY} inputs, MB: ${looks.join(' ')}`);
}
