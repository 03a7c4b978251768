import { request as requestPlain } from 'node:http';
import { request as requestTls } from 'node:https';
import { explain } from '../../edge/link/explain.ts';

const answerWithinMs = 3_000;
/** Limit of an answer, characters: another program on the port may send without end. */
const mostBytes = 4_000_000;

export type HostPort = { host: string; port: number };
export type Answer = { status: number; body: string } | { failed: string };

/** Returns the address at which a daemon can be called. For a listener on all addresses, it is the loopback address. */
export function askedAt({ host, port }: HostPort): HostPort {
  return { host: host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host, port };
}

/** Sends a GET request to the daemon of this box, without a credential. Never rejects. */
export function ask(place: HostPort, secure: boolean, path: string): Promise<Answer> {
  const options = { ...askedAt(place), path, timeout: answerWithinMs, rejectUnauthorized: false };
  return new Promise((resolve) => {
    const asked = (secure ? requestTls : requestPlain)(options, (answer) => {
      let body = '';
      answer.setEncoding('utf8');
      answer.on('data', (text: string) => {
        body += text;
        if (body.length > mostBytes) asked.destroy(new Error(`its answer is longer than ${mostBytes / 1_000_000} MB`));
      });
      answer.once('end', () => resolve({ status: answer.statusCode ?? 0, body }));
    });
    asked.once('timeout', () => asked.destroy(new Error(`no answer within ${answerWithinMs / 1_000} s`)));
    asked.once('error', (error) => resolve({ failed: explain('the port', error) }));
    asked.end();
  });
}
