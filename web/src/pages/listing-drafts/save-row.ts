import { call } from '#web/api.ts';
import { saveVersioned, type VersionedOutcome } from '#web/conflict/save-versioned.ts';
import { formatCountry } from '#web/format.ts';
import { i18next } from '#web/i18n.ts';
import type { StorefrontLocale } from '#web/queries/listing-drafts.ts';

export type RowFields = Pick<StorefrontLocale, 'enabled' | 'note'>;

const toState = ({ enabled, note, etag }: StorefrontLocale) => ({
  fields: { enabled, note },
  etag,
});

/** The row of a storefront's locale. One that nobody has yet is off and has no note. */
export async function readRow(country: string, locale: string): Promise<StorefrontLocale> {
  const { items } = await call('GET /storefront-locales', { query: { country, locale } });
  return items[0]!;
}

const labelOf = (name: keyof RowFields): string =>
  i18next.t(`listingDrafts.${name === 'note' ? 'note' : 'counted'}`);

/**
 * Changes a row, or restores the shipped one, unless somebody else has changed the same since it
 * was read.
 */
export function saveRow(
  row: StorefrontLocale,
  set: RowFields | null,
): Promise<VersionedOutcome<RowFields, unknown>> {
  const { country, locale } = row;
  const shipped = { enabled: row.enabledByDefault, note: null };
  const show = (name: keyof RowFields, fields: RowFields) =>
    name === 'note'
      ? (fields.note ?? '')
      : i18next.t(`listingDrafts.${fields.enabled ? 'isCounted' : 'isNotCounted'}`);
  return saveVersioned<RowFields, unknown>({
    base: toState(row),
    mine: set ?? shipped,
    read: async () => toState(await readRow(country, locale)),
    write: ({ enabled, note }, { ifMatch }) => {
      const isShipped = set === null && enabled === shipped.enabled && note === null;
      return call('PUT /storefront-locales', {
        body: { country, locale, enabled: isShipped ? null : enabled, note },
        ifMatch,
      });
    },
    describe: (name, theirs, mine) => ({
      label: `${labelOf(name)}: ${locale}, ${formatCountry(country)}`,
      theirs: show(name, theirs),
      mine: show(name, mine),
    }),
  });
}
