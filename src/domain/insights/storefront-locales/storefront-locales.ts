import type { z } from 'zod';
import type { storefrontLocale, storefrontLocales } from '#contract/storefront-locales.ts';
import type { Tx } from '#db/database.ts';
import {
  deleteOverride,
  listOverrides,
  upsertOverride,
  type OverrideRow,
} from '#db/queries/storefront-locales/storefront-locales.ts';
import { lockSettings } from '#db/queries/settings/settings.ts';
import { inTenant, type Ctx } from '#domain/base/context.ts';
import { invalid } from '#domain/base/errors.ts';
import { assertStorable } from '#domain/base/text/parse-tags.ts';
import { shippedRows } from './shipped-rows.ts';

export type StorefrontLocale = z.output<typeof storefrontLocale>;
type Operations = typeof storefrontLocales;
type Change = z.output<Operations['PUT /storefront-locales']['body']>;
type LocaleList = z.input<Operations['GET /storefront-locales']['responses'][200]>;

/** The maximum of changed rows of a workspace. */
const maxOverrides = 1_000;

const shipped: readonly StorefrontLocale[] = shippedRows.trim().split(/[;\n]/).map(parseRow);

function parseRow(line: string): StorefrontLocale {
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

/** The rows of the shipped table with the workspace's changes, by country. */
export function listStorefrontLocales(
  ctx: Ctx,
  { country = null }: { country?: string | null | undefined },
): Promise<LocaleList> {
  return inTenant(ctx, async (tx) => {
    const items = await listRows(tx, ctx, country);
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
  ];
}

const keyOf = ({ country, locale }: { country: string; locale: string }): string =>
  `${country} ${locale}`;

function withOverride(row: StorefrontLocale, override: OverrideRow | undefined): StorefrontLocale {
  if (!override) return row;
  const { enabled, note, savedAt } = override;
  return { ...row, enabled, note, savedAt: savedAt.toISOString() };
}

const ownRow = ({ country, locale }: OverrideRow): StorefrontLocale => ({
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

/** Throws invalid_request for text that cannot be stored, or one changed row too many. */
export function changeStorefrontLocale(
  ctx: Ctx,
  { country, locale, enabled, note = null }: Change,
): Promise<{ row: StorefrontLocale | null }> {
  assertStorable('note', note);
  return inTenant(ctx, async (tx) => {
    // Serializes two calls that add the last allowed row at once.
    await lockSettings(tx, ctx.workspaceId);
    if (enabled === null) await deleteOverride(tx, ctx.workspaceId, { country, locale });
    else {
      const others = await listOverrides(tx, ctx.workspaceId, null);
      const isNew = !others.some((row) => keyOf(row) === keyOf({ country, locale }));
      if (isNew && others.length >= maxOverrides)
        throw invalid('locale', 'no more changed rows', others.length + 1, maxOverrides);
      const savedAt = ctx.clock.now();
      await upsertOverride(tx, ctx.workspaceId, { country, locale, enabled, note, savedAt });
    }
    const rows = await listRows(tx, ctx, country);
    return { row: rows.find((row) => row.locale === locale) ?? null };
  });
}
