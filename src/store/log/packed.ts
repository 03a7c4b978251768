// This module does not import the documents and their schemas. The history thread does not need them, and they would
// use memory there.

/** Kinds of rows, from the least to the most valuable. A full queue drops rows in this order. */
export const kinds = ['detection', 'point', 'track', 'event'] as const;
export type Kind = (typeof kinds)[number];

export type Scalar = string | number | null;

/** Row for the history thread: its kind, its time, and the other columns in the order of the insert statement. */
export type PackedRow = readonly [kind: Kind, atMs: number, ...values: Scalar[]];

/** Row as a query returns it: its columns in the order of the query. */
export type RawRow = readonly Scalar[];
