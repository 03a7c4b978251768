import type { Alert } from '../../model/alert.ts';
import type { Threat } from '../../model/threat.ts';
import type { Track } from '../../model/track.ts';
import type { Tone } from './line.ts';

const compass = ['north', 'north-east', 'east', 'south-east', 'south', 'south-west', 'west', 'north-west'];
/** Types of identities; the one that identifies an aircraft best comes first. */
const identityOrder = ['serial', 'caa', 'callsign', 'icao24', 'session', 'utm', 'mavlink', 'mac', 'external'];
const rank = ({ type }: { type: string }): number => identityOrder.indexOf(type);

/** Returns number and best identity of a track. */
export function nameOf({ number, identities }: Pick<Track, 'number' | 'identities'>): string {
  const [best] = [...identities].sort((a, b) => rank(a) - rank(b));
  return best === undefined ? number : `${number} ${best.value}`;
}

/** Words affiliation, state, position, height, speed, suspicion and pilot of a track. */
export function trackSentence(track: Track): string {
  const { position, velocity, affiliation, state, operator, integrity } = track;
  const parts = [`${nameOf(track)}: ${affiliation}, ${state}`];
  if (position !== null) parts.push(`${position.lat.toFixed(5)}, ${position.lon.toFixed(5)}`, heightOf(track));
  else parts.push('position unknown');
  if (velocity?.speed_mps != null) parts.push(speedOf(velocity.speed_mps, velocity.course_deg));
  if (integrity?.verdict === 'suspect') parts.push(`suspect: ${integrity.reasons[0]?.text ?? 'no reason given'}`);
  const pilot = pilotOf(operator);
  if (pilot !== null) parts.push(pilot);
  return parts.join(', ');
}

function heightOf({ position }: Track): string {
  if (position?.alt_agl_m != null) return `${Math.round(position.alt_agl_m)} m above ground`;
  if (position?.alt_msl_m != null) return `${Math.round(position.alt_msl_m)} m above sea level`;
  return 'height unknown';
}

function speedOf(mps: number, courseDeg: number | null): string {
  const speed = `${mps.toFixed(0)} m/s`;
  return courseDeg === null || mps < 0.5 ? speed : `${speed} ${compass[Math.round(courseDeg / 45) % 8]}`;
}

function pilotOf(operator: Track['operator']): string | null {
  if (operator === null) return null;
  const { operator_id: id, lat, lon, type } = operator;
  // The take-off point is at best an earlier position of the pilot, so it is not called the pilot's position.
  const noun = type === 'takeoff' ? 'took off' : 'pilot';
  const place = lat === null || lon === null ? '' : ` at ${lat.toFixed(5)}, ${lon.toFixed(5)}`;
  return id || place !== '' ? `${noun}${place}${id ? `, operator ${id}` : ''}` : null;
}

/** Words level, score, trend and the three most important reasons of a threat. */
export function threatSentence(name: string, { level, score, trend, factors }: Threat): string {
  const reasons = factors.filter(({ contribution }) => contribution > 0).slice(0, 3);
  return `${name}: ${level}, ${Math.round(score)} points, ${trend}. ${reasons.map(({ text }) => text).join(' ')}`.trim();
}

const levelTones: Readonly<Record<string, Tone>> = { critical: 'critical', high: 'critical', medium: 'warning' };
export const toneOfLevel = (level: string): Tone => levelTones[level] ?? 'notice';

/** Words severity, state and text of an alert. */
export function alertSentence({ severity, state, text, acknowledged }: Alert): string {
  const by = acknowledged === null ? '' : `, acknowledged by ${acknowledged.by}`;
  return `${severity}${state === 'active' ? '' : `, ${state}`}${state === 'cleared' ? '' : by}: ${text}`;
}

const severityTones: Readonly<Record<string, Tone>> = { critical: 'critical', warning: 'warning' };
export const toneOfSeverity = (severity: string): Tone => severityTones[severity] ?? 'notice';
