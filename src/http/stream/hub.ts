import type { IncomingMessage, ServerResponse } from 'node:http';
import { performance } from 'node:perf_hooks';
import type { Principal } from '../../access/principal.ts';
import type { WorldName } from '../../app/shown_world.ts';
import { pulse } from '../../host/pulse.ts';
import { isAtLeast } from '../../model/actor.ts';
import { Fault, unavailable } from '../../model/fault.ts';
import { networkOf } from '../../model/network.ts';
import { securityHeaders } from '../headers.ts';
import type { HttpMetrics } from '../log.ts';
import { streamWithoutPilots } from '../privacy.ts';
import type { ServedWorkspace } from '../served.ts';
import type { StreamSettings } from '../settings.ts';
import { shareOf } from '../share.ts';
import type { Sink } from './client.ts';
import { Feed, type FeedClient, type Profile } from './feed.ts';
import { preamble } from './frame.ts';

/**
 * Request for a stream: the world, the id of the client's last event, the caller, and whether pilots are hidden from
 * the caller. An undefined `world` means the shown world.
 */
type StreamRequest = {
  world: WorldName | undefined;
  lastEventId: string | null;
  by: Principal;
  pilotsHidden: boolean;
  profile: Profile;
  /** True if the box has users, so that people can sign in. */
  hasUsers: boolean;
};

export type Hub = ReturnType<typeof createHub>;

/** Creates the hub of a workspace, which serves its streams. */
export function createHub(
  workspace: Pick<ServedWorkspace, 'stream' | 'boxTime'>,
  settings: StreamSettings,
  metrics: HttpMetrics,
  now: () => number = () => performance.now(),
) {
  /** One feed for each combination of world, redaction and profile; its clients share the buffer of each flush. */
  const feeds = new Map<string, Feed>();
  const open = new Map<ServerResponse, Principal>();
  let running = false;
  let ends: (() => void)[] = [];
  const wrote = {
    bytes: (n: number) => metrics.count('stream_bytes_total', n),
    cut: () => metrics.count('stream_clients_cut_total'),
  };

  /**
   * Returns a feed, which is created at its first request. Most boxes hide no pilots and show one world, so they need
   * few feeds.
   */
  const feedOf = ({ world, pilotsHidden, profile }: StreamRequest): Feed => {
    const name = `${world ?? 'shown'} ${profile}${pilotsHidden ? ' without pilots' : ''}`;
    const known = feeds.get(name);
    if (known !== undefined) return known;
    const source = workspace.stream(world);
    const seen = pilotsHidden ? streamWithoutPilots(source) : source;
    const feed = new Feed(seen, settings, now, wrote, profile);
    feeds.set(name, feed);
    return feed;
  };

  return {
    start(): void {
      running = true;
      const each = (everyMs: number, work: (feed: Feed) => void): (() => void) =>
        pulse.every(everyMs, () => feeds.forEach(work));
      ends = [
        each(settings.heartbeatMs, (feed) => feed.beat()),
        each(settings.tickMs, (feed) => feed.pulse(workspace.boxTime())),
        each(settings.releaseMs, (feed) => feed.release()),
      ];
    },

    stop(): void {
      running = false;
      for (const end of ends) end();
      for (const feed of feeds.values()) feed.stop();
      feeds.clear();
    },

    /** Answers a request with a stream. Throws `rate_limited` if the workspace or the sender has too many streams. */
    open(req: IncomingMessage, res: ServerResponse, asked: StreamRequest): void {
      const { lastEventId, by, hasUsers } = asked;
      if (!running) throw unavailable('the service is stopping');
      requirePlace(open.values(), by, settings.clients, hasUsers);
      // A client that has already disconnected causes no further `close` event.
      if (res.destroyed) return;
      const feed = feedOf(asked);
      let client: FeedClient | null = null;
      open.set(res, by);
      res.on('drain', () => client?.drained());
      res.once('close', () => {
        open.delete(res);
        client?.leave();
      });
      beginStream(req, res);
      client = feed.join({ sink: sinkOf(res), isOwner: by.role === 'owner' }, lastEventId, feeds.values());
    },

    /** Closes the streams of principals for which `stands` returns false. */
    sweep(stands: (by: Principal) => boolean): void {
      // The connection is destroyed at once. An orderly end would still send buffered data that the client may no
      // longer see.
      for (const [res, by] of open) if (!stands(by)) res.destroy();
    },

    clients: () => open.size,
  };
}

/**
 * Sends the header of a stream. Without `Transfer-Encoding: chunked`, each write is sent unchanged, and the end of the
 * connection ends the stream.
 */
function beginStream(req: IncomingMessage, res: ServerResponse): void {
  req.socket.setNoDelay(true).setKeepAlive(true, 30_000).setTimeout(0);
  res.removeHeader('Transfer-Encoding');
  res.writeHead(200, {
    ...securityHeaders,
    'Content-Type': 'text/event-stream; charset=utf-8',
    'X-Accel-Buffering': 'no',
    Connection: 'close',
  });
  res.write(preamble);
}

function sinkOf(res: ServerResponse): Sink {
  return {
    write: (bytes) => void res.write(bytes),
    unsent: () => res.writableLength,
    end: () => void res.end(),
    destroy: () => void res.destroy(),
  };
}

/**
 * Refuses a stream beyond the limits of a workspace. One principal may hold at most a quarter of the places. The last
 * quarter is reserved for operators and owners without an API key. For other callers, one address may also hold at most
 * a quarter. A caller without a credential counts as an operator only on a box without users (`hasUsers` false).
 */
function requirePlace(open: Iterable<Principal>, by: Principal, places: number, hasUsers: boolean): void {
  let [all, ofOne, ofAddress, unreserved] = [0, 0, 0, 0];
  const [name, network] = [nameOf(by), networkFrom(by)];
  for (const holder of open) {
    all++;
    if (nameOf(holder) === name) ofOne++;
    if (networkFrom(holder) === network) ofAddress++;
    if (!isAtWork(holder, hasUsers)) unreserved++;
  }
  const share = shareOf(places);
  if (all >= places) throw refused(`${all} streams are open already, which is the limit`);
  if (ofOne >= share)
    throw refused(
      `${by.actor.type} ${by.actor.name} already has ${ofOne} of ${places} streams open, the most for one caller`,
    );
  if (isAtWork(by, hasUsers)) return;
  if (ofAddress >= share)
    throw refused(`${ofAddress} streams are open from this address already, the most for one address`);
  if (unreserved >= places - Math.floor(places / 4))
    throw refused(`${unreserved} streams are open already, and the remaining places are reserved for operators`);
}

function isAtWork({ role, key, userId }: Principal, hasUsers: boolean): boolean {
  return key === null && isAtLeast(role, 'operator') && (userId !== null || !hasUsers);
}

function nameOf({ actor }: Principal): string {
  return `${actor.type} ${actor.id}`;
}

function networkFrom({ actor }: Principal): string {
  return networkOf(actor.address ?? actor.id);
}

function refused(why: string): Fault {
  return new Fault('rate_limited', `${why}; close one or try again`);
}
