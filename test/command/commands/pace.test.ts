import fc from 'fast-check';
import t from 'tap';
import { CommandPace, type Lane, laneOf } from '../../../src/command/commands/pace.ts';
import type { Actor } from '../../../src/model/actor.ts';
import { seedOf } from '../../support/basics/seed.ts';
import { sized } from '../../support/basics/size.ts';

const PER_S = 3;
const heron = { id: 'heron', name: 'Heron' };
const lanes: readonly Lane[] = ['hold', 'return_home', 'stop_all', 'other', 'refused'];

function actor(type: Actor['type'], id: string): Actor {
  return { type, id, name: id, address: type === 'open' ? id : '10.0.0.9' };
}

function isTaken(pace: CommandPace, by: Actor, of: { id: string; name: string }, lane: Lane, nowMs: number): boolean {
  try {
    pace.require(by, of, lane, PER_S, nowMs);
  } catch {
    return false;
  }
  pace.count(by, of, lane, nowMs);
  return true;
}

t.test('a command is taken or not by what its own sender sent in the last second, whatever others send', (t) => {
  const senders = [actor('user', 'anna'), actor('key', 'anna'), actor('open', '10.0.0.1'), actor('open', '10.0.0.2')];
  const sends = fc.array(
    fc.record({
      by: fc.nat(senders.length - 1),
      asset: fc.constantFrom('heron', 'egret'),
      lane: fc.constantFrom(...lanes),
      laterMs: fc.nat(400),
    }),
    { maxLength: 200 },
  );
  const holds = fc.property(sends, (all) => {
    const pace = new CommandPace();
    const taken = new Map<string, number[]>();
    let nowMs = 0;
    for (const { by, asset, lane, laterMs } of all) {
      nowMs += laterMs;
      const key = `${by} ${asset} ${lane}`;
      const recent = (taken.get(key) ?? []).filter((atMs) => nowMs - atMs < 1_000);
      const most = lane === 'other' || lane === 'refused' ? PER_S : 5;
      const sender = senders[by] ?? actor('user', 'nobody');
      if (isTaken(pace, sender, { id: asset, name: asset }, lane, nowMs) !== recent.length < most) return false;
      if (recent.length < most) taken.set(key, [...recent, nowMs]);
    }
    return true;
  });
  fc.assert(holds, { seed: seedOf(t), numRuns: sized(300) });
  t.end();
});

t.test('each safer verb has a pace of its own, and an unknown verb shares that of the others', (t) => {
  t.same(['hold', 'return_home', 'goto', 'explode', 'constructor'].map(laneOf), [
    'hold',
    'return_home',
    'other',
    'other',
    'other',
  ]);
  t.end();
});

t.test(
  'the addresses of one IPv6 network are one sender, and any number of addresses leaves the table bounded',
  (t) => {
    const pace = new CommandPace();
    const taken = Array.from({ length: 10 }, (_, i) =>
      isTaken(pace, actor('open', `fd00::${i + 1}`), heron, 'other', 0),
    );
    t.equal(taken.filter(Boolean).length, PER_S);
    for (let i = 0; i < 20_000; i++)
      pace.count(actor('open', `10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`), heron, 'other', 500);
    t.ok(pace.remembered <= 4_096, `${pace.remembered} entries`);
    pace.count(actor('user', 'anna'), heron, 'other', 2_000);
    t.equal(pace.remembered, 1, 'what is older than a second is forgotten');
    t.end();
  },
);
