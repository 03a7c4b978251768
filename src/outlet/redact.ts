import type { Redaction } from '../model/outlet.ts';
import { identitiesWithoutOperator, lineageWithoutOperator, pilotReasons } from '../model/pilot_facts.ts';
import type { Threat, ThreatFactorId } from '../model/threat.ts';
import type { Track } from '../model/track.ts';

type Redactions = readonly Redaction[];

/** Factors whose sentences reveal the position of the pilot. */
const pilotFactors: ReadonlySet<ThreatFactorId> = new Set(['operator_near']);
/** Least length of a value that is removed from texts. Shorter values would also match parts of common words. */
const LEAST_NAME = 4;
const HIDDEN = '[redacted]';

/** Returns a copy of a track without the redacted facts. */
export function redactedTrack(track: Track, redact: Redactions): Track {
  const hidesIdentity = redact.includes('identity');
  const names = hiddenNames(track, redact);
  const { integrity } = track;
  const hidden = redact.includes('operator_id') ? track : {};
  const reasons = integrity.reasons.filter(({ id }) => !(redact.includes('pilot') && pilotReasons.has(id)));
  return {
    ...track,
    operator: redactedOperator(track.operator, redact),
    takeoff: redact.includes('takeoff') ? null : track.takeoff,
    identities: hidesIdentity ? [] : identitiesWithoutOperator(hidden, track.identities),
    // Node and object ids identify no person. A node needs them to recognise its own tracks when they are sent back.
    lineage: hidesIdentity
      ? track.lineage.map((one) => ({ ...one, identity: null }))
      : lineageWithoutOperator(hidden, track.lineage),
    classification: hidesIdentity ? track.classification.map((one) => ({ ...one, model: null })) : track.classification,
    // The reason that a person gave for the set affiliation must not leave this box.
    affiliation_set: null,
    integrity: { ...integrity, reasons: reasons.map((one) => ({ ...one, text: withoutNames(one.text, names) })) },
  };
}

/**
 * Redacts the operator. An operator position of the type `takeoff` is the take-off point and not the position of the
 * pilot.
 */
function redactedOperator(operator: Track['operator'], redact: Redactions): Track['operator'] {
  if (operator === null) return null;
  const isHidden = redact.includes(operator.type === 'takeoff' ? 'takeoff' : 'pilot');
  const place = isHidden ? { lat: null, lon: null, alt_hae_m: null } : {};
  const id = redact.includes('operator_id') ? { operator_id: null } : {};
  return { ...operator, ...place, ...id };
}

/** Returns the sentence of the first factor of a threat that may be sent; null without one. */
export function firstReason({ factors }: Threat, track: Track, redact: Redactions): string | null {
  const shown = factors.find(({ id }) => !(redact.includes('pilot') && pilotFactors.has(id)));
  return shown === undefined ? null : withoutNames(shown.text, hiddenNames(track, redact));
}

/**
 * Returns the redacted values of a track that must not appear in any sent text: identities and the operator id, from
 * `LEAST_NAME` characters.
 */
export function hiddenNames({ identities, operator }: Track, redact: Redactions): string[] {
  const ofAircraft = redact.includes('identity') ? identities.map(({ value }) => value) : [];
  const ofOperator = redact.includes('operator_id') && operator?.operator_id ? [operator.operator_id] : [];
  return [...ofAircraft, ...ofOperator].filter(({ length }) => length >= LEAST_NAME);
}

export function withoutNames(text: string, names: readonly string[]): string {
  return names.reduce((shown, name) => shown.replaceAll(name, HIDDEN), text);
}
