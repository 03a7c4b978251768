import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { Fault, invalidInput } from '../model/fault.ts';
import { networkOf } from '../model/network.ts';
import { failureText, jsonType } from './envelope.ts';
import type { HttpMetrics } from './log.ts';
import { createNetworks, plainAddress } from './network.ts';
import type { HttpSettings, LimitSettings } from './settings.ts';
import { shareOf } from './share.ts';

/**
 * Limits connections, so that no single sender keeps consoles out. Untrusted addresses together have a separate limit.
 * One address (for IPv6 one /64 network), trusted or not, may hold at most a quarter of the limit that applies to it.
 */
export function admitConnections(server: Server, settings: HttpSettings, metrics: HttpMetrics): void {
  const isTrusted = createNetworks(settings.access.trustedNetworks);
  const { connections, untrustedConnections } = settings.limits;
  const held = new Map<string, number>();
  let open = 0;
  let untrusted = 0;
  metrics.gauge('http_connections', () => open);
  server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress ?? '';
    const stranger = !isTrusted(address);
    const network = networkOf(plainAddress(address));
    const ofNetwork = held.get(network) ?? 0;
    const share = shareOf(stranger ? Math.min(connections, untrustedConnections) : connections);
    if (ofNetwork >= share || (stranger && untrusted >= untrustedConnections)) {
      metrics.count('http_connections_refused_total');
      socket.destroy();
      return;
    }
    open++;
    if (stranger) untrusted++;
    held.set(network, ofNetwork + 1);
    socket.once('close', () => {
      open--;
      if (stranger) untrusted--;
      const left = (held.get(network) ?? 1) - 1;
      if (left > 0) held.set(network, left);
      else held.delete(network);
    });
  });
}

/**
 * Answers input that is not an HTTP request, has too large headers or arrives too slowly, and closes the connection.
 * A connection that was reset, or on which an answer has begun, is closed without an answer.
 */
export function answerBadRequests(server: Server, limits: LimitSettings, metrics: HttpMetrics): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    metrics.count('http_bad_requests_total');
    if (error.code === 'ECONNRESET' || !socket.writable || isAnswering(socket)) {
      socket.destroy();
      return;
    }
    const fault = faultOf(error, limits);
    const text = failureText(fault);
    const head = [
      `HTTP/1.1 ${fault.status} ${fault.status === 413 ? 'Payload Too Large' : 'Bad Request'}`,
      `Content-Type: ${jsonType}`,
      `Content-Length: ${Buffer.byteLength(text)}`,
      'Cache-Control: no-store',
      'Connection: close',
    ];
    socket.end(`${head.join('\r\n')}\r\n\r\n${text}`);
    // A client that does not read the answer must not keep the connection open.
    socket.setTimeout(1_000, () => socket.destroy());
  });
}

/**
 * Returns true if an answer has already begun on this connection. The client would then read a second header as part of
 * the body of the first answer.
 */
function isAnswering(socket: Socket): boolean {
  const { _httpMessage: answer } = socket as Socket & { _httpMessage?: { headersSent: boolean } | null };
  return answer?.headersSent === true;
}

function faultOf(error: NodeJS.ErrnoException, limits: LimitSettings): Fault {
  switch (error.code) {
    case 'HPE_HEADER_OVERFLOW':
      return new Fault('too_large', `the headers of the request are larger than ${limits.headerBytes} bytes`);
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return invalidInput(`the request did not arrive within ${limits.requestMs / 1_000} s`);
    default:
      return invalidInput('this is not an HTTP/1.1 request');
  }
}
