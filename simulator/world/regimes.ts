import type { StoreName } from '../store-name.ts';
import { normalizePhrase } from './ranking.ts';

/**
 * How a market lets itself be searched.
 * `deep`          Android: 30, then 25 a page by token; iOS: up to 200
 * `web30`         Android: one page, no token
 * `reject-token`  Android: a token that the store answers with nothing
 * `no-results`    nothing is ever found
 */
export type Regime = 'deep' | 'web30' | 'reject-token' | 'no-results';

export const regimeNames: readonly Regime[] = ['deep', 'web30', 'reject-token', 'no-results'];

export interface RegimeRule {
  /** Each condition left out matches everything. */
  store?: StoreName;
  country?: string;
  phrase?: string;
  regime?: Regime;
  /** How many results the market has: an index exhausted early. */
  results?: number;
}

export interface MarketRegime {
  regime: Regime;
  results: number | null;
}

/** The last matching rule wins, each of its two facts for itself. */
export function regimeFor(
  rules: readonly RegimeRule[],
  market: { store: StoreName; country: string; phrase: string },
  standard: Regime,
): MarketRegime {
  const found: MarketRegime = { regime: standard, results: null };
  for (const rule of rules) {
    if (rule.store !== undefined && rule.store !== market.store) continue;
    if (rule.country !== undefined && rule.country !== market.country) continue;
    if (rule.phrase !== undefined && normalizePhrase(rule.phrase) !== market.phrase) continue;
    if (rule.regime !== undefined) found.regime = rule.regime;
    if (rule.results !== undefined) found.results = rule.results;
  }
  return found;
}
