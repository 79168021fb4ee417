import './api.fixtures.ts';
import { expect, test } from 'vitest';
import { knownCountries } from '#stores/languages.ts';
import { splitState, stateOfLive } from '#web/pages/listing-drafts/draft-state.ts';
import { lintDraft } from '#web/pages/listing-drafts/lint-draft.ts';
import { findLive } from '#web/pages/listing-drafts/find-live.ts';
import type { LiveListing } from '#web/queries/listing-drafts.ts';

const liveOf = (locale: string, country: string, title = 'Steps'): LiveListing => ({
  locale,
  country,
  takenAt: '2026-01-01T00:00:00.000Z',
  texts: { title },
});

test('live texts of Google Play are drafted under its own locales', () => {
  const live = [liveOf('en', 'ie'), liveOf('de', 'at'), liveOf('he', 'il'), liveOf('es-419', 'mx')];
  expect(Object.keys(stateOfLive('android', live)).toSorted()).toEqual([
    'de-DE',
    'en-US',
    'es-419',
    'iw-IL',
  ]);
  const all = knownCountries().map(({ country, language }) => liveOf(language, country));
  const drafted = stateOfLive('android', all);
  const withoutLive = Object.keys(drafted).filter((locale) => !findLive(all, locale));
  expect(withoutLive).toEqual([]);
  const findings = lintDraft('android', drafted, []);
  // Google Play has no Uzbek listings.
  expect(
    findings.filter(({ rule }) => rule === 'unknown-locale').map(({ locale }) => locale),
  ).toEqual(['uz']);
});

test('the first of two live listings of a locale counts', () => {
  const live = [liveOf('en-US', 'us', 'First'), liveOf('en', 'sg', 'Second')];
  expect(stateOfLive('android', live)).toEqual({ 'en-US': { title: 'First' } });
  expect(stateOfLive('ios', [liveOf('zh-Hans', 'cn')])).toEqual({ 'zh-Hans': { title: 'Steps' } });
});

test('a locale is written once it has a text, or one to empty', () => {
  expect(
    splitState({ ja: {}, 'fr-FR': { title: undefined }, 'en-US': { keywordField: '' } }),
  ).toEqual({
    written: { 'en-US': { keywordField: '' } },
    empty: { ja: {}, 'fr-FR': { title: undefined } },
  });
});
