import { z } from 'zod';
import type { Protocol } from './link.ts';

/** Options that only one protocol has: the schema of the link field `options`. Protocols without an entry have none. */
export const linkOptions: { readonly [P in Protocol]?: z.ZodObject } = {};

/** Names of the options of a protocol. */
export function optionsOf(protocol: Protocol): readonly string[] {
  return Object.keys(linkOptions[protocol]?.shape ?? {});
}

/** Protocols that have an option of this name. */
export function protocolsWith(option: string): readonly string[] {
  return Object.entries(linkOptions).flatMap(([protocol, { shape }]) => (option in shape ? [protocol] : []));
}

/** A fault of the options of a link: `key` names the option, with dots before parts of it. */
export type OptionProblem = { key: string; sentence: string };

/** All faults of the options of a link. */
export function optionProblems(protocol: Protocol, options: Readonly<Record<string, unknown>>): OptionProblem[] {
  const schema = linkOptions[protocol] ?? z.strictObject({});
  return (schema.safeParse(options).error?.issues ?? []).flatMap((issue) => {
    const path = issue.path.map(String).join('.');
    if (issue.code !== 'unrecognized_keys') return [{ key: path, sentence: issue.message }];
    return issue.keys.map((key) => ({
      key: path === '' ? key : `${path}.${key}`,
      sentence: unknownOption(protocol, key),
    }));
  });
}

function unknownOption(protocol: Protocol, key: string): string {
  const others = protocolsWith(key);
  if (others.length > 0) return `is an option of ${others.join(' and ')}, and this link is ${protocol}`;
  const own = optionsOf(protocol);
  return own.length === 0 ? `is unknown: ${protocol} has no options` : `is unknown: ${protocol} has ${own.join(', ')}`;
}
