import type { Situation } from '../situation.ts';
import type { TrackFactor } from './factor.ts';

const UNCHECKED = 0.5;

/**
 * Returns the degree to which the track lacks an identity, 0 to 1. A claim counts only as far as sensors confirm it,
 * whatever it states.
 */
function unknownShare({ named, verdict }: Situation): number {
  if (!named || verdict === 'suspect') return 1;
  return verdict === 'consistent' ? 0 : UNCHECKED;
}

function silentShare({ named, nameRequired }: Situation): number {
  return !named && nameRequired ? 1 : 0;
}

function suspectShare({ verdict, integrityScore }: Situation): number {
  return verdict === 'suspect' ? 1 - Math.min(1, Math.max(0, integrityScore)) : 0;
}

const unidentified: TrackFactor = {
  id: 'unidentified',
  unit: null,
  value: unknownShare,
  strength: unknownShare,
  text({ situation: { named, verdict } }) {
    if (!named) return 'It reports no identity: look at it to find out what it is.';
    return verdict === 'suspect' ? 'Its reported identity is not credible.' : 'Only its own claim identifies it.';
  },
};

const noRemoteId: TrackFactor = {
  id: 'no_remote_id',
  unit: null,
  value: silentShare,
  strength: silentShare,
  text: () => 'It sends no Remote ID, which is required here.',
};

export const suspectIdentity: TrackFactor = {
  id: 'suspect_identity',
  unit: null,
  value: suspectShare,
  strength: suspectShare,
  text: ({ situation: { doubts } }) => `Its claims are suspect${doubts.length > 0 ? `: ${doubts.join('; ')}` : ''}.`,
};

export const identityFactors = [unidentified, noRemoteId, suspectIdentity] as const;
