import t from 'tap';
import type { Sample } from '../../scripts/soak-parts/hours/samples.ts';
import { slopeOf, slopeOverDays } from '../../scripts/soak-parts/hours/statistics.ts';
import { judgeRest, judgeSamples, judgeTogether } from '../../scripts/soak-parts/hours/verdict.ts';
import { Ledger, type Row } from '../../scripts/soak-parts/kills/ledger.ts';
import { randomFrom } from '../support/basics/random.ts';
import { seedOf } from '../support/basics/seed.ts';

/** An hour and a half of samples every 10 s, which remember each other for about three minutes, on a slope an hour. */
function samples(random: () => number, slopeAnHour: number) {
  let noise = 0;
  return Array.from({ length: 540 }, (_, n) => {
    noise = 0.95 * noise + (random() - 0.5);
    return { x: n / 360, y: 200 + (slopeAnHour * n) / 360 + noise };
  });
}

t.test('the interval of a slope holds the true one about as often as it says, although samples remember', async (t) => {
  const random = randomFrom(seedOf(t));
  let held = 0;
  for (let run = 0; run < 400; run++) {
    const { slope, error } = slopeOf(samples(random, 1));
    if (Math.abs(slope - 1) <= error) held++;
  }
  t.ok(held >= 364, `${held} of 400 intervals hold it`);
  const leak = slopeOf(samples(random, 12));
  t.ok(leak.slope - leak.error > 0.5, `a leak is found: ${leak.slope.toFixed(2)} ± ${leak.error.toFixed(2)}`);
  t.match(slopeOf(samples(random, 0).slice(0, 30)), { slope: Number.NaN }, 'few samples decide nothing');
});

t.test('the wave of a day is neither a leak nor hides one, wherever in it a run ends', async (t) => {
  const random = randomFrom(seedOf(t));
  // 2 to 3 h after the warm-up, of days of 25 min with four steps of the clock.
  const waves = (slopeAnHour: number) =>
    Array.from({ length: 120 + Math.floor(60 * random()) }, (_, minute) => {
      const hour = 6 * (Math.floor(minute / 6.25) % 4);
      return { x: minute / 60, y: 160 + (slopeAnHour * minute) / 60 + hour / 3 + random(), hour };
    });
  let held = 0;
  for (let run = 0; run < 400; run++) {
    const points = waves(1);
    const { slope, error } = slopeOverDays(points);
    if (Math.abs(slope - 1) <= error) held++;
    if (run === 0)
      t.ok(error < 0.3 * slopeOf(points).error, `the error falls from ${slopeOf(points).error} to ${error}`);
  }
  t.ok(held >= 364, `${held} of 400 intervals hold it`);
  const oneHour = waves(1).map((point) => ({ ...point, hour: 0 }));
  t.ok(Math.abs(slopeOverDays(oneHour).slope - slopeOf(oneHour).slope) < 1e-9, 'without hours it is the plain slope');
});

/** Two hours of samples every 10 s: peaks and garbage of up to 20 MB on a leak an hour, whose medians vary by 1 MB. */
function residentMemory(random: () => number, leakAnHour: number): Sample[] {
  return Array.from({ length: 720 }, (_, n) => {
    const rss_median_mb = 150 + (leakAnHour * n) / 360 + random();
    const rss_mb = rss_median_mb + 20 * (random() - 0.5);
    return { time_s: n * 10, rss_mb, rss_median_mb, files: 1 } as Sample;
  });
}

t.test('a leak below 1 MB an hour shows under garbage of 20 MB, and garbage alone is no leak', async (t) => {
  const random = randomFrom(seedOf(t));
  const verdictOf = (samples: Sample[]) => judgeSamples(samples)[0];
  t.match(verdictOf(residentMemory(random, 0)), { verdict: 'held', text: /^resident memory.*within ±0\.5$/ });
  t.match(verdictOf(residentMemory(random, 0.9)), { verdict: 'MISSED', text: /more than 0\.5$/ });
  t.match(verdictOf(residentMemory(random, 0).slice(0, 300)), { verdict: 'open', text: /warming up/ });
});

t.test('several runs decide together what each leaves open', async (t) => {
  const random = randomFrom(seedOf(t));
  const noisy = (leakAnHour: number, spreadMb: number) =>
    residentMemory(random, leakAnHour).map((sample) => ({
      ...sample,
      rss_median_mb: sample.rss_median_mb + spreadMb * random(),
    }));
  const runs = (leakAnHour: number) => Array.from({ length: 40 }, () => noisy(leakAnHour, 6));
  t.match(judgeTogether([noisy(0, 20)]).at(-1), { verdict: 'open' });
  const sound = judgeTogether(runs(0));
  t.equal(sound.length, 41, 'each run has its own line');
  t.match(sound.at(-1), { verdict: 'held', text: /^resident memory of 40 runs/ });
  t.match(judgeTogether(runs(1)).at(-1), { verdict: 'MISSED' });
  t.match(
    judgeTogether([noisy(0, 1).slice(0, 100), noisy(0, 1)]).at(-1),
    { verdict: 'open' },
    'a short run decides nothing',
  );
});

t.test('a descriptor, a thread or a file that is left over is named', async (t) => {
  const rest = { descriptors: new Map([['socket', 3]]), threads: 13, files: new Map([['state.db', 1]]) };
  t.same(
    judgeRest(rest, rest).map(({ verdict }) => verdict),
    ['held', 'held', 'held'],
  );
  const after = {
    descriptors: new Map([['socket', 4]]),
    threads: 14,
    files: new Map([
      ['state.db', 1],
      ['history/', 6],
      ['upload.part', 1],
    ]),
  };
  const checks = judgeRest(rest, after);
  t.same(
    checks.map(({ verdict }) => verdict),
    ['MISSED', 'MISSED', 'MISSED'],
  );
  t.match(checks[2]?.text, /upload\.part 0 to 1/);
});

const zone = (id: string, version: number, more: object = {}): Row => ({
  id,
  name: id,
  kind: 'alert',
  version,
  ...more,
});
const stored = (...rows: Row[]) => new Map(rows.map((row) => [row.id, { kind: 'zones' as const, row }]));
const never = (): Promise<never> => Promise.reject(new Error('the daemon is gone'));

t.test(
  'an answered write that is missing, undone, half or from nobody is found; one in doubt may be either',
  async (t) => {
    const ledger = new Ledger();
    await ledger.creating('zones', 'a', { name: 'a' }, async () => zone('a', 1));
    await ledger.creating('zones', 'b', { name: 'b' }, async () => zone('b', 1));
    await ledger.changing('a', { ceiling_m: 100 }, async () => zone('a', 2, { ceiling_m: 100 }));
    await t.rejects(ledger.changing('b', { ceiling_m: 50 }, never));
    await t.rejects(ledger.creating('zones', 'c', { name: 'c', ceiling_m: 20 }, never));
    t.equal(ledger.writes, 3);

    const a = zone('a', 2, { ceiling_m: 100 });
    t.same(ledger.differences(stored(a, zone('b', 1))), [], 'all that was answered');
    t.same(ledger.differences(stored(a, zone('b', 2, { ceiling_m: 50 }), zone('c', 1, { ceiling_m: 20 }))), []);
    const wrong: [string, Row[]][] = [
      ['missing', [zone('b', 1)]],
      ['undone', [zone('a', 1), zone('b', 1)]],
      ['another value', [zone('a', 2, { ceiling_m: 99 }), zone('b', 1)]],
      ['a version without its change', [a, zone('b', 2)]],
      ['half of a creation', [a, zone('b', 1), zone('c', 1)]],
      ['from nobody', [a, zone('b', 1), zone('d', 1)]],
    ];
    for (const [name, rows] of wrong) t.equal(ledger.differences(stored(...rows)).length, 1, name);

    await ledger.removing('a', async () => {});
    t.equal(ledger.differences(stored(a, zone('b', 1))).length, 1, 'a removed row is back');
  },
);
