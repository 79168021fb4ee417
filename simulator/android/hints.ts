import type { ResponseContext } from '../http/response-context.ts';
import { hintsOf } from '../world/hints.ts';
import { readStorefront } from './storefront.ts';
import { link, sparse } from './sparse.ts';

/** `IJ4APc`: up to five suggestions for a typed prefix; null without any (recorded 2026-07). */
export function listHints(argument: unknown, context: ResponseContext): string | null {
  const terms = hintsForPrefix((argument as unknown[][] | null)?.[0]?.[1], context);
  if (terms.length === 0) return null;
  const entries = terms.map((term) =>
    sparse({ 0: term, 2: link(`/store/search?q=${encodeURIComponent(term)}&c=apps`), 10: 1 }),
  );
  return JSON.stringify(
    context.mutation === 'index-moved' ? [null, [entries]] : [[entries], ['CAhKAggD']],
  );
}

/** `teXCtc`: the hints of the web page's search field, with one array less around them. */
export function listWebHints(argument: unknown, context: ResponseContext): string | null {
  const terms = hintsForPrefix((argument as unknown[] | null)?.[1], context);
  return terms.length === 0 ? null : JSON.stringify([terms.map((term) => [term])]);
}

function hintsForPrefix(argument: unknown, context: ResponseContext): string[] {
  const prefix: unknown = Array.isArray(argument) ? argument[0] : null;
  const silent = context.mutation === 'no-results' || context.mutation === 'soft-empty';
  if (typeof prefix !== 'string' || silent) return [];
  const { world, day } = context;
  return hintsOf(world, {
    store: 'android',
    country: readStorefront(context).country,
    prefix,
    day,
  });
}
