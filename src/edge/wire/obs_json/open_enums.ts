import { classificationTypes, identityTransports } from '../../../model/observation.ts';

type Row = Record<string, unknown>;

/**
 * A feed may know kinds that this version does not: an unknown classification type or identity transport becomes
 * `other`, and the classification's own word is kept as its model where it names none. Changes `value` in place.
 */
export function openEnums(value: unknown): void {
  if (!isRow(value)) return;
  for (const entry of rowsOf(value.classification)) {
    if (!isUnknown(entry.type, classificationTypes)) continue;
    entry.model ??= entry.type.slice(0, 120);
    entry.type = 'other';
  }
  for (const entry of rowsOf(value.identity)) {
    if (isUnknown(entry.transport, identityTransports)) entry.transport = 'other';
  }
}

function isUnknown(word: unknown, known: readonly string[]): word is string {
  return typeof word === 'string' && word !== '' && !known.includes(word);
}

function rowsOf(value: unknown): Row[] {
  return Array.isArray(value) ? value.filter(isRow) : [];
}

function isRow(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
