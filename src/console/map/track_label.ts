import type { Threat } from '../../model/threat.ts';
import type { Track } from '../../model/track.ts';
import { isUnseenClaim } from '../state/rank.ts';
import { words } from '../words/en.ts';
import { heightText, type Units } from '../words/units.ts';

/** Limit of a name's characters on the map. The track number is never cut. */
const NAME_CHARS = 12;

/**
 * Text with control characters and direction marks replaced by spaces, so that a hostile name cannot change other text.
 */
const plain = (text: string): string => text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ').trim();

function nameOf({ identities }: Track, assetName: string | undefined): string {
  const callsign = identities.find(({ type }) => type === 'callsign')?.value;
  return cut(plain(assetName ?? callsign ?? ''));
}

const cut = (name: string): string => (name.length > NAME_CHARS ? `${name.slice(0, NAME_CHARS - 1)}…` : name);

/** An arrow with the rate, for a climb or descent of at least 0.5 m/s. */
function climbText(climbMps: number | null | undefined): string {
  if (climbMps === null || climbMps === undefined || Math.abs(climbMps) < 0.5) return '';
  return ` ${climbMps > 0 ? '↑' : '↓'} ${Math.round(Math.abs(climbMps))}`;
}

/**
 * Lines of a label: three for the selected threat unless it is dismissed; two for other threats, tracks with an alert,
 * friends and the selected track; else one.
 */
export function labelLines(
  track: Track,
  given: {
    threat: Threat | undefined;
    hasAlert: boolean;
    assetName: string | undefined;
    /** Name of the nearest zone; undefined where there is none. */
    zoneName?: string | undefined;
    isSelected: boolean;
    ageS: number | null;
  },
  units: Units,
): string[] {
  const { threat, hasAlert, assetName, zoneName, isSelected, ageS } = given;
  const number = track.number.slice(2);
  const isThreat = threat !== undefined && threat.level !== 'none';
  const age = track.state === 'lost' || track.state === 'coasting' ? ` ${words.unseenFor(track.state, ageS)}` : '';
  if (!isThreat && !hasAlert && !isSelected && track.affiliation !== 'friend') return [`${number}${age}`];
  const first = `${number} ${nameOf(track, assetName)}`.trim() + age;
  // A dismissed threat shows the end of its dismissal. Its height and its time to the zone no longer matter.
  if (isThreat && threat.dismissed !== null) return [first, words.dismissedUntil(threat.dismissed)];
  const second = `${heightText(track.position?.alt_agl_m, units)}${climbText(track.velocity?.climb_mps)}`;
  if (!isSelected) return [first, second];
  const third = isThreat
    ? `${words.level(threat.level)}${words.zoneIn(threat.nearest_zone, cut(plain(zoneName ?? '')))}`
    : '';
  return third === '' ? [first, second] : [first, second, third];
}

/**
 * Priority of a label: the selected track first, then threats by score, friends, emergencies, and the rest. Claims that
 * sensors do not see come after the other threats.
 */
export function labelPriority(track: Track, threat: Threat | undefined, isSelected: boolean): number {
  if (isSelected) return 1_000;
  if (threat && threat.level !== 'none') return threat.score + (isUnseenClaim(track) ? 400 : 600);
  if (track.affiliation === 'friend') return 399;
  return track.flags.includes('emergency') ? 300 : 0;
}
