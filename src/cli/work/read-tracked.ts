import type { Client } from '#client/http.ts';
import type { Tracked } from '#listing-lint/coverage/cover-phrases.ts';
import { profileOf } from '#stores/profiles.ts';
import { findApp } from './find-app.ts';
import { listAll } from './list-pages.ts';

/** The tracked phrases of an app, with the locales that its storefronts count in coverage. */
export async function readTracked(api: Client, named: string): Promise<Tracked> {
  const { id, store } = await findApp(api, named);
  const keywords = await listAll((page) =>
    api('GET /apps/{id}/keywords', { params: { id }, query: page }),
  );
  const locales = new Map<string, string[]>();
  if (profileOf(store).texts.keywordField !== null) {
    const rows = await listAll((page) => api('GET /storefront-locales', { query: page }));
    for (const { country, locale, enabled } of rows)
      if (enabled) locales.set(country, [...(locales.get(country) ?? []), locale]);
  }
  const phrases = new Map(
    keywords
      .filter(({ paused }) => !paused)
      .map(({ phrase, country }) => [`${country} ${phrase}`, { phrase, country }]),
  );
  return { store, phrases: [...phrases.values()], locales };
}
