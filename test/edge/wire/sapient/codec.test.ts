import t from 'tap';
import { createRandom } from '../../../../scripts/fuzz/lines/random.ts';
import { fuzzSapient } from '../../../../scripts/fuzz/sapient.ts';
import { SapientAnswers, ulidOf } from '../../../../src/edge/wire/sapient/answers.ts';
import { createSapientCodec } from '../../../../src/edge/wire/sapient/codec.ts';
import { sapientFrame, sapientTime } from '../../../../src/edge/wire/sapient/encode.ts';
import { LONGEST_MESSAGE } from '../../../../src/edge/wire/sapient/framing.ts';
import type { SapientMessage, SapientRefusal } from '../../../../src/edge/wire/sapient/message.ts';
import type { SapientPart } from '../../../../src/edge/wire/sapient/schema.ts';
import { seedOf } from '../../../support/basics/seed.ts';
import { detectionOf, placeOf, registrationOf, statusOf, ulid } from '../../../support/sapient/node.ts';

const node = '7b1c0f5e-3a52-4c1e-9d57-0a4be2f6a001';
type Content = Omit<SapientPart<'SapientMessage'>, 'timestamp' | 'node_id'>;
const frameOf = (content: Content): Buffer =>
  Buffer.from(sapientFrame({ timestamp: sapientTime(1_000), node_id: node, ...content }));

function feed(codec: ReturnType<typeof createSapientCodec>, ...chunks: Uint8Array[]) {
  const taken: (SapientMessage | SapientRefusal)[] = [];
  for (const chunk of chunks) codec.decode(chunk, 'a', 0, (message) => taken.push(message));
  return taken;
}

const lengthOf = (bytes: number): Buffer => {
  const header = Buffer.alloc(4);
  header.writeUInt32LE(bytes);
  return header;
};

t.test('the messages are the same however the bytes are cut', async (t) => {
  const random = createRandom(seedOf(t));
  const bad = frameOf({ status_report: { ...statusOf(), report_id: 'x' } });
  const stream = Buffer.concat([
    frameOf({ registration: registrationOf() }),
    frameOf({ status_report: statusOf() }),
    bad,
    frameOf({ detection_report: detectionOf({ location: placeOf(47, 8) }) }),
  ]);
  const whole = createSapientCodec();
  const expected = feed(whole, stream);
  t.equal(expected.length, 4);
  for (let round = 0; round < 50; round++) {
    const codec = createSapientCodec();
    const chunks: Buffer[] = [];
    for (let at = 0; at < stream.length; ) {
      const size = 1 + random.below(round === 0 ? 1 : 90);
      chunks.push(stream.subarray(at, at + size));
      at += size;
    }
    t.same(feed(codec, ...chunks), expected);
    t.same(codec.rejects, whole.rejects);
  }
});

t.test('a stream of zeros is given up at once, and is no message for each four bytes', async (t) => {
  const codec = createSapientCodec();
  t.ok(feed(codec, Buffer.alloc(1_000_000)).length <= 1);
  t.equal(codec.messages, 0);
  t.match(codec.rejects, { length: 1, malformed: 0 });
});

t.test('ten thousand damaged streams break no promise of the codec', async (t) => {
  const { inputs, messages, refused } = fuzzSapient(10_000, seedOf(t));
  t.equal(inputs, 10_000);
  t.ok(messages > 5_000 && refused > 3_000, `${messages} messages, ${refused} refused`);
});

t.test('a zero is written where a field is mandatory, and read as one', async (t) => {
  const location = { x: 0, y: 0, z: 0, coordinate_system: 'LAT_LNG_DEG_M', datum: 'WGS84_E' } as const;
  const [read] = feed(createSapientCodec(), frameOf({ detection_report: detectionOf({ location }) }));
  t.match(read, { kind: 'sapient', message: { detection_report: { location } } });
});

t.test('a mandatory enumeration that is 0 is refused', async (t) => {
  const frame = frameOf({ status_report: statusOf() });
  // SYSTEM_OK is field 2: its tag and value become those of 0.
  const at = frame.indexOf(Buffer.from([0x10, 0x01, 0x18, 0x01]));
  frame[at + 1] = 0;
  const [read] = feed(createSapientCodec(), frame);
  t.match(read, { sentence: 'status_report.system: the value is mandatory and must not be UNSPECIFIED' });
});

t.test('a wrong id is quoted without characters that cannot be seen', async (t) => {
  const report_id = `\u001b[2J\n\u202e${'A'.repeat(500)}`;
  const [read] = feed(createSapientCodec(), frameOf({ status_report: { ...statusOf(), report_id } }));
  t.match(read, { sentence: /^status_report\.report_id: must be a ULID in upper case, not '\[2J A{36}'$/ });
});

t.test('repeated enumerations are read packed and one by one', async (t) => {
  const registration = registrationOf();
  const frame = frameOf({ registration });
  const packed = Buffer.from([0x0a, 0x01, 0x01]);
  const at = frame.indexOf(packed);
  t.ok(at > 0, 'they are written packed');
  const [read] = feed(createSapientCodec(), frame);
  t.match(read, { message: { registration } });
});

t.test('a length that no message has ends the stream, one of the greatest message does not', async (t) => {
  const codec = createSapientCodec();
  const [lost, ...more] = feed(codec, lengthOf(LONGEST_MESSAGE + 1), frameOf({ status_report: statusOf() }));
  t.match(lost, { kind: 'sapient_refused', isLost: true });
  t.equal(more.length, 0);
  t.match(codec.rejects, { length: 1, malformed: 0 });
  codec.forget('a');
  t.equal(feed(codec, frameOf({ status_report: statusOf() })).length, 1, 'the next connection is read');
  const longest = createSapientCodec();
  const [read] = feed(longest, lengthOf(LONGEST_MESSAGE), Buffer.alloc(LONGEST_MESSAGE));
  t.match(read, { kind: 'sapient_refused', isLost: false });
  t.equal((read as SapientRefusal).packet.length, 4_096, 'a part is sent back');
});

t.test('a frame that its sender did not finish counts once', async (t) => {
  const codec = createSapientCodec();
  feed(codec, frameOf({ status_report: statusOf() }).subarray(0, 20));
  codec.forget('a');
  t.match(codec.rejects, { length: 1 });
});

t.test('a message of too many values or levels is refused', async (t) => {
  const error_message = Array.from({ length: 20_001 }, () => '');
  const [many] = feed(createSapientCodec(), frameOf({ error: { packet: new Uint8Array(0), error_message } }));
  t.match(many, { sentence: /more than 20000 values/ });
  let component: SapientPart<'Registration.ConfigurationData'> = { manufacturer: 'a', model: 'b' };
  for (let level = 0; level < 30; level++) component = { manufacturer: 'a', model: 'b', sub_components: [component] };
  const [deep] = feed(createSapientCodec(), frameOf({ registration: registrationOf({ config_data: [component] }) }));
  t.match(deep, { sentence: /more than 24 levels/ });
});

t.test('answers are well formed, and a UUID is the same bits as its ULID', async (t) => {
  const answers = new SapientAnswers(node, () => 1_000);
  const read = feed(
    createSapientCodec(),
    answers.registrationAck(node, null),
    answers.alertAck(node, ulid()),
    answers.taskAck(node, ulid(), 'no'),
    answers.askRegistration(node),
    answers.error(null, new Uint8Array(4), 'x'.repeat(9_000)),
  );
  t.same(
    read.map(({ kind }) => kind),
    Array(5).fill('sapient'),
  );
  t.equal(ulidOf('ffffffff-ffff-ffff-ffff-ffffffffffff'), '7ZZZZZZZZZZZZZZZZZZZZZZZZZ');
  t.equal(ulidOf('00000000-0000-0000-0000-000000000021'), '00000000000000000000000011');
});

t.test('a recording that begins late has the registration of each node, once in 10 s', async (t) => {
  const codec = createSapientCodec();
  const detection = frameOf({ detection_report: detectionOf({ location: placeOf(47, 8) }) });
  feed(codec, frameOf({ registration: registrationOf() }), frameOf({ status_report: statusOf() }));
  const record = (atMs: number): (string | undefined)[] => {
    codec.restated?.begin();
    codec.decode(detection, 'a', atMs, () => {});
    const bytes = codec.restated?.end() ?? new Uint8Array(0);
    return feed(createSapientCodec(), bytes).map((one) =>
      one.kind === 'sapient' ? Object.keys(one.message).at(-1) : undefined,
    );
  };
  const all = ['registration', 'status_report', 'detection_report'];
  t.same(record(0), all);
  t.same(record(5_000), ['detection_report']);
  t.same(record(10_000), all);
  codec.forget('a');
  t.same(record(20_000), ['detection_report']);
});
