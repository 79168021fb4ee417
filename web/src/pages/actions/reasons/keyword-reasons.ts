import type { TFunction } from 'i18next';
import { formatCount } from '../../../format.ts';
import {
  readFacts,
  readNumber,
  readPair,
  readPairs,
  readTexts,
  type Facts,
} from '../evidence/read.ts';
import { allOf, counted, tellDay, type Tell } from '../telling.ts';
import { joinSentences, quoteSome, tellScore, tellTraffic } from './sentences.ts';

export const tellRankDrop: Tell = (facts, t) => {
  const latest = readPair(facts, 'latest');
  const checks = readPairs(facts, 'recent').length || null;
  const known = allOf({
    usual: readNumber(facts, 'usualPosition'),
    ...counted(readNumber(facts, 'placesLost')),
    checks,
  });
  if (!latest || !known) return null;
  // Not found says only: behind what was examined.
  const lost = t(
    latest.position === null ? 'actionReason.lostAtLeast' : 'actionReason.lost',
    known,
  );
  return joinSentences([lost, tellTraffic(facts, t), t('actionReason.do.rank-drop')], t);
};

export const tellStrikingDistance: Tell = (facts, t) => {
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
        tellTraffic(facts, t),
        t('actionReason.do.striking-distance'),
      ],
      t,
    )
  );
};

export const tellMissingKeyword: Tell = (facts, t) => {
  const missing = readTexts(facts, 'missing');
  const known = allOf({
    words: quoteSome(missing, missing.length, t),
    texts: tellTexts(facts, t),
    count: missing.length,
  });
  const scores = allOf({
    traffic: tellScore(facts, 'traffic', t),
    difficulty: tellScore(facts, 'difficulty', t),
  });
  if (!known || !scores) return null;
  return joinSentences(
    [
      t('actionReason.missing', known),
      t('actionReason.scores', scores),
      t('actionReason.do.missing-keyword'),
    ],
    t,
  );
};

/** Keyword fields are iOS's, short descriptions Android's; a field that was never saved here is not known. */
function tellTexts(facts: Facts, t: TFunction): string | null {
  if (facts.keywordFields === null) return t('actionReason.texts.iosUnsaved');
  if (Array.isArray(facts.keywordFields)) return t('actionReason.texts.ios');
  return 'summary' in facts ? t('actionReason.texts.android') : null;
}

export const tellCompetitorEntered: Tell = (facts, t) => {
  const own = readPair(facts, 'own');
  const known = allOf({ date: tellDay(facts, 'enteredOn'), own: own && tellOwn(own, t) });
  return (
    known &&
    joinSentences(
      [
        t('actionReason.entered', known),
        tellTraffic(facts, t),
        t('actionReason.do.competitor-entered'),
      ],
      t,
    )
  );
};

function tellOwn(
  { position, depth }: { position: number | null; depth: number },
  t: TFunction,
): string {
  return position === null
    ? t('actionReason.ownNotFound', { depth: formatCount(depth) })
    : t('actionReason.ownAt', { position });
}

export const tellKeywordGap: Tell = (facts, t) => {
  const depth = readPair(facts, 'own')?.depth;
  const known = allOf({
    date: tellDay(readFacts(facts, 'own'), 'date'),
    depth: depth && formatCount(depth),
  });
  return (
    known &&
    joinSentences(
      [t('actionReason.absent', known), tellTraffic(facts, t), t('actionReason.do.keyword-gap')],
      t,
    )
  );
};

export const tellHopelessKeyword: Tell = (facts, t) => {
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
        tellTraffic(facts, t),
        t('actionReason.do.hopeless-keyword'),
      ],
      t,
    )
  );
};
