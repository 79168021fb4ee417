import type { ResponseContext } from '../http/response-context.ts';
import { scriptJson } from './island-page.ts';
import type { RenderItem } from './rendered-items.ts';
import { readStorefront } from './storefront.ts';
import { tokenOf } from './continuation.ts';
import { readToken, writeToken, type Continuation } from './token.ts';

const pageSize = 50;
/** The name of the list says so: `range_0_249`. */
const mostResults = 250;

/** `lGYRle` of managed Google Play: the first page of a search, in the layout of clusters. */
export function searchEnterprise(
  argument: unknown,
  context: ResponseContext,
  renderItem: RenderItem,
): string | null {
  const phrase = enterprisePhraseOf(argument);
  if (phrase === null) return null;
  const { country } = readStorefront(context);
  const list = renderPage({ phrase, country, day: context.day, offset: 0 }, context, renderItem);
  const name = scriptJson(['', [['search_results_cluster_apps_range_0_249', 2], null, null, 0]]);
  return `[[null,[[${list},null,null,${name}]],null,[],true,[""]],[""],[],[]]`;
}

/** `qnKhOb` of managed Google Play; null for a token that the market rejects. */
export function continueEnterprise(
  argument: unknown,
  context: ResponseContext,
  renderItem: RenderItem,
): string | null {
  const continuation = readToken(tokenOf(argument));
  if (continuation === null) return null;
  const { world, request } = context;
  const mode = world.searchModeOf({ store: 'android', ...continuation }).mode;
  const hasSession = !world.settings.requireSessionCookie || request.cookie.includes('NID=');
  if (mode === 'reject-token' || !hasSession) return null;
  return `[[${renderPage(continuation, context, renderItem)}]]`;
}

/** The phrase in `[[…, page, [phrase], 4, …]]`. */
export function enterprisePhraseOf(argument: unknown): string | null {
  const [call] = (Array.isArray(argument) ? argument : []) as unknown[];
  const [phrase] = (Array.isArray(call) && Array.isArray(call[2]) ? call[2] : []) as unknown[];
  return typeof phrase === 'string' ? phrase : null;
}

/** `[items, '', …, [null, token], true]` */
function renderPage(
  continuation: Continuation,
  context: ResponseContext,
  renderItem: RenderItem,
): string {
  const { world, mutation } = context;
  const { phrase, country, day, offset } = continuation;
  const known =
    mutation === 'no-results' || phrase.trim() === ''
      ? []
      : world.order({ store: 'android', phrase, country, day });
  const ranked = known.filter((app) => !context.isGone(app.storeAppId)).slice(0, mostResults);
  const size = mutation === 'shorter' ? Math.ceil(pageSize / 8) : pageSize;
  const shown = { country, language: readStorefront(context).language, day };
  const items = ranked.slice(offset, offset + size).map((app) => renderItem('cluster', app, shown));
  const more = mutation !== 'shorter' && offset + size < ranked.length;
  const next = more ? `[null,"${writeToken({ ...continuation, offset: offset + size })}"]` : 'null';
  const moved = mutation === 'index-moved' ? 'null,' : '';
  return `[${moved}[${items.join(',')}],"",null,null,true,2,null,${next},true]`;
}
