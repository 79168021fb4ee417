import { expect, test } from 'vitest';
import { guessCountry } from '#web/pages/welcome/browser-country.ts';

test.each([
  ['a browser', ['de-CH', 'de', 'en'], 'ch'],
  ['a language alone: the country with most speakers', ['de'], 'de'],
  ['a language alone, in another script', ['ja'], 'jp'],
  ['a named region before a guessed one', ['fr', 'en-CA'], 'ca'],
  ['a script between them', ['zh-Hant-TW'], 'tw'],
  ['a script alone', ['zh-Hant'], 'tw'],
  ['a region that is not a country', ['en-001'], 'us'],
  ['a region that is not a country, followed by one', ['es-419', 'es-MX'], 'mx'],
  ['an invalid language tag', ['en-US@posix'], 'us'],
  ['an invalid language tag, followed by a valid one', ['de_DE.UTF-8', 'de-AT'], 'at'],
  ['no locale set', ['C'], 'us'],
  ['POSIX', ['POSIX', ''], 'us'],
  ['nothing', [], 'us'],
  ['a country without a store', ['ko-KP'], 'us'],
])('the first country is guessed from %s', (_name, tags, country) => {
  expect(guessCountry(tags)).toBe(country);
});
