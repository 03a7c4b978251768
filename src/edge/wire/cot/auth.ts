import { writeXml } from './xml.ts';

/**
 * Writes the first message to a server that requires a user name and password. TAK clients send the same message once
 * TLS is established (ATAK, streamingsocketmanagement.cpp).
 */
export function writeAuth(username: string, password: string, uid: string): Uint8Array {
  const cot = { name: 'cot', attributes: { username, password, uid } };
  return Buffer.from(`<?xml version="1.0"?>\n${writeXml({ name: 'auth', attributes: {}, children: [cot] })}`, 'utf8');
}
