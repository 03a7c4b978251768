import fc from 'fast-check';
import t from 'tap';
import { writeLine } from '../../../src/cli/watch/line.ts';
import { PictureLines } from '../../../src/cli/watch/picture_lines.ts';
import { printable, printableJson } from '../../../src/cli/watch/printable.ts';
import { sampleAlert } from '../../../src/http/openapi/alert_samples.ts';
import { samplePicture, sampleTrack } from '../../../src/http/openapi/samples.ts';
import { sampleThreat } from '../../../src/http/openapi/threat_samples.ts';
import type { Picture } from '../../../src/model/picture.ts';
import { seedOf } from '../../support/basics/seed.ts';
import { sized } from '../../support/basics/size.ts';

/** Bytes that a terminal takes as orders, or that change what a reader sees. */
const isHostile = (text: string): boolean => /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(text);

const track = (changes: object = {}) => ({ ...sampleTrack, ...changes });
const threat = (changes: object = {}) => ({ ...sampleThreat, ...changes });
const alert = (changes: object = {}) => ({ ...sampleAlert, ...changes });
const empty: Picture = {
  ...samplePicture,
  tracks: [],
  threats: [],
  alerts: [],
  sensors: [],
  links: [],
  engagements: [],
};

function textsOf(lines: PictureLines, kind: string, body: unknown): string[] {
  return lines.take(kind, body).map(({ subject, text }) => `${subject} ${text}`);
}

function begun(picture: Partial<Picture> = {}): PictureLines {
  const lines = new PictureLines();
  lines.take('snapshot', { ...empty, ...picture });
  return lines;
}

t.test('no text of a stranger reaches the terminal as a control, whatever it is', async (t) => {
  t.equal(
    printable('a\x1b[2Jb\x07\r\n\x9b31m\u202e\u200b\u2028\ud800'),
    String.raw`a\u{1b}[2Jb\u{7}\u{d}\u{a}\u{9b}31m\u{202e}\u{200b}\u{2028}\u{d800}`,
  );
  t.equal(printable('Mühle 北 🛩'), 'Mühle 北 🛩', 'names of people stay');
  t.equal(printable('x'.repeat(5_000)).length, 301);
  const seed = seedOf(t);
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (text) => {
      const line = writeLine({ at: null, subject: 'TRACK', text, tone: 'plain' }, false);
      if (isHostile(line)) return false;
      const json = printableJson({ text });
      return !isHostile(json) && JSON.parse(json).text === JSON.parse(JSON.stringify({ text })).text;
    }),
    { seed, numRuns: sized(500) },
  );
});

t.test('a line is coloured on a terminal and plain in a pipe', async (t) => {
  const line = { at: '2026-06-01T10:00:00.000Z', subject: 'ALERT', text: 'look', tone: 'critical' } as const;
  t.match(writeLine(line, false), /^\d\d:\d\d:\d\d {2}ALERT {4}look$/);
  const coloured = writeLine(line, true);
  t.ok(coloured.startsWith('\x1b[1;31m') && coloured.endsWith('\x1b[0m'));
  t.equal(writeLine({ ...line, at: 'never' }, false), '--:--:--  ALERT    look');
});

t.test('an empty picture says that nothing is received, and a furnished one what there is', async (t) => {
  const bare = textsOf(new PictureLines(), 'snapshot', empty);
  t.match(bare[0], /^PICTURE 0 tracks, 0 threats, 0 open alerts, 0 of 0 sensors received, posture /);
  t.ok(bare.includes('SENSOR no sensor is known: the picture stays empty'));
  const [sensor] = samplePicture.sensors;
  const camera = { ...sensor, id: 'camera', declared_by: 'payload', state: 'unknown' } as const;
  const counted = { ...samplePicture, sensors: [{ ...sensor, state: 'operational' } as const, camera] };
  const tentative = [track({ state: 'confirmed' }), track({ id: 'second', state: 'tentative' })];
  const [first] = textsOf(new PictureLines(), 'snapshot', { ...counted, tracks: tentative });
  t.match(first, /^PICTURE 1 track \(and 1 not yet confirmed\), .*, 1 of 1 sensors received, /, 'no unreported camera');
  const threats = [threat({ track_id: sampleTrack.id })];
  const picture = { ...samplePicture, tracks: [track({ state: 'confirmed' })], threats, alerts: [sampleAlert] };
  const full = textsOf(new PictureLines(), 'snapshot', picture);
  for (const subject of ['SENSOR', 'TRACK', 'THREAT', 'ALERT'])
    t.ok(
      full.some((text) => text.startsWith(subject)),
      subject,
    );
});

t.test('a tentative track is silent until it is confirmed, and its end is said', async (t) => {
  const lines = begun();
  t.same(textsOf(lines, 'track_new', track({ id: 'a', state: 'tentative' })), []);
  const [seen] = textsOf(lines, 'track_update', { id: 'a', state: 'confirmed' });
  t.match(seen, /^TRACK T-\d+ .*: \w+, confirmed, /);
  t.same(textsOf(lines, 'track_update', { id: 'a', quality: 3 }), [], 'a place that moves is no news');
  t.match(textsOf(lines, 'track_state', { id: 'a', state: 'lost', was: 'confirmed' }), [/is lost, last seen /]);
  t.match(textsOf(lines, 'track_removed', { id: 'a', reason: 'closed' }), [/has ended$/]);
  t.same(textsOf(lines, 'track_update', { id: 'a', state: 'confirmed' }), []);
});

t.test('a threat is said once a level, also where it comes before its track', async (t) => {
  const lines = begun();
  t.same(textsOf(lines, 'threat_update', threat({ track_id: 'a', level: 'low' })), []);
  t.match(textsOf(lines, 'track_new', track({ id: 'a', state: 'tentative' })), [/^THREAT T-\d+.*: low, /]);
  t.same(textsOf(lines, 'threat_update', threat({ track_id: 'a', level: 'low', score: 30 })), []);
  t.match(textsOf(lines, 'threat_update', threat({ track_id: 'a', level: 'high' })), [/: high, /]);
  const dismissed = { by: 'anna', at: '2026-06-01T10:00:00.000Z', reason: 'a kite', until: null };
  t.match(textsOf(lines, 'threat_update', threat({ track_id: 'a', level: 'high', dismissed })), [
    /dismissed by anna: a kite/,
  ]);
  t.match(textsOf(lines, 'threat_cleared', { track_id: 'a' }), [/is no longer a threat/]);
  t.same(textsOf(lines, 'threat_cleared', { track_id: 'a' }), []);
});

t.test('an alert is said when it is raised, worse, acknowledged and over, not at each change', async (t) => {
  const lines = begun();
  const raised = alert({ id: 'x', severity: 'warning', state: 'active', acknowledged: null, settled_at: null });
  t.match(textsOf(lines, 'alert', raised), [/^ALERT warning: /]);
  t.same(textsOf(lines, 'alert_update', { ...raised, count: 2 }), []);
  t.match(textsOf(lines, 'alert_update', { ...raised, severity: 'critical' }), [/^ALERT critical: /]);
  const acknowledged = { by: 'ben', at: '2026-06-01T10:00:00.000Z', note: null };
  const seen = { ...raised, severity: 'critical', state: 'acknowledged', acknowledged };
  t.match(textsOf(lines, 'alert_update', seen), [/acknowledged by ben/]);
  t.match(textsOf(lines, 'alert_update', { ...seen, state: 'cleared', cleared_reason: 'it left' }), [
    /over: .* \(it left\)/,
  ]);
  t.same(
    textsOf(lines, 'snapshot', {
      ...empty,
      alerts: [alert({ ...seen, id: 'x', state: 'cleared', cleared_reason: 'it left' })],
    }).filter((text) => text.startsWith('ALERT')),
    [],
    'a snapshot repeats none',
  );
});

t.test('sensors, links and the shown world are said when they change', async (t) => {
  const lines = begun();
  const [sensor, link] = [samplePicture.sensors[0], samplePicture.links[0]];
  t.match(
    textsOf(lines, 'sensor_update', { ...sensor, name: 'mast', state: 'silent', reasons: ['nothing for 60 s'] }),
    ['SENSOR mast is silent: nothing for 60 s'],
  );
  t.same(textsOf(lines, 'sensor_update', { ...sensor, name: 'mast', state: 'silent' }), []);
  t.match(textsOf(lines, 'link_update', { ...link, name: 'rid', state: 'backoff', last_error: 'refused' }), [
    'LINK rid is backoff: refused',
  ]);
  t.match(textsOf(lines, 'sim_state', { ...samplePicture.sim, mode: 'sim', run: 'running' }), [/SIMULATION is shown/]);
  t.match(textsOf(lines, 'live_alert', alert({ id: 'y' })), [/^ALERT LIVE WORLD: /]);
  t.match(textsOf(lines, 'sim_state', { ...samplePicture.sim, mode: 'live', run: 'idle' }), [
    /the live world is shown/,
  ]);
  t.same(textsOf(lines, 'live_alert', alert({ id: 'y' })), [], 'alert says it in the live world');
});

t.test('an unknown kind of event is no line', async (t) => {
  t.same(begun().take('tick', { seq: 1 }), []);
  t.same(begun().take('constructor', {}), []);
});
