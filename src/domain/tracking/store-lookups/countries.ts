import type { Ctx } from '#domain/base/context.ts';
import type { StoreName } from '#domain/base/ports.ts';

const names = new Intl.DisplayNames(['en'], { type: 'region' });

/** The countries a store is known to serve, with request language, by name. */
export function listCountries(
  ctx: Pick<Ctx, 'stores'>,
  store: StoreName,
): { country: string; name: string; language: string }[] {
  return ctx.stores[store]
    .countries()
    .map(({ country, language }) => ({
      country,
      language,
      name: names.of(country.toUpperCase()) ?? country,
    }))
    .toSorted((a, b) => a.name.localeCompare(b.name, 'en'));
}
