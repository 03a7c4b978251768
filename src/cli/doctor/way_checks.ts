import { createSocket } from 'node:dgram';
import { accessSync, constants, existsSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { userInfo } from 'node:os';
import { z } from 'zod';
import { explain } from '../../edge/link/explain.ts';
import { findUsbTty, usbPortsHere } from '../../edge/link/usb.ts';
import { type Config, parseHostPort } from '../../host/config.ts';
import { sentenceOf } from '../../model/fault.ts';
import type { LinkSpec } from '../../model/link.ts';
import { ask, askedAt, type HostPort } from './ask.ts';
import { type Finding, ok, unknown, warning, wrong } from './finding.ts';

const connectsWithinMs = 3_000;
const refusal = z.object({ error: z.string() });
/** Limit of a shown error, characters: another program on the port may answer with a long text. */
const MOST_OF_ERROR = 2_000;

/**
 * Checks the HTTP port: the port must answer if the daemon runs, and be free otherwise. `running` is null if that is
 * unknown; the port must then be free.
 */
export async function checkListen({ listen, tls }: Config['http'], running: boolean | null): Promise<Finding> {
  const place = parseHostPort(listen);
  if (place === null || place.port === 0) return ok('http', `${listen}: the system chooses a port`);
  if (running) return askHealth(place, tls !== null);
  const taken = await tryTcp(place.host, place.port);
  if (taken === null) return ok('http', `${listen} is free`);
  return wrong(
    'http',
    `cannot listen on ${listen}: ${taken}`,
    `stop the program that listens there (ss -ltnp), or change http.listen or --listen HOST:PORT`,
  );
}

async function askHealth(place: HostPort, secure: boolean): Promise<Finding> {
  const advice =
    'if the daemon listens elsewhere, add --listen HOST:PORT or --config FILE; otherwise see journalctl -u dunlin -e';
  const { host, port } = askedAt(place);
  const answer = await ask(place, secure, '/api/health');
  if ('failed' in answer) {
    const text = `a daemon uses the data folder, but does not answer on ${host}:${port}: ${answer.failed}`;
    return wrong('http', text, advice);
  }
  if (answer.status === 503)
    return wrong('http', `the daemon runs, but answers: ${errorOf(answer.body)}`, 'see GET /api/health');
  // A refusal for lack of a credential is an answer too.
  return ok('http', `the daemon answers on ${host}:${port}`);
}

function errorOf(body: string): string {
  try {
    const { error } = refusal.parse(JSON.parse(body));
    return error.replace(/\s+/g, ' ').slice(0, MOST_OF_ERROR);
  } catch {
    return 'not healthy';
  }
}

/** Checks the port or device of each enabled link. If `running` is true, a daemon may hold it. */
export async function checkLinks(links: readonly LinkSpec[], running: boolean): Promise<Finding[]> {
  return Promise.all(links.filter(({ enabled }) => enabled).map((link) => checkLink(link, running)));
}

/** Returns the finding for a box without an enabled link, which receives only reports of declared sensors over HTTP. */
export function checkNoLinks(disabled: number, sensors: number): Finding {
  if (disabled > 0) return warning('links', `no link is enabled (${disabled} disabled)`, 'enable one of them');
  if (sensors > 0) return ok('links', 'no link is configured: reports come over HTTP alone');
  const advice =
    'name a link under links: in the configuration or with --link SPEC, or create one with POST /api/links';
  return warning('links', 'no link is configured: nothing is received', advice);
}

/**
 * Checks the port or device of a link. If `running` is true, a daemon may hold it. `sys` is the root folder of sysfs.
 */
export async function checkLink(link: LinkSpec, running: boolean, sys = '/sys'): Promise<Finding> {
  const check = `link ${link.name}`;
  const { transport, address } = link;
  if (transport === 'serial') return checkDevice(check, address, sys);
  if (transport === 'file') {
    if (existsSync(address)) return ok(check, `${address} is there`);
    return warning(check, `${address} is not there`, 'put the file there; the link opens it when it appears');
  }
  if (transport === 'unix') {
    if (existsSync(address)) return ok(check, `${address} is there`);
    const advice =
      'start the program that creates it, such as dunlin-radio@NAME.socket or dunlin-bluetooth@NAME.socket; the link keeps trying to connect';
    return warning(check, `the socket ${address} is not there`, advice);
  }
  const place = parseHostPort(address);
  if (place === null) return unknown(check, `${address} is looked up when the link opens`);
  if (transport === 'tcp_client' || transport === 'tls_client') {
    const refused = await tryConnect(place.host, place.port);
    if (refused === null) return ok(check, `${address} takes connections`);
    return warning(check, refused, 'start the receiver there, or check the network; the link keeps trying to connect');
  }
  if (running) return unknown(check, `${address} may be held by the daemon, which does not show this link`);
  const taken = await (transport === 'udp' ? tryUdp : tryTcp)(place.host, place.port);
  if (taken === null) return ok(check, `${address} is free`);
  return wrong(
    check,
    `${address}: ${taken}`,
    'stop the program that listens there (ss -lunp, ss -ltnp), or change the address',
  );
}

function checkDevice(check: string, address: string, sys: string): Finding {
  let path = address;
  try {
    const [, vendor = '', product = '', serial] = /^usb:([^:]+):([^:]+)(?::(.+))?$/.exec(address) ?? [];
    if (vendor !== '') path = `/dev/${findUsbTty(sys, vendor, product, serial ?? null)}`;
  } catch (thrown) {
    const text = `${sentenceOf(thrown)}; ${usbPortsHere(sys)}`;
    return warning(check, text, 'plug the device in; the link opens it when it appears');
  }
  if (!existsSync(path)) {
    const text = `${path} is not there; ${usbPortsHere(sys)}`;
    return warning(
      check,
      text,
      'plug the device in, or use usb:VID:PID[:SERIAL] or /dev/serial/by-id/… as the address of the link',
    );
  }
  try {
    accessSync(path, constants.R_OK | constants.W_OK);
    return ok(check, `${path} exists and may be opened`);
  } catch {
    const who = userInfo().username;
    return wrong(
      check,
      `${path} may not be opened by ${who}`,
      `run doctor as the user of the daemon; if that is ${who}: usermod -aG dialout ${who} as root, then restart the daemon`,
    );
  }
}

/** Returns the reason why a TCP port cannot be bound; null if the port is free. */
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

/** Returns the reason why a connection fails; null if it succeeds. */
export function tryConnect(host: string, port: number): Promise<string | null> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: connectsWithinMs });
    const end = (why: string | null): void => {
      socket.destroy();
      resolve(why);
    };
    socket.once('connect', () => end(null));
    socket.once('timeout', () => end(`${host}:${port} did not answer in time`));
    socket.once('error', (error) => end(explain(`${host}:${port}`, error)));
  });
}
