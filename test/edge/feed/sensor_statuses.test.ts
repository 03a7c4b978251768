import t from 'tap';
import type { SensorLink } from '../../../src/edge/feed/link_places.ts';
import type { KnownReceiver } from '../../../src/edge/feed/sensor_row.ts';
import { SensorStatuses } from '../../../src/edge/feed/sensor_statuses.ts';

const at = '2026-03-04T12:00:00.000Z';
const open = { state: 'open', hasCarrier: false };

function openBook() {
  let nowMs = 0;
  const book = new SensorStatuses(
    (ms) => ms,
    () => nowMs,
  );
  const link = (id: string, more: Partial<SensorLink> = {}): void => {
    const own = { receiver: '', modality: 'remote_id' } as const;
    book.beginLink({ id, name: id, silenceS: 30, own, isTrusted: false, isSerial: false, ...more });
    book.linkUp(id, open);
  };
  const receive = (linkId: string, receiver: string, ms: number, from = '10.0.0.3:14550'): string | null => {
    nowMs = ms;
    book.linkAlive(linkId, ms);
    const id = book.receivedOn(linkId, receiver, 'remote_id', ms, { from, isSigned: false });
    if (id) book.alive(id, ms);
    return id;
  };
  const states = (ms: number): Record<string, string> => {
    nowMs = ms;
    book.sweep(ms);
    return Object.fromEntries(book.list(ms).map(({ name, state }) => [name, state]));
  };
  return { book, link, receive, states };
}

t.test('a link and a declared sensor have a row from the start, and are silent after their own deadline', async (t) => {
  const { book, link, states } = openBook();
  link('rid');
  const row = { modality: 'radar', placement: null, linkId: null, version: 1, createdAt: at, updatedAt: at } as const;
  book.declare({ ...row, id: 'radar', name: 'radar', heartbeatS: 5, declaredBy: 'manual' });
  book.declare({ ...row, id: 'camera', name: 'camera', heartbeatS: 5, declaredBy: 'payload' });
  t.same(states(4_000), { rid: 'unknown', radar: 'unknown', camera: 'unknown' });
  t.same(states(6_000), { rid: 'unknown', radar: 'silent', camera: 'unknown' });
  t.same(states(31_000), { rid: 'silent', radar: 'silent', camera: 'unknown' });
  t.same(
    book.watched(31_000).map(({ name }) => name),
    ['rid', 'radar'],
    'a payload that nothing ever reported is not expected to be received',
  );
  book.alive('camera', 32_000);
  t.equal(states(38_000).camera, 'silent', 'once it was reported it is');
});

t.test('a link that does not open is at fault after its deadline, and one that was open at once', async (t) => {
  const { book, link, states } = openBook();
  link('rid');
  link('adsb');
  book.linkDown('adsb', 'off', 'its link adsb is disabled');
  t.same(states(100), { rid: 'unknown', adsb: 'off' });
  book.linkUp('adsb', { state: 'opening', hasCarrier: false });
  book.linkDown('adsb', 'fault', 'its link adsb is down: no route');
  book.linkDown('rid', 'fault', 'its link rid is down: pulled');
  t.same(states(1_000), { rid: 'fault', adsb: 'unknown' });
  t.same(states(31_200), { rid: 'fault', adsb: 'fault' });
});

t.test('bytes without meaning are no sign of life', async (t) => {
  const { book, link } = openBook();
  link('gate', { isTrusted: true, isSerial: true });
  for (let ms = 0; ms <= 40_000; ms += 1_000) book.linkNoise('gate', ms);
  const [row] = book.list(40_000);
  t.match(row, { state: 'fault', reasons: ['bytes arrive that cannot be decoded: is the baud rate right?'] });
});

t.test('a quiet receiver is well while its connection is there', async (t) => {
  const { book, link, states } = openBook();
  link('gate');
  const [row] = book.list(0);
  const settings = { heartbeatS: 10, quietOk: true, placement: null, detection: null };
  book.set(row?.id ?? '', settings, { version: 2, updatedAt: at });
  t.same(states(11_000), { gate: 'silent' }, 'nothing shows that anybody is there');
  book.linkUp('gate', { state: 'open', hasCarrier: true });
  t.same(states(3_600_000), { gate: 'operational' });
  book.linkUp('gate', { state: 'open', hasCarrier: false });
  t.same(states(3_601_000), { gate: 'silent' });
});

t.test('a sensor that is late stays so until it is received, whatever is set of it', async (t) => {
  const { book, link, receive, states } = openBook();
  link('rid');
  link('gate');
  book.linkDown('gate', 'fault', 'its link gate is down: no device');
  const set = (name: string, heartbeatS: number, quietOk = false): void => {
    const id = book.list(0).find((row) => row.name === name)?.id ?? '';
    book.set(id, { heartbeatS, quietOk, placement: null, detection: null }, { version: 2, updatedAt: at });
  };
  const row = { name: 'mast', modality: 'radar', placement: null, linkId: null, declaredBy: 'manual' } as const;
  const mast = { ...row, id: 'mast', version: 1, createdAt: at, updatedAt: at };
  book.declare({ ...mast, heartbeatS: 30 });
  const late = { rid: 'silent', gate: 'fault', mast: 'silent' };
  t.same(states(31_000), late);
  for (const name of ['rid', 'gate']) set(name, 3_600);
  book.declare({ ...mast, heartbeatS: 3_600 });
  t.same(states(31_000), late, 'a longer deadline does not undo it');
  t.same(
    book.watched(31_000).map(({ deadlineInS }) => deadlineInS),
    [null, null, null],
    'it has no deadline left',
  );
  t.same(book.list(31_000)[0]?.reasons, ['nothing has been received from the sensor since an earlier deadline passed']);
  for (const name of ['rid', 'gate']) set(name, 7_200, true);
  t.same(states(32_000), late, 'nor does quiet_ok without a connection');
  book.linkUp('gate', { state: 'open', hasCarrier: true });
  t.same(states(33_000), { ...late, gate: 'operational' }, 'with one it does');
  receive('rid', '', 34_000);
  book.alive('mast', 34_000);
  t.same(states(3_633_000), { rid: 'operational', gate: 'operational', mast: 'operational' });
  t.same(
    states(3_635_000),
    { rid: 'operational', gate: 'operational', mast: 'silent' },
    'the new deadlines are in force',
  );
  t.same(states(7_235_000).rid, 'silent');
  book.linkDown('rid', 'off', 'its link rid is disabled');
  set('rid', 40_000);
  book.linkUp('rid', { state: 'open', hasCarrier: false });
  t.same(states(7_236_000).rid, 'operational', 'a link that is enabled anew begins anew');
});

t.test('a deadline that has not passed is changed as before', async (t) => {
  const { book, link, states } = openBook();
  link('rid');
  const [row] = book.list(0);
  const settings = { heartbeatS: 60, quietOk: false, placement: null, detection: null };
  t.same(states(20_000), { rid: 'unknown' });
  book.set(row?.id ?? '', settings, { version: 2, updatedAt: at });
  t.same(states(59_000), { rid: 'unknown' });
  t.same(states(61_000), { rid: 'silent' });
});

t.test('sources of an open link displace each other, and nobody who is declared or proven', async (t) => {
  const { book, link, receive, states } = openBook();
  link('open');
  link('other');
  const proven = (): string[] => book.list(0).flatMap(({ name, trust }) => (trust === 'proven' ? [name] : []));
  for (let s = 0; s <= 31; s++) receive('open', '3/236', s * 1_000);
  t.same(proven(), ['open 3/236'], 'received for half a minute, it is believed');
  const flooded = new Map<string | null, number>();
  for (let n = 0; n < 20_000; n++) {
    const id = receive('open', `${n % 250}/${n % 199}`, 32_000 + n);
    flooded.set(id, (flooded.get(id) ?? 0) + 1);
    if (n % 1_000 === 0) receive('open', '3/236', 32_000 + n);
  }
  t.ok(
    (flooded.get(book.placesOf('open')?.own?.row.id ?? null) ?? 0) > 5_000,
    'what has no place is received as the link',
  );
  t.ok((flooded.get(null) ?? 0) > 5_000, 'and only so much of it');
  const rows = book.list(52_000);
  t.equal(rows.filter(({ trust }) => trust === 'unproven').length, 32);
  t.match(
    rows.filter(({ trust }) => trust !== 'unproven').map(({ name, state, trust }) => [name, state, trust]),
    [
      ['open', 'degraded', 'declared'],
      ['other', 'silent', 'declared'],
      ['open 3/236', 'operational', 'proven'],
    ],
  );
  t.ok((book.placesOf('open')?.full ?? 0) > 15_000, 'it is counted');
  t.equal(book.placesOf('other')?.full, 0);
  for (let s = 52; s < 90; s++) for (let n = 0; n < 40; n++) receive('open', `9/${n}`, s * 1_000);
  t.same(proven(), ['open 3/236'], 'during a flood patience proves nothing');
  receive('open', '3/236', 90_000);
  receive('other', '7/236', 90_000);
  t.equal(states(90_100)['other 7/236'], 'operational', 'another link has places of its own');
  const after = states(160_000);
  t.same(after, { 'open 3/236': 'silent', other: 'silent' }, 'who was invented is forgotten, and raises nothing');
});

t.test('a name that two hosts use proves neither, and a proven one is known by its host', async (t) => {
  const { book, link, receive } = openBook();
  link('open');
  for (let s = 0; s <= 60; s++) receive('open', '3/236', s * 1_000, s === 20 ? '10.0.0.66:7' : `10.0.0.3:${s}`);
  const isProven = (): boolean => book.list(60_000).some(({ trust }) => trust === 'proven');
  t.ok(isProven(), 'half a minute from one host, whatever its port');
  t.ok(book.placesOf('open')?.isFromProven('3/236', '10.0.0.3:99'));
  t.notOk(book.placesOf('open')?.isFromProven('3/236', '10.0.0.66:99'));
  t.notOk(book.placesOf('open')?.isFromProven('4/236', '10.0.0.3:99'));
  link('shared');
  for (let s = 0; s <= 60; s++) receive('shared', '3/236', 60_000 + s * 1_000, `10.0.0.${s % 2}:1`);
  t.match(
    book.list(120_000).find(({ name }) => name === 'shared 3/236'),
    { trust: 'unproven' },
  );
});

t.test('a named source has its place at once, and receivers of earlier runs are expected', async (t) => {
  const { book, link, receive, states } = openBook();
  link('wire', { isTrusted: true });
  const known: KnownReceiver[] = [];
  book.lasting.add((receiver) => void known.push(receiver));
  receive('wire', '3/236', 100);
  t.equal(known.length, 1);
  const later = openBook();
  later.book.recall(known);
  later.link('wire', { isTrusted: true });
  t.same(later.states(29_000), { 'wire 3/236': 'unknown' });
  t.same(later.states(31_000), { 'wire 3/236': 'silent' });
  t.same(states(31_000), { 'wire 3/236': 'silent' });
});

/** Receives `names` once a second, from one second to another. */
type Receive = ReturnType<typeof openBook>['receive'];
function speak(receive: Receive, names: readonly string[], fromS: number, toS: number): void {
  for (let s = fromS; s <= toS; s++) for (const name of names) receive('open', name, s * 1_000);
}
const invented = (from: number, count: number): string[] => Array.from({ length: count }, (_, n) => `9/${from + n}`);

t.test(
  'a receiver that nobody declared is expected for good once it was received for ten minutes, and else for ten',
  async (t) => {
    const { book, link, receive, states } = openBook();
    const kept: string[] = [];
    book.lasting.add(({ receiver }) => void kept.push(receiver));
    link('open');
    speak(receive, ['3/236'], 0, 601);
    speak(receive, invented(0, 20), 602, 702);
    t.same(kept, ['3/236'], 'over a restart too');
    t.equal(Object.keys(states(702_000)).length, 21);
    const silent = states(760_000);
    t.equal(Object.values(silent).filter((state) => state === 'silent').length, 21, 'silence is told first');
    receive('open', '9/0', 1_300_000);
    t.equal(Object.keys(states(1_303_000)).length, 2, 'ten minutes later they are gone');
    t.same(kept, ['3/236'], 'a message now and then is not ten minutes of them');
    t.same(states(1_901_000), { 'open 3/236': 'silent' }, 'what may be invented outlasts nobody');
    t.same(
      book.watched(1_901_000).map(({ name }) => name),
      ['open 3/236'],
    );
    t.same(states(86_400_000), { 'open 3/236': 'silent' }, 'a silent receiver is no clear sky');
  },
);

t.test('invented receivers, proven by patience, displace no receiver that was received for long', async (t) => {
  const { book, link, receive, states } = openBook();
  link('open');
  speak(receive, ['3/236'], 0, 601);
  let s = 602;
  const live: string[] = [];
  for (let batch = 0; batch < 9; batch++, s += 32) {
    live.push(...invented(batch * 31, 31));
    speak(receive, live, s, s + 31);
  }
  t.ok((book.placesOf('open')?.full ?? 0) > 0, 'its places are taken');
  t.equal(book.list(s * 1_000).filter(({ trust }) => trust === 'proven').length, 256);
  t.match(states(s * 1_000), { 'open 3/236': 'silent' });
});
