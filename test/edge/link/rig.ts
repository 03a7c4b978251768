import { Claims } from '../../../src/edge/link/claims.ts';
import { createLink } from '../../../src/edge/link/create.ts';
import type { Deps, Timers } from '../../../src/edge/link/deps.ts';
import type { Chunk, Link, LinkEvents, LinkStatus } from '../../../src/edge/link/link.ts';
import { type LinkSpec, linkSpecSchema } from '../../../src/model/link.ts';

/** A spec with the model's defaults, as a configuration file would give it. */
export function specOf(partial: Partial<LinkSpec> & Pick<LinkSpec, 'transport' | 'address'>): LinkSpec {
  return linkSpecSchema.parse({ name: 'rid', protocol: 'mavlink', ...partial });
}

/** Everything a link told, in order. */
export type Seen = {
  events: LinkEvents;
  chunks: Chunk[];
  gone: string[];
  statuses: LinkStatus[];
  /** All bytes so far, as text. */
  text(): string;
  /** The states as they followed each other, repeats left out. */
  states(): string[];
};

export function record(): Seen {
  const chunks: Chunk[] = [];
  const gone: string[] = [];
  const statuses: LinkStatus[] = [];
  return {
    chunks,
    gone,
    statuses,
    events: {
      // A port may reuse nothing it gave away, but a test must not depend on that.
      chunk: (chunk) => chunks.push({ ...chunk, bytes: Uint8Array.from(chunk.bytes) }),
      gone: (from) => gone.push(from),
      status: (status) => statuses.push(status),
    },
    text: () => Buffer.concat(chunks.map((chunk) => chunk.bytes)).toString('latin1'),
    states: () => statuses.map(({ state }) => state).filter((state, at, all) => state !== all[at - 1]),
  };
}

/** Waits for a condition by looking at it often; fails with what was waited for when it does not come. */
export async function until(what: string, condition: () => boolean, limitMs = 10_000): Promise<void> {
  const endMs = performance.now() + limitMs;
  while (!condition()) {
    if (performance.now() > endMs) throw new Error(`waited ${limitMs} ms in vain for: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}

/** Lets everything that is due without any time passing happen. */
export async function turns(count = 5): Promise<void> {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve));
}

export type ManualTime = { nowMs(): number; timers: Timers; advance(ms: number): void; pending(): number };

/** A clock and its timers that move only when told to. */
export function manualTime(startMs = 1_000_000): ManualTime {
  let nowMs = startMs;
  const waiting = new Set<{ atMs: number; act: () => void }>();
  const due = (endMs: number) => [...waiting].filter((timer) => timer.atMs <= endMs).sort((a, b) => a.atMs - b.atMs)[0];
  return {
    nowMs: () => nowMs,
    pending: () => waiting.size,
    timers: {
      after(ms, act) {
        const timer = { atMs: nowMs + ms, act };
        waiting.add(timer);
        return () => void waiting.delete(timer);
      },
    },
    advance(ms) {
      const endMs = nowMs + ms;
      for (let next = due(endMs); next; next = due(endMs)) {
        waiting.delete(next);
        nowMs = Math.max(nowMs, next.atMs);
        next.act();
      }
      nowMs = endMs;
    },
  };
}

type Teardown = { teardown(act: () => unknown): void };
type Given = Partial<LinkSpec> & Pick<LinkSpec, 'transport' | 'address'>;

export type Rig = Seen & { link: Link };

/** Makes a link and stops it when the test ends. */
export function rigLink(t: Teardown, spec: Given, deps: Partial<Deps> = {}): Rig {
  const seen = record();
  const link = createLink(specOf(spec), seen.events, { nowMs: () => performance.now(), claims: new Claims(), ...deps });
  t.teardown(() => link.stop());
  return { ...seen, link };
}

/** Makes a link, starts it and waits until it is open. */
export async function openLink(t: Teardown, spec: Given, deps: Partial<Deps> = {}): Promise<Rig> {
  const rig = rigLink(t, spec, deps);
  rig.link.start();
  await until(`link ${spec.address} opens`, () => rig.link.status().state === 'open');
  return rig;
}

/** The port that an open link listens on. */
export function portOf(link: Link): number {
  return Number(link.status().boundTo?.split(':').at(-1));
}
