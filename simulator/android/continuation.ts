import type { ResponseContext } from '../http/response-context.ts';
import { renderList } from './app-lists.ts';
import { readListToken } from './list-cursor.ts';
import { readStorefront } from './storefront.ts';
import type { RenderItem } from './rendered-items.ts';
import { readToken, writeToken } from './token.ts';

/**
 * `qnKhOb`: the page that a token leads to, as JSON: of a search, of similar apps or of a
 * developer. Null for any other token.
 */
export function continueList(
  argument: unknown,
  context: ResponseContext,
  renderItem: RenderItem,
): string | null {
  const cursor = readListToken(tokenOf(argument));
  if (cursor === null) return continueSearch(argument, context, renderItem);
  if (
    cursor.list === 'reviews' ||
    (context.world.settings.requireSessionCookie && !context.request.cookie.includes('NID='))
  )
    return null;
  const { items, token } = renderList(
    cursor,
    context.world.settings.androidNextPage,
    context,
    renderItem,
  );
  const next = token === null ? 'null' : `[null,"${token}"]`;
  return items.length === 0 ? null : renderPart(`[${items.join(',')}]`, next, context.mutation);
}

/**
 * Later pages of a search have the older layout of clusters. Null when the market rejects tokens.
 */
function continueSearch(
  argument: unknown,
  context: ResponseContext,
  renderItem: RenderItem,
): string | null {
  const continuation = readToken(tokenOf(argument));
  if (continuation === null) return null;
  const { world, request, mutation } = context;
  const { phrase, country, day, offset } = continuation;
  const market = { store: 'android' as const, phrase, country, day };
  if (world.searchModeOf(market).mode !== 'deep') return null;
  if (world.settings.requireSessionCookie && !request.cookie.includes('NID=')) return null;
  const ranked = world.order(market).filter((app) => !context.isGone(app.storeAppId));
  const size = world.settings.androidNextPage;
  const page =
    mutation === 'no-results'
      ? []
      : ranked.slice(offset, offset + (mutation === 'shorter' ? 3 : size));
  if (page.length === 0) return null;
  const storefront = { country, language: readStorefront(context).language, day };
  const more = mutation !== 'shorter' && offset + size < ranked.length;
  const next = more ? `[null,"${writeToken({ ...continuation, offset: offset + size })}"]` : 'null';
  const items = `[${page.map((app) => renderItem('cluster', app, storefront)).join(',')}]`;
  return renderPart(items, next, mutation);
}

function renderPart(items: string, next: string, mutation: ResponseContext['mutation']): string {
  const nulls = 'null,'.repeat(6);
  return `[[[${mutation === 'index-moved' ? 'null,' : ''}${items},${nulls}${next}]]]`;
}

/** Reads the token at the end of `[[null, [[10,[10,100]], …], null, TOKEN]]`. */
export function tokenOf(argument: unknown): unknown {
  const inner = Array.isArray(argument) ? (argument[0] as unknown) : null;
  return Array.isArray(inner) ? inner.at(-1) : null;
}
