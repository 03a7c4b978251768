import type { z } from 'zod';

type Issue = z.core.$ZodIssue;

export const NOT_A_TIME = 'must be a time as RFC 3339 has it, with seconds and an offset or Z';

/** `position.lat`, `identity[0].type`; a key that is no plain word stands in brackets, cut to 60 characters. */
function pathText(path: readonly PropertyKey[]): string {
  let text = '';
  for (const step of path) {
    if (typeof step === 'number') text += `[${step}]`;
    else if (/^\w{1,60}$/.test(String(step))) text += text === '' ? String(step) : `.${String(step)}`;
    else text += `[${JSON.stringify(String(step).slice(0, 60))}]`;
  }
  return text;
}

/** One sentence for a broken rule: the field's path, a colon and the rule. */
export function sentenceOfIssue(issue: Issue): string {
  const path = issue.code === 'unrecognized_keys' ? [...issue.path, issue.keys[0] ?? ''] : issue.path;
  const field = pathText(path);
  return `${field === '' ? 'the observation' : field}: ${ruleOf(issue)}`;
}

function ruleOf(issue: Issue): string {
  if (issue.input === undefined && issue.code.startsWith('invalid_')) return 'is missing';
  switch (issue.code) {
    case 'unrecognized_keys':
      return 'is not a field of an observation';
    case 'invalid_type':
      return `must be ${kinds[issue.expected] ?? issue.expected}`;
    case 'invalid_value':
      return `must be one of ${issue.values.map(String).join(', ')}`;
    case 'too_small':
    case 'too_big':
      return boundOf(issue);
    case 'invalid_format':
      return NOT_A_TIME;
    default:
      return issue.message;
  }
}

const kinds: Readonly<Record<string, string>> = {
  object: 'an object',
  array: 'a list',
  string: 'a text',
  number: 'a finite number',
};

function boundOf(issue: z.core.$ZodIssueTooBig | z.core.$ZodIssueTooSmall): string {
  const small = issue.code === 'too_small';
  const bound = small ? issue.minimum : issue.maximum;
  const side = small ? 'at least' : 'at most';
  if (issue.origin === 'string') return `must have ${side} ${bound} character${bound === 1 ? '' : 's'}`;
  if (issue.origin === 'array') return `must have ${side} ${bound} entries`;
  return issue.inclusive === false ? `must be ${small ? 'more' : 'less'} than ${bound}` : `must be ${side} ${bound}`;
}
