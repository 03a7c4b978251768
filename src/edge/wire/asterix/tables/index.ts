/*!
 * The tables in this folder are facts from asterix-specs (github.com/zoranbosnjak/asterix-specs, commit c2b3d67), read by a
 * program. Copyright (c) 2019, KZPS; BSD-3-Clause, see LICENSE.txt beside this file.
 */
import type { AsterixCategory, AsterixEditions, AsterixOptions } from '../../../../model/link_options.ts';
import { type Category, type CategoryTable, categoryOf } from '../notation.ts';
import { cat021 } from './cat021.ts';
import { cat023 } from './cat023.ts';
import { cat034 } from './cat034.ts';
import { cat048 } from './cat048.ts';
import { cat062 } from './cat062.ts';
import { cat063 } from './cat063.ts';
import { cat065 } from './cat065.ts';

/** Built-in editions of each category, the default edition first. */
const editions: { readonly [C in AsterixCategory]: { readonly [E in AsterixEditions[C]]: CategoryTable } } = {
  '021': { '2.6': cat021 },
  '023': { '1.3': cat023 },
  '034': { '1.29': cat034 },
  '048': { '1.32': cat048 },
  '062': { '1.20': cat062 },
  '063': { '1.7': cat063 },
  '065': { '1.6': cat065 },
};

/** Returns the categories by their numbers, in the chosen editions. */
export function categories(chosen: AsterixOptions['editions']): ReadonlyMap<number, Category> {
  return new Map(
    Object.entries(editions).flatMap(([category, tables]) => {
      const [first] = Object.keys(tables);
      const edition = chosen[category as AsterixCategory] ?? first ?? '';
      const table = (tables as Readonly<Record<string, CategoryTable>>)[edition];
      return table === undefined ? [] : [[Number(category), categoryOf(table)] as const];
    }),
  );
}
