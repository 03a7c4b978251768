import type { Test } from 'tap';
import type { Daemon } from '../daemon/daemon.ts';

export type StreamEvent = {
  id: string;
  event: string;
  data: { seq: number; at: string; body: Record<string, unknown> };
};

/** A client of the event stream that keeps every event and lets a test wait for one. */
export class StreamClient {
  readonly events: StreamEvent[] = [];
  comments = 0;
  ticks = 0;
  ended = false;
  readonly #abort = new AbortController();
  readonly #waiting = new Set<() => void>();

  /**
   * Opens the stream; resolves once the first event is in. The test's end closes it. With `headers`, as the member whose they
   * are.
   */
  static async open(
    t: Test,
    daemon: Pick<Daemon, 'url'>,
    query = '',
    headers?: Record<string, string>,
  ): Promise<StreamClient> {
    const client = new StreamClient();
    t.teardown(() => client.close());
    const path = headers === undefined ? '/api/stream' : '/v1/stream';
    const response = await fetch(`${daemon.url}${path}${query}`, {
      signal: client.#abort.signal,
      ...(headers !== undefined && { headers }),
    });
    if (!response.ok || !response.body) throw new Error(`the stream answered ${response.status}`);
    void client.#read(response.body);
    await client.next(() => true);
    return client;
  }

  close(): void {
    this.#abort.abort();
  }

  /** The first event that fits, of those that came or will come. */
  next(fits: (event: StreamEvent) => boolean, withinMs = 60_000): Promise<StreamEvent> {
    return new Promise((resolve, reject) => {
      const look = (): void => {
        const found = this.events.find(fits);
        if (!found) return;
        clearTimeout(timer);
        this.#waiting.delete(look);
        resolve(found);
      };
      const timer = setTimeout(() => {
        this.#waiting.delete(look);
        reject(
          new Error(`no such event within ${withinMs} ms; came: ${this.events.map((event) => event.event).join(', ')}`),
        );
      }, withinMs);
      this.#waiting.add(look);
      look();
    });
  }

  async #read(body: ReadableStream<Uint8Array>): Promise<void> {
    let text = '';
    const decoder = new TextDecoder();
    try {
      for await (const chunk of body) {
        text += decoder.decode(chunk, { stream: true });
        for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
          this.#take(text.slice(0, end));
          text = text.slice(end + 2);
        }
      }
    } catch {
      // The test closed it, or the daemon cut it: both are the end.
    }
    this.ended = true;
    for (const look of [...this.#waiting]) look();
  }

  #take(block: string): void {
    const fields = new Map(
      block.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]),
    );
    const data = fields.get('data');
    if (data === undefined) {
      this.comments++;
      return;
    }
    if (fields.get('event') === 'tick') {
      this.ticks++;
      return;
    }
    this.events.push({ id: fields.get('id') ?? '', event: fields.get('event') ?? '', data: JSON.parse(data) });
    for (const look of [...this.#waiting]) look();
  }
}
