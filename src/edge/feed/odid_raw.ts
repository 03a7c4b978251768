import type { OdidRawReport } from '../wire/message.ts';
import type { LinkFeed } from './link_feed.ts';
import type { ProtocolFeed } from './protocols.ts';
import { RemoteIdSender, takeRemoteId } from './remote_id.ts';
import { TrustedSenders } from './trusted_senders.ts';

/**
 * Feed of bare Open Drone ID messages. They contain no transmitter address, so the sender's network address
 * identifies the aircraft.
 */
export function odidRawFeed(link: LinkFeed): ProtocolFeed<OdidRawReport> {
  const senders = new TrustedSenders<RemoteIdSender>(link.deps.settings.maxSenders);
  return {
    take({ messages }, from, atMs) {
      if (!link.admit(from, null, atMs)) return;
      const sensorId = link.aliveSensor('', 'remote_id', atMs);
      if (!sensorId) return;
      const sender = senders.of(from, link.deps.link.provesSender, () => new RemoteIdSender(null, 'other'), atMs);
      takeRemoteId(link, sender, messages, sensorId, atMs);
    },
  };
}
