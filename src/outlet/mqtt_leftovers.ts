/** Time after the opening until which a topic of an earlier session may turn out to be of the present picture, ms. */
const WAIT_MS = 10_000;
/** Topics of earlier sessions that are emptied. */
const MOST = 10_000;
/** Topics that are emptied at once, and the least interval between two such turns, ms: messages about tracks come between. */
const PER_TURN = 50;
const TURN_MS = 200;
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * Topics that an earlier session of an outlet left at the broker. Only those of a track or an alert under its own prefix are:
 * the broker may send others, which are nobody's to empty.
 */
export class MqttLeftovers {
  readonly #prefix: string;
  readonly #openedMs: number;
  readonly #topics = new Set<string>();
  #turnMs = Number.NEGATIVE_INFINITY;

  constructor(prefix: string, openedMs: number) {
    this.#prefix = prefix;
    this.#openedMs = openedMs;
  }

  /** Topics that were not emptied yet. */
  get topics(): readonly string[] {
    return [...this.#topics];
  }

  /** Notes the topic of a retained message. */
  add(topic: string): void {
    if (this.#topics.size < MOST && this.#isOwn(topic)) this.#topics.add(topic);
  }

  /** The topics to empty now, without those that were published meanwhile. */
  due(nowMs: number, published: ReadonlySet<string>): string[] {
    if (nowMs - this.#openedMs < WAIT_MS || nowMs - this.#turnMs < TURN_MS) return [];
    const due: string[] = [];
    for (const topic of this.#topics) {
      if (due.length >= PER_TURN) break;
      this.#topics.delete(topic);
      if (!published.has(topic)) due.push(topic);
    }
    if (due.length > 0) this.#turnMs = nowMs;
    return due;
  }

  #isOwn(topic: string): boolean {
    const kind = ['track', 'alert'].find((one) => topic.startsWith(`${this.#prefix}/${one}/`));
    return kind !== undefined && uuid.test(topic.slice(this.#prefix.length + kind.length + 2));
  }
}
