import { useTranslation } from 'react-i18next';
import type { PlanName } from '#contract/choices.ts';
import { i18next } from '../i18n.ts';

/** The name of a plan. Unknown plans keep their own name. */
export function usePlanName(): (name: string | null) => string {
  const { t } = useTranslation();
  return (name) => {
    if (name === null) return t('limit.here');
    return i18next.exists(`planName.${name}`) ? t(`planName.${name as PlanName}`) : name;
  };
}
