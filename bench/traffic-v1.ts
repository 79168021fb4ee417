import type { MarketEvidence } from '#domain/insights/scores/evidence.ts';
import { shortestOffer, usableHints } from '#domain/insights/scores/traffic.ts';
import type { StoreName } from '#domain/base/ports.ts';
import type { Words } from '#domain/insights/scores/title-match.ts';
import { countCharacters } from '#lib/text.ts';

/** Weights, results and limits as they were in 0.3. */
const formulas = {
  ios: { hints: 0.7, charts: 0.12, serp: 0.18, offers: 10, ratings: 1e6, hiddenAreNone: true },
  android: { hints: 0.75, charts: 0.1, serp: 0.15, offers: 5, ratings: 1e7, hiddenAreNone: false },
} as const satisfies Partial<Record<StoreName, object>>;
const dense = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu;
const withoutSpaces = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
const counted = 10;
const chartPositions = 200;

/** Traffic by version 1, for comparison only: null with too little evidence. */
export function scoreTrafficV1(market: MarketEvidence): number | null {
  const { hints, charts, serp } = formulas[market.store];
  const signals = [
    [hints, valueOfHints(market)],
    [charts, valueOfCharts(market)],
    [serp, valueOfResults(market)],
  ] as const;
  const known = signals.flatMap(([weight, value]) => (value === null ? [] : [{ weight, value }]));
  const total = known.reduce((sum, { weight }) => sum + weight, 0);
  if (total < 0.15) return null;
  return Math.round((100 * known.reduce((sum, one) => sum + one.weight * one.value, 0)) / total);
}

const clamp = (value: number): number => Math.min(1, Math.max(0, value));
const typedIn = (text: string): number =>
  Math.max(1, countCharacters(text) + (text.match(dense)?.length ?? 0));

function valueOfHints(market: MarketEvidence): number | null {
  const hints = usableHints(market);
  if (!hints) return null;
  const offer = shortestOffer(hints);
  if (!offer) return 0;
  const typed = typedIn(offer.prefix);
  const early = clamp(1 - Math.log(typed) / Math.log(24));
  const saved = clamp(1 - typed / typedIn(market.phrase.text));
  const { offers } = formulas[market.store];
  return 0.8 * early * (0.5 + 0.5 * saved) + 0.2 * clamp(1 - (offer.position - 1) / offers);
}

function listTop({ serp }: MarketEvidence) {
  const top = serp?.top.slice(0, counted) ?? [];
  const empty = serp === null ? 0 : Math.min(counted, serp.positions) - top.length;
  return { top, positions: Math.max(top.length, top.length + empty) };
}

function valueOfCharts(market: MarketEvidence): number | null {
  if (!market.chartsKnown || !market.serp) return null;
  const { top, positions } = listTop(market);
  const sum = top.reduce((done, { chartPosition, title }) => {
    if (chartPosition === null) return done;
    const value = clamp(1 - Math.log(chartPosition) / Math.log(chartPositions + 1));
    return done + value * (matchV1(market.phrase, title) > 0 ? 1 : 0.25);
  }, 0);
  return sum / Math.max(1, positions);
}

function valueOfResults(market: MarketEvidence): number | null {
  if (!market.serp) return null;
  const { ratings, hiddenAreNone } = formulas[market.store];
  const { top, positions } = listTop(market);
  const values = top.flatMap(({ ratingCount, title }) => {
    if (ratingCount === null && !hiddenAreNone) return [];
    const strength = clamp(Math.log10(1 + (ratingCount ?? 0)) / Math.log10(1 + ratings));
    return [strength * matchV1(market.phrase, title)];
  });
  const empty = positions - top.length;
  const known = values.length + empty;
  if (positions > 0 && known / positions < 0.5) return null;
  return known === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / known;
}

/** Version 1 did not know words that are written together. */
function matchV1(phrase: Words, title: Words): number {
  const isWhole = withoutSpaces.test(phrase.text)
    ? title.text.includes(phrase.text)
    : title.words.some((_, start) =>
        phrase.words.every((word, index) => title.words[start + index] === word),
      );
  if (isWhole && phrase.words.length > 0) return 1;
  const words = [...new Set(phrase.words)];
  if (words.length === 0) return 0;
  const found = words.map((word) => title.words.indexOf(word)).filter((index) => index >= 0);
  if (found.length < words.length) return (0.5 * found.length) / words.length;
  return 0.85 + (0.1 * words.length) / (Math.max(...found) - Math.min(...found) + 1);
}
