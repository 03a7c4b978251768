import { z } from 'zod';

const MOST_BYTES = 65_535;

/**
 * Topic filter of a subscription (MQTT 3.1.1, section 4.7): `+` matches exactly one level, `#` all remaining levels.
 */
export const topicFilter = z
  .string()
  .min(1)
  .max(500)
  .refine(isTopicFilter, 'must be a topic filter such as wardragon/#: + stands for one whole level, # for the rest');

function isTopicFilter(filter: string): boolean {
  if (filter.includes('\0') || Buffer.byteLength(filter) > MOST_BYTES) return false;
  const levels = filter.split('/');
  return levels.every((level, index) => {
    if (level === '#') return index === levels.length - 1;
    return level === '+' || !/[+#]/.test(level);
  });
}

/** Client id at an MQTT broker. When a second session uses the same id, the broker closes the older session. */
export const mqttClientId = z
  .string()
  .regex(/^[\x21-\x7e]{1,128}$/, 'must be 1 to 128 characters of ASCII without blanks');

/** Topic levels that precede Dunlin's own levels. */
export const topicPrefix = z
  .string()
  .regex(/^[\w.-]{1,60}(\/[\w.-]{1,60}){0,4}$/, 'must be levels of letters, digits, _, - and ., such as site/dunlin');
