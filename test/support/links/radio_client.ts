import { connect, type Socket } from 'node:net';
import type { Owner } from '../basics/owner.ts';

/** Content of a statistics block. */
export type Counts = {
  received: number;
  dropped: number;
  comment: { freq_mhz?: number; coded?: boolean; heard?: number; bad_fcs?: number };
};

/** A client of the radio's program: reads pcapng blocks as the format's document has them. */
export class RadioClient {
  readonly packets: Buffer[] = [];
  readonly counts: Counts[] = [];
  readonly linkTypes: number[] = [];
  readonly socket: Socket;
  #rest: Buffer = Buffer.alloc(0);
  #looks = new Set<() => void>();
  isClosed = false;

  constructor(t: Owner, path: string) {
    this.socket = connect({ path });
    t.teardown(() => this.socket.destroy());
    this.socket.on('data', (bytes) => this.#take(bytes));
    this.socket.on('error', () => {});
    this.socket.on('close', () => {
      this.isClosed = true;
      for (const look of this.#looks) look();
    });
  }

  /** Resolves once `holds`; rejects where the stream ends before. */
  until(holds: () => boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      const look = (): void => {
        if (!holds() && !this.isClosed) return;
        this.#looks.delete(look);
        if (holds()) resolve();
        else reject(new Error('the stream has ended'));
      };
      this.#looks.add(look);
      look();
    });
  }

  /** Frames that the radio received, as its statistics count them. */
  get heard(): number {
    return this.counts.reduce((sum, { comment }) => sum + (comment.heard ?? 0), 0);
  }

  #take(bytes: Buffer): void {
    this.#rest = Buffer.concat([this.#rest, bytes]);
    while (this.#rest.length >= 12 && this.#rest.length >= this.#rest.readUInt32LE(4)) {
      const size = this.#rest.readUInt32LE(4);
      this.#block(this.#rest.subarray(0, size));
      this.#rest = this.#rest.subarray(size);
    }
    for (const look of this.#looks) look();
  }

  #block(block: Buffer): void {
    if (block.readUInt32LE(block.length - 4) !== block.length) throw new Error('a block ends with another length');
    const type = block.readUInt32LE(0);
    if (type === 1) this.linkTypes.push(block.readUInt16LE(8));
    else if (type === 6) this.packets.push(Buffer.from(block.subarray(28, 28 + block.readUInt32LE(20))));
    else if (type === 5) this.counts.push(countsOf(block));
  }
}

function countsOf(block: Buffer): Counts {
  const counts: Counts = { received: 0, dropped: 0, comment: {} };
  for (let at = 20; block.readUInt16LE(at) !== 0; ) {
    const [code, length] = [block.readUInt16LE(at), block.readUInt16LE(at + 2)];
    const value = block.subarray(at + 4, at + 4 + length);
    if (code === 1) counts.comment = JSON.parse(value.toString()) as Counts['comment'];
    if (code === 4) counts.received = Number(value.readBigUInt64LE());
    if (code === 5) counts.dropped = Number(value.readBigUInt64LE());
    at += 4 + Math.ceil(length / 4) * 4;
  }
  return counts;
}
