import { conflict } from '../model/fault.ts';
import type { OutletSpec } from '../model/outlet.ts';
import { mqttOptionsSchema } from '../model/outlet_options.ts';

/**
 * Throws a Fault `conflict` if another enabled MQTT outlet has the same prefix or client id at the same broker. With one
 * prefix, each outlet deletes the topics of the other. The broker disconnects one of two clients with one id (MQTT 3.1.1,
 * section 3.1.4).
 */
export function refuseSharedTopics(spec: OutletSpec, others: readonly OutletSpec[]): void {
  if (spec.kind !== 'mqtt' || !spec.enabled) return;
  const own = mqttOptionsSchema.parse(spec.options);
  for (const other of others) {
    if (other.kind !== 'mqtt' || !other.enabled || other.address !== spec.address) continue;
    const { prefix, client_id } = mqttOptionsSchema.parse(other.options);
    const at = `the outlet ${other.name} at ${other.address}`;
    if (prefix === own.prefix)
      throw conflict(`'options.prefix' ${prefix} is used by ${at}: give this outlet another prefix`);
    if (client_id !== null && client_id === own.client_id)
      throw conflict(`'options.client_id' ${client_id} is used by ${at}: give this outlet another client id, or null`);
  }
}
