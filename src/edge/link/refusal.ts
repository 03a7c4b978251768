/**
 * Error for a peer that answered and refused the connection. An early retry cannot help, so the next attempt is after a
 * minute.
 */
export class PeerRefusal extends Error {}
