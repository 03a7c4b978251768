/**
 * Error of a peer that answered that it refuses the connection. An early retry cannot help, so the next attempt is
 * after a minute.
 */
export class PeerRefusal extends Error {}
