import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import t from 'tap';
import { createSender } from '../../../src/alerts/webhooks/send.ts';

t.test(
  'what an endpoint repeats of what it was sent is not told: its path, keys in headers, the signature',
  async (t) => {
    const server = createServer((request, response) => {
      const key = String(request.headers.authorization).slice('Bearer '.length);
      response.writeHead(404);
      response.end(`Cannot POST ${request.url}: ${key} is unknown, ${JSON.stringify(request.headers)}`);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    t.teardown(() => server.close());
    const { port } = server.address() as AddressInfo;
    const headers = { authorization: 'Bearer k3y-of-theirs', 'dunlin-signature': 't=1748779200,v1=00c0ffee' };
    const url = `http://127.0.0.1:${port}/services/T024X/s3cret-path?token=t0ken-too`;
    const { status, error } = await createSender(() => null)({ url, headers, body: '{}' });
    t.equal(status, 404);
    t.match(error, /^the endpoint answered 404: Cannot POST …/);
    for (const secret of ['k3y-of-theirs', '00c0ffee', 's3cret-path', 't0ken-too']) t.notMatch(error, secret);
  },
);
