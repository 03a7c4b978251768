import { Bucket } from '../limits.ts';
import { SenderMap } from '../sender_map.ts';
import type { SapientNode } from './node.ts';

/** Greatest number of nodes on one connection. */
export const MOST_OF_CONNECTION = 64;
/**
 * Least interval between two requests for the registration of one node, and between two errors on one connection, ms.
 */
const ASK_EVERY_MS = 10_000;
const ERROR_EVERY_MS = 1_000;
/** Greatest number of tasks of one connection that are answered each second. */
const TASKS_PER_S = 5;

/** Nodes of one connection, and rate limits of the answers to it. */
export class SapientConnection {
  /** Address of the sender, without its port. */
  readonly host: string;
  readonly nodes = new Map<string, SapientNode>();
  readonly #askedMs = new SenderMap<{ ms: number }>(MOST_OF_CONNECTION);
  #errorMs = Number.NEGATIVE_INFINITY;
  #tasks: Bucket | null = null;

  constructor(host: string) {
    this.host = host;
  }

  /** Returns whether to ask an unregistered node for its registration now, and notes the request. */
  mayAsk(nodeId: string, atMs: number): boolean {
    const last = this.#askedMs.of(nodeId, () => ({ ms: Number.NEGATIVE_INFINITY }));
    if (atMs - last.ms < ASK_EVERY_MS) return false;
    last.ms = atMs;
    return true;
  }

  /** Returns whether the rate limit allows an answer to a task now. */
  mayAnswer(atMs: number): boolean {
    this.#tasks ??= new Bucket(TASKS_PER_S, atMs);
    return this.#tasks.take(atMs);
  }

  mayReportError(atMs: number): boolean {
    if (atMs - this.#errorMs < ERROR_EVERY_MS) return false;
    this.#errorMs = atMs;
    return true;
  }
}
