import type { Identity } from '../../model/observation.ts';
import type { Dossier } from '../../model/observation_row.ts';
import { serialFault } from '../../model/serial.ts';

/** Identities of the transmitter, not of the aircraft. */
const addressTypes: ReadonlySet<Identity['type']> = new Set(['mac', 'icao24', 'mavlink']);

/** A dossier as the core reads it: its transmitter, and the names of the aircraft, strongest first. */
export type ReadDossier = Dossier & {
  transmitter: string | null;
  addresses: readonly string[];
  names: readonly string[];
  /** Its serial as a name, null where it has none; and the fault of that serial's form, null where the form is right. */
  serial: string | null;
  serialFault: string | null;
  /** Whether all its identities are of the kinds that crewed aircraft report: ICAO address and call sign. */
  crewed: boolean;
  /** Whether another system made it: that system's tracker has judged and smoothed the places already. */
  isExternal: boolean;
  /** Whether it has an identity that the aircraft itself reports. */
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

/** Whether a name is that of another system's track. */
export function isExternalName(key: string): boolean {
  return key.startsWith(EXTERNAL);
}

/** Name under which a claim of an earlier run stands whose link is not known: a source may be known only once it sends. */
export function nameWithoutLink(key: string): string {
  return `${EXTERNAL}${key.slice(key.indexOf(' '))}`;
}

/**
 * Whether another system gave an identity: its own number of the track, or the callsign that it shows. A callsign of the
 * aircraft itself comes over the air; one over the network is free text of the other system.
 */
export function isGiven({ type, transport }: Pick<Identity, 'type' | 'transport'>): boolean {
  return type === 'external' || (type === 'callsign' && transport === 'network');
}

/** Number that another system gave, as a name among the claims; empty without one. */
export function externalNameOf({ identities, link }: Dossier): string {
  const given = identities.find(({ type }) => type === 'external');
  return given === undefined ? '' : nameOf(given, link);
}

/** Name of an identity among the claims. Other systems number their tracks alike, so such a name includes its link. */
function nameOf(identity: Identity, link: string | undefined): string {
  return identity.type === 'external' ? `${EXTERNAL}${link ?? ''} ${identity.value}` : identityKey(identity);
}

export function readDossier(dossier: Dossier): ReadDossier {
  const addresses = dossier.identities.filter(({ type }) => addressTypes.has(type)).map(identityKey);
  const isExternal = dossier.identities.some(({ type }) => type === 'external');
  // Two systems may show one callsign for two aircraft: beside a number it names none.
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
