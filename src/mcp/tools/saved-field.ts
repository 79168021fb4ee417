import type { Client } from '#client/http.ts';
import { storefrontLocaleOf } from '#stores/profiles.ts';
import { spellLocale } from '../spell-locale.ts';
import { cut } from '../text-format.ts';
import { ToolError } from '../tool.ts';

/** 1,000 versions. */
const historyPagesMax = 20;

/**
 * The locale of a keyword field, and whether one is saved for it. Without a name it is the locale
 * that the app's primary country shows first, or that of the only saved field. Throws ToolError
 * when several others are saved.
 */
export async function findFieldLocale(
  api: Client,
  id: number,
  given: string | undefined,
): Promise<{ locale: string; isSaved: boolean }> {
  const named = given === '' ? undefined : given;
  const params = { id };
  const { store, primaryCountry } = await api('GET /apps/{id}', { params });
  const first = named ?? storefrontLocaleOf(store, primaryCountry) ?? 'default';
  const field = await api('GET /apps/{id}/keyword-field', { params, query: { locale: first } });
  if (field.updatedAt !== null) return { locale: first, isSaved: true };
  const stored = await listSavedLocales(api, id);
  if (named === undefined && stored.length === 1) return { locale: stored[0]!, isSaved: true };
  const locale = spellLocale(first, { store, stored });
  const isSaved = stored.includes(locale);
  if (named === undefined && !isSaved && stored.length > 1)
    throw new ToolError(
      `No keyword field is saved for ${locale}, the first locale of ${primaryCountry}. Name one ` +
        `of those that are: ${cut(stored.join(', '), 500)}. Nothing was written.`,
    );
  return { locale, isSaved };
}

async function listSavedLocales(api: Client, id: number): Promise<string[]> {
  const locales = new Set<string>();
  let cursor: string | undefined;
  for (let page = 0; page < historyPagesMax; page += 1) {
    const { items, nextCursor } = await api('GET /apps/{id}/keyword-field/history', {
      params: { id },
      query: { limit: 50, cursor },
    });
    for (const { locale } of items) locales.add(locale);
    if (nextCursor === null) break;
    cursor = nextCursor;
  }
  return [...locales].sort();
}
