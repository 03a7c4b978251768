import type { CatalogModel } from '../../model/catalog.ts';
import { conflict } from '../../model/fault.ts';

/** Folds a name for comparison: case, spaces, hyphens and underscores are ignored. */
export function fold(name: string): string {
  return name
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[\s_\u2010-\u2015-]+/g, '');
}

/**
 * Returns the folded names of a model: its name, the maker's designation (`spec.model`), its aliases, and each of these
 * with and without the maker.
 */
function otherNames({ name, spec }: CatalogModel): Set<string> {
  const maker = fold(spec.maker ?? '');
  const names = [name, ...(spec.model === undefined ? [] : [spec.model]), ...(spec.aliases ?? [])].map(fold);
  const bare = names.flatMap((folded) =>
    maker !== '' && folded.startsWith(maker) && folded.length > maker.length ? [folded.slice(maker.length)] : [],
  );
  const full = [...names, ...bare].map((folded) => maker + folded);
  return new Set([...names, ...bare, ...full]);
}

/** Index of models by all their names. */
export class NameIndex<Model extends CatalogModel> {
  readonly #exact = new Map<string, Model>();
  readonly #other = new Map<string, Model[]>();

  constructor(models: Iterable<Model>) {
    for (const model of models) {
      this.#exact.set(fold(model.name), model);
      for (const name of otherNames(model)) {
        const bearers = this.#other.get(name);
        if (bearers) bearers.push(model);
        else this.#other.set(name, [model]);
      }
    }
  }

  /** Returns the model whose own name is `name`. Both are folded before the comparison. */
  named(name: string): Model | undefined {
    return this.#exact.get(fold(name));
  }

  /**
   * Finds the model with a name. Own names take precedence over other names. Throws `conflict` if several models have
   * the name.
   */
  find(name: string): Model | undefined {
    const folded = fold(name);
    const exact = this.#exact.get(folded);
    if (exact) return exact;
    const [first, ...more] = this.#other.get(folded) ?? [];
    if (more.length === 0) return first;
    const candidates = [first, ...more].map((model) => model?.name).join(', ');
    throw conflict(`the name '${name}' fits several models of the catalog: ${candidates}; use one of these names`);
  }
}
