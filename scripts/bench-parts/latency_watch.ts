import { stepsBehind } from './senders.ts';
import type { StreamEvent } from './stream_reader.ts';

/** Reports that were sent and whose events have not arrived, by sender, oldest first; it measures the time between. */
export class Watch {
  readonly #senderOfMac: Map<string, number>;
  readonly #senderOfTrack = new Map<string, number>();
  readonly #out: { heightM: number; atMs: number }[][];
  #latencies: number[] = [];

  constructor(macs: readonly string[]) {
    this.#senderOfMac = new Map(macs.map((mac, sender) => [mac, sender]));
    this.#out = macs.map(() => []);
  }

  sent(sender: number, heightM: number): void {
    this.#out[sender]?.push({ heightM, atMs: performance.now() });
  }

  take({ kind, data }: StreamEvent, atMs: number): void {
    if (kind !== 'track_new' && kind !== 'track_update') return;
    const id = /"body":{.*?"id":"([^"]+)"/.exec(data)?.[1] ?? '';
    const named =
      kind === 'track_new' ? this.#senderOfMac.get(/"mac","value":"([^"]+)"/.exec(data)?.[1] ?? '') : undefined;
    if (named !== undefined) this.#senderOfTrack.set(id, named);
    const out = this.#out[this.#senderOfTrack.get(id) ?? -1];
    const seenM = /"height_takeoff_m":([\d.]+)/.exec(data)?.[1];
    if (!out || seenM === undefined) return;
    while (out[0] && stepsBehind(out[0].heightM, Number(seenM)) >= 0) {
      this.#latencies.push(atMs - (out.shift()?.atMs ?? atMs));
    }
  }

  get lost(): number {
    return this.#out.reduce((sum, out) => sum + out.length, 0);
  }

  latencies(): number[] {
    return this.#latencies;
  }

  /** Forgets what was measured; what is on its way still counts. */
  forget(): void {
    this.#latencies = [];
  }

  reset(): void {
    this.forget();
    for (const out of this.#out) out.length = 0;
  }
}
