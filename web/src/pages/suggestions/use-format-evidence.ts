import { useTranslation } from 'react-i18next';
import { formatCountry, formatDay } from '#web/format.ts';
import type { Evidence } from '#web/queries/suggestions.ts';

/** Formats the evidence of a suggestion. */
export function useFormatEvidence(): (evidence: Evidence) => string {
  const { t } = useTranslation();
  return (evidence) => {
    switch (evidence.source) {
      case 'autocomplete':
        return t('suggestions.evidence.autocomplete', {
          prefix: evidence.prefix,
          position: evidence.position,
        });
      case 'listing':
        return t('suggestions.evidence.listing', {
          field: t(`suggestions.field.${evidence.field}`),
          country: formatCountry(evidence.country),
        });
      case 'competitors':
        return t('suggestions.evidence.competitors', {
          count: evidence.competitors,
          names: evidence.apps.map(({ name }) => name).join(', '),
        });
      case 'serp':
        return t('suggestions.evidence.serp', {
          count: evidence.apps,
          position: evidence.bestPosition,
          names: evidence.names.join(', '),
          day: formatDay(evidence.newest),
        });
    }
  };
}
