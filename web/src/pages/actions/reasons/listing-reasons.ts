import type { TFunction } from 'i18next';
import { formatCountry, formatList } from '../../../format.ts';
import { readNumber, readRows, readText, readTexts, type Facts } from '../evidence/read.ts';
import { allOf, counted, fieldOfRoom, nameFields, tellDay, type Tell } from '../telling.ts';
import { joinSentences, listSome, quoteSome } from './sentences.ts';

const mostWords = 10;
const mostCountries = 5;

export const tellKeywordFieldWaste: Tell = (facts, t) => {
  const [wasted, unused, limit] = ['wastedCharacters', 'unusedCharacters', 'limit'].map((name) =>
    readNumber(facts, name),
  );
  if (wasted == null || unused == null || limit == null) return null;
  const words = quoteSome(
    readRows(facts, 'wastedWords').flatMap((row) => readText(row, 'word') ?? []),
    mostWords,
    t,
  );
  if (wasted > 0 && words === null) return null;
  const parts = [
    ...(wasted > 0 ? [t('actionReason.wasted', { ...counted(wasted), words })] : []),
    ...(unused > 0 ? [t('actionReason.unused', { ...counted(unused), limit })] : []),
  ];
  return joinSentences([...parts, t('actionReason.do.keyword-field-waste')], t);
};

export const tellUnusedTitle: Tell = (facts, t) => {
  const told = readRows(facts, 'rooms').map((room) => {
    const known = allOf({
      text: nameFields([fieldOfRoom(room)], t),
      unused: readNumber(room, 'unused'),
      limit: readNumber(room, 'limit'),
    });
    return known && t('actionReason.room', known);
  });
  const rooms = told.filter((room) => room !== null);
  if (rooms.length === 0 || rooms.length < told.length) return null;
  const known = allOf({
    ...counted(readTexts(facts, 'countries').length || null),
    rooms: formatList(rooms),
  });
  return known && joinSentences([t('actionReason.rooms', known), tellFitting(facts, t)], t);
};

/** Five at most are stored. */
function tellFitting(facts: Facts, t: TFunction): string | null {
  if (!Array.isArray(facts.fitting)) return null;
  const fitting = readRows(facts, 'fitting').flatMap((row) => readText(row, 'phrase') ?? []);
  const phrases = quoteSome(fitting, fitting.length, t);
  return phrases === null
    ? t('actionReason.do.unused-title')
    : t('actionReason.fitting', { phrases });
}

export const tellCompetitorChanged: Tell = (facts, t) => {
  const countries = listSome(readTexts(facts, 'countries').map(formatCountry), mostCountries, t);
  const seen = allOf({ date: tellDay(facts, 'detectedOn'), countries });
  return seen && joinSentences([t('actionReason.seen', seen), ...tellWords(facts, t)], t);
};

function tellWords(facts: Facts, t: TFunction): (string | null)[] {
  if (!Array.isArray(facts.wordsGained)) return [null];
  const words = quoteSome(readTexts(facts, 'wordsGained'), mostWords, t);
  if (words === null) return [t('actionReason.do.competitor-changed')];
  const touched = readNumber(facts, 'keywordsTouched');
  if (touched === null) return [null];
  return [
    t('actionReason.newWords', { words }),
    touched === 0 ? t('actionReason.untouched') : t('actionReason.touched', counted(touched)),
  ];
}
