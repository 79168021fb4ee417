import type { Ctx } from '../context.ts';
import type { StoreName } from '../ports.ts';

const names = new Intl.DisplayNames(['en'], { type: 'region' });

/** The countries a store is known to serve and the language it is asked in there, by name. */
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
