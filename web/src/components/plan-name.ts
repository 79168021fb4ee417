import { useTranslation } from 'react-i18next';
import { planNames } from '#contract/choices.ts';

/** The name of a plan. Unknown plans keep their own name. */
export function usePlanName(): (name: string | null) => string {
  const { t } = useTranslation();
  return (name) => {
    const known = planNames.find((plan) => plan === name);
    return known ? t(`planName.${known}`) : (name ?? t('limit.here'));
  };
}
