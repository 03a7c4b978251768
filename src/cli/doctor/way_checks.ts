import { createSocket } from 'node:dgram';
import { accessSync, constants, existsSync } from 'node:fs';
import { request as requestPlain } from 'node:http';
import { request as requestTls } from 'node:https';
import { connect, createServer } from 'node:net';
import { userInfo } from 'node:os';
import { explain } from '../../edge/link/explain.ts';
import { findUsbTty } from '../../edge/link/usb.ts';
import { type Config, parseHostPort } from '../../host/config.ts';
import { sentenceOf } from '../../model/fault.ts';
import type { LinkSpec } from '../../model/link.ts';
import { type Finding, ok, unknown, warning, wrong } from './finding.ts';

const answerWithinMs = 3_000;

/** The daemon's own port: free where it does not run, answering where it does. */
export async function checkListen({ listen, tls }: Config['http'], running: boolean | null): Promise<Finding> {
  const place = parseHostPort(listen);
  if (place === null || place.port === 0) return ok('http', `${listen}: the system chooses a port`);
  if (running) return askHealth(place, tls !== null);
  const taken = await tryTcp(place.host, place.port);
  if (taken === null) return ok('http', `${listen} is free`);
  return wrong(
    'http',
    `cannot listen on ${listen}: ${taken}`,
    `end what listens there (ss -ltnp), or change http.listen`,
  );
}

function askHealth(place: { host: string; port: number }, secure: boolean): Promise<Finding> {
  const host = place.host === '0.0.0.0' ? '127.0.0.1' : place.host === '::' ? '::1' : place.host;
  const options = { host, port: place.port, path: '/api/health', timeout: answerWithinMs, rejectUnauthorized: false };
  return new Promise((resolve) => {
    const fail = (why: string): void =>
      resolve(
        wrong('http', `a daemon holds the data folder and does not answer on ${host}:${place.port}: ${why}`, advice),
      );
    const advice =
      'if it listens elsewhere, say where: --listen HOST:PORT, or --config FILE; else journalctl -u dunlin -e says why';
    const asked = (secure ? requestTls : requestPlain)(options, (answer) => {
      answer.resume();
      const { statusCode } = answer;
      if (statusCode === 503)
        resolve(wrong('http', 'the daemon runs and says that it is not healthy', 'GET /api/health'));
      // What needs a credential answers all the same.
      else resolve(ok('http', `the daemon answers on ${host}:${place.port}`));
    });
    asked.once('timeout', () => asked.destroy(new Error(`no answer within ${answerWithinMs / 1_000} s`)));
    asked.once('error', (error) => fail(explain('it', error)));
    asked.end();
  });
}

/** What each link of the configuration and of the registry needs of the box. A running daemon holds them itself, and shows how they are. */
export async function checkLinks(links: readonly LinkSpec[], running: boolean | null): Promise<Finding[]> {
  const enabled = links.filter((link) => link.enabled);
  if (enabled.length === 0) return [ok('links', 'neither the configuration nor the registry has one')];
  return Promise.all(enabled.map((link) => checkLink(link, running === true)));
}

async function checkLink(link: LinkSpec, running: boolean): Promise<Finding> {
  const check = `link ${link.name}`;
  const { transport, address } = link;
  if (transport === 'serial') return checkDevice(check, address);
  if (transport === 'file') {
    if (existsSync(address)) return ok(check, `${address} is there`);
    return warning(check, `${address} is not there`, 'put the file there; the link opens it when it appears');
  }
  const place = parseHostPort(address);
  if (place === null) return unknown(check, `${address} is looked up when the link opens`);
  if (transport === 'tcp_client') {
    const refused = await tryConnect(place.host, place.port);
    if (refused === null) return ok(check, `${address} takes connections`);
    return warning(check, refused, 'start the receiver there, or look at the network; the link tries again for ever');
  }
  if (running) return ok(check, `${address} is the daemon's own business while it runs`);
  const taken = await (transport === 'udp' ? tryUdp : tryTcp)(place.host, place.port);
  if (taken === null) return ok(check, `${address} is free`);
  return wrong(check, `${address}: ${taken}`, 'end what listens there (ss -lunp, ss -ltnp), or change the address');
}

function checkDevice(check: string, address: string): Finding {
  let path = address;
  try {
    const [, vendor = '', product = '', serial] = /^usb:([^:]+):([^:]+)(?::(.+))?$/.exec(address) ?? [];
    if (vendor !== '') path = `/dev/${findUsbTty('/sys', vendor, product, serial ?? null)}`;
  } catch (thrown) {
    return warning(check, sentenceOf(thrown), 'plug it in; the link opens it when it appears');
  }
  if (!existsSync(path)) {
    return warning(check, `${path} is not there`, 'plug it in, or look for its name: ls -l /dev/serial/by-id');
  }
  try {
    accessSync(path, constants.R_OK | constants.W_OK);
    return ok(check, `${path} is there and may be opened`);
  } catch {
    const who = userInfo().username;
    return wrong(check, `${path} may not be opened by ${who}`, `usermod -aG dialout ${who}, then start again`);
  }
}

/** Null where the port can be had, else why not. */
function tryTcp(host: string, port: number): Promise<string | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error) => resolve(explain('the port', error)));
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(null)));
  });
}

function tryUdp(host: string, port: number): Promise<string | null> {
  return new Promise((resolve) => {
    const socket = createSocket(host.includes(':') ? 'udp6' : 'udp4');
    socket.once('error', (error) => {
      socket.close();
      resolve(explain('the port', error));
    });
    socket.bind({ address: host, port, exclusive: true }, () => socket.close(() => resolve(null)));
  });
}

function tryConnect(host: string, port: number): Promise<string | null> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: answerWithinMs });
    const end = (why: string | null): void => {
      socket.destroy();
      resolve(why);
    };
    socket.once('connect', () => end(null));
    socket.once('timeout', () => end(`${host}:${port} did not answer in time`));
    socket.once('error', (error) => end(explain(`${host}:${port}`, error)));
  });
}
