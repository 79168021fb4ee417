import type { AnswerContext } from '../http/answer-context.ts';
import { readPlace } from './market.ts';
import type { RenderItem } from './rendered-items.ts';
import { readToken, writeToken } from './token.ts';

/** `qnKhOb`: the page after a token, in the cluster layout, as JSON; null when the market rejects tokens or nothing is left. */
export function continueSearch(argument: unknown, context: AnswerContext, renderItem: RenderItem): string | null {
  const continuation = readToken(tokenOf(argument));
  if (continuation === null) return null;
  const { world, request, twist } = context;
  const { phrase, country, day, offset } = continuation;
  const market = { store: 'android' as const, phrase, country, day };
  if (world.regimeOf(market).regime !== 'deep') return null;
  if (world.settings.requireSessionCookie && !request.cookie.includes('NID=')) return null;
  const ranked = world.order(market).filter((app) => !context.isGone(app.storeAppId));
  const size = world.settings.androidNextPage;
  const page = twist === 'no-results' ? [] : ranked.slice(offset, offset + (twist === 'shorter' ? 3 : size));
  if (page.length === 0) return null;
  const place = { country, language: readPlace(context).language, day };
  const more = twist !== 'shorter' && offset + size < ranked.length;
  const next = more ? `[null,"${writeToken({ ...continuation, offset: offset + size })}"]` : 'null';
  const items = `[${page.map((app) => renderItem('cluster', app, place)).join(',')}]`;
  return `[[[${twist === 'index-moved' ? 'null,' : ''}${items},null,null,null,null,null,null,${next}]]]`;
}

/** The token stands last in `[[null, [[10,[10,100]], …], null, TOKEN]]`. */
export function tokenOf(argument: unknown): unknown {
  const inner = Array.isArray(argument) ? (argument[0] as unknown) : null;
  return Array.isArray(inner) ? inner.at(-1) : null;
}
