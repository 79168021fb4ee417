import type { StoreName } from '#stores/profiles.ts';
import { normalizePhrase } from './ranking.ts';

/**
 * How a market responds to searches.
 * `deep`          all pages that the store has
 * `web30`         one page, and no token for a further one
 * `reject-token`  a token for a further page, which then is empty
 * `no-results`    no results
 */
export type SearchMode = 'deep' | 'web30' | 'reject-token' | 'no-results';

export const searchModes: readonly SearchMode[] = ['deep', 'web30', 'reject-token', 'no-results'];

export interface SearchModeRule {
  /** Conditions. A missing one matches everything. */
  store?: StoreName;
  country?: string;
  phrase?: string;
  mode?: SearchMode;
  /** The number of results of the market, for an index that ends early. */
  results?: number;
}

export interface MarketSearchMode {
  mode: SearchMode;
  results: number | null;
}

/** The last matching rule wins, separately for mode and results. */
export function searchModeFor(
  rules: readonly SearchModeRule[],
  market: { store: StoreName; country: string; phrase: string },
  standard: SearchMode,
): MarketSearchMode {
  const found: MarketSearchMode = { mode: standard, results: null };
  for (const rule of rules) {
    if (rule.store !== undefined && rule.store !== market.store) continue;
    if (rule.country !== undefined && rule.country !== market.country) continue;
    if (rule.phrase !== undefined && normalizePhrase(rule.phrase) !== market.phrase) continue;
    if (rule.mode !== undefined) found.mode = rule.mode;
    if (rule.results !== undefined) found.results = rule.results;
  }
  return found;
}
