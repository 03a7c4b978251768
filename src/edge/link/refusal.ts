/** A peer answered that it refuses the connection. Trying again soon changes nothing, so the next attempt is later. */
export class PeerRefusal extends Error {}
