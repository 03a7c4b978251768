import type { IncomingMessage, Server } from 'node:http';

const deadlines = new WeakMap<IncomingMessage, NodeJS.Timeout>();

/**
 * Ends requests whose body has not arrived within `ms`; `takeTimeToArrive` exempts a request. Node's own limit is not
 * used, because it is the same for all requests of a server.
 */
export function limitArrival(server: Server, ms: number): void {
  const begin = (req: IncomingMessage): void => {
    if (!hasBody(req)) return;
    const deadline = setTimeout(() => {
      if (req.complete || req.destroyed) return;
      // Node reports late requests with this code too, so the client gets the same answer.
      const late = Object.assign(new Error('the request is late'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
      server.emit('clientError', late, req.socket);
    }, ms).unref();
    deadlines.set(req, deadline);
    req.once('end', () => clearTimeout(deadline)).once('close', () => clearTimeout(deadline));
  };
  server.on('request', begin);
  server.on('checkContinue', begin);
}

/** Removes the time limit for the body of a request. The connection is still closed if no bytes arrive for a while. */
export function takeTimeToArrive(req: IncomingMessage): void {
  clearTimeout(deadlines.get(req));
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
