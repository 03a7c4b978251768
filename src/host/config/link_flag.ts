import { z } from 'zod';
import { invalidInput } from '../../model/fault.ts';
import { type LinkConfig, linkConfigSchema, type Protocol } from '../../model/link.ts';
import { linkOptions, optionProblems } from '../../model/link_options.ts';
import { addressProblem } from './link_checks.ts';
import { wordIssue, wordUnknownKey } from './wording.ts';

const numbers: ReadonlySet<string> = new Set(['baud', 'max_msgs_per_s', 'silence_s']);
const lists: ReadonlySet<string> = new Set(['sources_allow']);
const OPTION = 'options.';
const TLS = 'tls.';

type Row = Record<string, unknown>;
type Pair = { key: string; value: string };

/**
 * Parses a link in the form of the command line: `name=rid,transport=udp,address=127.0.0.1:14550,protocol=mavlink`. A
 * key whose value is a list is repeated for each entry. Nested keys are written with dots: protocol options
 * (`options.topics=a/b`), entries of a table (`options.editions.062=1.20`), TLS settings (`tls.verify=chain`). Throws
 * an `invalid_input` Fault whose sentence names every wrong key.
 */
export function parseLinkSpec(text: string): LinkConfig {
  const { row, problems } = readPairs(text);
  const result = linkConfigSchema.safeParse(row, { reportInput: true });
  for (const issue of result.error?.issues ?? []) {
    if (issue.code !== 'unrecognized_keys') problems.push(`${issue.path.join('.')}: ${wordIssue(issue)}`);
    else
      for (const key of issue.keys)
        problems.push(`${[...issue.path, key].join('.')}: ${wordUnknownKey(linkConfigSchema, issue.path, key)}`);
  }
  if (result.success) problems.push(...problemsBeyondSchema(result.data));
  if (!result.success || problems.length > 0) {
    throw invalidInput(`--link ${text.slice(0, 120)}: ${problems.join('; ')}`);
  }
  return result.data;
}

function problemsBeyondSchema(link: LinkConfig): string[] {
  const address = addressProblem(link);
  const options = optionProblems(link.protocol, link.options);
  return [
    ...(address === null ? [] : [`address: ${address}`]),
    ...options.map(({ key, sentence }) => `options.${key}: ${sentence}`),
  ];
}

function readPairs(text: string): { row: Row; problems: string[] } {
  const row = new Map<string, unknown>();
  const problems: string[] = [];
  const options: Pair[] = [];
  const tls = new Map<string, unknown>();
  for (const pair of text.split(',')) {
    const [, key, value] = /^\s*([a-z_]+|tls\.[a-z_]+|options\.[^=\s]+)\s*=(.*)$/is.exec(pair) ?? [];
    if (key === undefined || value === undefined) {
      problems.push(`${JSON.stringify(pair)} is not key=value`);
    } else if (key.startsWith(OPTION)) {
      options.push({ key: key.slice(OPTION.length), value: value.trim() });
    } else if (key.startsWith(TLS)) {
      if (tls.has(key.slice(TLS.length))) problems.push(`${key}: is given twice`);
      tls.set(key.slice(TLS.length), value.trim());
    } else if (lists.has(key)) {
      row.set(key, [...((row.get(key) as string[] | undefined) ?? []), value.trim()]);
    } else if (row.has(key)) {
      problems.push(`${key}: is given twice`);
    } else {
      row.set(key, typed(key, value.trim()));
    }
  }
  if (options.length > 0) row.set('options', optionsOf(options, row.get('protocol'), problems));
  if (tls.size > 0) row.set('tls', Object.fromEntries(tls));
  return { row: Object.fromEntries(row), problems };
}

/** Converts a value of the command line to the number or boolean that the schema expects. Other values stay text. */
function typed(key: string, value: string): unknown {
  if (numbers.has(key) && /^\d+(\.\d+)?$/.test(value)) return Number(value);
  if (key === 'enabled' && (value === 'true' || value === 'false')) return value === 'true';
  return value;
}

/**
 * Converts the values of protocol options to the types in the protocol's schema. An unknown option stays text, and the
 * schema refuses it later.
 */
function optionsOf(pairs: readonly Pair[], protocol: unknown, problems: string[]): Row {
  const shape = linkOptions[protocol as Protocol]?.shape ?? {};
  const options = new Map<string, unknown>();
  for (const { key, value } of pairs) {
    const dot = key.indexOf('.');
    const name = dot < 0 ? key : key.slice(0, dot);
    const expected = bare(shape[name]);
    const before = options.get(name);
    if (expected instanceof z.ZodArray) {
      options.set(name, [...((before as unknown[] | undefined) ?? []), value]);
    } else if (dot >= 0) {
      const entry = key.slice(dot + 1);
      if (Object.hasOwn((before as Row | undefined) ?? {}, entry)) problems.push(`options.${key}: is given twice`);
      else
        options.set(name, Object.fromEntries([...Object.entries((before as Row | undefined) ?? {}), [entry, value]]));
    } else if (options.has(name)) {
      problems.push(`options.${key}: is given twice`);
    } else {
      options.set(name, optionValue(expected, value));
    }
  }
  return Object.fromEntries(options);
}

function optionValue(expected: unknown, value: string): unknown {
  if (expected instanceof z.ZodNumber && /^-?\d+(\.\d+)?$/.test(value)) return Number(value);
  if (expected instanceof z.ZodBoolean && (value === 'true' || value === 'false')) return value === 'true';
  return value;
}

/** Returns the inner schema of an optional, nullable or default schema. */
function bare(schema: unknown): unknown {
  let inner = schema;
  while (inner instanceof z.ZodOptional || inner instanceof z.ZodNullable || inner instanceof z.ZodDefault)
    inner = inner.unwrap();
  return inner;
}
