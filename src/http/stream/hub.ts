import type { IncomingMessage, ServerResponse } from 'node:http';
import { performance } from 'node:perf_hooks';
import type { Principal } from '../../access/principal.ts';
import { Fault } from '../../model/fault.ts';
import { securityHeaders } from '../headers.ts';
import type { HttpMetrics } from '../log.ts';
import { streamWithoutPilots } from '../privacy.ts';
import type { Service, World } from '../service.ts';
import type { StreamSettings } from '../settings.ts';
import type { Sink } from './client.ts';
import { Feed, type FeedClient } from './feed.ts';
import { preamble } from './frame.ts';
import { requirePlace } from './places.ts';

/**
 * What a request for a stream asks: which world, and the last event the client has seen; and who asks, and whether he is
 * told of pilots.
 */
export type StreamRequest = {
  world: World | undefined;
  lastEventId: string | null;
  by: Principal;
  pilotsHidden: boolean;
};

/** The streams of a workspace. */
export type Hub = {
  start(): void;
  /** Ends every stream. */
  stop(): void;
  /** Answers a request with a stream. Throws `rate_limited` when as many as allowed are open already, of all or of one sender. */
  open(req: IncomingMessage, res: ServerResponse, asked: StreamRequest): void;
  /** Ends the streams of those of whom `stands` does not hold any more. */
  sweep(stands: (by: Principal) => boolean): void;
  clients(): number;
};

export function createHub(
  service: Pick<Service, 'stream'>,
  settings: StreamSettings,
  metrics: HttpMetrics,
  now: () => number = () => performance.now(),
): Hub {
  /** One for each pair of a world and what is hidden: its clients share a buffer a tick. */
  const feeds = new Map<string, Feed>();
  const open = new Map<ServerResponse, Principal>();
  let running = false;
  let beating: NodeJS.Timeout | undefined;
  const wrote = {
    bytes: (n: number) => metrics.count('stream_bytes_total', n),
    cut: () => metrics.count('stream_clients_cut_total'),
  };

  /** Made when somebody first asks for it: most boxes hide nothing, and show one world. */
  const feedOf = (world: World | undefined, pilotsHidden: boolean): Feed => {
    const name = `${world ?? 'shown'}${pilotsHidden ? ' without pilots' : ''}`;
    const known = feeds.get(name);
    if (known !== undefined) return known;
    const source = service.stream(world);
    const feed = new Feed(pilotsHidden ? streamWithoutPilots(source) : source, settings, now, wrote);
    feeds.set(name, feed);
    return feed;
  };

  return {
    start() {
      running = true;
      beating = setInterval(() => {
        for (const feed of feeds.values()) feed.beat();
      }, settings.heartbeatMs).unref();
    },

    stop() {
      running = false;
      clearInterval(beating);
      for (const feed of feeds.values()) feed.stop();
      feeds.clear();
    },

    open(req, res, { world, lastEventId, by, pilotsHidden }) {
      if (!running) throw new Fault('unavailable', 'the service is stopping');
      requirePlace(open.values(), by, settings.clients);
      // A client that has left already will not say so again.
      if (res.destroyed) return;
      const feed = feedOf(world, pilotsHidden);
      let client: FeedClient | null = null;
      open.set(res, by);
      res.on('drain', () => client?.drained());
      res.once('close', () => {
        open.delete(res);
        client?.leave();
      });
      beginStream(req, res);
      client = feed.join(sinkOf(res), lastEventId);
    },

    sweep(stands) {
      // At once, not in order: a client that does not read must not hold on to what it may not see any more.
      for (const [res, by] of open) if (!stands(by)) res.destroy();
    },

    clients: () => open.size,
  };
}

/**
 * Without `Transfer-Encoding: chunked`, each write is the bytes it is given, and the end of the connection is the end
 * of the stream; a stream never ends otherwise.
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
