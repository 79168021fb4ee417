import type { TFunction } from 'i18next';
import { formatCountry, formatDecimal, formatList } from '#web/format.ts';
import type { Action } from '#web/queries/actions.ts';
import {
  readFacts,
  readNumber,
  readPair,
  readPairs,
  readRows,
  readText,
  readTexts,
} from './evidence/parse-facts.ts';
import {
  allOf,
  countryOf,
  fieldWithUnusedSpace,
  marketOf,
  nameFields,
  formatFactDay,
  type FormatFacts,
} from './fact-formatters.ts';

const maxCountries = 3;

/**
 * The title of an action in the language of the page. Falls back to the wording of the API if the
 * evidence is from an older version.
 */
export function formatActionTitle(
  { type, evidence, title }: Pick<Action, 'type' | 'evidence' | 'title'>,
  t: TFunction,
): string {
  // An old event may have a type that no longer exists.
  return titles[type]?.(evidence, t) ?? title;
}

const titles: Record<Action['type'], FormatFacts> = {
  'rank-drop': (facts, t) => {
    const latest = readPair(facts, 'latest');
    if (!latest) return null;
    const known = allOf({ ...marketOf(facts), usual: readNumber(facts, 'usualPosition') });
    return (
      known &&
      (latest.position === null
        ? t('actionTitle.rankLost', { ...known, depth: latest.depth })
        : t('actionTitle.rank-drop', { ...known, now: latest.position }))
    );
  },
  'striking-distance': (facts, t) => {
    const known = allOf({
      ...marketOf(facts),
      top: readNumber(facts, 'top'),
      position: readPairs(facts, 'checks').at(-1)?.position,
    });
    return known && t('actionTitle.striking-distance', known);
  },
  'missing-keyword': (facts, t) => {
    const known = allOf({ ...marketOf(facts), opportunity: readNumber(facts, 'opportunity') });
    return known && t('actionTitle.missing-keyword', known);
  },
  'keyword-field-waste': (facts, t) => {
    const [wasted, unused, locale] = [
      readNumber(facts, 'wastedCharacters'),
      readNumber(facts, 'unusedCharacters'),
      readText(facts, 'locale'),
    ];
    if (wasted === null || unused === null || locale === null) return null;
    const count = wasted + unused;
    return locale === 'default'
      ? t('actionTitle.field', { count })
      : t('actionTitle.fieldOf', { count, locale });
  },
  'unused-title': (facts, t) => {
    const [unusedSpaces, codes] = [readRows(facts, 'unusedSpaces'), readTexts(facts, 'countries')];
    const texts = nameFields(unusedSpaces.map(fieldWithUnusedSpace), t);
    const count = unusedSpaces.reduce((sum, space) => sum + (readNumber(space, 'unused') ?? 0), 0);
    const countries = formatList([
      ...codes.slice(0, maxCountries).map(formatCountry),
      ...(codes.length > maxCountries ? ['…'] : []),
    ]);
    return texts && t('actionTitle.unused-title', { count, texts, countries });
  },
  'competitor-entered': (facts, t) => {
    const known = allOf({
      ...marketOf(facts),
      name: readText(facts, 'competitor'),
      position: readNumber(facts, 'position'),
    });
    return known && t('actionTitle.competitor-entered', known);
  },
  'competitor-changed': (facts, t) => {
    const changes = readRows(facts, 'changes');
    if (changes.length !== readNumber(facts, 'changesInAll')) return null;
    const fields = nameFields(
      changes.map((change) => readText(change, 'field')),
      t,
    );
    const known = allOf({ name: readText(facts, 'competitor'), fields });
    return known && t('actionTitle.competitor-changed', known);
  },
  'keyword-gap': (facts, t) => {
    const best = readRows(facts, 'competitors')[0] ?? {};
    const known = allOf({
      ...marketOf(facts),
      name: readText(best, 'name'),
      position: readNumber(best, 'position'),
    });
    return known && t('actionTitle.keyword-gap', known);
  },
  'review-theme': (facts, t) => {
    const known = allOf({ phrase: readText(facts, 'phrase'), count: readNumber(facts, 'reviews') });
    return known && t('actionTitle.review-theme', known);
  },
  'rating-fell': (facts, t) => {
    const [was, now] = (['before', 'now'] as const).map((name) => {
      const rating = readNumber(readFacts(facts, name) ?? {}, 'rating');
      return rating === null ? null : formatDecimal(rating, 2);
    });
    const known = allOf({ country: countryOf(facts), was, now });
    return known && t('actionTitle.rating-fell', known);
  },
  'hopeless-keyword': (facts, t) => {
    const known = allOf({ ...marketOf(facts), count: readNumber(facts, 'checks') });
    return known && t('actionTitle.hopeless-keyword', known);
  },
  'untracked-country': (facts, t) => {
    const known = allOf({ country: countryOf(facts) });
    return known && t('actionTitle.untracked-country', known);
  },
  'webhook-failing': (facts, t) => {
    const known = allOf({ host: readText(facts, 'host') });
    return (
      known &&
      t(
        readText(facts, 'disabledBy') === null
          ? 'actionTitle.webhookFails'
          : 'actionTitle.webhookOff',
        known,
      )
    );
  },
  'store-check-failing': (facts, t) => {
    const known = allOf({
      country: countryOf(facts),
      count: readNumber(facts, 'failingKeywords'),
      since: formatFactDay(facts, 'since'),
    });
    return known && t('actionTitle.store-check-failing', known);
  },
};
