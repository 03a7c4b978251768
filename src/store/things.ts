import type { State } from './state.ts';

export type Thing = { what: string; name: string };

/**
 * Returns a function that finds an object of a workspace by its id: an asset, zone, region, rule, scenario, link,
 * outlet, catalog entry or assignment. It returns null if there is none.
 */
export function thingFinder({ db }: State): (workspaceId: string, id: string) => Thing | null {
  const named = (table: string, what: string): string =>
    `SELECT '${what}' AS what, name FROM ${table} WHERE id = @id AND workspace_id = @workspaceId`;
  const find = db.prepare<[{ workspaceId: string; id: string }], Thing>(
    [
      named('assets', 'asset'),
      named('zones', 'zone'),
      named('regions', 'region'),
      named('rules', 'rule'),
      named('scenarios', 'scenario'),
      named('links', 'link'),
      named('outlets', 'outlet'),
      named('catalog_entries', 'catalog entry'),
      `SELECT 'assignment' AS what, coalesce(name, serial, id) AS name FROM assignments
       WHERE id = @id AND workspace_id = @workspaceId`,
    ].join(' UNION ALL '),
  );
  return (workspaceId, id) => find.get({ workspaceId, id }) ?? null;
}
