import type { LinkReplies } from '../edge/feed/link_feed.ts';
import type { Link } from '../edge/link/link.ts';
import type { Health } from '../model/health.ts';

/** Limits of the queues: waiting bytes of one sender, and number of senders with waiting bytes. */
const MOST_WAITING = 65_536;
const MOST_SENDERS = 64;

type Waiting = { parts: Uint8Array[]; bytes: number };

type RepliesDeps = {
  nodeId: string;
  utcNowMs(): number;
  health(): Health;
  /** Returns the link. It is not called before the link exists. */
  link(): Pick<Link, 'write' | 'cut'>;
  /** Called after each successful write with the number of messages that were sent. */
  sent(messages: number): void;
};

/**
 * Sends the answers of a feed to the senders of its link. Answers wait in a queue while an earlier write to the same
 * sender is in progress. At most 64 senders have a queue, each of up to 64 KiB. Answers beyond these limits are
 * dropped, so a sender that does not read cannot fill the memory.
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
        // The link itself detects a broken connection. Answers that waited for the connection are useless now.
        break;
      }
    }
    this.#waiting.delete(to);
  }
}
