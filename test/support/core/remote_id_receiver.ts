import { readFileSync } from 'node:fs';
import { RemoteIdSender, tagIdentity } from '../../../src/edge/feed/remote_id.ts';
import { judgeTime } from '../../../src/edge/feed/report.ts';
import { createMavlinkCodec } from '../../../src/edge/wire/mavlink/codec.ts';
import type { OdidMessage } from '../../../src/edge/wire/odid/message.ts';
import type { Observation } from '../../../src/model/observation.ts';
import type { TrackCard } from '../../../src/model/track_row.ts';
import { CoreWitness } from './core.ts';

/** What one transmitter sent at a time. */
export type Frame = { atMs: number; mac: string; messages: OdidMessage[] };

const settings = { maxAgeS: 10, aheadS: 2, senderMsgsPerS: 100, maxSenders: 1_000 };
export const TICK_MS = 250;

/** The frames of a capture, as the wire's own codec reads them. */
export function framesOf(path: string): Frame[] {
  const frames: Frame[] = [];
  const codec = createMavlinkCodec({ datagrams: true });
  for (const line of readFileSync(path, 'utf8').split('\n').filter(Boolean)) {
    const { t, hex } = JSON.parse(line) as { t: number; hex: string };
    codec.decode(Buffer.from(hex, 'hex'), 'sender', t * 1000, (message) => {
      if (message.kind !== 'odid' || !message.tag) return;
      const mac = tagIdentity(message.tag, 'mavlink')?.value ?? '';
      frames.push({ atMs: t * 1000, mac, messages: message.messages });
    });
  }
  return frames;
}

/** One receiver, its feed and the core, in a time that the test makes: hours pass in seconds. */
export class RemoteIdReceiver {
  readonly core = new CoreWitness({ lostS: 22, closeS: 600, maxTracks: 300 });
  readonly #senders = new Map<string, RemoteIdSender>();
  #tickedMs = Number.NEGATIVE_INFINITY;
  readonly #raised = new Map<string, number>();

  /** Receives frames in order, and lets time pass between them. */
  receive(frames: readonly Frame[]): this {
    for (const { atMs, mac, messages } of frames) {
      const observation = this.#senderOf(mac).take(messages, 'sensor', 'link', atMs);
      this.pass(atMs, observation);
    }
    return this;
  }

  /** Lets time pass until one comes, which may be none. */
  pass(atMs: number, observation: Observation | null): void {
    for (; this.#tickedMs + TICK_MS < atMs; this.#tickedMs += TICK_MS) {
      if (!Number.isFinite(this.#tickedMs)) this.#tickedMs = atMs - TICK_MS;
      this.#step(this.#tickedMs);
    }
    if (observation && !judgeTime(observation, settings)) this.#step(atMs, observation);
  }

  #senderOf(mac: string): RemoteIdSender {
    const known = this.#senders.get(mac);
    if (known) return known;
    const sender = new RemoteIdSender({ type: 'mac', value: mac, transport: 'mavlink' }, 'mavlink');
    this.#senders.set(mac, sender);
    return sender;
  }

  #step(atMs: number, ...observations: Observation[]): void {
    for (const card of this.core.step(atMs, ...observations).cards) {
      for (const { id } of card.integrity.reasons) if (!this.#raised.has(id)) this.#raised.set(id, atMs);
      if (card.integrity.verdict === 'suspect' && !this.#raised.has('suspect')) this.#raised.set('suspect', atMs);
    }
  }

  /** When each reason, and the verdict `suspect`, was first held against anybody. */
  get raised(): ReadonlyMap<string, number> {
    return this.#raised;
  }

  get cards(): TrackCard[] {
    return [...this.core.cards.values()];
  }
}

/** All frames in the order of their times. */
export function together(...flights: readonly (readonly Frame[])[]): Frame[] {
  return flights.flat().sort((a, b) => a.atMs - b.atMs);
}
