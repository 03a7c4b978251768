import type { Place } from '../../host/config/document.ts';
import { Fault } from '../../model/fault.ts';
import { pathText } from '../../model/issue.ts';

export type Path = readonly PropertyKey[];

/** A fault of a scenario. `text` continues a sentence that begins with the path. */
export type Finding = { path: Path; text: string };

export function findingIf(isWrong: boolean, path: Path, text: string): Finding[] {
  return isWrong ? [{ path, text }] : [];
}

/** A fault with its line and column in the text, from 1 on. `path` is empty for a fault of the whole document. */
export type ScenarioFault = { line: number; column: number; path: string; text: string };

/**
 * Limits of one answer: the number of faults, and the characters of the sentence about the faults. People repair the
 * first faults first, so they do not need more.
 */
const MOST_FAULTS = 100;
const MOST_CHARACTERS = 1_000;

/**
 * Refusal of a document that is not a valid scenario. The sentence of the refusal names the first faults, up to a limit
 * of its length. `faults` contains all faults that the constructor received.
 */
export class ScenarioRefusal extends Fault {
  override readonly faults: readonly ScenarioFault[];

  constructor(faults: readonly ScenarioFault[]) {
    super('invalid_input', sentenceOf(faults));
    this.faults = faults;
  }
}

export function faultAt({ line, column }: Place, path: Path, text: string): ScenarioFault {
  return { line, column, path: pathText(path), text };
}

/** Returns the faults sorted by line and column, without duplicates, up to a limit. */
export function inOrder(faults: readonly ScenarioFault[]): ScenarioFault[] {
  const sorted = faults.toSorted((a, b) => a.line - b.line || a.column - b.column);
  return [...new Map(sorted.map((fault) => [lineOf(fault), fault])).values()].slice(0, MOST_FAULTS);
}

/** Formats a fault: `line 12, column 7: 'actors[3].route[0].speed_mps' must be at most 80`. */
export function lineOf({ line, column, path, text }: ScenarioFault): string {
  return `line ${line}, column ${column}: ${path === '' ? 'the document' : `'${path}'`} ${text}`;
}

function sentenceOf(faults: readonly ScenarioFault[]): string {
  let sentence = '';
  for (const [index, fault] of faults.entries()) {
    const line = lineOf(fault);
    if (index > 0 && sentence.length + line.length > MOST_CHARACTERS)
      return `${sentence} (and ${faults.length - index} more)`;
    sentence += index === 0 ? line : `; ${line}`;
  }
  return sentence;
}
