import { z } from 'zod';
import { countCharacters } from '#lib/text.ts';
import { profileOf } from '#domain/base/ports.ts';
import { wordFinder } from '#lib/phrase-words.ts';
import type { AppFacts, KeywordFacts, TextFacts } from '../facts.ts';
import { keyOf, type AppRule, type Finding } from '../rule.ts';
import { thresholds } from '../thresholds.ts';
import { count, quote, formatCountry } from '../format-text.ts';

const type = 'unused-title';
const rule = thresholds[type];
const maxPhrases = 5;
const located = z.object({ countries: z.array(z.string()) });

/**
 * A title, subtitle or short description with unused characters and phrases that would fit. The
 * same texts in several countries are one finding.
 */
export const unusedTitle: AppRule = {
  type,
  scope: 'app',
  evaluate: (facts: AppFacts) => {
    const groups = [
      ...Map.groupBy(facts.texts, (text) =>
        [text.name, text.subtitle, text.summary].join('\n'),
      ).values(),
    ];
    return {
      findings: groups.flatMap((texts) => evaluateTexts(facts, texts) ?? []),
      undecided: facts.texts.length === 0 ? [keyOf(type, facts.app.id)] : [],
    };
  },
  // The country of the key is another one when countries with the same texts are added or removed.
  isSameThing: (evidence, stored) => {
    const [is, was] = [evidence, stored].map((one) => located.safeParse(one).data);
    return is?.countries.some((country) => was?.countries.includes(country)) ?? false;
  },
};

interface UnusedSpace {
  field: 'title' | 'subtitle' | 'summary';
  text: string;
  unused: number;
  limit: number;
}

function evaluateTexts({ app, keywords }: AppFacts, texts: readonly TextFacts[]): Finding | null {
  // The first of those that are known best, so that a country whose page was not read yet changes
  // nothing.
  const first = texts.toSorted(
    (a, b) =>
      Number(b.isSubtitleKnown) - Number(a.isSubtitleKnown) ||
      Number(b.country === app.primaryCountry) - Number(a.country === app.primaryCountry) ||
      (a.country < b.country ? -1 : 1),
  )[0]!;
  const unusedSpaces = listUnusedSpace(app.store, first);
  if (unusedSpaces.length === 0) return null;
  const countries = texts.map((text) => text.country).toSorted();
  const fitting = listFitting(
    keywords,
    first,
    countries,
    Math.max(...unusedSpaces.map((space) => space.unused)),
  );
  const unused = unusedSpaces.reduce((sum, space) => sum + space.unused, 0);
  const named = { title: 'title', subtitle: 'subtitle', summary: 'short description' };
  const rest = unusedSpaces
    .map(
      ({ field, unused: left, limit }) =>
        `the ${named[field]} has ${count(left, 'unused character')} of ${limit}`,
    )
    .join(', ');
  const examples = countries.slice(0, 5).map(formatCountry);
  return {
    key: keyOf(type, app.id, first.country),
    fingerprint: unusedSpaces.map((space) => `${space.field}=${space.text}`).join('\n'),
    severity: unusedSpaces.some((space) => space.field !== 'title' && space.text === '')
      ? 'medium'
      : 'low',
    title:
      `${count(unused, 'character')} of ` +
      `${unusedSpaces.map((space) => named[space.field]).join(' and ')} are unused ` +
      `(${examples.join(', ')}${countries.length > 5 ? ', …' : ''})`,
    reason:
      `In ${count(countries.length, 'country', 'countries')} ${rest}. ` +
      `${
        fitting.length > 0
          ? 'Tracked phrases that would fit: ' +
            `${fitting.map((keyword) => quote(keyword.phrase)).join(', ')}.`
          : 'Use them for words that people search for.'
      }`,
    evidence: {
      countries,
      unusedSpaces,
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

function listUnusedSpace(store: AppFacts['app']['store'], text: TextFacts): UnusedSpace[] {
  const { texts } = profileOf(store);
  const measure = (
    field: UnusedSpace['field'],
    value: string | null,
    least: number,
  ): UnusedSpace[] => {
    const limit = texts[field]?.max;
    if (limit === undefined) return [];
    const unused = limit - countCharacters(value ?? '');
    return unused >= least ? [{ field, text: value ?? '', unused, limit }] : [];
  };
  return [
    ...measure('title', text.name, rule.minUnusedTitle),
    ...(text.isSubtitleKnown ? measure('subtitle', text.subtitle, rule.minUnusedSubtitle) : []),
    ...measure('summary', text.summary, rule.minUnusedSummary),
  ];
}

/**
 * Tracked phrases of these countries that are missing in the shown texts and short enough, best
 * opportunity first.
 */
function listFitting(
  keywords: readonly KeywordFacts[],
  text: TextFacts,
  countries: readonly string[],
  space: number,
): KeywordFacts[] {
  const holds = wordFinder([text.name, text.subtitle ?? '', text.summary ?? ''].join('\n'));
  return keywords
    .filter(
      ({ phrase, country }) =>
        countries.includes(country) &&
        countCharacters(phrase) < space &&
        !phrase.split(' ').every(holds),
    )
    .toSorted(
      (a, b) =>
        (b.opportunity ?? -1) - (a.opportunity ?? -1) ||
        (b.traffic ?? -1) - (a.traffic ?? -1) ||
        a.id - b.id,
    )
    .slice(0, maxPhrases);
}
