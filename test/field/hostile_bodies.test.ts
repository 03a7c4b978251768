import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import type { Asset } from '../../src/model/asset.ts';
import type { LogEvent } from '../../src/model/event.ts';
import { onlyInFull, takeTime } from '../support/basics/patience.ts';
import { isFull } from '../support/basics/size.ts';
import { allRows, fieldBox } from '../support/daemon/field_box.ts';
import { runToEnd } from '../support/daemon/program.ts';
import { firstOwner, type Member } from '../support/daemon/signed_in.ts';
import { changedAt, type Place, placesOf } from '../support/http/generated_body.ts';
import { at, ServedBodies as Served, type ServedBodies, type ServedBody } from './served_bodies.ts';

onlyInFull(t);
takeTime(t, 600);

/** What holds the service up takes minutes; a machine that is busy otherwise, seconds. */
const AT_ONCE_MS = 10_000;

const hostile = [
  "'; DROP TABLE assets; --",
  "\" OR 1=1; ATTACH DATABASE '/tmp/x' AS y; --",
  'a\r\nX-Injected: yes\r\n\r\n<html>',
  'nul\u0000nul',
  '__proto__',
  'constructor',
  'hasOwnProperty',
  '$' + '{7*7} {{7*7}} %s %n',
  '<script>alert(1)</script>&amp;',
  '../../../../etc/passwd',
  '\u202egnp.exe \u200b\u2066x\ufeffy',
  'I\u0307\u0131\u017f\u212a \ufb00 \u{1d573}eron',
  `z${'\u0301'.repeat(60)}`,
  '\u{1f469}\u200d\u{1f680}\u{e0001}',
  "=cmd|' /C calc'!A0",
  'line\u2028line\u2029\u0085',
  '\ud800',
  'half \udc00 a pair',
];
/** Where a text that is taken is not in the answer: what is done, not the row, is answered. */
const unsaid = new Set([
  '/api/tracks/{id}/drop',
  '/api/tracks/{id}/merge',
  '/api/ingest/obs',
  '/api/assets/import',
  '/api/engagement/stop_all',
  '/api/engagement/autonomy',
  '/api/auth/file-ticket',
]);
const reaching = ['__proto__', 'constructor', 'prototype'];
const lists = ['assets', 'assignments', 'catalog/entries', 'zones', 'regions', 'sensors', 'holds', 'users', 'keys'];

function textsIn(value: unknown): string[] {
  return placesOf(value)
    .map((place) => at(value, place))
    .filter((found) => typeof found === 'string');
}

/** Whether an answer gives a text back: as it was sent, but for blanks at its ends. */
function givesBack(data: unknown, text: string): boolean {
  return textsIn(data).some((found) => found === text || found === text.trim());
}

/** Places that texts were sent to; it turns the list of texts, so that each place gets others. */
let turn = 0;

/** Every third of the texts, others for each place, so that all reach every kind of body; all with --full. */
function textsOf(): readonly string[] {
  turn++;
  return isFull ? hostile : hostile.filter((_, index) => index % 3 === turn % 3);
}

async function tryTexts(t: Test, bodies: ServedBodies, one: ServedBody): Promise<number> {
  const [wrong, counts]: [string[], { taken: number; refused: number }] = [[], { taken: 0, refused: 0 }];
  for (const place of one.texts) {
    for (const text of textsOf()) {
      const { status, body } = await bodies.send(one, changedAt(bodies.fresh(one), place, text));
      if (status !== 200) counts.refused++;
      else {
        counts.taken++;
        const isSecret = ['password', 'passphrase'].includes(String(place.at(-1)));
        if (!isSecret && !unsaid.has(one.path) && !givesBack(body.data, text))
          wrong.push(`${place.join('.')}: ${JSON.stringify(text)} became ${JSON.stringify(body.data).slice(0, 400)}`);
      }
    }
  }
  t.same(wrong, [], `${one.method} ${one.path}: ${counts.taken} taken, ${counts.refused} refused`);
  return counts.taken;
}

async function stored(anna: Member): Promise<Record<string, unknown[][]>> {
  const rows: Record<string, unknown[][]> = {};
  for (const list of lists) {
    const found = await anna.get<Record<string, unknown>[]>('GET', `/v1/${list}`);
    // What a sensor was told of and how it is doing is of the run.
    // What an asset brings is no row: its version is of the run.
    const own = found.filter(({ declared_by }) => declared_by === undefined || declared_by === 'manual');
    const told = own.map(({ id, name, spec, reason, version, affiliation }) => [
      id,
      name,
      spec,
      reason,
      version,
      affiliation,
    ]);
    rows[list] = told.sort(([a], [b]) => (String(a) < String(b) ? -1 : 1));
  }
  return rows;
}

t.test('whatever a text is, it is given back as it was sent or refused, and outlives a restart', async (t) => {
  const box = fieldBox(t, '');
  // What seals secrets needs a key.
  const env = { DUNLIN_SECRET_KEY_FILE: join(box.dataDir, '..', 'secret_key') };
  writeFileSync(env.DUNLIN_SECRET_KEY_FILE, '7c'.repeat(32));
  const daemon = await box.spawn({ env });
  const anna = await firstOwner(t, daemon);
  const bodies = await Served.of(daemon, anna);
  let taken = 0;
  for (const one of bodies.all) taken += await tryTexts(t, bodies, one);
  t.ok(taken > 100, `${taken} were taken`);
  // Some of each stay, whatever they are called.
  for (const [n, name] of hostile.slice(0, -2).entries())
    for (const [path, body] of [
      ['/v1/assets', { spec: { notes: name, [name]: name } }],
      ['/v1/sensors', { modality: 'acoustic' }],
      ['/v1/zones', { kind: 'alert', geometry: { type: 'Point', coordinates: [8, 47], radius_m: 10 + n } }],
    ] as const)
      await anna.ask('POST', path, { name, ...body });

  const before = await stored(anna);
  const events = await allRows<LogEvent>(daemon, '/api/events');
  t.ok(events.some(({ text }) => text.includes('DROP TABLE')));
  t.equal(await daemon.end(), 0);
  const verified = await runToEnd(t, ['audit', 'verify', '--data', box.dataDir], { env });
  t.match(verified, { code: 0, out: /^ok: / }, verified.out + verified.err);
  const again = await box.spawn({ env });
  const session = anna.at(again.url);
  const after = await stored(session);
  for (const list of lists)
    for (const [n, row] of (before[list] ?? []).entries())
      t.same(after[list]?.[n], row, `${list}: what was stored is what was shown`);
  const log = new Map((await allRows<LogEvent>(again, '/api/events')).map((event) => [event.id, event.text]));
  t.same(
    events.filter(({ id, text }) => log.get(id) !== text),
    [],
    'and so is what was logged',
  );
  const errors = [...daemon.lines, ...again.lines].filter(({ level }) => Number(level) >= 50);
  t.same(errors, [], 'nothing failed inside');
});

t.test('keys that reach prototypes are refused wherever they stand', async (t) => {
  const daemon = await fieldBox(t, '').spawn();
  const anna = await firstOwner(t, daemon);
  const bodies = await Served.of(daemon, anna);
  for (const one of bodies.all) {
    const objects: Place[] = placesOf(one.example).filter((place) => {
      const found = at(one.example, place);
      return typeof found === 'object' && found !== null && !Array.isArray(found);
    });
    for (const place of objects) {
      for (const key of isFull ? reaching : [reaching[turn++ % reaching.length] as string]) {
        // The name is written into the text, since an object literal would take it for what it is.
        const inner = { ...(at(one.example, place) as object), surely_not_it: { polluted: 1 } };
        const text = JSON.stringify(changedAt(one.example, place, inner)).replace('surely_not_it', key);
        const { status, body } = await bodies.send(one, text);
        t.equal(status, 400, `${one.path} ${place.join('.')} ${key}`);
        t.match(body.error, key);
      }
    }
  }
  const answer = await fetch(`${daemon.url}/api/assets?__proto__[limit]=1&constructor=1`);
  t.equal(answer.status, 400);
  t.notMatch(await (await fetch(`${daemon.url}/api/picture`)).text(), 'polluted');
});

t.test('bodies that blow up are refused at once, and the service goes on', async (t) => {
  const daemon = await fieldBox(t, '').spawn();
  const anna = await firstOwner(t, daemon);
  const bodies = await Served.of(daemon, anna);
  const wide = `{${Array.from({ length: 60_000 }, (_, n) => `"k${n}":1`).join(',')}}`;
  const bombs: [what: string, text: string][] = [
    ['deep lists', `${'['.repeat(400_000)}${']'.repeat(400_000)}`],
    ['deep objects', `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`],
    ['never closed', '{"a":['.repeat(150_000)],
    ['wide', wide],
    ['a number of many digits', `{"name":1${'0'.repeat(900_000)}}`],
    ['numbers without end', '{"name":1e999999999,"spec":-1e999}'],
    ['one key again and again', `{${'"name":"x",'.repeat(80_000)}"name":"x"}`],
    ['escapes', `{"name":"${'\\u0000'.repeat(150_000)}"}`],
  ];
  for (const [n, one] of bodies.all.entries()) {
    // All routes read bodies by the same reader: each gets one bomb, and with --full all of them.
    for (const [what, text] of bombs.filter((_, index) => isFull || index === n % bombs.length)) {
      const beganMs = performance.now();
      const { status } = await bodies.send(one, text);
      const tookMs = performance.now() - beganMs;
      // Of a key that is said twice the last holds, as everywhere with JSON.
      t.ok(status >= 400 || what.startsWith('one key'), `${one.path}: ${what} ${status}`);
      t.ok(tookMs < AT_ONCE_MS, `${one.path}: ${what} took ${tookMs.toFixed(0)} ms`);
    }
  }
  for (const n of ['1e308', '-0', '0.1e-400', '9007199254740993', '1e400', '[-1e400]']) {
    const { status, body } = await bodies.send(bodies.of('POST /api/assets'), `{"name":"n","spec":{"free":${n}}}`);
    t.equal(status, n.includes('e400') && !n.startsWith('0') ? 400 : 200, `${n}: ${JSON.stringify(body)}`);
  }
  t.same(
    (await daemon.get<Asset[]>('/api/assets')).filter(({ name }) => !name.startsWith('Heron')),
    [],
  );
});

t.test('a doctrine that blows up, or reaches for what it should not, is refused at once with its place', async (t) => {
  const daemon = await fieldBox(t, '').spawn();
  const send = async (body: string): Promise<{ status: number; text: string; tookMs: number }> => {
    const beganMs = performance.now();
    const headers = { 'content-type': 'application/yaml' };
    const response = await fetch(`${daemon.url}/api/doctrine/import?force=1`, { method: 'POST', headers, body });
    return { status: response.status, text: await response.text(), tookMs: performance.now() - beganMs };
  };
  const exported = await (await fetch(`${daemon.url}/api/doctrine/export`)).text();
  const laughs = ['a: &a0 [x, x, x, x, x, x, x, x, x, x]'];
  for (let n = 1; n < 12; n++)
    laughs.push(
      `b${n}: &a${n} [${Array(10)
        .fill(`*a${n - 1}`)
        .join(', ')}]`,
    );
  const bombs: [what: string, text: string][] = [
    ['a billion laughs', laughs.join('\n')],
    ['an alias of itself', 'postures: &a [*a]'],
    ['merge keys', `base: &b {x: 1}\n${exported}\nextra: {<<: *b}`],
    ['deep flow', `${'['.repeat(100_000)}${']'.repeat(100_000)}`],
    ['deep maps', Array.from({ length: 1_000 }, (_, n) => `${' '.repeat(n)}a:`).join('\n')],
    ['many lists in a line', '- '.repeat(400_000)],
    ['wide', Array.from({ length: 60_000 }, (_, n) => `k${n}: 1`).join('\n')],
    ['anchors', Array.from({ length: 60_000 }, (_, n) => `k${n}: &a${n} 1`).join('\n')],
    ['a key again and again', 'postures: []\n'.repeat(60_000)],
    ['many documents', '--- a\n'.repeat(100_000)],
    ['tags', 'postures: !!js/function "function () { return process.env }"'],
    ['binary', `hash: !!binary ${'A'.repeat(900_000)}`],
    ['quotes that never end', `hash: "${'\\x41'.repeat(200_000)}`],
    ['a prototype', `${exported}\n__proto__:\n  polluted: 1\n`],
    ['a prototype inside', `${exported}\nfiring:\n  __proto__: {polluted: 1}\n`],
    ['half a pair', exported.replace(/description: .*/, 'description: "\\uD800"')],
    ['too long', `# ${'x'.repeat(1_100_000)}`],
  ];
  for (const [what, text] of bombs) {
    const answer = await send(text);
    t.ok(answer.status === 400 || answer.status === 413, `${what}: ${answer.status} ${answer.text.slice(0, 200)}`);
    t.ok(answer.tookMs < AT_ONCE_MS, `${what} took ${answer.tookMs.toFixed(0)} ms`);
  }
  t.equal(await (await fetch(`${daemon.url}/api/doctrine/export`)).text(), exported, 'nothing was taken');
  t.equal((await send(exported)).status, 200);
});
