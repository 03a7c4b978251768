import t from 'tap';
import { numbered } from '../../src/picture/events.ts';

const change = { kind: 'track_update', object: 'a', body: { id: 'a', quality: 0.5 } } as const;

t.test('a copy of an event with another body carries no text of the former body', async (t) => {
  const event = numbered(change, 7, '2026-01-02T03:04:05.000Z');
  t.equal(event.bodyText, '{"id":"a","quality":0.5}');
  const copy = { ...event, body: { id: 'a' } };
  t.equal(copy.bodyText, undefined, 'a stream that hides pilots makes the text of its own body');
  t.same(Object.keys(copy), ['seq', 'at', 'kind', 'object', 'body', 'ownersOnly']);
});
