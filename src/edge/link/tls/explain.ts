import { codeOf, explain } from '../explain.ts';

/**
 * State of a connection. `peer` is the address as the owner wrote it, `expected` the expected name of the server.
 * `hasOwn` is true if we have a client certificate. `isOpen` is true once bytes may be sent.
 */
type Context = { peer: string; expected: string; hasOwn: boolean; isOpen: boolean };

type Sentence = (context: Context) => string;

const unknownAuthority: Sentence = ({ peer }) =>
  `the certificate of ${peer} is of an unknown authority: set that authority's certificate as ca_pem of the credentials`;
const noTls: Sentence = ({ peer }) => `${peer} does not speak TLS: check the port, or use tcp_client`;
const tooOld: Sentence = ({ peer }) => `${peer} does not support TLS 1.2 or later`;
const refusesOurs: Sentence = ({ peer }) => `${peer} refuses our certificate`;
const wantsOurs: Sentence = ({ peer, hasOwn, isOpen }) => {
  if (isOpen) return `${peer} ended the TLS connection, perhaps because this box refused a second handshake`;
  return hasOwn
    ? `${peer} refuses the handshake: it does not accept our certificate, or shares no cipher`
    : `${peer} asks for a client certificate: set cert_pem and key_pem, or p12, of the credentials`;
};

/** Sentences by the error codes of OpenSSL and Node.js, whose own texts are for programmers. */
const sentences: Readonly<Record<string, Sentence>> = {
  CERT_HAS_EXPIRED: ({ peer }) => `the certificate of ${peer} has expired, or the clock of this box is wrong`,
  CERT_NOT_YET_VALID: ({ peer }) => `the certificate of ${peer} is not valid yet, or the clock of this box is wrong`,
  UNABLE_TO_GET_ISSUER_CERT: unknownAuthority,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: unknownAuthority,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: unknownAuthority,
  SELF_SIGNED_CERT_IN_CHAIN: unknownAuthority,
  DEPTH_ZERO_SELF_SIGNED_CERT: unknownAuthority,
  CERT_SIGNATURE_FAILURE: ({ peer }) => `the certificate of ${peer} has a wrong signature`,
  CERT_CHAIN_TOO_LONG: ({ peer }) => `${peer} sends a chain of certificates that is too long`,
  INVALID_CA: ({ peer }) => `the certificate of ${peer} was issued by a certificate that is no authority`,
  INVALID_PURPOSE: ({ peer }) => `the certificate of ${peer} is not for a server`,
  ERR_TLS_CERT_ALTNAME_INVALID: ({ peer, expected }) =>
    `the certificate of ${peer} does not contain the name ${expected}: set tls.server_name to its name, or tls.verify to chain`,
  ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED: (context) => wantsOurs({ ...context, isOpen: false }),
  ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE: wantsOurs,
  ERR_SSL_TLSV1_ALERT_UNKNOWN_CA: ({ peer }) => `${peer} does not know the authority of our certificate`,
  ERR_SSL_SSLV3_ALERT_CERTIFICATE_EXPIRED: ({ peer }) => `${peer} refuses our certificate as expired`,
  ERR_SSL_SSLV3_ALERT_CERTIFICATE_REVOKED: ({ peer }) => `${peer} refuses our certificate as revoked`,
  ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE: refusesOurs,
  ERR_SSL_SSLV3_ALERT_CERTIFICATE_UNKNOWN: refusesOurs,
  ERR_SSL_SSLV3_ALERT_UNSUPPORTED_CERTIFICATE: refusesOurs,
  ERR_SSL_TLSV1_ALERT_ACCESS_DENIED: refusesOurs,
  ERR_SSL_TLSV1_ALERT_DECRYPT_ERROR: refusesOurs,
  ERR_SSL_TLSV1_UNRECOGNIZED_NAME: ({ peer, expected }) =>
    `${peer} does not serve the name ${expected}: set tls.server_name`,
  ERR_SSL_WRONG_VERSION_NUMBER: noTls,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: noTls,
  ERR_SSL_HTTP_REQUEST: noTls,
  ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION: tooOld,
  ERR_SSL_UNSUPPORTED_PROTOCOL: tooOld,
  ERR_SSL_EXCESSIVE_MESSAGE_SIZE: ({ peer }) => `${peer} sends more than 100 kB of certificates`,
};

/** Returns a sentence about a peer that closed the connection during the handshake without a reason. */
export function closedSentence({ peer, hasOwn }: Context): string {
  const why = hasOwn ? 'it may not accept our certificate' : 'it may ask for a client certificate';
  return `${peer} closed the connection during the TLS handshake: ${why}`;
}

/**
 * Returns a sentence about a failed TLS connection. It quotes nothing from certificates, which an attacker may have
 * made.
 */
export function explainTls(error: Error, context: Context): string {
  const { peer } = context;
  const code = codeOf(error) ?? '';
  const sentence = sentences[code];
  if (sentence !== undefined) return sentence(context);
  // The `reason` of an OpenSSL error comes from a fixed vocabulary, so it may be quoted.
  if ('reason' in error && typeof error.reason === 'string') return `TLS with ${peer} failed: ${error.reason}`;
  if (code === 'ECONNRESET' && !context.isOpen) return closedSentence(context);
  return explain(peer, error);
}
