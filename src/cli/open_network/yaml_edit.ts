import { type Document, isMap, isScalar, isSeq, parseDocument, type YAMLMap, type YAMLSeq } from 'yaml';
import { createNetworks } from '../../http/network.ts';

export type Wanted = { listen: string; tls: { cert_file: string; key_file: string }; name: string };
type Edited = { text: string; changes: readonly string[] };

const ofTheBox = ['127.0.0.0/8', '::1/128'];
const isOfTheBox = createNetworks(ofTheBox);

/**
 * Sets the settings that open the box to other machines, in the text of a valid configuration. Comments, order and all
 * other settings are kept. A text that already has the settings is returned unchanged.
 */
export function editConfig(text: string, { listen, tls, name }: Wanted): Edited {
  const document = parseDocument(text);
  const changes = [
    setText(document, ['http', 'listen'], listen),
    setText(document, ['http', 'tls', 'cert_file'], tls.cert_file),
    setText(document, ['http', 'tls', 'key_file'], tls.key_file),
    allowHost(document, name),
    trustTheBoxAlone(document),
  ].filter((change) => change !== null);
  if (changes.length === 0) return { text, changes };
  return { text: document.toString({ lineWidth: 0, flowCollectionPadding: /[[{] /.test(text) }), changes };
}

function setText(document: Document, path: readonly string[], value: string): string | null {
  const before = document.getIn(path);
  if (before === value) return null;
  mapAt(document, path.slice(0, -1)).set(path.at(-1), value);
  return `${path.join('.')}: ${value}${typeof before === 'string' ? `, in place of ${before}` : ''}`;
}

function allowHost(document: Document, name: string): string | null {
  const key = 'access.allowed_hosts';
  const hosts = mapAt(document, ['access']).get('allowed_hosts');
  if (!isSeq(hosts)) {
    mapAt(document, ['access']).set('allowed_hosts', document.createNode([name]));
    return `${key}: ${name}`;
  }
  if (hosts.toJSON().some((host: unknown) => String(host).toLowerCase() === name)) return null;
  hosts.add(name);
  return `${key}: ${name} is added`;
}

/**
 * Limits `access.trusted_networks` to the box itself, so that callers from other machines must sign in. A list without
 * the box is stricter, and is kept.
 */
function trustTheBoxAlone(document: Document): string | null {
  const key = 'access.trusted_networks';
  const access = mapAt(document, ['access']);
  const networks = access.get('trusted_networks');
  if (!isSeq(networks)) {
    access.set('trusted_networks', document.createNode(ofTheBox));
    return `${key}: only the box itself; every other caller must sign in`;
  }
  const removed = removeOthers(networks);
  return removed.length === 0 ? null : `${key}: without ${removed.join(', ')}, whose callers must then sign in`;
}

function removeOthers(networks: YAMLSeq): string[] {
  const texts = networks.items.map((item) => String(isScalar(item) ? item.value : item));
  const others = texts.filter((text) => !isWithinTheBox(text));
  networks.items = networks.items.filter((_, index) => isWithinTheBox(texts[index] ?? ''));
  return others;
}

function isWithinTheBox(text: string): boolean {
  const [base = '', bits] = text.split('/');
  return isOfTheBox(base) && (bits === undefined || Number(bits) >= (base.includes(':') ? 128 : 8));
}

/** Returns the mapping at a path. Creates it if the key is missing or has no value; comments of the key are kept. */
function mapAt(document: Document, path: readonly string[]): YAMLMap {
  const found = document.getIn(path, true);
  if (isMap(found)) return found;
  if (path.length > 1) mapAt(document, path.slice(0, -1));
  const made = document.createNode({}) as YAMLMap;
  if (isScalar(found)) {
    const comments = [found.commentBefore, found.comment].filter((comment) => typeof comment === 'string');
    if (comments.length > 0) made.commentBefore = comments.join('\n');
  }
  document.setIn(path, made);
  return made;
}
