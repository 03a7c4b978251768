import { setImmediate as turn } from 'node:timers/promises';
import t from 'tap';
import { Fault } from '../../../src/model/fault.ts';
import type { ScenarioOrder } from '../../../src/model/scenario.ts';
import { NotYet, type OrderService, Orders } from '../../../src/sim/scenarios/orders.ts';

/** Orders at a desk that notes what it is asked; `answer` may throw. */
function begin(orders: ScenarioOrder[], answer: () => void = () => {}) {
  const asked: unknown[] = [];
  const refused: string[] = [];
  const take = async (...given: unknown[]): Promise<void> => {
    asked.push(given);
    answer();
  };
  const service: OrderService = { command: take, approve: take };
  const ids: Record<string, string> = { heron: 'asset-1', intruder: 'track-1' };
  const carried = new Orders(orders, {
    service,
    trackOf: (actorId) => (actorId === 'intruder' ? (ids[actorId] ?? null) : null),
    assetOf: (actorId) => (actorId === 'heron' ? (ids[actorId] ?? null) : null),
    geodeticOf: ({ east_m, north_m }) => ({ latDeg: north_m, lonDeg: east_m, altHaeM: 0 }),
    refused: ({ text }) => void refused.push(text),
  });
  const pass = async (fromS: number, toS: number): Promise<void> => {
    for (let atS = fromS; atS <= toS; atS++) {
      carried.evaluate(atS);
      await turn();
    }
  };
  return { asked, refused, orders: carried, pass };
}

t.test('an order is about what its verb takes: an escort about the asset, the rest about the track', async (t) => {
  const { asked, pass } = begin([
    { do: 'command', at_s: 1, asset: 'egret', verb: 'escort', track_of: 'heron' },
    { do: 'command', at_s: 2, asset: 'egret', verb: 'shadow', track_of: 'intruder' },
    { do: 'approve_plan', at_s: 3, about: 'intruder', response: 'investigate' },
    { do: 'approve_plan', at_s: 4, about: 'intruder' },
  ]);
  await pass(0, 5);
  t.same(asked, [
    ['egret', 'escort', { kind: 'asset', asset_id: 'asset-1' }],
    ['egret', 'shadow', { kind: 'track', track_id: 'track-1' }],
    ['track-1', 'investigate'],
    ['track-1', undefined],
  ]);
});

t.test(
  'a refused order is tried for 30 s, then told with its reason; what is missing since hides no refusal',
  async (t) => {
    let at = 0;
    const { refused, orders, pass } = begin([{ do: 'approve_plan', at_s: 5, about: 'intruder' }], () => {
      at++;
      if (at === 2) throw new Fault('conflict', 'Heron has too little energy');
      throw new NotYet('no plan is proposed yet');
    });
    const text = 'the order approve_plan about intruder at 5 s was refused: Heron has too little energy';
    await pass(0, 20);
    t.same(refused, []);
    t.same(
      orders.pending().map((one) => one.text),
      [text],
      'a run that ends now knows of it',
    );
    await pass(21, 40);
    t.same(refused, [text]);
    t.same(orders.pending(), []);
    t.equal(at, 31);
  },
);
