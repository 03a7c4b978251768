import t from 'tap';
import { RadioCondition } from '../../../../src/edge/wire/radio/condition.ts';
import type { Dialogue } from '../../../../src/edge/wire/radio/dialogue.ts';
import { HciDialogue } from '../../../../src/edge/wire/radio/hci_dialogue.ts';
import { SniffleDialogue } from '../../../../src/edge/wire/radio/sniffle_dialogue.ts';

const COMMAND_COMPLETE = 0x0e;

/** Features of a controller by their bits: 12 extended, 11 coded advertising. */
type Answers = { features?: number[]; status?: (opcode: number) => number };

/** Answers every command at once until none comes; gives the opcodes in order. */
function setUp(
  dialogue: HciDialogue,
  nowMs: number,
  { features = [0, 0x18], status = () => 0 }: Answers = {},
): number[] {
  const opcodes: number[] = [];
  for (let step = dialogue.step(nowMs); step.send !== null; step = dialogue.step(nowMs)) {
    const opcode = Buffer.from(step.send).readUInt16LE(1);
    opcodes.push(opcode);
    const result = [status(opcode), ...(opcode === 0x2003 ? [...features, 0, 0, 0, 0, 0, 0] : [])];
    dialogue.event(COMMAND_COMPLETE, Buffer.from([1, opcode & 0xff, opcode >> 8, ...result]), nowMs);
  }
  return opcodes;
}

const begun = <D extends Dialogue>(dialogue: D, nowMs = 0): D => {
  dialogue.begin(nowMs);
  return dialogue;
};

t.test('a controller without extended advertising scans the older way, with its limit named', async (t) => {
  const radio = new RadioCondition();
  const old = begun(new HciDialogue(radio));
  t.same(setUp(old, 0, { features: [0, 0] }), [0x0c03, 0x0c01, 0x2001, 0x2003, 0x200b, 0x200c]);
  t.match(radio.warning(0), /no long range/);
  const refusing = begun(new HciDialogue(radio));
  const opcodes = setUp(refusing, 0, { status: (opcode) => (opcode === 0x2042 ? 0x0c : 0) });
  t.same(opcodes.slice(-3), [0x2042, 0x200b, 0x200c], 'extended scanning that is refused');
  t.match(radio.warning(0), /no long range/);
  const unable = begun(new HciDialogue(radio));
  setUp(unable, 0, { features: [0, 0], status: (opcode) => (opcode === 0x200c ? 0x0c : 0) });
  t.match(unable.step(0).failure, /refused LE Set Scan Enable with status 0x0c/);
});

t.test('an unanswered command is sent each 2 s, and after 5 s the controller is given up', async (t) => {
  const dialogue = begun(new HciDialogue(new RadioCondition()));
  const sentAt: number[] = [];
  let nowMs = 0;
  for (let step = dialogue.step(nowMs); step.failure === null; step = dialogue.step(nowMs)) {
    if (step.send !== null) sentAt.push(nowMs);
    nowMs = step.againMs ?? Number.NaN;
  }
  t.same([sentAt, nowMs], [[0, 2_000, 4_000], 5_000]);
});

t.test('a lost answer to the question for a sign of life is no fault where reports come', async (t) => {
  const dialogue = begun(new HciDialogue(new RadioCondition()));
  setUp(dialogue, 0);
  t.not(dialogue.step(5_000).send, null, 'asked, and the answer is lost');
  dialogue.alive(6_000);
  t.same(dialogue.step(6_000), { send: null, againMs: 11_000, failure: null });
  const again = dialogue.step(11_000);
  t.equal(again.failure, null, 'the next silence begins anew');
  t.not(again.send, null);
});

t.test('a quiet controller is asked for a sign of life, and a deaf one set up again once a minute', async (t) => {
  const radio = new RadioCondition();
  const dialogue = begun(new HciDialogue(radio));
  setUp(dialogue, 0);
  t.equal(radio.warning(0), null);
  t.match(dialogue.step(1_000), { send: null, againMs: 5_000 });
  t.equal(Buffer.from(dialogue.step(5_000).send ?? []).readUInt16LE(1), 0x2003);
  dialogue.event(COMMAND_COMPLETE, Buffer.from('01032000', 'hex'), 5_100);
  t.match(dialogue.step(5_200), { send: null, againMs: 10_100 });
  dialogue.alive(59_000);
  t.equal(setUp(dialogue, 60_000).length, 6, 'all of the set-up again');
  t.match(radio.warning(60_100), /received no frames/, 'until a frame comes');
  dialogue.alive(62_000);
  t.equal(dialogue.step(63_000).send, null, 'not over and over');
  radio.received();
  t.equal(radio.warning(63_000), null);
});

t.test('a dongle takes turns of 2 s and 1 s, and one that lost its layer is set up again', async (t) => {
  const both = begun(new SniffleDialogue(new RadioCondition(), 'both'));
  const layerOf = (send: Uint8Array | null): number | undefined => {
    const line = Buffer.from(send ?? [])
      .toString()
      .split('\r\n')
      .find((one) => Buffer.from(one, 'base64')[1] === 0x10);
    return line === undefined ? undefined : Buffer.from(line, 'base64')[7];
  };
  t.equal(layerOf(both.step(0).send), 2);
  both.alive(10);
  const turns: [number, number | undefined][] = [];
  for (let nowMs = 10; nowMs < 7_000; nowMs += 500) {
    both.alive(nowMs);
    const { send } = both.step(nowMs);
    if (send !== null) turns.push([nowMs, layerOf(send)]);
  }
  t.same(turns, [
    [2_010, 0],
    [3_010, 2],
    [5_010, 0],
    [6_010, 2],
  ]);
  const coded = begun(new SniffleDialogue(new RadioCondition(), 'coded'));
  coded.step(0);
  coded.alive(10);
  for (let n = 0; n < 20; n++) coded.notePacket(37, 0);
  t.equal(layerOf(coded.step(20).send), 2);
  const dead = begun(new SniffleDialogue(new RadioCondition(), '1m'));
  t.equal(layerOf(dead.step(0).send), 0);
  t.match(dead.step(5_000).failure, /has sent no valid Sniffle line for 5 s/);
});
