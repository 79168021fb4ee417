import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { commonCountries, storeCountries } from '../countries.ts';
import { compareText, formatCountry } from '../format.ts';

/** All countries with a store, popular ones first. */
export function useCountryGroups(without?: string) {
  const { t } = useTranslation();
  return useMemo(() => {
    const toItem = (code: string) => ({ value: code, label: formatCountry(code) });
    const isOffered = (code: string) => code !== without;
    const others = storeCountries
      .filter((code) => !commonCountries.includes(code) && isOffered(code))
      .map(toItem)
      .toSorted((a, b) => compareText(a.label, b.label));
    return [
      { group: t('countries.common'), items: commonCountries.filter(isOffered).map(toItem) },
      { group: t('countries.all'), items: others },
    ];
  }, [t, without]);
}
