import { countCharacters } from '../../../lib/text.ts';
import { wordFinder } from '../../keyword-field/words.ts';
import type { AppFacts, KeywordFacts, TextFacts } from '../facts.ts';
import { keyOf, type AppRule, type Finding } from '../rule.ts';
import { textLimits, thresholds } from '../thresholds.ts';
import { count, quote, tellCountry } from '../wording.ts';

const type = 'unused-title';
const rule = thresholds[type];
const mostPhrases = 5;

/** A title, subtitle or short description with room for words that are searched. The same texts in several countries are one finding. */
export const unusedTitle: AppRule = {
  type,
  scope: 'app',
  judge: (facts: AppFacts) => {
    const groups = [
      ...Map.groupBy(facts.texts, (text) =>
        [text.name, text.subtitle, text.summary].join('\n'),
      ).values(),
    ];
    return {
      findings: groups.flatMap((texts) => judgeTexts(facts, texts) ?? []),
      undecided: facts.texts.length === 0 ? [keyOf(type, facts.app.id)] : [],
    };
  },
};

interface Room {
  field: 'title' | 'subtitle' | 'summary';
  text: string;
  unused: number;
  limit: number;
}

function judgeTexts({ app, keywords }: AppFacts, texts: readonly TextFacts[]): Finding | null {
  const first =
    texts.find((text) => text.country === app.primaryCountry) ??
    texts.toSorted((a, b) => (a.country < b.country ? -1 : 1))[0]!;
  const rooms = listRooms(app.store, first);
  if (rooms.length === 0) return null;
  const countries = texts.map((text) => text.country).toSorted();
  const fitting = listFitting(
    keywords,
    first,
    countries,
    Math.max(...rooms.map((room) => room.unused)),
  );
  const unused = rooms.reduce((sum, room) => sum + room.unused, 0);
  const named = { title: 'title', subtitle: 'subtitle', summary: 'short description' };
  const rest = rooms
    .map(
      (room) =>
        `the ${named[room.field]} leaves ${count(room.unused, 'character')} of ${room.limit}`,
    )
    .join(', ');
  return {
    key: keyOf(type, app.id, first.country),
    fingerprint: rooms.map((room) => `${room.field}=${room.text}`).join('\n'),
    severity: rooms.some((room) => room.field !== 'title' && room.text === '') ? 'medium' : 'low',
    title: `${count(unused, 'character')} of ${rooms.map((room) => named[room.field]).join(' and ')} are not used (${countries.slice(0, 5).map(tellCountry).join(', ')}${countries.length > 5 ? ', …' : ''})`,
    reason: `In ${count(countries.length, 'country', 'countries')} ${rest}. ${fitting.length > 0 ? `Phrases you follow that would fit: ${fitting.map((keyword) => quote(keyword.phrase)).join(', ')}.` : 'Words that people search for belong there.'}`,
    evidence: {
      countries,
      rooms,
      readOn: first.readOn,
      fitting: fitting.map(({ id, phrase, opportunity, traffic }) => ({
        keywordId: id,
        phrase,
        opportunity,
        traffic,
      })),
    },
    keywordIds: fitting.map((keyword) => keyword.id),
    weight: unused,
  };
}

function listRooms(store: AppFacts['app']['store'], text: TextFacts): Room[] {
  const room = (field: Room['field'], value: string | null, least: number): Room[] => {
    const limit = textLimits[store][field];
    const unused = limit - countCharacters(value ?? '');
    return unused >= least ? [{ field, text: value ?? '', unused, limit }] : [];
  };
  const title = room('title', text.name, rule.minUnusedTitle);
  if (store === 'android')
    return [...title, ...room('summary', text.summary, rule.minUnusedSummary)];
  return [
    ...title,
    ...(text.isSubtitleKnown ? room('subtitle', text.subtitle, rule.minUnusedSubtitle) : []),
  ];
}

/** Followed phrases of these countries that the shown texts lack and that are short enough, the most rewarding first. */
function listFitting(
  keywords: readonly KeywordFacts[],
  text: TextFacts,
  countries: readonly string[],
  room: number,
): KeywordFacts[] {
  const holds = wordFinder([text.name, text.subtitle ?? '', text.summary ?? ''].join('\n'));
  return keywords
    .filter(
      ({ phrase, country }) =>
        countries.includes(country) &&
        countCharacters(phrase) < room &&
        !phrase.split(' ').every(holds),
    )
    .toSorted(
      (a, b) =>
        (b.opportunity ?? -1) - (a.opportunity ?? -1) ||
        (b.traffic ?? -1) - (a.traffic ?? -1) ||
        a.id - b.id,
    )
    .slice(0, mostPhrases);
}
