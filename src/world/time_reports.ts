import { isLoopback } from '../host/config.ts';
import type { TimeSink } from '../host/gps/gps_time.ts';
import { type LinkSpec, provesSender } from '../model/link.ts';

/**
 * Reports of the time from a link that only an admitted sender, this host or a server that we dialled can write. Anyone on
 * the network could set the clock over another, and a file is of the past.
 */
export function timeReportsOf(spec: LinkSpec, timeReported: TimeSink | undefined) {
  const { name, transport, address } = spec;
  const isAdmitted = provesSender(spec) || ['tcp_client', 'unix'].includes(transport) || isLoopback(address);
  if (timeReported === undefined || transport === 'file' || !isAdmitted) return undefined;
  const isShared = transport === 'udp' || transport === 'tcp_server';
  return (utcMs: number, from: string, atMs: number): void => {
    // A sender that starts again has another port.
    const receiver = isShared ? `${name} (${from.replace(/:\d+$/, '')})` : name;
    timeReported({ receiver, utcMs, atMs });
  };
}
