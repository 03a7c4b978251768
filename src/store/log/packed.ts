// Apart from the documents and their schemas, which the thread has no use for and would pay for in memory.

/** From the least to the most valuable: a full queue gives rows up in this order. */
export const kinds = ['detection', 'point', 'track', 'event'] as const;
export type Kind = (typeof kinds)[number];

export type Scalar = string | number | null;

/** A row on its way to the thread: its kind, its time, and the other columns in the order of the statement. */
export type PackedRow = readonly [kind: Kind, atMs: number, ...values: Scalar[]];

/** A row as a query answers it: columns in the order of the query. */
export type RawRow = readonly Scalar[];
