import type { Place } from '../../host/config/document.ts';
import { Fault } from '../../model/fault.ts';
import { pathText } from '../../model/issue.ts';

export type Path = readonly PropertyKey[];

/** A fault of a scenario with its path; `text` continues the sentence that the path begins. */
export type Finding = { path: Path; text: string };

export function findingIf(isWrong: boolean, path: Path, text: string): Finding[] {
  return isWrong ? [{ path, text }] : [];
}

/** A finding with its place in the text; `path` is empty for a fault of the whole document. */
export type ScenarioFault = { line: number; column: number; path: string; text: string };

/** Limits of one answer: people repair the first faults of a document first. */
const MOST_FAULTS = 100;
const MOST_CHARACTERS = 4_000;

/** Refusal of a document that is not a valid scenario. Its sentence names the faults up to a length; `faults` lists them. */
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

/** Faults sorted by their place in the text, without duplicates, up to a limit. */
export function inOrder(faults: readonly ScenarioFault[]): ScenarioFault[] {
  const sorted = faults.toSorted((a, b) => a.line - b.line || a.column - b.column);
  return [...new Map(sorted.map((fault) => [lineOf(fault), fault])).values()].slice(0, MOST_FAULTS);
}

/** `line 12, column 7: 'actors[3].route[0].speed_mps' must be at most 80`. */
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
