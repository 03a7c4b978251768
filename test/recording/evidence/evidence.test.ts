import { spawnSync } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import t from 'tap';
import type { LogEvent } from '../../../src/model/event.ts';
import type { TrackPoint } from '../../../src/model/track.ts';
import { type EvidenceSources, evidenceOf } from '../../../src/recording/evidence/evidence.ts';
import { type AuditBench, anna, auditBench } from '../../support/daemon/audit.ts';
import { detectionAt, eventAt, trackAt } from '../../support/store/history_rows.ts';

const trackId = randomUUID();
const noonMs = Date.parse('2026-03-04T12:00:00.000Z');
const track = trackAt(noonMs, trackId);

function pointAtS(s: number): TrackPoint {
  const at = new Date(noonMs + s * 1_000).toISOString();
  const rest = { height_takeoff_m: null, speed_mps: 12, course_deg: 3, climb_mps: 0, h_m: 3 };
  return {
    at,
    state: 'confirmed',
    lat: 47 + s / 1e6,
    lon: 8,
    alt_msl_m: null,
    alt_agl_m: null,
    alt_hae_m: 500,
    ...rest,
  };
}

async function* pages<T>(rows: number, made: (i: number) => T): AsyncGenerator<T[]> {
  for (let from = 0; from < rows; from += 1_000) {
    yield Array.from({ length: Math.min(1_000, rows - from) }, (_, i) => made(from + i));
  }
}

function sourcesOf(bench: AuditBench, rows: number, more: Partial<EvidenceSources> = {}): EvidenceSources {
  return {
    state: bench.state,
    ledger: bench.ledger,
    workspaceId: bench.workspaceId,
    program: { name: 'dunlin', version: '0.1.0', build: 'test' },
    defaultPolicy: { posture: 'normal' },
    points: () => pages(rows, pointAtS),
    detections: () => pages(rows, (i) => detectionAt(noonMs + i, { track_id: trackId })),
    events: () => pages<LogEvent>(2, (i) => eventAt(noonMs + i, i + 1)),
    report: {
      ...{ workspace: 'Site', timeZone: 'Europe/Vienna', zones: [], alerts: [], entered: [] },
      ...{ highestLevel: null, nearest: null, nameOf: () => 'roof receiver' },
    },
    frames: null,
    ...more,
  };
}

async function unpack(bench: AuditBench, sources: EvidenceSources, folder: string): Promise<string> {
  const { content } = evidenceOf(track, anna, sources);
  const path = join(folder, 'evidence.zip');
  await pipeline(Readable.from(content, { objectMode: false }), createWriteStream(path));
  t.equal(spawnSync('unzip', ['-q', path, '-d', join(folder, 'out')]).status, 0);
  t.ok(bench);
  return join(folder, 'out');
}

const sha256 = (bytes: Buffer | string): string => createHash('sha256').update(bytes).digest('hex');

t.test('each file is as the manifest says, and the manifest as the log says', async (t) => {
  const bench = auditBench(t);
  const out = await unpack(bench, sourcesOf(bench, 2_500), t.testdir());
  const manifest = JSON.parse(readFileSync(join(out, 'manifest.json'), 'utf8'));
  const files = manifest.files as { path: string; bytes: number; sha256: string }[];
  t.same(
    files.map(({ path }) => path),
    [
      ...['README.txt', 'report.html', 'track.json', 'history.geojson', 'history.kml', 'history.csv'],
      ...['detections.jsonl', 'log.jsonl', 'policy.jsonl'],
    ],
  );
  for (const { path, bytes, sha256: hash } of files) {
    const content = readFileSync(join(out, path));
    t.same([content.length, sha256(content)], [bytes, hash], path);
  }
  const sums = spawnSync('sha256sum', ['-c', 'SHA256SUMS'], { cwd: out, encoding: 'utf8' });
  t.equal(sums.status, 0, sums.stderr);
  t.equal(sums.stdout.trim().split('\n').length, files.length + 1);
  // The manifest's hash as a stranger computes it.
  const python =
    'import hashlib,json,sys; m=json.load(open(sys.argv[1])); m.pop("manifest_sha256"); print(hashlib.sha256(json.dumps(m,sort_keys=True,separators=(",",":"),ensure_ascii=False).encode()).hexdigest())';
  const run = spawnSync('python3', ['-c', python, join(out, 'manifest.json')], { encoding: 'utf8' });
  t.equal(run.stdout.trim(), manifest.manifest_sha256);
  const rows = bench.state.db.prepare('SELECT kind, after, actor FROM audit ORDER BY seq').all() as {
    kind: string;
    after: string;
    actor: string;
  }[];
  t.same(
    rows.map(({ kind }) => kind),
    ['evidence.requested', 'evidence.exported'],
  );
  t.equal(JSON.parse(rows[1]?.after ?? '{}').manifest_sha256, manifest.manifest_sha256);
  t.equal(JSON.parse(rows[1]?.actor ?? '{}').name, 'anna');
});

t.test('histories hold every point, in forms that others read', async (t) => {
  const bench = auditBench(t);
  const out = await unpack(bench, sourcesOf(bench, 2_500), t.testdir());
  const geo = JSON.parse(readFileSync(join(out, 'history.geojson'), 'utf8'));
  t.equal(geo.features.length, 2_500);
  t.equal(readFileSync(join(out, 'history.csv'), 'utf8').trim().split('\r\n').length, 2_501);
  const python =
    'import sys,xml.etree.ElementTree as E; r=E.parse(sys.argv[1]).getroot(); print(len(list(r.iter("{http://www.opengis.net/kml/2.2}when"))), len(list(r.iter("{http://www.google.com/kml/ext/2.2}coord"))))';
  const run = spawnSync('python3', ['-c', python, join(out, 'history.kml')], { encoding: 'utf8' });
  t.equal(run.stdout.trim(), '2500 2500');
  t.match(readFileSync(join(out, 'README.txt'), 'utf8'), /Without frames.jsonl no recording was made/);
});

t.test('the policies that were in force while it was seen are in it, and no others', async (t) => {
  const bench = auditBench(t);
  const save = bench.state.db.prepare("INSERT INTO decision_configs VALUES (?, ?, ?, ?, 'user:anna')");
  const times = ['2026-03-01', '2026-03-03', '2026-03-04', '2026-03-05'];
  times.forEach((day, i) => void save.run(bench.workspaceId, i + 1, `{"posture":"${i}"}`, `${day}T11:59:00.000Z`));
  const out = await unpack(bench, sourcesOf(bench, 1), t.testdir());
  const lines = readFileSync(join(out, 'policy.jsonl'), 'utf8').trim().split('\n');
  t.same(
    lines.map((line) => JSON.parse(line).version),
    [3],
  );
});

t.test('where the defaults were in force they are in it as version 0', async (t) => {
  const bench = auditBench(t);
  const out = await unpack(bench, sourcesOf(bench, 1), t.testdir());
  const [line = ''] = readFileSync(join(out, 'policy.jsonl'), 'utf8').split('\n');
  t.same(JSON.parse(line), { version: 0, saved_at: null, saved_by: null, document: { posture: 'normal' } });
});

t.test('what fails on the way leaves no row that says it was exported', async (t) => {
  const bench = auditBench(t);
  async function* failing(): AsyncGenerator<never[]> {
    yield [];
    throw new Error('the history is gone');
  }
  const { content } = evidenceOf(track, anna, sourcesOf(bench, 10, { detections: failing }));
  const read = async (): Promise<void> => {
    for await (const _ of content);
  };
  await t.rejects(read(), /the history is gone/);
  t.same(bench.state.db.prepare('SELECT kind FROM audit').pluck().all(), ['evidence.requested']);
});

t.test('a track of a hundred thousand points takes little memory', async (t) => {
  const bench = auditBench(t);
  const { content } = evidenceOf(track, anna, sourcesOf(bench, 100_000));
  const before = process.memoryUsage().rss;
  let [bytes, most] = [0, 0];
  const begun = performance.now();
  for await (const piece of content) {
    bytes += piece.length;
    most = Math.max(most, process.memoryUsage().rss - before);
  }
  t.comment(
    `${(bytes / 1e6).toFixed(1)} MB in ${(performance.now() - begun).toFixed(0)} ms, ${(most / 1e6).toFixed(0)} MB more`,
  );
  t.ok(most < 250e6, `${(most / 1e6).toFixed(0)} MB more`);
});
