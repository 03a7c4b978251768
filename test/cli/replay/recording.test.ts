import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { type CaptureFrame, openCapture } from '../../../src/cli/replay/capture.ts';
import { wholeFile } from '../../../src/recording/recording_service.ts';
import { folderOf, offsetMs, Pen } from '../../recording/rig.ts';

type Shape = Pick<typeof t, 'teardown'>;

/** Two segments of so many links, a word a second over each, as one file. */
async function recorded(t: Shape, links: readonly string[]): Promise<string> {
  const folder = folderOf(t);
  const pen = new Pen(join(folder, 'segments'));
  for (let second = 0; second < 20; second++) {
    const times = { atMs: second * 1000, utcMs: offsetMs + second * 1000 };
    if (second % 10 === 0) {
      pen.segment(second * 1000);
      const rows = links.map((name) => ({ id: `id of ${name}`, spec: { name } }));
      pen.encoder.rows('links', 'all', rows, times, true);
    }
    for (const name of links) pen.bytes(second * 1000, Buffer.from(`${name} ${second}`), `id of ${name}`);
  }
  pen.close();
  const pieces: Buffer[] = [];
  for await (const piece of wholeFile(pen.folder)) pieces.push(piece);
  const path = join(folder, 'night.dunlinrec');
  writeFileSync(path, Buffer.concat(pieces));
  return path;
}

async function framesOf(path: string, link?: string, problems: string[] = []): Promise<CaptureFrame[]> {
  const frames: CaptureFrame[] = [];
  const onProblem = (sentence: string): void => void problems.push(sentence);
  for await (const { atMs, bytes } of openCapture(path, { link, onProblem })) frames.push({ atMs, bytes });
  return frames;
}

t.test('a recording is known by its content and played with its own times', async (t) => {
  const frames = await framesOf(await recorded(t, ['rid']));
  t.equal(frames.length, 20);
  t.match(frames[13], { atMs: 13_000, bytes: Buffer.from('rid 13') });
});

t.test('of several links one must be named, by its name or id', async (t) => {
  const path = await recorded(t, ['rid', 'radar']);
  await t.rejects(framesOf(path), { code: 'invalid_input', message: /has 2 links.*--link \(rid, radar\)/ });
  await t.rejects(framesOf(path, 'sonar'), {
    code: 'invalid_input',
    message: /no link called sonar; its links are rid, radar/,
  });
  for (const link of ['radar', 'id of radar']) {
    const frames = await framesOf(path, link);
    t.equal(frames.length, 20);
    t.equal(Buffer.from(frames[19]?.bytes ?? []).toString(), 'radar 19');
  }
});

t.test('where it is damaged it says so, and plays on at the next segment', async (t) => {
  const path = await recorded(t, ['rid']);
  const bytes = readFileSync(path);
  const place = bytes.indexOf('rid 4');
  bytes[place] = 0;
  writeFileSync(path, bytes);
  const problems: string[] = [];
  const frames = await framesOf(path, undefined, problems);
  t.equal(frames.length, 14);
  t.match(problems, [/is damaged at byte \d+: .*checksum.*left out/]);
});

t.test('another capture has no links to choose from', async (t) => {
  const path = join(folderOf(t), 'lines.jsonl');
  writeFileSync(path, '{"t":0,"hex":"00"}\n');
  await t.rejects(framesOf(path, 'rid'), { code: 'invalid_input', message: /is not a recording/ });
});
