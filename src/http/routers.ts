import { Router, type RouterContext } from '@koa/router';
import type { Context, Middleware, Next } from 'koa';

type Handle = (ctx: RouterContext, next: () => Promise<unknown>) => Promise<unknown>;

/**
 * One router for each first two parts of a path: a router tests each of its routes for each request, and there are
 * hundreds of routes but few with the same beginning.
 */
export class Routers {
  readonly #byBeginning = new Map<string, { router: Router; serve: Middleware }>();

  /** `path` as the router takes it, with `:names`; the first two parts of it are words. */
  add(path: string, method: string, handle: Handle): void {
    this.#of(path).register(path, [method], [handle]);
  }

  serve = (ctx: Context, next: Next): Promise<unknown> => {
    return this.#byBeginning.get(beginningOf(ctx.path))?.serve(ctx, next) ?? next();
  };

  /** The routes of a path, whatever their methods. */
  matching(path: string): ReturnType<Router['match']>['path'] {
    return this.#byBeginning.get(beginningOf(path))?.router.match(path, 'GET').path ?? [];
  }

  #of(path: string): Router {
    const beginning = beginningOf(path);
    if (beginning.includes(':')) throw new TypeError(`${path} begins with a parameter`);
    const known = this.#byBeginning.get(beginning);
    if (known) return known.router;
    // Strict and case-sensitive: a path has one form, the one that the guard judged.
    const router = new Router({ strict: true, sensitive: true });
    this.#byBeginning.set(beginning, { router, serve: router.routes() as Middleware });
    return router;
  }
}

/** `/api/tracks` of `/api/tracks/T-1/history`. */
function beginningOf(path: string): string {
  const second = path.indexOf('/', 1);
  const third = second < 0 ? -1 : path.indexOf('/', second + 1);
  return third < 0 ? path : path.slice(0, third);
}
