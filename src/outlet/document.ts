import { tlsInForce } from '../model/credentials.ts';
import type { Outlet } from '../model/outlet.ts';
import { outletKindTable } from '../model/outlet.ts';
import { formatTime } from '../model/time.ts';
import type { OutletRunner } from './outlet.ts';

/** Builds the document of an outlet. `utcMs` converts world time to UTC, both in ms. */
export function outletDocument(outlet: OutletRunner, utcMs: (worldMs: number) => number): Outlet {
  const { declared, spec, counts, credentials } = outlet;
  const status = outlet.status();
  const time = (worldMs: number | null): string | null => (worldMs === null ? null : formatTime(utcMs(worldMs)));
  const isOpen = status.state === 'open';
  const trouble = spec.transport === 'tls_client' ? credentials.trouble() : null;
  const isServer = spec.transport === 'tcp_server';
  // An earlier error is over once something was sent on the open connection. Received bytes cannot prove it, because
  // most peers never send any.
  const isOver = isOpen && status.lastTxMs !== null && status.lastTxMs >= status.sinceMs;
  return {
    id: declared.id,
    ...spec,
    options: outletKindTable[spec.kind].options.parse(spec.options),
    tls: tlsInForce(spec),
    credentials: credentials.view(),
    state: status.isRefused && status.state === 'backoff' ? 'refused' : status.state,
    since: time(status.sinceMs) ?? declared.createdAt,
    bound_to: isServer ? status.boundTo : null,
    peer: isServer ? clientsOf(outlet.peers) : status.boundTo,
    last_tx_at: time(status.lastTxMs),
    last_rx_at: time(status.lastRxMs),
    tx_msgs: counts.msgs,
    tx_bytes: counts.bytes,
    tracks: outlet.tracks,
    dropped: { ...counts.dropped },
    refusals: outlet.statements.refusals,
    last_refusal: outlet.statements.lastRefusal,
    retries: status.retries,
    next_retry_at: time(status.nextRetryMs),
    last_error: outlet.area.fault ?? (isOver ? null : status.lastError) ?? outlet.trouble() ?? trouble,
    version: declared.version,
    created_at: declared.createdAt,
    updated_at: declared.updatedAt,
  };
}

function clientsOf(peers: readonly string[]): string | null {
  return peers.length > 1 ? `${peers.length} clients` : (peers[0] ?? null);
}
