import type { TFunction } from 'i18next';
import { formatCount, formatInstant, formatShare } from '../../../format.ts';
import {
  readFacts,
  readNumber,
  readRows,
  readText,
  readTexts,
  type Facts,
} from '../evidence/read.ts';
import { allOf, counted, tellDay, type Tell } from '../telling.ts';
import { joinSentences, listSome, quoteSome } from './sentences.ts';

const mostPhrases = 3;
const mostAnswers = 5;

export const tellReviewTheme: Tell = (facts, t) => {
  const [share, stars] = [readNumber(facts, 'share'), readNumber(facts, 'maxRating')];
  const known = allOf({
    share: share && formatShare(share),
    ...counted(readNumber(facts, 'lowReviews')),
    stars,
  });
  return (
    known && joinSentences([t('actionReason.theme', known), t('actionReason.do.review-theme')], t)
  );
};

export const tellRatingFell: Tell = (facts, t) => {
  const [before, now] = [readFacts(facts, 'before'), readFacts(facts, 'now')];
  const count = now && readNumber(now, 'ratingCount');
  const known = allOf({
    from: tellDay(before, 'date'),
    to: tellDay(now, 'date'),
    ...counted(count),
  });
  return (
    known && joinSentences([t('actionReason.fell', known), t('actionReason.do.rating-fell')], t)
  );
};

export const tellUntrackedCountry: Tell = (facts, t) => {
  const demand = readTexts(facts, 'demand');
  if (demand.length === 0) return null;
  const isSearched = demand.includes('searched');
  const sentences = [
    ...(isSearched ? [tellSearched(facts, t)] : []),
    ...(demand.includes('rated') ? [tellRated(facts, t)] : []),
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

function tellSearched(facts: Facts, t: TFunction): string | null {
  const phrases = readRows(facts, 'phrases').flatMap((row) => readText(row, 'phrase') ?? []);
  const traffic = readNumber(facts, 'minTraffic');
  const known = allOf({
    ...counted(readNumber(facts, 'phrasesInAll')),
    traffic,
    phrases: quoteSome(phrases, mostPhrases, t),
  });
  return known && t('actionReason.searched', known);
}

function tellRated(facts: Facts, t: TFunction): string | null {
  const known = allOf(counted(readNumber(facts, 'ratingCount')));
  return known && t('actionReason.rated', known);
}

export const tellWebhookFailing: Tell = (facts, t) => {
  if (facts.disabledBy === undefined) return null;
  const why = facts.disabledBy === 'gone' ? t('actionReason.gone') : tellAttempts(facts, t);
  const state = t(
    facts.disabledBy === null ? 'actionReason.disabledSoon' : 'actionReason.disabled',
  );
  return joinSentences([why, state, t('actionReason.do.webhook-failing')], t);
};

function tellAttempts(facts: Facts, t: TFunction): string | null {
  const known = allOf(counted(readNumber(facts, 'failures')));
  const since = readText(facts, 'failingSince');
  if (known && facts.failingSince === null) return t('actionReason.failed', known);
  return known && since && Number.isFinite(Date.parse(since))
    ? t('actionReason.failedSince', { ...known, since: formatInstant(since) })
    : null;
}

export const tellStoreCheckFailing: Tell = (facts, t) => {
  const failing = readNumber(facts, 'failingKeywords');
  const known = allOf({
    failing: failing && formatCount(failing),
    ...counted(readNumber(facts, 'keywords')),
  });
  const answers = listSome(readTexts(facts, 'markers'), mostAnswers, t);
  const told = answers === null ? [] : [t('actionReason.answers', { answers })];
  return (
    known &&
    joinSentences(
      [t('actionReason.unanswered', known), ...told, t('actionReason.do.store-check-failing')],
      t,
    )
  );
};
