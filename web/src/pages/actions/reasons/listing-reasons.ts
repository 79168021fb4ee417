import type { TFunction } from 'i18next';
import { formatCountry, formatList } from '#web/format.ts';
import { readNumber, readRows, readText, readTexts, type Facts } from '../evidence/parse-facts.ts';
import {
  allOf,
  counted,
  fieldWithUnusedSpace,
  nameFields,
  formatFactDay,
  type FormatFacts,
} from '../fact-formatters.ts';
import { joinSentences, formatTruncatedList, quoteTruncatedList } from './sentences.ts';

const maxWords = 10;
const maxCountries = 5;

export const formatKeywordFieldWaste: FormatFacts = (facts, t) => {
  const [wasted, unused, limit] = ['wastedCharacters', 'unusedCharacters', 'limit'].map((name) =>
    readNumber(facts, name),
  );
  if (wasted == null || unused == null || limit == null) return null;
  const words = quoteTruncatedList(
    readRows(facts, 'wastedWords').flatMap((row) => readText(row, 'word') ?? []),
    maxWords,
    t,
  );
  if (wasted > 0 && words === null) return null;
  const parts = [
    ...(wasted > 0 ? [t('actionReason.wasted', { ...counted(wasted), words })] : []),
    ...(unused > 0 ? [t('actionReason.unused', { ...counted(unused), limit })] : []),
  ];
  return joinSentences([...parts, t('actionReason.do.keyword-field-waste')], t);
};

export const formatUnusedTitle: FormatFacts = (facts, t) => {
  const texts = readRows(facts, 'unusedSpaces').map((space) => {
    const known = allOf({
      text: nameFields([fieldWithUnusedSpace(space)], t),
      unused: readNumber(space, 'unused'),
      limit: readNumber(space, 'limit'),
    });
    return known && t('actionReason.unusedSpace', known);
  });
  const spaces = texts.filter((space) => space !== null);
  if (spaces.length === 0 || spaces.length < texts.length) return null;
  const known = allOf({
    ...counted(readTexts(facts, 'countries').length || null),
    spaces: formatList(spaces),
  });
  return (
    known && joinSentences([t('actionReason.unusedSpaces', known), formatFittingWords(facts, t)], t)
  );
};

/** The evidence contains at most five. */
function formatFittingWords(facts: Facts, t: TFunction): string | null {
  if (!Array.isArray(facts.fitting)) return null;
  const fitting = readRows(facts, 'fitting').flatMap((row) => readText(row, 'phrase') ?? []);
  const phrases = quoteTruncatedList(fitting, fitting.length, t);
  return phrases === null
    ? t('actionReason.do.unused-title')
    : t('actionReason.fitting', { phrases });
}

export const formatCompetitorChanged: FormatFacts = (facts, t) => {
  const countries = formatTruncatedList(
    readTexts(facts, 'countries').map(formatCountry),
    maxCountries,
    t,
  );
  const seen = allOf({ date: formatFactDay(facts, 'detectedOn'), countries });
  return seen && joinSentences([t('actionReason.seen', seen), ...formatWords(facts, t)], t);
};

function formatWords(facts: Facts, t: TFunction): (string | null)[] {
  if (!Array.isArray(facts.wordsGained)) return [null];
  const words = quoteTruncatedList(readTexts(facts, 'wordsGained'), maxWords, t);
  if (words === null) return [t('actionReason.do.competitor-changed')];
  const touched = readNumber(facts, 'keywordsTouched');
  if (touched === null) return [null];
  return [
    t('actionReason.newWords', { words }),
    touched === 0 ? t('actionReason.untouched') : t('actionReason.touched', counted(touched)),
  ];
}
