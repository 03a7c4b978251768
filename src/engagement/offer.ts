import type { Affiliation } from '../model/assignment.ts';
import type { DoctrineBody, Response } from '../model/doctrine.ts';
import { type Posture, type ThreatLevel, threatLevels } from '../model/posture.ts';
import type { Verb } from '../model/verb.ts';
import type { MatrixRow, Release } from './deps.ts';

/**
 * Returns the first row of the doctrine's matrix whose level the track reaches and whose affiliation matches. The last
 * row has the level none and matches every track.
 */
export function rowFor(
  doctrine: DoctrineBody,
  posture: Posture,
  level: ThreatLevel,
  affiliation: Affiliation,
): MatrixRow | null {
  const matches = (row: MatrixRow): boolean => row.affiliation === 'any' || row.affiliation === affiliation;
  return matrixOf(doctrine, posture).find((row) => reaches(level, row) && matches(row)) ?? null;
}

/** Returns the levels at which the doctrine offers a response for tracks of at least one affiliation. */
export function levelsWithOffers(doctrine: DoctrineBody, posture: Posture): Set<ThreatLevel> {
  const rows = matrixOf(doctrine, posture).filter((row) => offered(row).length > 0);
  return new Set(threatLevels.filter((level) => rows.some((row) => reaches(level, row))));
}

function matrixOf(doctrine: DoctrineBody, posture: Posture): readonly MatrixRow[] {
  return doctrine.postures.find(({ id }) => id === posture)?.matrix ?? [];
}

function reaches(level: ThreatLevel, row: MatrixRow): boolean {
  return threatLevels.indexOf(level) >= threatLevels.indexOf(row.level);
}

/** Responses that a row offers, except `none`. */
export function offered(row: MatrixRow | null): Response[] {
  return (row?.offer ?? []).filter((response) => response !== 'none');
}

/** Terms under which a response is released. A doctrine without terms for the response gets the strictest ones. */
export function releaseOf(doctrine: DoctrineBody, response: Response): Release {
  const found = doctrine.release_table.find((release) => release.response === response);
  return found ?? { response, class: 'movement', role: 'owner', approvals: 2, expires_s: 5 };
}

/**
 * Number of approvals that a plan needs: the greatest of the number in the matrix row, the number in the release, and 2
 * if a verb requires two people.
 */
export function approvalsFor(
  row: MatrixRow,
  release: Release,
  twoPerson: readonly Verb[],
  verbs: readonly Verb[],
): number {
  return Math.max(row.approvals, release.approvals, verbs.some((verb) => twoPerson.includes(verb)) ? 2 : 0);
}
