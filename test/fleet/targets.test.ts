import t from 'tap';
import { Targets } from '../../src/fleet/targets.ts';

const place = (northM: number) => ({ latDeg: 47 + northM / 111_000, lonDeg: 8, altMslM: 500 });
const [a, b, others] = [place(0), place(500), place(2_000)];

/** Targets of a vehicle that follows `b`, its second order, after `a`. */
function following({ released }: { released: boolean }): Targets {
  const targets = new Targets();
  targets.order(a, 0)();
  targets.receive(a, 500);
  if (released) targets.release();
  targets.order(b, 1_000)();
  targets.receive(b, 1_500);
  return targets;
}

t.test('another station’s place between two reports of ours ends the command at once', async (t) => {
  const targets = following({ released: false });
  targets.receive(others, 2_000);
  t.notOk(targets.isLost(2_000), 'not before it is sure');
  targets.receive(b, 2_500);
  t.ok(targets.isLost(2_500));
  t.ok(targets.isElsewhere);
});

for (const released of [true, false])
  t.test(`a late report of our own earlier place is no other station’s order, released: ${released}`, async (t) => {
    const targets = following({ released });
    // Beyond the time that a replaced place may be reported by the link that showed the new one.
    targets.receive(b, 7_000);
    targets.receive(a, 7_500);
    targets.receive(b, 8_000);
    t.notOk(targets.isLost(8_000));
    t.notOk(targets.isForeign);
  });

t.test('a late report of another’s place that a person has since replaced ends no new command', async (t) => {
  const targets = following({ released: false });
  for (const atMs of [2_000, 4_000, 5_500]) targets.receive(others, atMs);
  t.ok(targets.isLost(5_500));
  targets.order(a, 6_000)();
  targets.receive(a, 6_500);
  targets.receive(others, 7_000);
  targets.receive(a, 7_500);
  t.notOk(targets.isLost(7_500));
  for (const atMs of [11_500, 13_000, 14_500]) targets.receive(others, atMs);
  t.ok(targets.isLost(14_500), 'one that goes on does');
});
