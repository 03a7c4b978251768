import { isLoopback } from '../host/config.ts';
import type { TimeSink } from '../host/gps/gps_time.ts';
import { type LinkSpec, provesSender } from '../model/link.ts';

/**
 * Returns a function that reports times received on a link; undefined if the link may not set the clock. A link may set
 * it if the link proves its sender, connects to a server, or has a loopback address. On other links anyone in the
 * network could set the clock. A file may not, because it contains times of the past.
 */
export function timeReportsOf(spec: LinkSpec, timeReported: TimeSink | undefined) {
  const { name, transport, address } = spec;
  const isAdmitted = provesSender(spec) || ['tcp_client', 'unix'].includes(transport) || isLoopback(address);
  if (timeReported === undefined || transport === 'file' || !isAdmitted) return undefined;
  const isShared = transport === 'udp' || transport === 'tcp_server';
  return (utcMs: number, from: string, atMs: number): void => {
    // The port is left out: a sender that restarts has another port.
    const receiver = isShared ? `${name} (${from.replace(/:\d+$/, '')})` : name;
    timeReported({ receiver, utcMs, atMs });
  };
}
