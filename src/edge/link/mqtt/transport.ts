import type { MqttLinkOptions } from '../../../model/link_options.ts';
import type { FullDeps } from '../deps.ts';
import type { Transport } from '../port.ts';
import { mqttPort } from './port.ts';
import type { MqttSession } from './session.ts';

/** Adds an MQTT session to a byte transport. Silence does not reopen the session, since pings detect a dead broker. */
export function mqttTransport(below: Transport, peer: string, session: MqttSession, deps: FullDeps): Transport {
  return {
    ...below,
    port: (events) => mqttPort(below, { peer, session, login: deps.login }, events, deps),
    onSilence: 'note',
  };
}

export function sessionOfLink({ topics, client_id: clientId }: MqttLinkOptions): MqttSession {
  return { clientId, topics, will: null, leftovers: [] };
}
