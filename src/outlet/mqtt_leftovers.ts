/**
 * Time after the opening of the connection for which topics of an earlier session are not deleted, ms. Within this time
 * the current picture may publish them again.
 */
const WAIT_MS = 10_000;
/** Limit of the remembered topics of earlier sessions. */
const MOST = 10_000;
/**
 * Limit of the topics that are deleted at once. The next ones are deleted after `TURN_MS` at the earliest, so that
 * messages about tracks can be sent in between.
 */
const PER_TURN = 50;
const TURN_MS = 200;
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * Topics that an earlier session of an outlet left at the broker. The broker may also send topics of other clients,
 * which the outlet must not delete. Only topics of tracks and alerts below the outlet's own prefix are therefore taken.
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

  /** Topics that are not deleted yet. */
  get topics(): readonly string[] {
    return [...this.#topics];
  }

  /** Notes the topic of a retained message. */
  add(topic: string): void {
    if (this.#topics.size < MOST && this.#isOwn(topic)) this.#topics.add(topic);
  }

  /** Returns the topics to delete now, without those that were published in the meantime. */
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
