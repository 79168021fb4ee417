import type { z } from 'zod';
import {
  editableOfStorefrontLocale,
  type storefrontLocale,
  type storefrontLocales,
} from '#contract/storefront-locales.ts';
import type { Tx } from '#db/database.ts';
import {
  deleteOverride,
  listOverrides,
  upsertOverride,
  type OverrideRow,
} from '#db/queries/storefront-locales/storefront-locales.ts';
import { lockSettings } from '#db/queries/settings/settings.ts';
import { assertUnchanged, etagOf } from '#domain/base/assert-unchanged.ts';
import { inTenant, type Ctx } from '#domain/base/context.ts';
import { invalid } from '#domain/base/errors.ts';
import { assertStorable } from '#domain/base/text/parse-tags.ts';
import { shippedRows } from './shipped-rows.ts';

type StorefrontLocale = z.output<typeof storefrontLocale>;
/** A row before it gets its ETag. */
type LocaleRow = Omit<StorefrontLocale, 'etag'>;
type Operations = typeof storefrontLocales;
type Change = z.output<Operations['PUT /storefront-locales']['body']>;
type LocaleList = z.input<Operations['GET /storefront-locales']['responses'][200]>;

/** The maximum of changed rows of a workspace. */
const maxOverrides = 1_000;

const shipped: readonly LocaleRow[] = shippedRows.trim().split(/[;\n]/).map(parseRow);

function parseRow(line: string): LocaleRow {
  const [country, locale, displays, confidence, claimedBy, deniedBy, addedIn] = line
    .split(' ')
    .map((part) => (part === '-' ? null : part));
  const enabledByDefault = confidence !== 'low';
  return {
    country: country!,
    locale: locale!,
    displays: displays as StorefrontLocale['displays'],
    claimedBy: (claimedBy?.split('+') ?? []) as StorefrontLocale['claimedBy'],
    deniedBy: (deniedBy?.split('+') ?? []) as StorefrontLocale['deniedBy'],
    confidence: confidence as StorefrontLocale['confidence'],
    addedIn: addedIn ?? null,
    enabledByDefault,
    enabled: enabledByDefault,
    note: null,
    savedAt: null,
  };
}

/**
 * The rows of the shipped table with the workspace's changes, by country. Throws invalid_request
 * for a locale without a country.
 */
export function listStorefrontLocales(
  ctx: Ctx,
  { country, locale }: { country?: string | undefined; locale?: string | undefined },
): Promise<LocaleList> {
  if (locale !== undefined && country === undefined)
    throw invalid('query.locale', 'a country beside the locale', locale);
  return inTenant(ctx, async (tx) => {
    const rows = await listRows(tx, ctx, country ?? null);
    const items = locale === undefined ? rows : [findRow(rows, { country: country!, locale })];
    return { items, nextCursor: null, total: items.length };
  });
}

export async function listRows(
  tx: Tx,
  ctx: Ctx,
  country: string | null,
): Promise<StorefrontLocale[]> {
  const overrides = await listOverrides(tx, ctx.workspaceId, country);
  const changed = new Map(overrides.map((row) => [keyOf(row), row]));
  const known = shipped.filter((row) => country === null || row.country === country);
  const keys = new Set(known.map(keyOf));
  const own = overrides.filter((row) => !keys.has(keyOf(row)));
  return [
    ...known.map((row) => withOverride(row, changed.get(keyOf(row)))),
    ...own.map((row) => withOverride(ownRow(row), row)),
  ].map(present);
}

const keyOf = ({ country, locale }: { country: string; locale: string }): string =>
  `${country} ${locale}`;

const present = (row: LocaleRow): StorefrontLocale => ({
  ...row,
  etag: etagOf(row, editableOfStorefrontLocale),
});

/** A row that neither the table nor the workspace has is absent and off. */
const findRow = (
  rows: readonly StorefrontLocale[],
  key: { country: string; locale: string },
): StorefrontLocale => rows.find((row) => keyOf(row) === keyOf(key)) ?? present(ownRow(key));

function withOverride(row: LocaleRow, override: OverrideRow | undefined): LocaleRow {
  if (!override) return row;
  const { enabled, note, savedAt } = override;
  return { ...row, enabled, note, savedAt: savedAt.toISOString() };
}

const ownRow = ({ country, locale }: Pick<OverrideRow, 'country' | 'locale'>): LocaleRow => ({
  country,
  locale,
  displays: null,
  claimedBy: [],
  deniedBy: [],
  confidence: null,
  addedIn: null,
  enabledByDefault: false,
  enabled: false,
  note: null,
  savedAt: null,
});

/**
 * Returns the row as it is then. Throws precondition_failed, and invalid_request for text that
 * cannot be stored, or one changed row too many.
 */
export function changeStorefrontLocale(
  ctx: Ctx,
  { country, locale, enabled, note = null }: Change,
): Promise<StorefrontLocale> {
  assertStorable('note', note);
  return inTenant(ctx, async (tx) => {
    // Serializes two calls that change a row, or add the last allowed one, at once.
    await lockSettings(tx, ctx.workspaceId);
    assertUnchanged(ctx, findRow(await listRows(tx, ctx, country), { country, locale }));
    if (enabled === null) await deleteOverride(tx, ctx.workspaceId, { country, locale });
    else {
      const others = await listOverrides(tx, ctx.workspaceId, null);
      const isNew = !others.some((row) => keyOf(row) === keyOf({ country, locale }));
      if (isNew && others.length >= maxOverrides)
        throw invalid(
          'locale',
          `at most ${maxOverrides} changed rows; reset one first`,
          others.length + 1,
          maxOverrides,
        );
      const savedAt = ctx.clock.now();
      await upsertOverride(tx, ctx.workspaceId, { country, locale, enabled, note, savedAt });
    }
    return findRow(await listRows(tx, ctx, country), { country, locale });
  });
}
