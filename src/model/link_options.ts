import { z } from 'zod';
import { faultsOfIssues } from './issue.ts';
import type { Protocol } from './link.ts';
import { mqttClientId, topicFilter } from './mqtt.ts';

const mqttOptions = z.strictObject({
  topics: z.array(topicFilter).min(1).max(64).default(['#']).describe('topics to subscribe to'),
  client_id: mqttClientId.nullable().default(null).describe('null for a random id at each opening'),
});
export type MqttLinkOptions = z.infer<typeof mqttOptions>;

/** Returns the options of an MQTT link, with defaults for absent options. */
export function mqttLinkOptions(options: Readonly<Record<string, unknown>>): MqttLinkOptions {
  return mqttOptions.parse(options);
}

/**
 * Editions of the ASTERIX categories that Dunlin decodes. To add an edition, extend this table and
 * src/edge/wire/asterix/tables.
 */
const editions = {
  '021': z.enum(['2.6']),
  '023': z.enum(['1.3']),
  '034': z.enum(['1.29']),
  '048': z.enum(['1.32']),
  '062': z.enum(['1.20']),
  '063': z.enum(['1.7']),
  '065': z.enum(['1.6']),
} as const;
export type AsterixCategory = keyof typeof editions;
export type AsterixEditions = { [C in AsterixCategory]: z.infer<(typeof editions)[C]> };

/** Options of an ASTERIX link. */
export const asterixOptionsSchema = z.strictObject({
  editions: z
    .strictObject(editions)
    .partial()
    .default({})
    .describe('edition of a category by its number, such as `{"062": "1.20"}`'),
  sources: z
    .record(z.string().regex(/^\d{1,3}\/\d{1,3}$/, 'must be SAC/SIC, such as 204/17'), z.string().min(1).max(60))
    .default({})
    .describe('name of the sensor of a source, by SAC/SIC, such as `{"204/17": "mast radar"}`'),
});
export type AsterixOptions = z.infer<typeof asterixOptionsSchema>;

/** Options of a SAPIENT link. */
export const sapientOptionsSchema = z.strictObject({
  fusion: z
    .boolean()
    .default(false)
    .describe(
      'true if fusion nodes, such as other boxes, connect to this link: their reports are tracks with correlated errors',
    ),
});

/** Returns the options of a SAPIENT link, with defaults for absent options. */
export function sapientLinkOptions(options: LinkOptions = {}): z.infer<typeof sapientOptionsSchema> {
  return sapientOptionsSchema.parse(options);
}

/** Unparsed field `options` of a link; `linkOptions` has the schema of each protocol. */
export type LinkOptions = Readonly<Record<string, unknown>>;

/** Schemas of the link field `options`, by protocol. A protocol without an entry has no options. */
export const linkOptions: { readonly [P in Protocol]?: z.ZodObject } = {
  asterix: asterixOptionsSchema,
  mqtt: mqttOptions,
  sapient: sapientOptionsSchema,
};

/** Returns the names of a protocol's options. */
export function optionsOf(protocol: Protocol): readonly string[] {
  return Object.keys(linkOptions[protocol]?.shape ?? {});
}

/** Returns the protocols that have an option of this name. */
export function protocolsWith(option: string): readonly string[] {
  return Object.entries(linkOptions).flatMap(([protocol, { shape }]) => (option in shape ? [protocol] : []));
}

/** Fault of a link option: `key` is the path of the option, with dots between its parts. */
export type OptionProblem = { key: string; sentence: string };

/** Returns all faults of a link's options. */
export function optionProblems(protocol: Protocol, options: LinkOptions): OptionProblem[] {
  const schema = linkOptions[protocol] ?? z.strictObject({});
  return (schema.safeParse(options).error?.issues ?? []).flatMap((issue) => {
    const faults = faultsOfIssues([issue], 'options', options);
    if (issue.code === 'unrecognized_keys' && issue.path.length === 0)
      return issue.keys.map((key) => ({ key, sentence: unknownOption(protocol, key) }));
    // The text of a fault begins with the field in quotes. This beginning is cut off, because `key` names the field.
    return faults.map(({ path, text }) => ({ key: path, sentence: text.slice(path.length + 3) }));
  });
}

function unknownOption(protocol: Protocol, key: string): string {
  const others = protocolsWith(key);
  if (others.length > 0)
    return `is an option of the protocol ${others.join(' and ')}, and this link has the protocol ${protocol}`;
  const own = optionsOf(protocol);
  return own.length === 0
    ? `is unknown: the protocol ${protocol} has no options`
    : `is unknown: the protocol ${protocol} has only ${own.join(', ')}`;
}
