import { writeXml } from './xml.ts';

/**
 * First message to a server that asks for a name and a password. TAK clients send it in the same form once TLS is
 * established (ATAK, streamingsocketmanagement.cpp).
 */
export function writeAuth(username: string, password: string, uid: string): Uint8Array {
  const cot = { name: 'cot', attributes: { username, password, uid } };
  return Buffer.from(`<?xml version="1.0"?>\n${writeXml({ name: 'auth', attributes: {}, children: [cot] })}`, 'utf8');
}
