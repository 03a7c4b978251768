import { Fault, sentenceOf } from '../../model/fault.ts';
import type { LinkSpec } from '../../model/link.ts';
import { transportOf } from './create.ts';
import { completeDeps, type Deps } from './deps.ts';
import type { PortEvents } from './port.ts';

const silent: PortEvents = {
  bytes() {},
  came() {},
  gone() {},
  lost() {},
  ended() {},
  count() {},
  peers() {},
  mayBeQuiet: () => false,
};
/** Longest wait for an opening, ms. A device that opens more slowly counts as free. */
const LONGEST_MS = 3_000;

/**
 * Opens the port or device of a link and closes it again, to check a declaration. Throws a `conflict` Fault if another
 * link or another program uses it, and `invalid_input` if it can never be opened. A missing device or address is no
 * fault: the link will wait for it. For a disabled link, and for a link that dials a peer (TCP client, TLS, Unix), only
 * the declaration is checked.
 */
export async function probeLink(spec: LinkSpec, deps: Deps): Promise<void> {
  const full = completeDeps(deps);
  const transport = transportOf(spec, full);
  if (['tcp_client', 'tls_client', 'unix'].includes(spec.transport) || !spec.enabled) return;
  const release = transport.claim();
  try {
    const port = transport.port(silent);
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
