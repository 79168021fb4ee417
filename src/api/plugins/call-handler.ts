import type { Operation } from '#contract/operation.ts';
import { ResponseOf, type Route, type RouteRequest } from '../route.ts';
import { cutPage, type PageQuery, type Whole } from './cut-page.ts';

/**
 * The outcome of a route's handler, in whatever thread. A list that the handler computes as a whole
 * is cut to the requested page. Throws invalid_cursor.
 */
export async function callHandler(
  { operation, handler }: Route,
  path: string,
  input: RouteRequest<Operation>,
): Promise<unknown> {
  const outcome: unknown = await handler(input);
  if (operation.pages !== 'cut') return outcome;
  const query: unknown = input.query;
  const cut = (whole: unknown) => cutPage(path, query as PageQuery, whole as Whole);
  return outcome instanceof ResponseOf
    ? new ResponseOf(outcome.status, cut(outcome.body))
    : cut(outcome);
}
