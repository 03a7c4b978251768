import type { ObservationRow } from '../wire/message.ts';
import type { LinkFeed } from './link_feed.ts';
import type { ProtocolFeed } from './protocols.ts';

/** Feed of rows that each contain a whole observation and name its sensor. */
export function obsJsonFeed(link: LinkFeed): ProtocolFeed<ObservationRow> {
  const { rows, link: source } = link.deps;
  return {
    take({ row }, _from, atMs) {
      const sender = `${row.sensor_id}:${row.identity?.[0]?.value ?? ''}`;
      if (link.admit(sender, null, atMs) && typeof rows.take(row, source.id, atMs) === 'object') link.implausible++;
    },
  };
}
