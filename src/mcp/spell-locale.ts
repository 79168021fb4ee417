import { readLocale } from '#listing-files/locales.ts';
import { canonicalLocale } from '#lib/canonical-locale.ts';
import type { StoreName } from '#stores/profiles.ts';

/**
 * A named locale as it is stored, or else as its store spells it: one in another case would be a
 * second locale. A locale that the store lacks keeps its spelling.
 */
export function spellLocale(
  named: string,
  { store, stored }: { store: StoreName; stored: readonly string[] },
): string {
  const spelled = readLocale(store, named) ?? named;
  const exact = [named, spelled].find((one) => stored.includes(one));
  if (exact !== undefined) return exact;
  const requested = [canonicalLocale(named), canonicalLocale(spelled)];
  return stored.find((one) => requested.includes(canonicalLocale(one))) ?? spelled;
}
