import type { TFunction } from 'i18next';
import { listingTexts } from '#stores/profiles.ts';
import { formatCount, formatList } from '#web/format.ts';
import {
  readFacts,
  readNumber,
  readPair,
  readPairs,
  readTexts,
  type Facts,
} from '../evidence/parse-facts.ts';
import { allOf, counted, formatFactDay, type FormatFacts } from '../fact-formatters.ts';
import { joinSentences, quoteTruncatedList, formatScore, formatTraffic } from './sentences.ts';

export const formatRankDrop: FormatFacts = (facts, t) => {
  const latest = readPair(facts, 'latest');
  const checks = readPairs(facts, 'recent').length || null;
  const known = allOf({
    usual: readNumber(facts, 'usualPosition'),
    ...counted(readNumber(facts, 'positionsLost')),
    checks,
  });
  if (!latest || !known) return null;
  // Not found means only that the position is below the checked depth.
  const lost = t(
    latest.position === null ? 'actionReason.lostAtLeast' : 'actionReason.lost',
    known,
  );
  return joinSentences([lost, formatTraffic(facts, t), t('actionReason.do.rank-drop')], t);
};

export const formatStrikingDistance: FormatFacts = (facts, t) => {
  const [top, to] = [readNumber(facts, 'top'), readNumber(facts, 'within')];
  const known = allOf({
    from: top && top + 1,
    to,
    ...counted(readPairs(facts, 'checks').length || null),
  });
  return (
    known &&
    joinSentences(
      [
        t('actionReason.stoodBetween', known),
        formatTraffic(facts, t),
        t('actionReason.do.striking-distance'),
      ],
      t,
    )
  );
};

export const formatMissingKeyword: FormatFacts = (facts, t) => {
  const missing = readTexts(facts, 'missing');
  const known = allOf({
    words: quoteTruncatedList(missing, missing.length, t),
    texts: formatTexts(facts, t),
    count: missing.length,
  });
  const scores = allOf({
    traffic: formatScore(facts, 'traffic', t),
    difficulty: formatScore(facts, 'difficulty', t),
  });
  if (!known || !scores) return null;
  const position = readPair(facts, 'latest')?.position;
  return joinSentences(
    [
      t('actionReason.missing', known),
      t('actionReason.scores', scores),
      position == null
        ? t('actionReason.do.missing-keyword')
        : t('actionReason.missingRanked', { position }),
    ],
    t,
  );
};

/** A keyword field that was never saved here is unknown. */
function formatTexts(facts: Facts, t: TFunction): string | null {
  const searched = readTexts(facts, 'searchedTexts');
  const isUnsaved = facts.keywordFields === null;
  const texts = listingTexts
    .filter((name) => searched.includes(name) && !(isUnsaved && name === 'keywordField'))
    .map((name) => t(`listingText.${name}`));
  if (texts.length === 0) return null;
  const list = formatList(texts, 'long');
  return isUnsaved ? t('actionReason.textsUnsaved', { texts: list }) : list;
}

export const formatCompetitorEntered: FormatFacts = (facts, t) => {
  const own = readPair(facts, 'own');
  const known = allOf({
    date: formatFactDay(facts, 'enteredOn'),
    days: readNumber(facts, 'comparedDays'),
    own: own && formatOwnPosition(own, t),
  });
  return (
    known &&
    joinSentences(
      [
        t('actionReason.entered', known),
        formatTraffic(facts, t),
        t('actionReason.do.competitor-entered'),
      ],
      t,
    )
  );
};

function formatOwnPosition(
  { position, depth }: { position: number | null; depth: number },
  t: TFunction,
): string {
  return position === null
    ? t('actionReason.ownNotFound', { depth: formatCount(depth) })
    : t('actionReason.ownAt', { position });
}

export const formatKeywordGap: FormatFacts = (facts, t) => {
  const depth = readPair(facts, 'own')?.depth;
  const known = allOf({
    date: formatFactDay(readFacts(facts, 'own'), 'date'),
    depth: depth && formatCount(depth),
  });
  return (
    known &&
    joinSentences(
      [t('actionReason.absent', known), formatTraffic(facts, t), t('actionReason.do.keyword-gap')],
      t,
    )
  );
};

export const formatHopelessKeyword: FormatFacts = (facts, t) => {
  const [difficulty, depth] = [readNumber(facts, 'difficulty'), readNumber(facts, 'leastDepth')];
  const known = allOf({
    difficulty,
    ...counted(readNumber(facts, 'checks')),
    depth: depth && formatCount(depth),
  });
  return (
    known &&
    joinSentences(
      [
        t('actionReason.neverFound', known),
        formatTraffic(facts, t),
        t('actionReason.do.hopeless-keyword'),
      ],
      t,
    )
  );
};
