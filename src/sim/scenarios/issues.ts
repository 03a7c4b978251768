import type { z } from 'zod';
import { wordIssue, wordUnknownKey } from '../../host/config/wording.ts';
import { faultAt, type Path, type ScenarioFault } from './fault.ts';
import type { ReadText } from './text.ts';

type Issue = z.core.$ZodIssue;

/** Limit of issues: each takes time, and people read only the first. */
const MOST_ISSUES = 1_000;

/** Issues of a schema as faults with their places. */
export function faultsOfIssues(schema: z.ZodType, issues: readonly Issue[], text: ReadText): ScenarioFault[] {
  return issues.slice(0, MOST_ISSUES).flatMap((issue) => faultsOf(schema, issue, [], text));
}

function faultsOf(schema: z.ZodType, issue: Issue, before: Path, text: ReadText): ScenarioFault[] {
  const path = [...before, ...issue.path];
  if (issue.code === 'unrecognized_keys')
    return issue.keys
      .slice(0, 100)
      .map((key) => faultAt(text.placeOfKey(path, key), [...path, key], `is an ${wordUnknownKey(schema, path, key)}`));
  if (issue.code === 'invalid_union') {
    const meant = meantOf(issue.errors);
    if (meant) return meant.flatMap((inner) => faultsOf(schema, inner, path, text));
    const { options } = issue as { options?: unknown[] };
    const choices = Array.isArray(options) ? `must be one of ${options.join(', ')}` : 'has none of its forms';
    return [faultAt(text.placeOf(path), path, choices)];
  }
  return [faultAt(text.placeOf(path), path, goingOn(wordIssue(issue)))];
}

/** The form of a union that the writer most likely meant: the one with the fewest faults. */
function meantOf(errors: readonly (readonly Issue[])[]): readonly Issue[] | null {
  const weigh = (issues: readonly Issue[]): number =>
    issues.reduce((sum, issue) => sum + (issue.code === 'unrecognized_keys' ? 1 + issue.keys.length : 1), 0);
  return errors.toSorted((a, b) => weigh(a) - weigh(b))[0] ?? null;
}

/** The words of a configuration follow a colon; here they follow the name of a field. */
function goingOn(words: string): string {
  return words.startsWith('expected ') ? `is not as it should be: ${words}` : words;
}
