import { expect, test } from 'vitest';
import { guessCountry } from '#web/pages/welcome/browser-country.ts';

test.each([
  ['a browser', ['de-CH', 'de', 'en'], 'ch'],
  ['a language alone: where most speak it', ['de'], 'de'],
  ['a language alone, written otherwise', ['ja'], 'jp'],
  ['a region that is named before one that is guessed', ['fr', 'en-CA'], 'ca'],
  ['a script between them', ['zh-Hant-TW'], 'tw'],
  ['a script alone', ['zh-Hant'], 'tw'],
  ['a region that is no country', ['en-001'], 'us'],
  ['a region that is no country, with one after it', ['es-419', 'es-MX'], 'mx'],
  ['what is no language tag', ['en-US@posix'], 'us'],
  ['what is no language tag, with one after it', ['de_DE.UTF-8', 'de-AT'], 'at'],
  ['no locale set', ['C'], 'us'],
  ['POSIX', ['POSIX', ''], 'us'],
  ['nothing', [], 'us'],
  ['a country without a store', ['ko-KP'], 'us'],
])('the first country is guessed from %s', (_name, tags, country) => {
  expect(guessCountry(tags)).toBe(country);
});
