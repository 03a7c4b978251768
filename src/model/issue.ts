import type { z } from 'zod';

type Issue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];

/** `placement.lat`, `obs[3].sigma.h_m`; a key that is no plain word stands in brackets, cut to 60 characters. */
export function pathText(path: Path): string {
  let text = '';
  for (const step of path) {
    if (typeof step === 'number') text += `[${step}]`;
    else if (/^\w{1,60}$/.test(String(step))) text += text === '' ? String(step) : `.${String(step)}`;
    else text += `[${JSON.stringify(String(step).slice(0, 60))}]`;
  }
  return text;
}

/**
 * The first issue of a failed validation as a sentence that names the field and the rule. `whole` names the thing
 * itself, for an issue that is of no field: "the body".
 */
export function sentenceOfIssues(issues: readonly Issue[], whole: string, input: unknown): string {
  const first = issues[0];
  if (first === undefined) return `${whole} is not valid`;
  const more = issues.length - 1;
  const rest = more === 0 ? '' : ` (and ${more} more ${more === 1 ? 'fault' : 'faults'})`;
  return `${sentenceOfIssue(first, whole, input)}${rest}`;
}

function sentenceOfIssue(issue: Issue, whole: string, input: unknown): string {
  const field = issue.path.length === 0 ? whole : `'${pathText(issue.path)}'`;
  switch (issue.code) {
    case 'invalid_type':
      return wrongType(issue, field, valueAt(input, issue.path));
    case 'unrecognized_keys': {
      const unknown = pathText([...issue.path, issue.keys[0] ?? '']);
      return `'${unknown}' is not a field that is known here`;
    }
    case 'invalid_value':
      return `${field} must be ${issue.values.length === 1 ? '' : 'one of '}${issue.values.map(String).join(', ')}`;
    case 'too_big':
    case 'too_small':
      return outOfRange(issue, field);
    case 'invalid_format':
      // A pattern that says in its own words what it wants.
      if (issue.format === 'regex' && issue.message.startsWith('must ')) return `${field} ${issue.message}`;
      return `${field} must be ${formats[issue.format] ?? 'in the form the interface describes'}`;
    case 'not_multiple_of':
      return `${field} must be a multiple of ${issue.divisor}`;
    case 'invalid_key':
      return `${field} has a key that is not allowed`;
    case 'invalid_union':
      if ('options' in issue && Array.isArray(issue.options))
        return `${field} must be one of ${issue.options.join(', ')}`;
      return `${field} matches none of the forms it may have`;
    default:
      // Rules of our own go on from the field's name.
      return `${field} ${issue.message}`;
  }
}

const formats: Record<string, string> = {
  uuid: 'a UUID',
  datetime: 'a time as RFC 3339 has it, for example 2025-06-01T12:00:00.000Z',
};

const kinds: Record<string, string> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  array: 'a list',
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
