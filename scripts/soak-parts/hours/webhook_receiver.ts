import { createServer, type Server } from 'node:http';
import { between, type Work } from './work.ts';

/** A receiver of webhooks that fails in turns: it answers 204, then 500, then is not there at all. */
export class WebhookReceiver {
  received = 0;
  #server: Server | null = null;
  #status = 204;
  #port = 0;

  static async open(work: Work): Promise<WebhookReceiver> {
    const receiver = new WebhookReceiver();
    await receiver.#listen();
    const random = work.random();
    work.again('webhook receiver', async () => {
      await work.pause(between(random, 60_000, 240_000));
      receiver.#status = 500;
      await work.pause(between(random, 10_000, 40_000));
      receiver.#status = 204;
      await work.pause(between(random, 60_000, 240_000));
      receiver.#close();
      await work.pause(between(random, 10_000, 60_000));
      await receiver.#listen();
    });
    work.atEnd(() => receiver.#close());
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}/hooks/soak`;
  }

  async #listen(): Promise<void> {
    const server = createServer((request, response) => {
      request.resume();
      request.once('end', () => {
        this.received++;
        response.writeHead(this.#status).end();
      });
    });
    this.#server = server;
    await new Promise<void>((resolve) => server.listen(this.#port, '127.0.0.1', resolve));
    const address = server.address();
    if (typeof address === 'object' && address !== null) this.#port = address.port;
  }

  #close(): void {
    this.#server?.closeAllConnections();
    this.#server?.close();
    this.#server = null;
  }
}
