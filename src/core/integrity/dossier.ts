import type { Identity } from '../../model/observation.ts';
import type { Dossier } from '../../model/observation_row.ts';
import { serialFault } from '../../model/serial.ts';

/** Types of identities that belong to the transmitter, not to the aircraft. */
const addressTypes: ReadonlySet<Identity['type']> = new Set(['mac', 'icao24', 'mavlink']);

/**
 * A dossier (reported values of one transmitter). Its identities are also strings, such as `serial:…`, by which claims
 * are found. `transmitter` and `addresses` belong to the radio. `names` belong to the aircraft, the most reliable type
 * first.
 */
export type ReadDossier = Dossier & {
  transmitter: string | null;
  addresses: readonly string[];
  names: readonly string[];
  /**
   * The serial as a name, null if there is none. `serialFault` is the fault in the serial's form, null if it is
   * well-formed.
   */
  serial: string | null;
  serialFault: string | null;
  /** Whether all identities are of the types that crewed aircraft report: ICAO address and call sign. */
  crewed: boolean;
  /** Whether the dossier comes from another system, whose tracker has already judged and smoothed the positions. */
  isExternal: boolean;
  /** Whether the aircraft itself reports at least one of the identities. */
  hasOwn: boolean;
};

const strength: Identity['type'][] = [
  'serial',
  'session',
  'utm',
  'caa',
  'icao24',
  'callsign',
  'mavlink',
  'mac',
  'external',
];
const EXTERNAL = 'external:';

export function identityKey(identity: { type: string; value: string }): string {
  return `${identity.type}:${identity.value}`;
}

export function isSerial(key: string): boolean {
  return key.startsWith('serial:');
}

/** Whether a name is another system's track number. */
export function isExternalName(key: string): boolean {
  return key.startsWith(EXTERNAL);
}

/** Returns an external name without its link. A restored identity has no link until its source sends again. */
export function nameWithoutLink(key: string): string {
  return `${EXTERNAL}${key.slice(key.indexOf(' '))}`;
}

/**
 * Whether another system gave the identity: its track number, or a call sign that it shows. A call sign received by
 * radio is the aircraft's own; one received over a network is free text of the other system.
 */
export function isGiven({ type, transport }: Pick<Identity, 'type' | 'transport'>): boolean {
  return type === 'external' || (type === 'callsign' && transport === 'network');
}

/** Returns the track number that another system gave, as a name; empty string if there is none. */
export function externalNameOf({ identities, link }: Dossier): string {
  const given = identities.find(({ type }) => type === 'external');
  return given === undefined ? '' : nameOf(given, link);
}

/**
 * Returns the name of an identity, which is a key to find claims. Names of type `external` include the link, because
 * several systems may use the same numbers.
 */
function nameOf(identity: Identity, link: string | undefined): string {
  return identity.type === 'external' ? `${EXTERNAL}${link ?? ''} ${identity.value}` : identityKey(identity);
}

export function readDossier(dossier: Dossier): ReadDossier {
  const addresses = dossier.identities.filter(({ type }) => addressTypes.has(type)).map(identityKey);
  const isExternal = dossier.identities.some(({ type }) => type === 'external');
  // Two systems may show one call sign for two aircraft. A call sign together with an external number is therefore no
  // name.
  const isName = (identity: Identity): boolean =>
    !addressTypes.has(identity.type) && !(isExternal && identity.type === 'callsign' && isGiven(identity));
  const names = dossier.identities.filter(isName).sort((a, b) => strength.indexOf(a.type) - strength.indexOf(b.type));
  const serial = names.find(({ type }) => type === 'serial');
  return {
    addresses,
    ...dossier,
    transmitter: addresses[0] ?? null,
    names: names.map((identity) => nameOf(identity, dossier.link)),
    serial: serial ? identityKey(serial) : null,
    serialFault: serial ? serialFault(serial.value) : null,
    crewed: dossier.identities.every(({ type }) => type === 'icao24' || type === 'callsign'),
    isExternal,
    hasOwn: dossier.identities.some((identity) => !isGiven(identity)),
  };
}
