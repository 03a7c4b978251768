import t from 'tap';
import type { AlertView, OutletMessage } from '../../src/model/outlet_view.ts';
import type { Track } from '../../src/model/track.ts';
import { Peer } from '../../src/outlet/peer.ts';
import { outletTrack, wordPeer } from '../support/outlet/rig.ts';

const words = (messages: readonly OutletMessage[]): string[] =>
  messages.map(({ bytes }) => Buffer.from(bytes).toString('utf8'));

function tracksOf(count: number): Map<string, Track> {
  return new Map(Array.from({ length: count }, (_, i) => outletTrack(i)).map((track) => [track.id, track]));
}

const alert = (id: string, severity: AlertView['severity']): AlertView => ({
  ...{
    id,
    severity,
    state: 'active',
    raised_at: '2026-03-04T12:00:00.000Z',
    track_ids: [],
    tracks: [],
    text: id,
    isWorse: false,
  },
});

t.test('of one track one item waits, and the newest content is sent', async (t) => {
  const tracks = tracksOf(1);
  const [id = ''] = tracks.keys();
  const { deps } = wordPeer(tracks);
  const peer = new Peer([], deps, 0);
  peer.mark(id, true, 0);
  tracks.set(id, outletTrack(0, { number: 'T-0007' }));
  peer.mark(id, true, 0);
  t.same(words(peer.take(0, 32)), [`${id} T-0007`]);
  t.same(peer.take(0, 32), []);
});

t.test('a track is sent at its pace, also for a source that jitters and a timer that is late', async (t) => {
  const tracks = tracksOf(1);
  const [id = ''] = tracks.keys();
  const peer = new Peer([], wordPeer(tracks).deps, 0);
  let sent = 0;
  let worstMs = 0;
  for (let report = 0; report < 100; report++) {
    const atMs = report * 1_000 + (report % 3) * 80;
    peer.mark(id, true, atMs);
    const waitMs = peer.waitMs(atMs) ?? 0;
    worstMs = Math.max(worstMs, waitMs);
    sent += peer.take(atMs + waitMs + 2, 32).length;
  }
  t.equal(sent, 100);
  t.ok(worstMs < 100, `a report waits ${worstMs} ms at most`);
  // Ten updates a second give one message a second.
  let many = 0;
  for (let atMs = 200_000; atMs < 210_000; atMs += 100) {
    peer.mark(id, true, atMs);
    many += peer.take(atMs, 32).length;
  }
  t.ok(many >= 10 && many <= 12, `${many} in 10 s`);
});

t.test('a report that comes in two parts leaves at once, each time, for hours', async (t) => {
  const tracks = tracksOf(1);
  const [id = ''] = tracks.keys();
  const peer = new Peer([], wordPeer(tracks).deps, 0);
  for (let atMs = 0; atMs < 100_000; atMs += 1_000) {
    peer.mark(id, true, atMs);
    t.equal(peer.take(atMs, 32).length, 1, 'the first part leaves at once');
    peer.mark(id, true, atMs + 50);
    t.equal(peer.take(atMs + 900, 32).length, 0, 'the second part waits for the next report');
  }
  t.equal(peer.take(100_300, 32).length, 1, 'or leaves alone where none comes');
});

t.test(
  'a detail between two reports does not take the turn of the next report, and leaves where none comes',
  async (t) => {
    const tracks = tracksOf(1);
    const [id = ''] = tracks.keys();
    const peer = new Peer([], wordPeer(tracks).deps, 0);
    for (let atMs = 0; atMs < 5_000; atMs += 1_000) {
      peer.mark(id, true, atMs);
      t.equal(peer.take(atMs, 32).length, 1, 'the report leaves at once');
      peer.mark(id, false, atMs + 300);
      t.equal(peer.take(atMs + 900, 32).length, 0);
    }
    t.equal(peer.take(6_000, 32).length, 1, 'the last detail leaves an interval later');
  },
);

t.test('an unchanged track is sent again after keep_s', async (t) => {
  const tracks = tracksOf(1);
  const peer = new Peer(tracks.keys(), wordPeer(tracks).deps, 0);
  t.equal(peer.take(0, 32).length, 1);
  peer.sweep(9_000, false);
  t.equal(peer.take(9_000, 32).length, 0);
  peer.sweep(10_000, false);
  t.equal(peer.take(10_000, 32).length, 1);
});

t.test('over the limit the worst threats leave first, and only overtaken updates count as dropped', async (t) => {
  const tracks = tracksOf(50);
  const ids = [...tracks.keys()];
  const { deps, dropped, ranks } = wordPeer(tracks, { max_msgs_per_s: 50 });
  const worst = ids.at(-1) ?? '';
  ranks.set(worst, 4);
  const peer = new Peer(ids, deps, 0);
  const first = words(peer.take(0, 32));
  t.equal(first.length, 5, 'a tenth of a second at once');
  t.match(first[0], worst);
  t.equal(dropped.rate, 0, 'what waits is not dropped');
  const others = ids.filter((id) => !first.some((word) => word.startsWith(id)));
  for (const id of others) peer.mark(id, true, 1);
  t.equal(dropped.rate, 45);
  let sent = first.length;
  for (let atMs = 20; atMs < 900; atMs += 20) sent += peer.take(atMs, 32).length;
  t.ok(sent <= 50, `${sent} in a second`);
  t.equal(peer.size, sent);
});

t.test('alerts keep their order, at most 100 wait, and the oldest of the least severity leaves first', async (t) => {
  const { deps, dropped } = wordPeer(new Map(), { max_msgs_per_s: 10_000 });
  const peer = new Peer([], deps, 0);
  peer.take(0, 32);
  for (let i = 0; i < 60; i++) peer.alert(alert(`i${i}`, 'info'));
  for (let i = 0; i < 60; i++) peer.alert(alert(`c${i}`, 'critical'));
  t.equal(peer.alertsWaiting, 100);
  t.equal(dropped.blocked, 20);
  const sent = words(peer.take(0, 200));
  t.equal(sent[0], 'alert i20 info');
  t.equal(sent.at(-1), 'alert c59 critical');
  peer.alert(alert('c59', 'critical'));
  t.equal(peer.alertsWaiting, 0, 'an alert is sent once');
});

t.test('an ended track is ended at the peer once, and one that comes back before is sent', async (t) => {
  const tracks = tracksOf(2);
  const [one = '', two = ''] = tracks.keys();
  const peer = new Peer(tracks.keys(), wordPeer(tracks).deps, 0);
  t.equal(peer.take(0, 32).length, 2);
  peer.end(one);
  t.same(words(peer.take(10, 32)), [`end ${one}`]);
  t.same(peer.take(20, 32), []);
  tracks.delete(two);
  peer.mark(two, true, 5_000);
  // A track that no longer passes is found when its turn comes.
  peer.take(5_000, 32);
  t.same(words(peer.take(5_000, 32)), [`end ${two}`]);
  t.equal(peer.size, 0);
});

t.test('a waiting alert is sent as the declaration says now, and not if it says no longer', async (t) => {
  const { deps } = wordPeer(new Map());
  const now = new Map([['a', alert('a', 'warning')]]);
  const peer = new Peer([], { ...deps, alert: (id) => now.get(id) ?? null }, 0);
  for (const id of ['a', 'b']) peer.alert(alert(id, 'critical'));
  peer.renewAlerts();
  t.same(words(peer.take(0, 32)), ['alert a warning']);
});
