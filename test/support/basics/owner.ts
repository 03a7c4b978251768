/** Whose end ends what was made for it: a test, or a script that is none. */
export type Owner = { teardown(act: () => unknown): void };
