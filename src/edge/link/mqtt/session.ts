import type { Publish } from '../../wire/mqtt/publish.ts';

/** Parameters of the session between a link and its broker. Each opening begins a new session. */
export type MqttSession = {
  /** Client id; null for a random id at each opening. */
  clientId: string | null;
  /** Topic filters to subscribe to. */
  topics: readonly string[];
  /** Message that the broker publishes when this client disappears without DISCONNECT; null for none. */
  will: Publish | null;
  /**
   * Topic filters whose retained messages, left by an earlier session, are read after the opening. If there are any,
   * messages that are not retained are ignored, since the broker would only return our own.
   */
  leftovers: readonly string[];
};

/** Returns the login of credentials; null if they have no user name. */
export function loginOf(credentials: { username: string | null; password: string | null } | null): MqttLogin | null {
  const { username = null, password = null } = credentials ?? {};
  return username === null ? null : { username, password };
}

/** User name and password for an MQTT broker. */
export type MqttLogin = { username: string; password: string | null };
