/** Layout of a packed row from layouts.ts: the offset of each column by its name, and the width of the row. */
type Layout = Readonly<Record<string, number>> & { readonly width: number };

/**
 * One value for each column of a layout. After a column is added or removed, code that writes such rows does not
 * compile.
 */
export type RowValues<L extends Layout> = Record<Exclude<keyof L, 'width'>, number>;

/** Packs rows of single-number columns. Not for hot paths, because it looks up each column by name. */
export function packRows<L extends Layout>(layout: L, rows: readonly RowValues<L>[]): Float64Array {
  const { width, ...columns } = layout;
  const packed = new Float64Array(rows.length * width);
  for (const [name, column] of Object.entries(columns)) {
    for (const [i, row] of rows.entries()) packed[i * width + column] = row[name as keyof RowValues<L>];
  }
  return packed;
}

export function packRow<L extends Layout>(layout: L, row: RowValues<L>): Float64Array {
  return packRows(layout, [row]);
}
