import type { TrackView } from '../../../model/outlet_view.ts';

/** Greatest length of the remarks of an event, characters. */
const MOST = 500;

const levelWords = { none: 'No threat', low: 'Low', medium: 'Medium', high: 'High', critical: 'Critical' } as const;

/** Returns remarks for operators about a track: level, number, claimed identities, doubts, sensors. */
export function remarksOf({ track, threat, sensors }: TrackView): string {
  const parts = [
    ...(threat === null ? [] : [threatText(threat)]),
    track.number,
    // A track lists an identity once for each transport; the Set removes the repetitions.
    ...new Set(track.identities.map(({ type, value }) => `${type} ${value} (claimed)`)),
    ...(track.integrity.verdict === 'suspect' ? [suspectText(track.integrity.reasons[0]?.text)] : []),
    ...(sensors.length === 0 ? [] : [`sensors: ${sensors.map(({ name }) => name).join(', ')}`]),
  ];
  const text = parts.join('; ');
  // Removes half of a surrogate pair at the cut, since it would be invalid text.
  return text.length <= MOST ? text : `${text.slice(0, MOST - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

function threatText({ level, score, reason }: NonNullable<TrackView['threat']>): string {
  const head = level === 'none' ? levelWords.none : `${levelWords[level]} threat`;
  return `${head} (${Math.round(score)})${reason === null ? '' : `: ${withoutStop(reason)}`}`;
}

function suspectText(reason: string | undefined): string {
  return reason === undefined ? 'suspect' : `suspect: ${withoutStop(reason)}`;
}

function withoutStop(sentence: string): string {
  return sentence.replace(/\.$/, '');
}
