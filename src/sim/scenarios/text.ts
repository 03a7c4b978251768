import { type Place, readDocument } from '../../host/config/document.ts';
import { deepLine } from '../../host/config/nesting.ts';
import { findJsonFault } from '../../host/json_fault.ts';
import { DEEPEST, isDeepJson, isTooDense, MOST_BYTES, outOfBounds } from './bounds.ts';
import { faultAt, type Path, type ScenarioFault } from './fault.ts';
import { jsonPlaces } from './json_places.ts';

/**
 * A text as plain values, with functions that find line and column of a path. `value` is valid only if `faults` is
 * empty.
 */
export type ReadText = {
  value: unknown;
  faults: ScenarioFault[];
  placeOf(path: Path): Place;
  placeOfKey(path: Path, key: string): Place;
};

const start: Place = { line: 1, column: 1 };

/** Reads YAML or JSON text. Never throws: `faults` contains the faults of the text. */
export function readText(text: string): ReadText {
  if (text.length > MOST_BYTES || Buffer.byteLength(text) > MOST_BYTES) return broken(start, 'is longer than 1 MiB');
  const read = /^\s*\{/.test(text) ? readJson(text) : readYaml(text);
  if (read.faults.length > 0) return read;
  const found = outOfBounds(read.value);
  return found ? { ...read, faults: [faultAt(read.placeOf(found.path), found.path, found.text)] } : read;
}

function broken(place: Place, text: string): ReadText {
  return { value: null, faults: [faultAt(place, [], text)], placeOf: () => start, placeOfKey: () => start };
}

/**
 * Reads JSON with the JSON parser, which is much faster than the YAML parser. A text in braces that is no JSON may
 * still be YAML.
 */
function readJson(text: string): ReadText {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return isTooDense(text) ? noJson(text) : readYaml(text);
  }
  if (isDeepJson(text)) return broken(start, `is nested more than ${DEEPEST} deep`);
  // The limits are checked first, because they bound the time for determining lines and columns.
  const much = outOfBounds(value);
  if (much?.path.length === 0) return broken(start, much.text);
  const { twice, ...places } = jsonPlaces(text, DEEPEST);
  const faults = twice.slice(0, 100).map((place) => faultAt(place, [], 'has the same key twice in one mapping'));
  return { value, faults, ...places };
}

function noJson(text: string): ReadText {
  const before = text.slice(0, findJsonFault(text)).split('\n');
  const place = { line: before.length, column: (before.at(-1) ?? '').length + 1 };
  return broken(place, 'is not valid JSON here, and has more entries than the YAML reader accepts');
}

function readYaml(text: string): ReadText {
  const deep = deepLine(text);
  if (deep !== null) return broken({ line: deep, column: 1 }, `is nested more than ${DEEPEST} deep`);
  if (isTooDense(text)) return broken(start, 'has more entries than the YAML reader accepts; write it as JSON');
  const { value, errors, warnings, placeOf, placeOfKey } = readDocument(text, { keepEmpty: true, plain: true });
  const found = [...errors, ...warnings].slice(0, 1_000);
  const faults = found.map(({ place, sentence }) => faultAt(place, [], `cannot be read: ${sentence}`));
  return { value, faults, placeOf, placeOfKey };
}
