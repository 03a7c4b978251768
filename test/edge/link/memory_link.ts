import { completeDeps, type Deps } from '../../../src/edge/link/deps.ts';
import type { Link, LinkEvents } from '../../../src/edge/link/link.ts';
import type { Port, PortEvents, Transport } from '../../../src/edge/link/port.ts';
import { Supervisor } from '../../../src/edge/link/supervisor.ts';
import type { LinkSpec } from '../../../src/model/link.ts';

/** The far end of a link in memory: what a simulated sensor or vehicle holds. */
export type MemoryEnd = {
  /** Sends bytes to the link. They are lost, and false is answered, while the link is not open. */
  send(bytes: Uint8Array, from?: string): boolean;
  /** A sender went away. */
  leave(from: string): void;
  /** Breaks the link, and every attempt to open it, with this sentence. */
  unplug(sentence: string): void;
  /** Lets the next attempt open it. */
  plug(): void;
};

/**
 * A link that exists in this process only, supervised like any other; `arrived` gets what is written to it. The spec's
 * transport and address are not looked at.
 */
export function createMemoryLink(
  spec: LinkSpec,
  events: LinkEvents,
  deps: Deps,
  arrived: (bytes: Uint8Array, to: string | undefined) => void,
): { link: Link; end: MemoryEnd } {
  let open: PortEvents | null = null;
  let broken: string | null = null;

  const port = (its: PortEvents): Port => ({
    async open() {
      if (broken !== null) throw new Error(broken);
      open = its;
      return 'memory';
    },
    async close() {
      if (open === its) open = null;
    },
    async write(bytes, to) {
      arrived(bytes, to);
      return bytes.length;
    },
  });
  const way: Transport = { port, claim: () => () => {}, onSilence: 'reopen', carrier: 'open', warning: null };

  const end: MemoryEnd = {
    send(bytes, from = '') {
      open?.bytes(bytes, from);
      return open !== null;
    },
    leave: (from) => open?.gone(from),
    unplug(sentence) {
      broken = sentence;
      open?.lost(sentence);
    },
    plug() {
      broken = null;
    },
  };
  return { link: new Supervisor(spec, way, events, completeDeps(deps)), end };
}
