import type { Publish } from '../../wire/mqtt/publish.ts';

/** Session that a link holds with its broker, anew at each opening. */
export type MqttSession = {
  /** Null: a random one at each opening. */
  clientId: string | null;
  /** Topic filters to subscribe to. */
  topics: readonly string[];
  /** Message that the broker publishes when this client goes without a word. */
  will: Publish | null;
  /**
   * Topic filters whose retained messages are read once after the opening: those that an earlier session left. Their
   * later messages are our own, which the broker would send back.
   */
  leftovers: readonly string[];
};

/** Name and password of credentials; null without a name. */
export function loginOf(credentials: { username: string | null; password: string | null } | null): MqttLogin | null {
  const { username = null, password = null } = credentials ?? {};
  return username === null ? null : { username, password };
}

/** Name and password for the broker. */
export type MqttLogin = { username: string; password: string | null };
