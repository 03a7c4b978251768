import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import t from 'tap';
import { coreMaker } from '../../../src/cli/track/core_maker.ts';
import { readDetection } from '../../../src/cli/track/detection_line.ts';
import { Scenario } from '../../../src/cli/track/scenario.ts';
import type { Firing } from '../../../src/model/firing.ts';
import { RECEIVED, RECEIVED_WIDTH } from '../../../src/model/received_row.ts';
import { TRACK } from '../../../src/model/rows/layouts.ts';
import { type CoreOutput, ROW_WIDTH, type TrackCard } from '../../../src/model/track_row.ts';
import { LogHash } from '../../../src/sim/score/log_hash.ts';
import { onlyInFull } from '../../support/basics/patience.ts';
import { seedOf } from '../../support/basics/seed.ts';
import { sized } from '../../support/basics/size.ts';
import { detectionsOf, scenarioFolder, whatScoringLacks } from '../../support/references/scorer.ts';

onlyInFull(t);

const BEGIN_MS = 1_780_000_000_000;

/** A step of a core in which something of everything happens. */
function stepAt(beginMs: number, ids: readonly [track: string, zone: string, rule: string]): CoreOutput {
  const [trackId, zoneId, ruleId] = ids;
  const nowMs = beginMs + 5_000;
  const rows = new Float64Array(ROW_WIDTH * 2).fill(Number.NaN);
  for (const at of [0, ROW_WIDTH]) {
    for (let i = 0; i < TRACK.predicted; i++) rows[at + i] = i * 1.5 + at;
    rows[at + TRACK.updatedMs] = nowMs;
    rows[at + TRACK.lastSeenMs] = nowMs - 250;
  }
  const received = new Float64Array(RECEIVED_WIDTH).fill(2);
  received[3] = nowMs - 10;
  const card: TrackCard = {
    ...{ id: trackId, number: 1, classification: [], cooperative: 'both', operator: null, takeoff: null, status: null },
    identities: [{ type: 'serial', value: 'ABCD', transport: 'bt5', firstMs: nowMs - 100, lastMs: nowMs }],
    contributors: [{ sensorId: zoneId, lastMs: nowMs, hits: 3, rssiDbm: null }],
    claims: [],
    lineage: [],
    ...{ flags: ['emergency'], firstSeenMs: nowMs - 900 },
    integrity: { verdict: 'unchecked', score: 0.5, reasons: [{ id: 'jump', text: `not where ${zoneId} is` }] },
  };
  const firing: Firing = {
    ...{ key: `${ruleId}:${zoneId}`, ruleId, ruleVersion: 1, change: 'raised', severity: 'warning', count: 1 },
    ...{ subject: { type: 'track', id: trackId, label: 'T-0001' }, text: 'it is there', trackIds: [trackId], zoneId },
    ...{ atMs: nowMs, does: { alert: true, log: true, notify: true, propose: false } },
  };
  const nothing = { threats: [], cleared: [], groups: [], zoneEvents: [], counts: [], nearest: [] };
  return {
    ...{ nowMs, rows, received, cards: [card], removed: [{ id: trackId, number: 1, reason: 'closed' }] },
    ...{ assigned: new Float64Array(2), dueMs: nowMs + 1, offsets: [], assessment: { ...nothing, firings: [firing] } },
  };
}

const fresh = (): [string, string, string] => [randomUUID(), randomUUID(), randomUUID()];
const ids = fresh();

function hashOf(...outputs: CoreOutput[]): string {
  const hash = new LogHash(BEGIN_MS);
  for (const output of outputs) hash.output(output);
  return hash.text();
}

t.test('the same is the same, also from another hour and with ids that were made anew', (t) => {
  const one = hashOf(stepAt(BEGIN_MS, ids), stepAt(BEGIN_MS, ids));
  t.match(one, /^sha256:[0-9a-f]{64}$/);
  t.equal(hashOf(stepAt(BEGIN_MS, ids), stepAt(BEGIN_MS, ids)), one);
  const others = fresh();
  t.equal(hashOf(stepAt(BEGIN_MS, others), stepAt(BEGIN_MS, others)), one);
  const upper = ids.map((id) => id.toUpperCase()) as [string, string, string];
  t.equal(hashOf(stepAt(BEGIN_MS, ids), stepAt(BEGIN_MS, upper)), one, 'an id in capitals is the same id');
  const later = BEGIN_MS + 7_200_000;
  const hash = new LogHash(later);
  for (let i = 0; i < 2; i++) hash.output(stepAt(later, ids));
  t.equal(hash.text(), one);
  t.not(hashOf(stepAt(BEGIN_MS, ids), stepAt(BEGIN_MS, others)), one, 'another track than before is another');
  t.not(hashOf(stepAt(BEGIN_MS, ids)), one);
  t.end();
});

const widthOf = { rows: ROW_WIDTH, received: RECEIVED_WIDTH };
const timesOf: Record<'rows' | 'received', number[]> = {
  rows: [TRACK.updatedMs, TRACK.lastSeenMs],
  received: [RECEIVED.lastMs],
};

t.test('one bit of any row makes it another', (t) => {
  const wanted = hashOf(stepAt(BEGIN_MS, ids));
  fc.assert(
    fc.property(fc.constantFrom('rows', 'received'), fc.nat(), fc.nat(63), (which, at, bit) => {
      const output = stepAt(BEGIN_MS, ids);
      const bits = new BigUint64Array(output[which].buffer);
      const place = at % bits.length;
      const was = output[which][place] ?? 0;
      bits[place] = (bits[place] ?? 0n) ^ (1n << BigInt(bit));
      const is = output[which][place] ?? 0;
      // All that is no number is one, and so are the two noughts; times are counted from the beginning.
      const from = timesOf[which].includes(place % widthOf[which]) ? BEGIN_MS : 0;
      const same = (Number.isNaN(was) && Number.isNaN(is)) || was - from === is - from;
      return same === (hashOf(output) === wanted);
    }),
    { seed: seedOf(t), numRuns: sized(400) },
  );
  t.end();
});

t.test('how a document was written down does not matter, what it says does', (t) => {
  const turned = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(turned);
    if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value;
    const fields = Object.entries(value).reverse();
    return { ...Object.fromEntries(fields.map(([name, field]) => [name, turned(field)])), nothing: undefined };
  };
  const wanted = hashOf(stepAt(BEGIN_MS, ids));
  t.equal(hashOf(turned(stepAt(BEGIN_MS, ids)) as CoreOutput), wanted);
  const changes: ((output: CoreOutput) => void)[] = [
    ({ cards: [card] }) => card?.flags.push('id_duplicate'),
    ({ cards: [card] }) => card && Object.assign(card, { cooperative: 'coop_only' }),
    ({ cards: [card] }) => card?.contributors[0] && Object.assign(card.contributors[0], { lastMs: 1 }),
    ({ removed }) => void removed.pop(),
    ({ assessment }) => Object.assign(assessment.firings[0] ?? {}, { severity: 'notice' }),
    ({ assessment }) => Object.assign(assessment.firings[0] ?? {}, { zoneId: null }),
    (output) => Object.assign(output, { nowMs: output.nowMs + 1 }),
  ];
  for (const change of changes) {
    const output = stepAt(BEGIN_MS, ids);
    change(output);
    t.not(hashOf(output), wanted);
  }
  t.end();
});

t.test('how often policy and rules were saved does not matter', (t) => {
  const saved = stepAt(BEGIN_MS, ids);
  Object.assign(saved.assessment.firings[0] ?? {}, { ruleVersion: 7 });
  t.equal(hashOf(saved), hashOf(stepAt(BEGIN_MS, ids)));
  t.end();
});

t.test('a command counts with its link, its receiver, its bytes and its time', (t) => {
  const told = (link: string, to: string | undefined, bytes: number[], atMs: number): string => {
    const hash = new LogHash(BEGIN_MS);
    hash.command(link, to, Uint8Array.from(bytes), BEGIN_MS + atMs);
    return hash.text();
  };
  const wanted = told('sim-a', undefined, [1, 2, 3], 40);
  t.equal(told('sim-a', undefined, [1, 2, 3], 40), wanted);
  for (const other of [
    told('sim-b', undefined, [1, 2, 3], 40),
    told('sim-a', 'x', [1, 2, 3], 40),
    told('sim-a', undefined, [1, 2, 4], 40),
    told('sim-a', undefined, [1, 2], 40),
    told('sim-a', undefined, [1, 2, 3], 41),
    hashOf(),
  ])
    t.not(other, wanted);
  t.end();
});

t.test('texts longer than what is gathered at once', (t) => {
  const long = (text: string): string => {
    const output = stepAt(BEGIN_MS, ids);
    Object.assign(output.assessment.firings[0] ?? {}, { text });
    return hashOf(output);
  };
  t.equal(long('é'.repeat(200_000)), long('é'.repeat(200_000)));
  t.not(long('é'.repeat(200_000)), long('é'.repeat(199_999)));
  t.end();
});

const lacks = await whatScoringLacks();
t.test('the core over a scenario hashes the same twice, at little cost', { skip: lacks ?? false }, async (t) => {
  const site = JSON.parse(readFileSync(join(scenarioFolder('n50'), 'site.json'), 'utf8'));
  const lines = await detectionsOf('n50');
  const run = async (leftOut: number): Promise<{ text: string; tookMs: number }> => {
    const { lat, lon, alt_hae } = site.origin;
    const core = coreMaker.make({}, { latDeg: lat, lonDeg: lon, altHaeM: alt_hae });
    const hash = new LogHash(0);
    let tookMs = 0;
    const step: typeof core.step = (batch, nowMs) => {
      const output = core.step(batch, nowMs);
      const fromMs = performance.now();
      hash.output(output);
      tookMs += performance.now() - fromMs;
      return output;
    };
    const hashed = {
      setSensors: core.setSensors.bind(core),
      step,
      get rowsWait() {
        return core.rowsWait;
      },
    };
    const scenario = new Scenario({ site, core: hashed, showS: 9, write: () => {}, onProgress: () => {} });
    for (const [i, line] of lines.entries()) if (i !== leftOut) await scenario.take(readDetection(line));
    await scenario.finish();
    return { text: hash.text(), tookMs };
  };
  const [one, two, other] = [await run(-1), await run(-1), await run(900)];
  t.equal(one.text, two.text);
  t.not(one.text, other.text);
  t.comment(`${two.tookMs.toFixed(0)} ms over ${site.duration_s} s`);
});
