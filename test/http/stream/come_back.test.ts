import t from 'tap';
import type { StreamSource } from '../../../src/app/shown_stream.ts';
import { httpDefaults } from '../../../src/http/settings.ts';
import { type ClientFeed, StreamClient } from '../../../src/http/stream/client.ts';
import { Feed } from '../../../src/http/stream/feed.ts';
import { idleSim } from '../../../src/model/picture.ts';
import { formatTime } from '../../../src/model/time.ts';
import { DeltaStream } from '../../../src/picture/delta_stream.ts';
import { PictureState } from '../../../src/picture/picture.ts';
import { PackedCore } from '../../support/core/core.ts';
import { positionAt, serial } from '../../support/core/observation.ts';

/** A picture of one aircraft that flies on each time, and the feed of its stream. */
function scene(replayEvents = 100) {
  const beganMs = 1_700_000_000_000;
  let nowMs = beganMs;
  const deps = {
    ...{ nowMs: () => nowMs, publishMs: () => nowMs, sim: () => idleSim, timeText: formatTime },
    ...{
      mslOfHae: (hae: number) => hae,
      groundAltHaeM: () => null,
      alerts: () => [],
      engagements: () => [],
      provenance: 'live' as const,
    },
  };
  const picture = new PictureState({ epoch: 'e', workspaceId: 'w', trackHz: 4, environment: 'live' }, deps);
  const stream = new DeltaStream(picture, { tickMs: 1e9, replayEvents }, () => nowMs);
  const core = new PackedCore();
  const source: StreamSource = {
    snapshot: () => {
      stream.begin();
      return picture.snapshot();
    },
    now: () => ({ epoch: 'e', seq: picture.seq, at: picture.nowText() }),
    since: (epoch, seq) => stream.since(epoch, seq),
    follow: (listener) => stream.follow((events) => listener({ epoch: 'e', events })),
  };
  const feed = new Feed(source, httpDefaults.stream, () => nowMs, { bytes: () => {}, cut: () => {} });
  t.teardown(() => stream.stop());
  return {
    source,
    feed,
    fly(): void {
      nowMs += 1_000;
      picture.apply(core.step([positionAt(nowMs, (nowMs - beganMs) / 100, 0, { identities: [serial('A')] })], nowMs));
      stream.flush();
    },
  };
}

/** What a client is sent, event by event: its number and kind. */
function reader(feed: Feed, lastEventId: string | null) {
  let text = '';
  const write = (bytes: Buffer): void => {
    text += bytes.toString();
  };
  const { leave } = feed.join(
    { sink: { write, unsent: () => 0, end: () => {}, destroy: () => {} }, isOwner: true },
    lastEventId,
  );
  const events = (): string[] =>
    [...text.matchAll(/^id: (\S+)\nevent: (\S+)$/gm)].map(([, id, kind]) => `${id} ${kind}`);
  return { leave, events, last: () => events().at(-1)?.split(' ')[0] ?? '' };
}

t.test('who was there comes back to what he missed, also where nobody was meanwhile', async (t) => {
  const { feed, fly } = scene();
  fly();
  const first = reader(feed, null);
  fly();
  fly();
  t.match(first.events().join('\n'), /^e:\d+ snapshot\n(e:\d+ track_\w+\n?)+$/);
  first.leave();
  const from = Number(first.last().slice(2));
  for (let i = 0; i < 20; i++) fly();
  const again = reader(feed, first.last());
  t.equal(again.events()[0], `e:${from} resume`);
  const missed = again.events().slice(1);
  t.ok(missed.length >= 20);
  t.same(
    missed.map((event) => Number(event.split(' ')[0]?.slice(2))),
    missed.map((_, i) => from + 1 + i),
    'each once and in order',
  );
});

t.test('who read the picture alone may go on from there', async (t) => {
  const { source, feed, fly } = scene();
  fly();
  const { seq } = source.snapshot();
  fly();
  fly();
  t.equal(reader(feed, `e:${seq}`).events()[0], `e:${seq} resume`);
});

t.test(
  'who was away for too long, or names a number that nobody was told, begins with the picture of now',
  async (t) => {
    const { feed, fly } = scene(10);
    for (let i = 0; i < 5; i++) fly();
    t.match(reader(feed, 'e:2').events(), [/ snapshot$/]);
    const late = scene(10);
    late.fly();
    const gone = reader(late.feed, null);
    gone.leave();
    for (let i = 0; i < 30; i++) late.fly();
    const anew = reader(late.feed, gone.last());
    t.match(anew.events(), [/ snapshot$/]);
    const from = Number(anew.last().slice(2));
    late.fly();
    t.equal(anew.events()[1]?.split(' ')[0], `e:${from + 1}`, 'and goes on from it without a gap');
  },
);

t.test('what is told while a client takes its picture does not reach it before the picture', async (t) => {
  const sent: string[] = [];
  let unsent = 0;
  const sink = { write: (bytes: Buffer) => sent.push(bytes.toString()), unsent: () => unsent, end() {}, destroy() {} };
  let seq = 1;
  const feed: ClientFeed = {
    snapshot() {
      // What was due is numbered and told first.
      if (seq > 1) client.tick({ epoch: 'e', events: [{ seq, at: 'x', kind: 'log', body: {} }] }, Buffer.from('event'));
      return { bytes: Buffer.from(`picture ${seq}`), epoch: 'e', seq };
    },
    noteMerged() {},
  };
  const client = new StreamClient(sink, feed, httpDefaults.stream, () => 0);
  client.restart();
  unsent = 1e9;
  client.tick({ epoch: 'another', events: [] }, Buffer.from(''));
  seq = 4;
  unsent = 0;
  client.drained();
  t.same(sent, ['picture 1', 'picture 4']);
});
