/** Numbers with a cost each, the cheapest first; of equal cost the one with the least number. */
export class MinHeap {
  readonly #costs: number[] = [];
  readonly #items: number[] = [];

  get size(): number {
    return this.#items.length;
  }

  clear(): void {
    this.#costs.length = 0;
    this.#items.length = 0;
  }

  push(cost: number, item: number): void {
    const [costs, items] = [this.#costs, this.#items];
    let at = items.length;
    costs.push(cost);
    items.push(item);
    while (at > 0) {
      const above = (at - 1) >> 1;
      if (!this.#isLess(at, above)) break;
      this.#swap(at, above);
      at = above;
    }
  }

  /** Null where nothing is left. */
  pop(): { cost: number; item: number } | null {
    const [costs, items] = [this.#costs, this.#items];
    const [cost, item] = [costs[0], items[0]];
    if (cost === undefined || item === undefined) return null;
    this.#swap(0, items.length - 1);
    costs.pop();
    items.pop();
    let at = 0;
    for (;;) {
      const [left, right] = [2 * at + 1, 2 * at + 2];
      let least = at;
      if (left < items.length && this.#isLess(left, least)) least = left;
      if (right < items.length && this.#isLess(right, least)) least = right;
      if (least === at) break;
      this.#swap(at, least);
      at = least;
    }
    return { cost, item };
  }

  #isLess(a: number, b: number): boolean {
    const [costA = 0, costB = 0] = [this.#costs[a], this.#costs[b]];
    return costA < costB || (costA === costB && (this.#items[a] ?? 0) < (this.#items[b] ?? 0));
  }

  #swap(a: number, b: number): void {
    const [costs, items] = [this.#costs, this.#items];
    const [cost = 0, item = 0] = [costs[a], items[a]];
    costs[a] = costs[b] ?? 0;
    items[a] = items[b] ?? 0;
    costs[b] = cost;
    items[b] = item;
  }
}
