import fc from 'fast-check';
import t from 'tap';
import { SseParser } from '../../src/console/stream/sse.ts';

const text = 'id: e:1\nevent: track_new\ndata: {"seq":1}\n\n: heartbeat\n\nevent: tick\ndata: {"seq":1}\n\n';

t.test('events are the same however the bytes are cut', async (t) => {
  const whole = new SseParser().push(text);
  t.same(whole, [
    { id: 'e:1', kind: 'track_new', data: '{"seq":1}' },
    { id: '', kind: 'tick', data: '{"seq":1}' },
  ]);
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: text.length }), { maxLength: 12 }), (cuts) => {
      const parser = new SseParser();
      const places = [0, ...cuts.toSorted((a, b) => a - b), text.length];
      const events = places.slice(1).flatMap((end, index) => parser.push(text.slice(places[index], end)));
      return JSON.stringify(events) === JSON.stringify(whole);
    }),
  );
});
