import t from 'tap';
import { SapientNode } from '../../../../src/edge/feed/sapient/node.ts';
import { profileOf } from '../../../../src/edge/feed/sapient/registration.ts';
import { registrationOf } from '../../../support/sapient/node.ts';

const id = crypto.randomUUID();

function nodeOf(): SapientNode {
  const profile = profileOf(registrationOf(), id);
  if (typeof profile === 'string') throw new Error(profile);
  return new SapientNode(id, 'radar', profile);
}

t.test('the reports of a node whose clock has stopped, or that states no time, stay as new as they are', async (t) => {
  for (const stoodAtMs of [20_000, 0]) {
    const node = nodeOf();
    if (stoodAtMs > 0) for (let ms = 0; ms <= stoodAtMs; ms += 1_000) node.timeOf(ms, ms + 200);
    for (let ms = stoodAtMs + 1_000; ms < stoodAtMs + 120_000; ms += 250) {
      const ageMs = ms - node.timeOf(stoodAtMs, ms);
      t.ok(
        ageMs >= 0 && ageMs < 3_000,
        `${ageMs} ms old ${ms - stoodAtMs} ms after the clock stopped at ${stoodAtMs} ms`,
      );
      if (ms - stoodAtMs > 4_000) t.ok(ageMs < 700, `${ageMs} ms old`);
    }
  }
});

t.test('the reports of one scan have one time, also while the clock of their node is being learnt', async (t) => {
  const node = nodeOf();
  for (let scan = 0; scan < 10; scan++) {
    const sentMs = 1_000_000 + scan * 2_000;
    const times = [0, 90, 310, 600].map((lateMs) => node.timeOf(sentMs, scan * 2_000 + 400 + lateMs));
    t.equal(new Set(times).size, 1, `scan ${scan}`);
  }
});
