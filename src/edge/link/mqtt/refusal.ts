import type { MqttLogin } from './session.ts';

type Refused = { peer: string; clientId: string; login: MqttLogin | null };

/** Sentences by the return code of CONNACK (MQTT 3.1.1, table 3.1). */
const sentences: Readonly<Record<number, (of: Refused) => string>> = {
  1: ({ peer }) => `${peer} does not speak MQTT 3.1.1`,
  2: ({ peer, clientId }) => `${peer} does not accept the client id ${clientId}: set another as options.client_id`,
  3: ({ peer }) => `${peer} accepts no sessions now: the broker is unavailable`,
  4: ({ peer, login }) =>
    `${peer} ${login === null ? 'asks for a user name and a password' : 'does not accept the user name or the password'}`,
  5: ({ peer, login }) =>
    login === null
      ? `${peer} requires a user name and a password, or does not authorise this client id`
      : `${peer} does not authorise the user ${login.username}`,
};

const NO_MQTT = 'is it an MQTT broker?';
const codeOf = (error: Error): unknown => ('code' in error ? error.code : undefined);

/** Returns a sentence about an error of the MQTT client. The texts of the client itself are for programmers. */
export function explainMqtt(error: Error, of: Refused, isOpen: boolean): string {
  const { peer } = of;
  const code = codeOf(error);
  const sentence = typeof code === 'number' && !isOpen ? sentences[code] : undefined;
  if (sentence !== undefined) return sentence(of);
  if (/connack timeout/i.test(error.message)) return `${peer} did not answer the request for a session: ${NO_MQTT}`;
  if (/keepalive timeout/i.test(error.message)) return `${peer} answered no ping: the connection is dead`;
  return `${peer} violated the MQTT protocol (${error.message.slice(0, 120)}): ${NO_MQTT}`;
}
