import { z } from 'zod';
import { mqttClientId, topicPrefix } from './mqtt.ts';
import { between, textUpTo, wholeBetween } from './scalar.ts';
import { alertSeverities } from './zone.ts';

/** Options of an ASTERIX outlet. */
export const asterixOutSchema = z.strictObject({
  sac: wholeBetween(0, 255).describe('System Area Code of this system, which the receiver assigns'),
  sic: wholeBetween(0, 255).describe('System Identification Code of this system'),
});
export type AsterixOutOptions = z.infer<typeof asterixOutSchema>;

/** Options of a Cursor on Target outlet. */
export const cotOptionsSchema = z.strictObject({
  stale_s: between(1, 86_400)
    .default(30)
    .describe('time after the last observation at which an event becomes stale, s'),
  callsign: z
    .enum(['number', 'identity'])
    .default('number')
    .describe("identity: the track's number with the end of the serial"),
  delete: z.boolean().default(true).describe('true to delete ended tracks at the peer'),
  presence: z.boolean().default(true).describe('true to send the position of the box itself'),
  chat_least: z.enum(alertSeverities).nullable().default('critical').describe('least severity of a chat message'),
  format: z.enum(['xml', 'takproto1']).default('xml').describe('takproto1: TAK protobuf, only over udp'),
});
export type CotOptions = z.infer<typeof cotOptionsSchema>;

/** Options of a GDL 90 outlet. */
export const gdl90OptionsSchema = z.strictObject({
  qnh_hpa: between(850, 1_100)
    .nullable()
    .default(null)
    .describe(
      'pressure at sea level, hPa, from which the pressure altitudes of GDL 90 are computed; null sends no altitudes',
    ),
});
export type Gdl90Options = z.infer<typeof gdl90OptionsSchema>;

/** Options of an MQTT outlet. */
export const mqttOptionsSchema = z.strictObject({
  prefix: topicPrefix
    .default('dunlin')
    .describe('first levels of the topics; two outlets on one broker need different prefixes'),
  client_id: mqttClientId.nullable().default(null).describe('null for a random id at each opening'),
  home_assistant: z.boolean().default(false).describe('true to announce entities to Home Assistant'),
  slots: wholeBetween(0, 20).default(4).describe('number of trackers in Home Assistant, for the greatest threats'),
});
export type MqttOptions = z.infer<typeof mqttOptionsSchema>;

/** Options of a SAPIENT outlet. */
export const sapientOptionsSchema = z.strictObject({
  name: textUpTo(60)
    .nullable()
    .default(null)
    .describe('name of this node; null for `Dunlin` and the start of the node id'),
  short_name: textUpTo(20).default('DUN').describe('short name of this node'),
});
export type SapientOptions = z.infer<typeof sapientOptionsSchema>;
