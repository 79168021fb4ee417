import type { TFunction } from 'i18next';
import { formatCount, formatInstant, formatShare } from '#web/format.ts';
import {
  readFacts,
  readNumber,
  readRows,
  readText,
  readTexts,
  type Facts,
} from '../evidence/parse-facts.ts';
import { allOf, counted, formatFactDay, type FormatFacts } from '../fact-formatters.ts';
import { joinSentences, formatTruncatedList, quoteTruncatedList } from './sentences.ts';

const maxPhrases = 3;
const maxResponses = 5;

export const formatReviewTheme: FormatFacts = (facts, t) => {
  const [share, stars] = [readNumber(facts, 'share'), readNumber(facts, 'maxRating')];
  const known = allOf({
    share: share && formatShare(share),
    ...counted(readNumber(facts, 'lowReviews')),
    stars,
  });
  if (!known) return null;
  const all = readNumber(facts, 'lowReviewsInAll') ?? known.count;
  const theme =
    all > known.count
      ? t('actionReason.themeOfNewest', { ...known, all: formatCount(all) })
      : t('actionReason.theme', known);
  return joinSentences([theme, t('actionReason.do.review-theme')], t);
};

export const formatRatingFell: FormatFacts = (facts, t) => {
  const [before, now] = [readFacts(facts, 'before'), readFacts(facts, 'now')];
  const count = now && readNumber(now, 'ratingCount');
  const known = allOf({
    from: formatFactDay(before, 'date'),
    to: formatFactDay(now, 'date'),
    ...counted(count),
  });
  return (
    known && joinSentences([t('actionReason.fell', known), t('actionReason.do.rating-fell')], t)
  );
};

export const formatUntrackedCountry: FormatFacts = (facts, t) => {
  const demand = readTexts(facts, 'demand');
  if (demand.length === 0) return null;
  const isSearched = demand.includes('searched');
  const sentences = [
    ...(isSearched ? [formatSearched(facts, t)] : []),
    ...(demand.includes('rated') ? [formatRated(facts, t)] : []),
  ];
  return joinSentences(
    [
      t('actionReason.demand'),
      ...sentences,
      t(isSearched ? 'actionReason.do.copyMarket' : 'actionReason.do.untracked-country'),
    ],
    t,
  );
};

function formatSearched(facts: Facts, t: TFunction): string | null {
  const phrases = readRows(facts, 'phrases').flatMap((row) => readText(row, 'phrase') ?? []);
  const traffic = readNumber(facts, 'minTraffic');
  const known = allOf({
    ...counted(readNumber(facts, 'phrasesInAll')),
    traffic,
    phrases: quoteTruncatedList(phrases, maxPhrases, t),
  });
  return known && t('actionReason.searched', known);
}

function formatRated(facts: Facts, t: TFunction): string | null {
  const known = allOf(counted(readNumber(facts, 'ratingCount')));
  return known && t('actionReason.rated', known);
}

export const formatWebhookFailing: FormatFacts = (facts, t) => {
  if (facts.disabledBy === undefined) return null;
  const why = facts.disabledBy === 'gone' ? t('actionReason.gone') : formatAttempts(facts, t);
  const state = t(
    facts.disabledBy === null ? 'actionReason.disabledSoon' : 'actionReason.disabled',
  );
  return joinSentences([why, state, t('actionReason.do.webhook-failing')], t);
};

function formatAttempts(facts: Facts, t: TFunction): string | null {
  const known = allOf(counted(readNumber(facts, 'failures')));
  const since = readText(facts, 'failingSince');
  if (known && facts.failingSince === null) return t('actionReason.failed', known);
  return known && since && Number.isFinite(Date.parse(since))
    ? t('actionReason.failedSince', { ...known, since: formatInstant(since) })
    : null;
}

export const formatStoreCheckFailing: FormatFacts = (facts, t) => {
  const failing = readNumber(facts, 'failingKeywords');
  const known = allOf({
    failing: failing && formatCount(failing),
    ...counted(readNumber(facts, 'keywords')),
  });
  const responses = formatTruncatedList(readTexts(facts, 'markers'), maxResponses, t);
  const sentences = responses === null ? [] : [t('actionReason.responses', { responses })];
  return (
    known &&
    joinSentences(
      [t('actionReason.noResponse', known), ...sentences, t('actionReason.do.store-check-failing')],
      t,
    )
  );
};
