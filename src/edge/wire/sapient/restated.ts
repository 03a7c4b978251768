import type { SapientMessage, SapientRefusal } from './message.ts';

/** Interval at which the registration of a node is written again, ms. */
const AGAIN_MS = 10_000;
/** Greatest number of nodes whose registrations are kept, and longest message that is kept, bytes. */
const MOST_NODES = 256;
const LONGEST_KEPT = 32_768;
const HEADER = 4;

type Kept = { from: string; registration: Uint8Array; status: Uint8Array | null; writtenMs: number };

/**
 * Writes received messages for a recording, as frames that can be read without earlier bytes. A recording may begin in
 * the middle of a frame, and after nodes have registered. The registration and last full status of a node are therefore
 * repeated at most every 10 s, before a message of that node.
 */
export class RestatedSapient {
  readonly #nodes = new Map<string, Kept>();
  #parts: Uint8Array[] = [];
  #isOn = false;

  begin(): void {
    this.#isOn = true;
  }

  /** Returns all frames since `begin`; empty if no frame was complete. */
  end(): Uint8Array {
    const bytes = Buffer.concat(this.#parts);
    this.#isOn = false;
    this.#parts = [];
    return bytes;
  }

  frame(bytes: Uint8Array, read: SapientMessage | SapientRefusal, from: string, atMs: number): void {
    if (read.kind === 'sapient') this.#node(bytes, read, from, atMs);
    if (this.#isOn) this.#write(bytes);
  }

  /** Forgets the nodes of a connection that ended. */
  forget(from: string): void {
    for (const [key, kept] of this.#nodes) if (kept.from === from) this.#nodes.delete(key);
  }

  #node(bytes: Uint8Array, { nodeId, message }: SapientMessage, from: string, atMs: number): void {
    const key = `${from} ${nodeId}`;
    if (message.registration !== undefined) this.#keep(key, bytes, from, atMs);
    else this.#repeat(key, atMs);
    const kept = this.#nodes.get(key);
    const isFull = message.status_report?.info === 'NEW' && bytes.length <= LONGEST_KEPT;
    if (kept !== undefined && isFull) kept.status = new Uint8Array(bytes);
  }

  #keep(key: string, bytes: Uint8Array, from: string, atMs: number): void {
    this.#nodes.delete(key);
    if (this.#nodes.size >= MOST_NODES || bytes.length > LONGEST_KEPT) return;
    const writtenMs = this.#isOn ? atMs : Number.NEGATIVE_INFINITY;
    this.#nodes.set(key, { from, registration: new Uint8Array(bytes), status: null, writtenMs });
  }

  #repeat(key: string, atMs: number): void {
    const kept = this.#nodes.get(key);
    if (!this.#isOn || kept === undefined || atMs - kept.writtenMs < AGAIN_MS) return;
    kept.writtenMs = atMs;
    this.#write(kept.registration);
    if (kept.status !== null) this.#write(kept.status);
  }

  #write(bytes: Uint8Array): void {
    const header = new Uint8Array(HEADER);
    new DataView(header.buffer).setUint32(0, bytes.length, true);
    this.#parts.push(header, new Uint8Array(bytes));
  }
}
