import t from 'tap';
import type { OutletEncoder } from '../../src/outlet/kinds.ts';
import type { Selection } from '../../src/outlet/selection.ts';
import { TrackMessages } from '../../src/outlet/track_messages.ts';
import { outletTrack } from '../support/outlet/rig.ts';

function messagesOf({ isTimed }: { isTimed: boolean }): (nowMs: number) => string {
  const messages = new TrackMessages({
    picture: { track: () => outletTrack(1) },
    selection: { verdictOf: () => 'sent', view: (track: unknown) => ({ track }) } as unknown as Selection,
    encoder: () =>
      ({
        isTimed,
        track: (_view: unknown, utcMs: number) => [{ uid: 'a', bytes: Buffer.from(`${utcMs}`) }],
      }) as unknown as OutletEncoder,
    utcMs: (nowMs) => nowMs,
    noPosition: () => t.fail('it has a position'),
  });
  return (nowMs) => String(messages.of('a', nowMs)?.messages[0]?.bytes);
}

t.test('a peer that checks times gets no message with the time of an earlier moment', async (t) => {
  const of = messagesOf({ isTimed: true });
  t.same([1_000, 1_000, 1_030].map(of), ['1000', '1000', '1030']);
});

t.test('other peers share the messages of a track for 50 ms', async (t) => {
  const of = messagesOf({ isTimed: false });
  t.same([1_000, 1_030, 1_051].map(of), ['1000', '1000', '1051']);
});
