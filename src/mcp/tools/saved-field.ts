import type { Client } from '#client/http.ts';
import { storefrontLocaleOf } from '#stores/profiles.ts';
import { spellLocale } from '../spell-locale.ts';
import { cut } from '../text-format.ts';
import { ToolError } from '../tool.ts';

/** 1,000 versions. */
const historyPagesMax = 20;

/** That of a field that was saved without a locale. No store has it. */
const unnamedLocale = 'default';

/**
 * The locale of a keyword field, and whether one is saved for it. Without a name it is the locale
 * that `country` shows first, by default the app's primary one. To read, it is also that of the
 * only saved field. Throws ToolError when there are others to choose from.
 */
export async function findFieldLocale(
  api: Client,
  id: number,
  { given, country, isRead }: { given: string | undefined; country?: string; isRead: boolean },
): Promise<{ locale: string; isSaved: boolean }> {
  const named = given === '' ? undefined : given;
  const params = { id };
  const { store, primaryCountry } = await api('GET /apps/{id}', { params });
  const shownIn = country ?? primaryCountry;
  const first = named ?? storefrontLocaleOf(store, shownIn) ?? unnamedLocale;
  const field = await api('GET /apps/{id}/keyword-field', { params, query: { locale: first } });
  if (field.updatedAt !== null) return { locale: first, isSaved: true };
  const stored = await listSavedLocales(api, id);
  const locale = spellLocale(first, { store, stored });
  if (named !== undefined || stored.includes(locale))
    return { locale, isSaved: stored.includes(locale) };
  const others = stored.filter((one) => one !== unnamedLocale);
  const only = others.length === 0 ? stored[0] : others.length === 1 ? others[0] : undefined;
  if (isRead && only !== undefined) return { locale: only, isSaved: true };
  if (others.length > 0)
    throw new ToolError(
      `No keyword field is saved for ${locale}, the first locale of ${shownIn}. Name it, or one ` +
        `of those that are: ${cut(others.join(', '), 500)}. Nothing was written.`,
    );
  return { locale, isSaved: false };
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
