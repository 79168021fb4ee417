import type { Tx } from '#db/database.ts';
import { listLiveTexts, type LiveTextsRow } from '#db/queries/listing-drafts/draft-versions.ts';
import type { Ctx } from '#domain/base/context.ts';
import { profileOf, type StoreName } from '#domain/base/ports.ts';
import { listingTexts } from '#domain/base/ports.ts';
import { canonicalLocale } from '#lib/canonical-locale.ts';
import { loadLive } from '../listing-drafts/list-live.ts';
import type { DraftTexts } from '../listing-drafts/save-texts.ts';
import { listRows } from './storefront-locales.ts';

export interface ShownLocale {
  locale: string;
  /** The language of the storefront, when the store shows the listing of another one there. */
  insteadOf: string | null;
  /** The live texts; undefined when they are not known. */
  before: DraftTexts | undefined;
  changed: DraftTexts | undefined;
}

interface Input {
  app: { id: number; store: StoreName };
  country: string;
  /** By locale. */
  changes: ReadonlyMap<string, DraftTexts>;
}

/**
 * The locales whose words searches of a storefront find. Where a store has storefronts with several
 * locales these are the enabled ones; elsewhere the store shows one locale.
 */
export async function listShownLocales(tx: Tx, ctx: Ctx, input: Input): Promise<ShownLocale[]> {
  const { app, country, changes } = input;
  if (!profileOf(app.store).storefrontLocales) return findOneLocale(tx, ctx, input);
  const live = new Map((await loadLive(tx, ctx, app)).map((one) => [one.locale, one.texts]));
  const rows = (await listRows(tx, ctx, country)).filter(({ enabled }) => enabled);
  return rows.map(({ locale }) => ({
    locale,
    insteadOf: null,
    before: live.get(locale),
    changed: changes.get(locale),
  }));
}

/**
 * The locale that the store shows to people of a country: that of their language, or the default
 * one when the app lacks it. None when the listing was not read there.
 */
async function findOneLocale(
  tx: Tx,
  ctx: Ctx,
  { app, country, changes }: Input,
): Promise<ShownLocale[]> {
  const rows = await listLiveTexts(tx, ctx.workspaceId, app.id);
  const row = rows.find((one) => one.country === country);
  if (!row?.language) return [];
  const before = textsOf(row);
  const own = findLocale([...changes.keys()], row.language);
  const other = own === undefined ? findDefault(rows, row, changes) : undefined;
  const locale = own ?? other ?? row.language;
  const insteadOf = other === undefined ? null : row.language;
  return [{ locale, insteadOf, before, changed: changes.get(locale) }];
}

const textsOf = (row: LiveTextsRow): DraftTexts =>
  Object.fromEntries(
    listingTexts.flatMap((name) => {
      const text = name === 'keywordField' ? null : row[name];
      return text === null ? [] : [[name, text]];
    }),
  );

/** `de-DE` for `de`, `iw-IL` for `he`, and `pt` for `pt-BR`, but not `pt-PT`. */
function findLocale(locales: readonly string[], language: string): string | undefined {
  const requested = canonicalLocale(language);
  const find = (fits: (locale: string) => boolean) =>
    locales.find((locale) => fits(canonicalLocale(locale)));
  return (
    find((locale) => locale === requested) ??
    find((locale) => locale.startsWith(`${requested}-`)) ??
    find((locale) => requested.startsWith(`${locale}-`))
  );
}

/** The changed locale whose live texts the storefront shows too. */
function findDefault(
  rows: readonly LiveTextsRow[],
  shown: LiveTextsRow,
  changes: Input['changes'],
): string | undefined {
  const same = rows.filter(
    ({ title, description, language }) =>
      language !== shown.language && title === shown.title && description === shown.description,
  );
  return same
    .map(({ language }) => language && findLocale([...changes.keys()], language))
    .find((locale) => typeof locale === 'string');
}
