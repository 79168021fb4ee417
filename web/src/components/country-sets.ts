import { createStored, useStored } from '#web/stored.ts';

const most = 3;

const isSet = (found: unknown): found is string[] =>
  Array.isArray(found) &&
  found.every((code) => typeof code === 'string' && /^[a-z]{2}$/.test(code));

const stored = createStored<readonly string[][]>('toprung.country-sets', (found) =>
  Array.isArray(found) ? found.filter(isSet).slice(0, most) : [],
);

/** The countries of the last additions in this browser, the newest first. */
export const useCountrySets = (): readonly string[][] => useStored(stored);

/** Remembers a set of two countries or more. */
export function rememberCountries(countries: readonly string[]): void {
  if (countries.length < 2) return;
  const set = [...countries].toSorted();
  const others = stored.get().filter((known) => known.join() !== set.join());
  stored.set([set, ...others].slice(0, most));
}
