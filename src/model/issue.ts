import type { z } from 'zod';
import { closest } from './closest.ts';
import { type Fault, type FieldFault, invalidInput } from './fault.ts';
import { keysAt } from './schema_keys.ts';

type Issue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];

/**
 * Formats a path as text, for example `placement.lat` or `obs[3].sigma.h_m`. A key with special characters, or of more
 * than 60 characters, is quoted in brackets and cut to 60 characters.
 */
export function pathText(path: Path): string {
  let text = '';
  for (const step of path) {
    if (typeof step === 'number') text += `[${step}]`;
    else if (/^\w{1,60}$/.test(String(step))) text += text === '' ? String(step) : `.${String(step)}`;
    else text += `[${JSON.stringify(String(step).slice(0, 60))}]`;
  }
  return text;
}

/** Limit of the faults that a refusal lists. Without a limit, a hostile body could cause one fault for each byte. */
const MOST_FAULTS = 100;

/**
 * Returns a sentence about the first issue of a failed validation, and counts further issues. `whole` names the
 * validated document, for example "the body". It begins the sentence if the issue concerns no single field.
 */
export function sentenceOfIssues(issues: readonly Issue[], whole: string, input: unknown): string {
  const [first] = issues.slice(0, 1).flatMap((issue) => faultsOf(issue, whole, input));
  const all = distinct(issues).reduce(
    (n, issue) => n + (issue.code === 'unrecognized_keys' ? issue.keys.length : 1),
    0,
  );
  return first === undefined ? `${whole} is not valid` : withCount(first.text, all - 1);
}

/**
 * Converts failed validations into the refusal of a request, with at most `MOST_FAULTS` faults. With the `schema` of the
 * input, unknown fields are compared with its known ones.
 */
export function faultOfIssues(issues: readonly Issue[], whole: string, input: unknown, schema?: z.ZodType): Fault {
  return faultOfAll(faultsOfIssues(issues, whole, input, schema), whole);
}

/** Builds the refusal of a request from its faults. */
export function faultOfAll(faults: readonly FieldFault[], whole: string): Fault {
  const [first] = faults;
  if (first === undefined) return invalidInput(`${whole} is not valid`);
  return invalidInput(withCount(first.text, faults.length - 1), { faults: faults.slice(0, MOST_FAULTS) });
}

/** Returns one fault for each field that is missing, wrong or unknown. */
export function faultsOfIssues(
  issues: readonly Issue[],
  whole: string,
  input: unknown,
  schema?: z.ZodType,
): FieldFault[] {
  const guess = schema === undefined ? noGuess : guessesOf(schema);
  return distinct(issues).flatMap((issue) => faultsOf(issue, whole, input, guess));
}

/**
 * Drops issues that only follow from a wrong type. For a list in place of a text, the type is reported, but not the
 * length.
 */
function distinct(issues: readonly Issue[]): Issue[] {
  const wrong = new Set<string>();
  return issues.filter(({ code, path }) => {
    const place = path.join('\n');
    if (code !== 'unrecognized_keys' && wrong.has(place)) return false;
    if (code === 'invalid_type') wrong.add(place);
    return true;
  });
}

function withCount(sentence: string, more: number): string {
  return more === 0 ? sentence : `${sentence} (and ${more} more ${more === 1 ? 'fault' : 'faults'})`;
}

type Guess = (path: Path, key: string) => string;

const noGuess: Guess = () => '';

/** Limit of guesses in one refusal: a hostile body may have an unknown field for each few bytes. */
const MOST_GUESSES = 10;

/** Returns a function that asks for the known field most similar to an unknown one. */
function guessesOf(schema: z.ZodType): Guess {
  let left = MOST_GUESSES;
  return (path, key) => {
    if (left === 0) return '';
    left--;
    const meant = closest(key, keysAt(schema, path));
    return meant === null ? '' : `; did you mean '${meant}'?`;
  };
}

function faultsOf(issue: Issue, whole: string, input: unknown, guess = noGuess): FieldFault[] {
  if (issue.code !== 'unrecognized_keys')
    return [{ path: pathText(issue.path), text: sentenceOfIssue(issue, whole, input) }];
  return issue.keys.map((key) => {
    const path = pathText([...issue.path, key]);
    return { path, text: `'${path}' is not a known field${guess(issue.path, key)}` };
  });
}

function sentenceOfIssue(issue: Issue, whole: string, input: unknown): string {
  const field = issue.path.length === 0 ? whole : `'${pathText(issue.path)}'`;
  switch (issue.code) {
    case 'invalid_type':
      return wrongType(issue, field, valueAt(input, issue.path));
    case 'invalid_value': {
      const wanted = `${issue.values.length === 1 ? '' : 'one of '}${issue.values.map(String).join(', ')}`;
      return valueAt(input, issue.path) === undefined
        ? `${field} is missing: it must be ${wanted}`
        : `${field} must be ${wanted}`;
    }
    case 'too_big':
    case 'too_small':
      return outOfRange(issue, field);
    case 'invalid_format':
      // A pattern may have a message of its own, which says what the text must be.
      if (issue.format === 'regex' && issue.message.startsWith('must ')) return `${field} ${issue.message}`;
      return `${field} must be ${formats[issue.format] ?? 'in the form that the interface describes'}`;
    case 'not_multiple_of':
      return `${field} must be a multiple of ${issue.divisor}`;
    case 'invalid_key':
      return `${field} has a key that is not allowed`;
    case 'invalid_union':
      if ('options' in issue && Array.isArray(issue.options))
        return `${field} must be one of ${issue.options.join(', ')}`;
      return `${field} has none of the allowed forms`;
    default:
      // The message of a custom rule continues a sentence that begins with the name of the field.
      return `${field} ${issue.message}`;
  }
}

const formats: Record<string, string> = {
  uuid: 'a UUID',
  datetime: 'a time in the form of RFC 3339, for example 2025-06-01T12:00:00.000Z',
};

const kinds: Record<string, string> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  array: 'a list',
  tuple: 'a list',
  record: 'an object',
  null: 'null',
};

function wrongType(issue: z.core.$ZodIssueInvalidType, field: string, value: unknown): string {
  const wanted = kinds[issue.expected] ?? issue.expected;
  if (value === undefined) return `${field} is missing: it must be ${wanted}`;
  return `${field} must be ${wanted}, not ${kindOf(value)}`;
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) return 'a number without a finite value';
    return Number.isInteger(value) ? 'a number' : 'a fraction';
  }
  return kinds[typeof value] ?? typeof value;
}

function outOfRange(issue: z.core.$ZodIssueTooBig | z.core.$ZodIssueTooSmall, field: string): string {
  const small = issue.code === 'too_small';
  const bound = small ? issue.minimum : issue.maximum;
  if (issue.origin === 'string')
    return `${field} must have ${small ? 'at least' : 'at most'} ${counted(bound, 'character')}`;
  if (issue.origin === 'array')
    return `${field} must have ${small ? 'at least' : 'at most'} ${counted(bound, 'entry')}`;
  if (issue.inclusive === false) return `${field} must be ${small ? 'greater' : 'less'} than ${bound}`;
  return `${field} must be ${small ? 'at least' : 'at most'} ${bound}`;
}

function counted(n: number | bigint, noun: string): string {
  if (Number(n) === 1) return `1 ${noun}`;
  return `${n} ${noun.endsWith('y') ? `${noun.slice(0, -1)}ies` : `${noun}s`}`;
}

function valueAt(input: unknown, path: Path): unknown {
  let value = input;
  for (const step of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined;
    value = (value as Record<PropertyKey, unknown>)[step];
  }
  return value;
}
