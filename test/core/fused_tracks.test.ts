import t, { type Test } from 'tap';
import type { Lineage, Observation } from '../../src/model/observation.ts';
import { randomFrom } from '../support/basics/random.ts';
import { seedOf } from '../support/basics/seed.ts';
import { CoreWitness } from '../support/core/core.ts';
import { positionAt, serial } from '../support/core/observation.ts';

const SD_M = 5;
const SD_MPS = 1;
const SPEED_MPS = 15;
const boxes = Array.from({ length: 16 }, (_, i) => `00000000-0000-8000-8000-0000000000${10 + i}`);

type Errors = { northM: number; eastM: number; upM: number };
const exact: Errors = { northM: 0, eastM: 0, upM: 0 };

function lineageOf(sensorId: string, more: Partial<Lineage> = {}): Lineage {
  return { sensorId, nodeId: sensorId, objectId: `object of ${sensorId}`, identity: null, derivedFrom: [], ...more };
}

/** What a box reports of an aircraft that flies north at `SPEED_MPS`. */
function trackOf(box: number, atMs: number, off: Errors, more: Partial<Observation> = {}): Observation {
  const sensorId = boxes[box] ?? '';
  const external = { type: 'external', value: `${box}`, transport: 'network' } as const;
  const place = { altHaeM: 500 + off.upM, sigmaHM: SD_M, sigmaVM: SD_M };
  const flight = { speedMps: SPEED_MPS, courseDeg: 0, climbMps: 0, sigmaSpeedMps: SD_MPS };
  return positionAt(atMs, (atMs / 1_000) * SPEED_MPS + off.northM, off.eastM, {
    ...{ sensorId, linkId: 'boxes', identities: [external], lineage: lineageOf(sensorId) },
    ...{ ...place, ...flight, ...more },
  });
}

const hM = (core: CoreWitness) => core.column(1, 'majorM');

t.test('reports of N boxes leave no less error than the report of one', async (t) => {
  const left = [1, 2, 4, 16].map((count) => {
    const core = new CoreWitness();
    for (let atMs = 0; atMs <= 60_000; atMs += 1_000)
      core.step(atMs, ...Array.from({ length: count }, (_, box) => trackOf(box, atMs, exact)));
    core.step(60_100);
    t.same(core.numbers(), [1], `${count} boxes, one track`);
    return hM(core);
  });
  const [one = 0] = left;
  t.ok(one >= 0.98 * SD_M, `${one} m of one box that declares ${SD_M} m`);
  for (const many of left) t.ok(Math.abs(many - one) < 0.02 * one, `${many} m`);
});

/** Errors that a box's filter makes: they stay for `stayS` seconds. */
function drifting(random: () => number, stayS: number): (turn: number) => Errors {
  const gauss = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const kept = Math.exp(-1 / stayS);
  let last = { northM: SD_M * gauss(), eastM: SD_M * gauss(), upM: SD_M * gauss() };
  return () => {
    const next = (value: number) => kept * value + Math.sqrt(1 - kept * kept) * SD_M * gauss();
    last = { northM: next(last.northM), eastM: next(last.eastM), upM: next(last.upM) };
    return last;
  };
}

/** Mean normalised squared error of the place, 3 where the errors are as large as the track says. */
function meanNees(random: () => number, more: (box: number) => Partial<Observation>): number {
  let sum = 0;
  let count = 0;
  for (let run = 0; run < 30; run++) {
    const [core, error] = [new CoreWitness(), drifting(random, 15)];
    for (let turn = 0; turn < 60; turn++) {
      const [atMs, off] = [turn * 1_000, error(turn)];
      // All boxes have the errors of one sensor that they share.
      core.step(atMs, ...[0, 1, 2].map((box) => trackOf(box, atMs, off, more(box))));
      core.step(atMs + 100);
      if (turn < 10) continue;
      sum += neesOf(core, ((atMs + 100) / 1_000) * SPEED_MPS);
      count++;
    }
  }
  return sum / count;
}

function neesOf(core: CoreWitness, northM: number): number {
  const y = [
    (core.column(1, 'lonDeg') - 8) * 75_950,
    (core.column(1, 'latDeg') - 47) * 111_194 - northM,
    core.column(1, 'altHaeM') - 500,
  ] as const;
  const at = (name: 'EeM2' | 'EnM2' | 'EuM2' | 'NnM2' | 'NuM2' | 'UuM2') => core.column(1, `cov${name}`);
  const [a, b, c, d, e, f] = [at('EeM2'), at('EnM2'), at('EuM2'), at('NnM2'), at('NuM2'), at('UuM2')];
  const [x, y1, z] = y;
  const det = a * (d * f - e * e) - b * (b * f - c * e) + c * (b * e - c * d);
  const quadratic =
    (d * f - e * e) * x * x +
    (a * f - c * c) * y1 * y1 +
    (a * d - b * b) * z * z +
    2 * ((c * e - b * f) * x * y1 + (b * e - c * d) * x * z + (b * c - a * e) * y1 * z);
  return quadratic / det;
}

t.test('a track of reports that share all their errors is as good as it says', async (t: Test) => {
  const seed = seedOf(t);
  const fused = meanNees(randomFrom(seed), () => ({}));
  t.ok(fused < 3.6, `${fused.toFixed(2)}, where 3 is consistent`);
  t.ok(fused > 0.5, 'and not for want of trust in the reports');
  const one = [serial('1581F5FH7245N002K0AB')];
  const summed = meanNees(randomFrom(seed), () => ({ lineage: null, identities: one }));
  t.ok(summed > 2 * 3, `${summed.toFixed(2)} where the same reports are taken for independent`);
});

t.test('the order of two boxes changes little', async (t) => {
  const [near, far] = [
    { sigmaHM: 4, sigmaVM: 12 },
    { sigmaHM: 9, sigmaVM: 6 },
  ];
  const left = [
    [0, 1],
    [1, 0],
  ].map((order) => {
    const core = new CoreWitness();
    for (let atMs = 0; atMs <= 30_000; atMs += 1_000)
      core.step(atMs, ...order.map((box) => trackOf(box, atMs, exact, box === 0 ? near : far)));
    core.step(30_100);
    return [hM(core), core.column(1, 'sigmaVM'), core.column(1, 'latDeg')];
  });
  const [[h = 0, v = 0, lat = 0] = [], [h2 = 0, v2 = 0, lat2 = 0] = []] = left;
  t.ok(Math.abs(h - h2) < 0.1 * h, `${h} and ${h2} m`);
  t.ok(Math.abs(v - v2) < 0.25 * v, `${v} and ${v2} m`);
  t.ok(Math.abs(lat - lat2) * 111_194 < 0.5);
});

t.test('a track that one box alone reports follows the box without a lag of its own', async (t) => {
  const core = new CoreWitness();
  const offs: number[] = [];
  for (let turn = 0; turn <= 40; turn++) {
    const [atMs, angle] = [turn * 1_000, turn / 8];
    // A circle of 120 m at 15 m/s.
    const off = { ...exact, northM: 120 * Math.sin(angle) - turn * SPEED_MPS, eastM: 120 * (1 - Math.cos(angle)) };
    core.step(atMs, trackOf(0, atMs, off, { courseDeg: (angle * 180) / Math.PI }));
    if (turn < 5) continue;
    const northM = (core.column(1, 'latDeg') - 47) * 111_194 - 120 * Math.sin(angle);
    const eastM = (core.column(1, 'lonDeg') - 8) * 75_950 - off.eastM;
    offs.push(Math.hypot(northM, eastM));
  }
  t.ok(Math.max(...offs) < 1, `at most ${Math.max(...offs).toFixed(2)} m from what the box reported`);
  t.ok(Math.abs(hM(core) - SD_M) < 0.2, `${hM(core)} m, and the box says ${SD_M} m`);
});

t.test('a late plot of a sensor of this box leaves a track of other boxes where it is', async (t) => {
  const core = new CoreWitness();
  const radar = '00000000-0000-8000-8000-00000000bbbb';
  for (let turn = 0; turn <= 10; turn++) {
    const atMs = turn * 1_000;
    core.step(atMs, trackOf(0, atMs, exact), trackOf(1, atMs + 200, exact));
    if (turn < 5) continue;
    const lateMs = atMs - 300;
    const northM = (lateMs / 1_000) * SPEED_MPS;
    const place = { altHaeM: 500, sigmaHM: 10, sigmaVM: 10 };
    core.step(atMs + 300, positionAt(lateMs, northM, 0, { sensorId: radar, ...place }));
    t.same(core.numbers(), [1]);
    const offM = (core.column(1, 'latDeg') - 47) * 111_194 - ((atMs + 300) / 1_000) * SPEED_MPS;
    t.ok(Math.abs(offM) < 5, `${offM.toFixed(1)} m after ${turn} s`);
    t.ok(hM(core) > 2 && hM(core) < 12, `${hM(core).toFixed(1)} m`);
  }
});

t.test('two boxes with errors of their own are better together than each alone', async (t) => {
  const random = randomFrom(seedOf(t));
  const squares = [[0], [0, 1]].map((those) => {
    let sum = 0;
    for (let run = 0; run < 20; run++) {
      const [core, errors] = [new CoreWitness(), [drifting(random, 5), drifting(random, 5)]];
      for (let turn = 0; turn < 40; turn++) {
        // The boxes report half a second apart.
        for (const box of those)
          core.step(turn * 1_000 + box * 500, trackOf(box, turn * 1_000 + box * 500, errors[box]?.(turn) ?? exact));
        core.step(turn * 1_000 + 600);
        const northM = ((turn * 1_000 + 600) / 1_000) * SPEED_MPS;
        if (turn >= 10) sum += ((core.column(1, 'latDeg') - 47) * 111_194 - northM) ** 2;
      }
    }
    return sum;
  });
  const [one = 0, both = 0] = squares;
  t.ok(both < 0.85 * one, `${(both / one).toFixed(2)} of the squared error of one box`);
});

t.test('reports that come together are one hit, whatever their number: they may be of one sensor', async (t) => {
  const core = new CoreWitness();
  core.step(0, ...boxes.map((_, box) => trackOf(box, 0, exact)));
  core.step(400);
  t.equal(core.state(1), 'tentative');
  core.step(1_000, trackOf(0, 1_000, exact));
  core.step(1_400);
  t.equal(core.state(1), 'confirmed');
});

t.test('no number of boxes bears a claim out', async (t) => {
  const core = new CoreWitness();
  const claim = { sensorId: '00000000-0000-8000-8000-00000000aaaa', identities: [serial('1581F5FH7245N002K0AB')] };
  for (let atMs = 0; atMs <= 30_000; atMs += 1_000) {
    const own = trackOf(0, atMs, exact, { ...claim, lineage: null });
    core.step(atMs, own, ...[1, 2, 3].map((box) => trackOf(box, atMs, exact)));
  }
  core.step(31_000);
  t.same(core.numbers(), [1]);
  const card = core.cards.get(1);
  t.match(card, { integrity: { verdict: 'unchecked' }, cooperative: 'coop_only' });
  t.equal(card?.lineage.length, 3);
});

t.test('two aircraft of one box, one with a serial, stay two at 40 m', async (t) => {
  const core = new CoreWitness();
  const named = { identities: [serial('1581F5FH7245N002K0AB')], lineage: lineageOf(boxes[0] ?? '', { objectId: 'b' }) };
  for (let atMs = 0; atMs <= 40_000; atMs += 1_000) {
    core.step(atMs, trackOf(0, atMs, exact), trackOf(0, atMs, { ...exact, eastM: 40 }, named));
    core.step(atMs + 400);
  }
  t.equal(core.rows.size, 2);
  const [a, b] = [...core.rows.keys()].map((number) => core.column(number, 'lonDeg'));
  t.ok(Math.abs(Math.abs((a ?? 0) - (b ?? 0)) * 75_950 - 40) < 5);
});

t.test('an object with a new number takes the place of the old one; the list is bounded', async (t) => {
  const core = new CoreWitness();
  for (let turn = 0; turn < 60; turn++) {
    const atMs = turn * 1_000;
    const objectId = `number ${Math.floor(turn / 20)}`;
    core.step(atMs, trackOf(0, atMs, exact, { lineage: lineageOf(boxes[0] ?? '', { objectId }) }));
  }
  for (let turn = 60; turn < 100; turn++) {
    const atMs = turn * 1_000;
    core.step(atMs, trackOf(1, atMs, exact, { lineage: lineageOf(boxes[1] ?? '', { objectId: `at ${turn}` }) }));
  }
  core.step(100_000);
  const { lineage = [] } = core.cards.get(1) ?? {};
  const ofFirst = lineage.filter(({ sensorId }) => sensorId === boxes[0]).map(({ objectId }) => objectId);
  t.ok(lineage.length <= 16, `${lineage.length} entries`);
  t.ok(ofFirst.length <= 2, `${ofFirst}`);
});
