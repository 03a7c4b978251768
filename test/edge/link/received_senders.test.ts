import fc from 'fast-check';
import t from 'tap';
import { ReceivedSenders, receivedMax } from '../../../src/edge/link/received_senders.ts';

t.test('who is heard is known by name, and who was silent longest makes room', async (t) => {
  // Few addresses and ports, so that most are heard again; more in all than there is room for.
  const sender = fc.record({ host: fc.integer({ min: 0, max: 19 }), port: fc.integer({ min: 1, max: 20 }) });
  const said = fc.array(sender, { maxLength: 2_000, minLength: 1_000 });
  fc.assert(
    fc.property(said, (all) => {
      const heard = new ReceivedSenders();
      const order: string[] = [];
      for (const [atMs, { host, port }] of all.entries()) {
        const address = `192.0.2.${host}`;
        const from = `${address}:${port}`;
        const at = order.indexOf(from);
        if (heard.again(address, port, atMs) !== (at < 0 ? null : from)) return false;
        if (at >= 0) order.splice(at, 1);
        else if (heard.meet(from, { address, port }, atMs) !== (order.length < receivedMax ? null : order.shift()))
          return false;
        order.push(from);
      }
      const recent = heard.recent(all.length - 1).map(({ address, port }) => `${address}:${port}`);
      return recent.join() === order.join() && order.length <= receivedMax;
    }),
    { numRuns: 20 },
  );
  t.pass();
});
