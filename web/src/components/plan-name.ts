import { useTranslation } from 'react-i18next';
import { planNames } from '../../../src/contract/choices.ts';

/** What a plan is called; one this page does not know by its own name. */
export function usePlanName(): (name: string | null) => string {
  const { t } = useTranslation();
  return (name) => {
    const known = planNames.find((plan) => plan === name);
    return known ? t(`planName.${known}`) : (name ?? t('limit.here'));
  };
}
