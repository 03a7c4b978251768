import { readFileSync } from 'node:fs';
import { type ConfigDocument, type Place, readDocument } from '../../host/config/document.ts';
import { closest } from '../../model/closest.ts';
import { sentenceOf } from '../../model/fault.ts';
import type { TrackerSettings } from './core_maker.ts';

/**
 * Name and default of a setting of the picture, not of the tracker: time for which a track is shown after its last
 * observation, s.
 */
const SHOW = 'show_s';
const SHOW_S = 13;

export type Policy = { showS: number; settings: TrackerSettings };

/** A policy, or all its problems as lines `file:line:column: sentence`. */
type FoundPolicy = { ok: true; policy: Policy } | { ok: false; problems: string[] };

/** Policy that applies if none is given. */
export const defaultPolicy: Policy = { showS: SHOW_S, settings: {} };

/** Reads the mapping `tracking` of a policy file. `names` are the names of the tracker's settings. */
export function readPolicy(file: string, names: readonly string[]): FoundPolicy {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (thrown) {
    return { ok: false, problems: [`the policy ${file} cannot be read: ${sentenceOf(thrown)}`] };
  }
  const document = readDocument(text);
  const problems = document.errors.map(({ place, sentence }) => line(file, place, sentence));
  if (problems.length > 0) return { ok: false, problems };
  return policyOf(file, document, names);
}

function policyOf(file: string, document: ConfigDocument, names: readonly string[]): FoundPolicy {
  const tracking = isMap(document.value) ? (document.value.tracking ?? null) : null;
  if (!isMap(tracking)) {
    const problem = "'tracking' must be a mapping of settings to numbers";
    return { ok: false, problems: [line(file, document.placeOf(['tracking']), problem)] };
  }
  const problems = Object.entries(tracking).flatMap(([name, value]) => {
    const sentence = problemOf(name, value, [...names, SHOW]);
    return sentence === null ? [] : [line(file, document.placeOfKey(['tracking'], name), sentence)];
  });
  if (problems.length > 0) return { ok: false, problems };
  const { [SHOW]: showS = SHOW_S, ...settings } = tracking as Record<string, number>;
  return { ok: true, policy: { showS, settings } };
}

function problemOf(name: string, value: unknown, names: readonly string[]): string | null {
  if (!names.includes(name)) {
    const meant = closest(name, names);
    return `tracking.${name}: unknown setting${meant === null ? '' : `, did you mean ${meant}?`}`;
  }
  if (typeof value !== 'number' || !Number.isFinite(value)) return `tracking.${name}: must be a number`;
  if (name === SHOW && value < 0) return `tracking.${name}: must be at least 0; received ${value}`;
  return null;
}

function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function line(file: string, { line, column }: Place, sentence: string): string {
  return `${file}:${line}:${column}: ${sentence}`;
}
