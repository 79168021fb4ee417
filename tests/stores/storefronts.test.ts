import { expect, test } from 'vitest';
import { countryOfStorefront, storefrontCountries, storefrontOf } from '#lib/apple-storefronts.ts';
import { storeCountries } from '#web/countries.ts';

test('every country of the App Store has its own storefront', () => {
  const countries = storefrontCountries();
  expect(countries.toSorted()).toEqual(storeCountries.toSorted());
  expect(countries).toHaveLength(175);
  expect(new Set(countries.map(storefrontOf)).size).toBe(175);
  for (const country of countries)
    expect(countryOfStorefront(storefrontOf(country)!)).toBe(country);
});

test.each([
  ['us', 143_441],
  ['mv', 143_488],
  ['rs', 143_500],
  ['tt', 143_551],
  ['tc', 143_552],
  ['ly', 143_567],
  ['kh', 143_579],
  ['ge', 143_615],
  ['iq', 143_617],
  ['ma', 143_620],
  ['xk', 143_624],
])('the storefront of %s is %i', (country, storefront) => {
  expect(storefrontOf(country)).toBe(storefront);
});

test.each(['aq', 'kp', 'bd', 'zz'])('%s has none', (country) => {
  expect(storefrontOf(country)).toBeNull();
});
