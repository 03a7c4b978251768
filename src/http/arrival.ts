import type { IncomingMessage, Server } from 'node:http';

const deadlines = new WeakMap<IncomingMessage, NodeJS.Timeout>();

/** Ends requests whose body has not arrived within `ms`. Node has a limit too, but the same for all requests of a server. */
export function limitArrival(server: Server, ms: number): void {
  const begin = (req: IncomingMessage): void => {
    if (!hasBody(req)) return;
    const deadline = setTimeout(() => {
      if (req.complete || req.destroyed) return;
      // The error has the code of Node's own report of a late request, so that the client gets the same answer.
      const late = Object.assign(new Error('the request is late'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
      server.emit('clientError', late, req.socket);
    }, ms).unref();
    deadlines.set(req, deadline);
    req.once('end', () => clearTimeout(deadline)).once('close', () => clearTimeout(deadline));
  };
  server.on('request', begin);
  server.on('checkContinue', begin);
}

/** Lifts the time limit for the body of a request. The connection is still cut when nothing arrives for a while. */
export function takeTimeToArrive(req: IncomingMessage): void {
  clearTimeout(deadlines.get(req));
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
