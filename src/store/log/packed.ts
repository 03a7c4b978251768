// Separate from the documents and their schemas: the thread does not need them, and they would cost it memory.

/** Kinds of rows, from the least to the most valuable: a full queue drops rows in this order. */
export const kinds = ['detection', 'point', 'track', 'event'] as const;
export type Kind = (typeof kinds)[number];

export type Scalar = string | number | null;

/** A row for the thread: its kind, its time, and the other columns in the order of the insert statement. */
export type PackedRow = readonly [kind: Kind, atMs: number, ...values: Scalar[]];

/** A row as a query returns it: columns in the order of the query. */
export type RawRow = readonly Scalar[];
