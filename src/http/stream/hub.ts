import type { IncomingMessage, ServerResponse } from 'node:http';
import { performance } from 'node:perf_hooks';
import { Fault } from '../../model/fault.ts';
import { securityHeaders } from '../headers.ts';
import type { HttpMetrics } from '../log.ts';
import type { Service, World } from '../service.ts';
import type { StreamSettings } from '../settings.ts';
import type { Sink } from './client.ts';
import { Feed, type FeedClient } from './feed.ts';
import { preamble } from './frame.ts';

/** What a request for a stream asks: which world, and the last event the client has seen. */
export type StreamRequest = { world: World | undefined; lastEventId: string | null };

/** The streams of a workspace. */
export type Hub = {
  start(): void;
  /** Ends every stream. */
  stop(): void;
  /** Answers a request with a stream. Throws `rate_limited` when as many as allowed are open already. */
  open(req: IncomingMessage, res: ServerResponse, asked: StreamRequest): void;
  clients(): number;
};

export function createHub(
  service: Pick<Service, 'stream'>,
  settings: StreamSettings,
  metrics: HttpMetrics,
  now: () => number = () => performance.now(),
): Hub {
  const feeds = new Map<World | undefined, Feed>();
  let clients = 0;
  let beating: NodeJS.Timeout | undefined;
  const wrote = {
    bytes: (n: number) => metrics.count('stream_bytes_total', n),
    cut: () => metrics.count('stream_clients_cut_total'),
  };

  return {
    start() {
      for (const world of [undefined, 'live'] as const) {
        const feed = new Feed(service.stream(world), settings, now, wrote);
        feeds.set(world, feed);
        feed.start();
      }
      beating = setInterval(() => {
        for (const feed of feeds.values()) feed.beat();
      }, settings.heartbeatMs).unref();
    },

    stop() {
      clearInterval(beating);
      for (const feed of feeds.values()) feed.stop();
      feeds.clear();
    },

    open(req, res, { world, lastEventId }) {
      const feed = feeds.get(world);
      if (feed === undefined) throw new Fault('unavailable', 'the service is stopping');
      if (clients >= settings.clients) {
        throw new Fault('rate_limited', `${clients} streams are open already; close one or try again`);
      }
      // A client that has left already will not say so again.
      if (res.destroyed) return;
      let client: FeedClient | null = null;
      clients++;
      res.on('drain', () => client?.drained());
      res.once('close', () => {
        clients--;
        client?.leave();
      });
      beginStream(req, res);
      client = feed.join(sinkOf(res), lastEventId);
    },

    clients: () => clients,
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
