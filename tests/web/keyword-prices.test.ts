import './api.fixtures.ts';
import { expect, test, vi } from 'vitest';
import { stubApi } from './api.fixtures.ts';

// Another file of this process may have loaded the client with a fetch of its own.
vi.hoisted(() => vi.resetModules());

const { most, requestPrices } = await import('#web/pages/welcome/request-prices.ts');

test('the prices of more keywords than a request may have are requested in several', async () => {
  const requests: { phrases: string[]; countries: string[] }[] = [];
  stubApi((_method, _path, body) => {
    const { phrases, countries } = body as (typeof requests)[number];
    requests.push({ phrases, countries });
    return {
      items: phrases.flatMap((phrase) => countries.map((country) => ({ phrase, country }))),
    };
  });
  const phrases = Array.from({ length: 40 }, (_, index) => `phrase ${index}`);
  const countries = ['us', 'gb', 'de', 'fr', 'it', 'es', 'jp'];
  const items = await requestPrices(1, phrases, countries, new AbortController().signal);
  expect(new Set(items.map(({ phrase, country }) => `${phrase} ${country}`)).size).toBe(280);
  expect(requests.map((sent) => sent.phrases.length)).toEqual([28, 12]);
  expect(Math.max(...requests.map((sent) => sent.phrases.length * 7))).toBeLessThanOrEqual(most);
});
