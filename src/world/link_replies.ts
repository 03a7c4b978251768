import type { LinkReplies } from '../edge/feed/link_feed.ts';
import type { Link } from '../edge/link/link.ts';
import type { Health } from '../model/health.ts';

/** Greatest number of bytes that wait for one sender, and of senders that bytes wait for. */
const MOST_WAITING = 65_536;
const MOST_SENDERS = 64;

type Waiting = { parts: Uint8Array[]; bytes: number };

type RepliesDeps = {
  nodeId: string;
  utcNowMs(): number;
  health(): Health;
  /** The link, once it is made. */
  link(): Pick<Link, 'write' | 'cut'>;
  /** Called for each message that left. */
  sent(messages: number): void;
};

/**
 * Sends the answers of a feed to the senders of its link, one write after the other. A sender that does not read loses its
 * answers: they are dropped beyond 64 KiB.
 */
export class QueuedReplies implements LinkReplies {
  readonly #deps: RepliesDeps;
  readonly #waiting = new Map<string, Waiting>();

  constructor(deps: RepliesDeps) {
    this.#deps = deps;
  }

  get nodeId(): string {
    return this.#deps.nodeId;
  }

  utcNowMs(): number {
    return this.#deps.utcNowMs();
  }

  health(): Health {
    return this.#deps.health();
  }

  cut(from: string, sentence: string): void {
    this.#deps.link().cut?.(from, sentence);
  }

  send(bytes: Uint8Array, to: string): void {
    const waiting = this.#waiting.get(to);
    if (waiting === undefined) {
      if (this.#waiting.size < MOST_SENDERS) void this.#write([bytes], to);
    } else if (waiting.bytes + bytes.length <= MOST_WAITING) {
      waiting.parts.push(bytes);
      waiting.bytes += bytes.length;
    }
  }

  async #write(first: readonly Uint8Array[], to: string): Promise<void> {
    const waiting: Waiting = { parts: [...first], bytes: 0 };
    this.#waiting.set(to, waiting);
    while (waiting.parts.length > 0) {
      const { parts } = waiting;
      waiting.parts = [];
      waiting.bytes = 0;
      try {
        await this.#deps.link().write(Buffer.concat(parts), to);
        this.#deps.sent(parts.length);
      } catch {
        // The link notices by itself that a connection broke; what waited for it is of no use any more.
        break;
      }
    }
    this.#waiting.delete(to);
  }
}
