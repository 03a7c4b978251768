import { z } from 'zod';
import { type Config, parseHostPort } from '../../host/config.ts';
import { type Link, type LinkSpec, linkSchema } from '../../model/link.ts';
import { ask } from './ask.ts';
import { type Finding, ok, unknown, warning } from './finding.ts';
import { checkLink, checkLinks } from './way_checks.ts';

const shown = linkSchema.pick({ name: true, transport: true, address: true, state: true, last_error: true });
const answered = z.object({ data: z.array(z.object(shown.shape)) });
type Shown = Pick<Link, 'name' | 'transport' | 'address' | 'state' | 'last_error'>;

/** Links of configuration and command line (`configured`), and links of the database with other names (`stored`). */
type KnownLinks = { configured: readonly LinkSpec[]; stored: readonly LinkSpec[] };

/** Checks links while a daemon runs: the state of links that the daemon has, and the port or device of other links. */
export async function checkLinksBeside({ listen, tls }: Config['http'], known: KnownLinks): Promise<Finding[]> {
  const all = [...known.configured, ...known.stored];
  const place = parseHostPort(listen);
  // Another check (of `http.listen`) reports a daemon that does not answer.
  if (place === null || place.port === 0) return checkLinks(all, true);
  const answer = await ask(place, tls !== null, '/api/links?limit=1000');
  if ('failed' in answer) return checkLinks(all, true);
  const links = linksOf(answer.body);
  if (links === null) {
    const text = `the running daemon shows its links only to callers with a credential (${answer.status})`;
    const advice = 'name the links of its command line with --link SPEC';
    return [...(await checkLinks(all, true)), unknown('links', `${text}: ${advice}`)];
  }
  const configured = known.configured.filter(({ enabled }) => enabled).map((link) => checkConfigured(link, links));
  const stored = known.stored.filter(({ enabled }) => enabled).map((link) => checkStored(link, links));
  const others = links.filter(({ name }) => all.every((link) => link.name !== name));
  return [...(await Promise.all([...configured, ...stored])), ...others.map(otherFinding)];
}

function linksOf(body: string): Shown[] | null {
  try {
    return answered.parse(JSON.parse(body)).data;
  } catch {
    return null;
  }
}

/**
 * Checks a configured link. If the daemon does not have the link, the daemon was started without this configuration.
 */
async function checkConfigured(link: LinkSpec, links: readonly Shown[]): Promise<Finding> {
  const held = links.find(({ name }) => name === link.name);
  if (held === undefined) {
    const found = await checkLink(link, false);
    return { ...found, text: `${found.text}; the running daemon does not have this link` };
  }
  if (isSame(held, link)) return checkHeld(link, held);
  const text = `the running daemon has this link on ${placeOf(held)}, but here it is on ${placeOf(link)}`;
  return warning(`link ${link.name}`, text, 'restart the daemon, or use the address of the running daemon here');
}

/**
 * Checks a link of the database. It may belong to another workspace. The daemon then does not show it, but may show
 * another link with the same name, so transport and address are compared too.
 */
async function checkStored(link: LinkSpec, links: readonly Shown[]): Promise<Finding> {
  const held = links.find((shown) => shown.name === link.name && isSame(shown, link));
  return held === undefined ? checkLink(link, true) : checkHeld(link, held);
}

/** Checks a link that the daemon has. If it is not open, a check of its port or device may show the reason better. */
async function checkHeld(link: LinkSpec, held: Shown): Promise<Finding> {
  const found = heldFinding(held, 'the running daemon has this link');
  if (found.state === 'ok') return found;
  const ofBox = await checkLink(link, true);
  return ofBox.state === 'wrong' || ofBox.state === 'warning' ? ofBox : found;
}

function otherFinding(held: Shown): Finding {
  return heldFinding(held, 'the running daemon has this link, but the configuration does not');
}

function heldFinding({ name, address, state, last_error: error }: Shown, who: string): Finding {
  const text = `${address}: ${who}; its state is ${state}`;
  if (state === 'open' || state === 'opening' || state === 'disabled') return ok(`link ${name}`, text);
  return warning(`link ${name}`, `${text}${error === null ? '' : `: ${error}`}`, 'see GET /api/links for details');
}

type Place = Pick<LinkSpec, 'transport' | 'address'>;

function isSame(one: Place, other: Place): boolean {
  return one.transport === other.transport && one.address === other.address;
}

function placeOf({ transport, address }: Place): string {
  return `${transport} ${address}`;
}
