/** Offsets of a packed row's columns by name, and the width of the row: an object of layouts.ts. */
type Layout = Readonly<Record<string, number>> & { readonly width: number };

/** A value for each column. Where a column is added or removed, code that writes rows no longer compiles. */
export type RowValues<L extends Layout> = Record<Exclude<keyof L, 'width'>, number>;

/** Packs rows whose columns are single numbers. It is not for hot paths, because columns are found by name. */
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
