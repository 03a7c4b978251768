import t from 'tap';
import { runScenario } from '../../../src/cli/track/run.ts';
import type { TrackLine } from '../../../src/cli/track/shown_tracks.ts';
import type { Site } from '../../../src/cli/track/site.ts';
import { OBSERVED } from '../../../src/model/rows/layouts.ts';
import type { TrackState } from '../../../src/model/track.ts';
import type { CoreOutput } from '../../../src/model/track_row.ts';
import { stateCodes } from '../../../src/model/track_row.ts';
import { card, FakeCore, rows, type Told } from './fake_core.ts';
import { site } from './site_fixture.ts';

const codeOf = (state: TrackState): number => stateCodes.indexOf(state);
const [tentative, confirmed, coasting] = [codeOf('tentative'), codeOf('confirmed'), codeOf('coasting')];
const still = { latDeg: 10, lonDeg: 20, altHaeM: 190, eastMps: 0, northMps: 0, upMps: 0, lastSeenMs: 0 };
const scan = (tr: number, i = 0) => JSON.stringify({ i, t: tr, tr, s: 'tower', k: 'scan', sc: 0, n: 0 });

type Answers = Record<number, Partial<CoreOutput>>;

async function run(texts: readonly string[], answers: Answers = {}, over: Partial<{ site: Site; showS: number }> = {}) {
  const core = new FakeCore((atS) => answers[atS] ?? {});
  const written: TrackLine[] = [];
  const problems: string[] = [];
  const figures = await runScenario({
    site,
    showS: 8,
    core,
    async *lines() {
      for (const [i, text] of texts.entries()) yield { text, number: i + 1 };
    },
    write: (lines) => void written.push(...lines),
    onProblem: (sentence) => void problems.push(sentence),
    onProgress: () => {},
    ...over,
  });
  return { core, written, problems, figures };
}

const track = (told: Told): Partial<CoreOutput> => ({ rows: rows({ ...still, ...told }) });

t.test('at each half second the core has heard what had arrived, to the end of the scenario', async (t) => {
  const { core, figures } = await run([scan(0, 1), scan(0.5, 2), scan(0.501, 3), scan(1.7, 4)]);
  const heard = core.steps.map(({ atS, batch: { rows } }) => [
    atS,
    ...Array.from({ length: rows.length / OBSERVED.width }, (_, i) => rows[i * OBSERVED.width + OBSERVED.sequence]),
  ]);
  t.same(heard, [[0, 1], [0.5, 2], [1, 3], [1.5], [2, 4]]);
  t.match(figures, { scans: 4, reports: 0, atS: 2 });
  const longer = await run([scan(2.2)]);
  t.equal(longer.core.steps.at(-1)?.atS, 2.5, 'what arrives after the end is heard too');
  t.same(
    core.sensors.map(({ id }) => id),
    Object.keys(site.sensors),
  );
});

t.test('a picture is whole before it is told, where the core tells of many in several steps', async (t) => {
  const later = [1, 2, 3].map((number) => track({ number, state: confirmed }));
  const core = new FakeCore((atS) => (atS === 0 ? (later.shift() ?? {}) : {}));
  core.behindFor = 2;
  const pictures: number[][] = [];
  await runScenario({
    ...{ site, showS: 8, core, onProblem: () => {}, onProgress: () => {} },
    async *lines() {
      yield { text: scan(0), number: 1 };
    },
    write: (lines) => void pictures.push(lines.map(({ id }) => id)),
  });
  t.same(pictures[0]?.length, 3);
});

t.test('only confirmed and coasting tracks are shown, and who leaves is told once', async (t) => {
  const { written } = await run([scan(0)], {
    0: { rows: rows({ ...still, number: 1, state: tentative }, { ...still, number: 2, state: confirmed }) },
    1: {
      removed: [
        { id: '2', number: 2, reason: 'closed' },
        { id: '1', number: 1, reason: 'closed' },
      ],
    },
  });
  const shown = { id: 2, e: 0, n: 0, u: 100, ve: 0, vn: 0, vu: 0, st: 'confirmed' };
  t.same(written, [
    { t: 0, ...shown },
    { t: 0.5, ...shown },
    { t: 1, id: 2, del: true },
  ]);
});

t.test('a track that is not told anew moves on with its velocity', async (t) => {
  const { written } = await run([scan(0)], { 0.5: track({ number: 1, state: confirmed, eastMps: 4, upMps: -2 }) });
  t.same(
    written.map((line) => ('e' in line ? [line.t, line.e, line.u] : [])),
    [
      [0.5, 0, 100],
      [1, 2, 99],
      [1.5, 4, 98],
      [2, 6, 97],
    ],
  );
});

t.test('a silent track is shown for a while, as long as it is likely enough to be there', async (t) => {
  const answers = {
    0: { rows: rows({ ...still, number: 1, state: coasting, confidence: 0.9, lastSeenMs: -2_000 }) },
    2: track({ number: 1, state: confirmed }),
  };
  const { written } = await run([scan(0)], answers, { showS: 3 });
  t.same(
    written.map((line) => [line.t, 'del' in line ? 'del' : line.st]),
    [
      [0, 'coasting'],
      [0.5, 'coasting'],
      [1, 'coasting'],
      [1.5, 'del'],
      [2, 'confirmed'],
    ],
  );
  const doubtful = { rows: rows({ ...still, number: 1, state: coasting, confidence: 0.4, lastSeenMs: -2_500 }) };
  t.same((await run([scan(0)], { 0: doubtful })).written, []);
});

t.test('who it is and whether that is doubted comes from the card', async (t) => {
  const heard = { type: 'serial', transport: 'other', firstMs: 0, lastMs: 0 } as const;
  const identities = [
    { ...heard, value: 'A' },
    { ...heard, value: 'B' },
  ];
  const { written } = await run([scan(0)], {
    0: { ...track({ number: 1, state: confirmed }), cards: [card(1, { identities })] },
    1: { cards: [card(1, { identities, integrity: { verdict: 'suspect', score: 0, reasons: [] } })] },
  });
  t.match(written[0], { ser: 'A' });
  t.notOk('flags' in (written[0] ?? {}));
  t.match(written[2], { t: 1, ser: 'A', flags: ['spoof'] });
});

t.test('what is not known is left out, and a height nobody knows is the height of the site', async (t) => {
  const unknown = { eastMps: Number.NaN, northMps: Number.NaN, altHaeM: Number.NaN };
  const { written } = await run([scan(0)], {
    0: { rows: rows({ ...still, ...unknown, number: 1, state: confirmed }, { number: 2, state: confirmed }) },
  });
  t.same(written[0], { t: 0, id: 1, e: 0, n: 0, u: 0, st: 'confirmed' });
  t.notOk(
    written.some(({ id }) => id === 2),
    'a track without a place is not shown',
  );
});

t.test('near the pole velocities are turned into the axes of the site', async (t) => {
  const polar: Site = { ...site, origin: { lat: 89.99, lon: 0, alt_hae: 0 } };
  const over = { latDeg: 89.99, lonDeg: 180, altHaeM: 0, eastMps: 3, northMps: 5 };
  const { written } = await run([scan(0)], { 0: track({ number: 1, state: confirmed, ...over }) }, { site: polar });
  const line = written[0];
  t.ok(line && 'e' in line && Math.abs((line.ve ?? 0) + 3) < 0.01 && Math.abs((line.vn ?? 0) + 5) < 0.01);
  t.ok(line && 'e' in line && Math.abs(line.n - 2_234) < 2, 'it stands beyond the pole');
});

t.test('how certain a place is, is turned too', async (t) => {
  const polar: Site = { ...site, origin: { lat: 89.9999, lon: 0, alt_hae: 0 } };
  const told = {
    ...{ latDeg: 89.9999, lonDeg: 90, altHaeM: 0 },
    ...{ covEeM2: 9, covEnM2: 1, covEuM2: 2, covNnM2: 4, covNuM2: 3, covUuM2: 25 },
  };
  const { written } = await run([scan(0)], { 0: track({ number: 1, state: confirmed, ...told }) }, { site: polar });
  const line = written[0];
  const P = (line && 'P' in line && line.P) || [];
  t.ok(
    [4, -1, -3, 9, 2, 25].every((value, i) => Math.abs((P[i] ?? Number.NaN) - value) < 0.001),
    `${P}`,
  );
});

t.test('bad lines are told with their numbers and left out', async (t) => {
  const { problems, figures } = await run([scan(0), 'nonsense', '', scan(1e9), scan(1).replace('tower', 'mast')]);
  t.same(problems, [
    'line 2: is not JSON',
    "line 4: 'tr' is more than 3600 s after the latest 'tr' before this line",
    "line 5: the site has no sensor 'mast'",
  ]);
  t.match(figures, { badLines: 3, scans: 1 });
  const none = await run(['nonsense']);
  t.same(none.core.steps, [], 'a scenario without a good line is not run');
});

t.test('reports that went to a track are updates', async (t) => {
  const heard = { t: 0, tr: 0, s: 'ear', k: 'bearing', az: 1, sd: [3] };
  const { figures } = await run([scan(0), JSON.stringify(heard), JSON.stringify(heard)], {
    0: { ...track({ number: 5, state: confirmed }), assigned: Float64Array.of(0, 0, 1, 5, 2, 0) },
  });
  t.match(figures, { reports: 2, scans: 1, updates: 1, tracks: 1 });
});
