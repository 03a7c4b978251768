import type { Place } from '../../../host/config/document.ts';
import { Fault } from '../../../model/fault.ts';
import { pathText } from '../../../model/issue.ts';

export type Path = readonly PropertyKey[];

/** What is wrong with a scenario and where in it; `text` goes on from the path. */
export type Finding = { path: Path; text: string };
/** The same with its place in the text that was read; `path` is empty where it is of the whole. */
export type ScenarioFault = { line: number; column: number; path: string; text: string };

/** So many are told at once: whoever mends a document mends the first ones first. */
const MOST_FAULTS = 100;
const MOST_CHARACTERS = 4_000;

/** A document that is no scenario. Its sentence names every fault, up to a length; `faults` holds them apart. */
export class ScenarioRefusal extends Fault {
  readonly faults: readonly ScenarioFault[];

  constructor(faults: readonly ScenarioFault[]) {
    super('invalid_input', sentenceOf(faults));
    this.faults = faults;
  }
}

export function faultAt({ line, column }: Place, path: Path, text: string): ScenarioFault {
  return { line, column, path: pathText(path), text };
}

/** In the order of the text, each once, and no more than a person reads. */
export function inOrder(faults: readonly ScenarioFault[]): ScenarioFault[] {
  const sorted = faults.toSorted((a, b) => a.line - b.line || a.column - b.column);
  const seen = new Set<string>();
  const once = sorted.filter((fault) => {
    const said = lineOf(fault);
    return !seen.has(said) && seen.add(said);
  });
  return once.slice(0, MOST_FAULTS);
}

/** `line 12, column 7: 'actors[3].route[0].speed_mps' must be at most 80`. */
export function lineOf({ line, column, path, text }: ScenarioFault): string {
  return `line ${line}, column ${column}: ${path === '' ? 'the document' : `'${path}'`} ${text}`;
}

function sentenceOf(faults: readonly ScenarioFault[]): string {
  let sentence = '';
  for (const [told, fault] of faults.entries()) {
    const line = lineOf(fault);
    if (told > 0 && sentence.length + line.length > MOST_CHARACTERS)
      return `${sentence} (and ${faults.length - told} more)`;
    sentence += told === 0 ? line : `; ${line}`;
  }
  return sentence;
}
