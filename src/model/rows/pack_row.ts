/** Offsets of a packed row's columns by name, with its width: an object of layouts.ts. */
type Layout = Readonly<Record<string, number>> & { readonly width: number };

/** A value for each column: a column that is added to the table or taken away does not compile where rows are written. */
export type RowValues<L extends Layout> = Record<Exclude<keyof L, 'width'>, number>;

/** Rows of columns that are one number wide, one after another. Not for the hot path: columns are found by name. */
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
