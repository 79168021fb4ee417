import { useTranslation } from 'react-i18next';
import { formatCountry, formatDay } from '../../format.ts';
import type { Evidence } from '../../queries/suggestions.ts';

/** Why a phrase is suggested, in a sentence. */
export function useTellEvidence(): (evidence: Evidence) => string {
  const { t } = useTranslation();
  return (evidence) => {
    switch (evidence.source) {
      case 'autocomplete':
        return t('discover.evidence.autocomplete', {
          prefix: evidence.prefix,
          place: evidence.place,
        });
      case 'listing':
        return t('discover.evidence.listing', {
          field: t(`discover.field.${evidence.field}`),
          country: formatCountry(evidence.country),
        });
      case 'competitors':
        return t('discover.evidence.competitors', {
          count: evidence.competitors,
          names: evidence.apps.map(({ name }) => name).join(', '),
        });
      case 'serp':
        return t('discover.evidence.serp', {
          count: evidence.apps,
          place: evidence.bestPosition,
          names: evidence.names.join(', '),
          day: formatDay(evidence.newest),
        });
    }
  };
}
