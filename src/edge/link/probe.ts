import { Fault, sentenceOf } from '../../model/fault.ts';
import type { LinkSpec } from '../../model/link.ts';
import { wayOf } from './create.ts';
import type { PortEvents } from './port.ts';
import { completeRim, type Rim } from './rim.ts';

const silent: PortEvents = {
  bytes() {},
  gone() {},
  lost() {},
  ended() {},
  count() {},
  peers() {},
  mayBeQuiet: () => false,
};
/** Longer than this an opening is not waited for: what is slow is not in use by another. */
const LONGEST_MS = 3_000;

/**
 * Opens what a link would open and closes it again. Throws a Fault `conflict` where another link or another program has
 * the port or device, and `invalid_input` where it can never be opened. What is merely not there (yet) is no fault: the
 * link will wait for it. A peer to dial is not dialled.
 */
export async function probeLink(spec: LinkSpec, rim: Rim): Promise<void> {
  const full = completeRim(rim);
  const way = wayOf(spec, full);
  if (spec.transport === 'tcp_client' || !spec.enabled) return;
  const release = way.claim();
  try {
    const port = way.port(silent);
    let late: NodeJS.Timeout | undefined;
    const waited = new Promise<void>((resolve) => {
      late = setTimeout(resolve, LONGEST_MS);
    });
    try {
      await Promise.race([port.open(), waited]);
    } finally {
      clearTimeout(late);
      await port.close(false);
    }
  } catch (thrown) {
    if (!(thrown instanceof Fault)) return;
    if (thrown.code === 'conflict' || thrown.code === 'invalid_input') {
      throw new Fault(thrown.code, `link '${spec.name}': ${sentenceOf(thrown)}`, { cause: thrown });
    }
  } finally {
    release();
  }
}
