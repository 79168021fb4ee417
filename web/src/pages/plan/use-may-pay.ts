import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { Billing } from '../../queries/billing.ts';
import { sessionQuery } from '../../queries/session.ts';

/** Whether the reader may buy a plan here, else why not. */
export function useMayPay({ payments }: Billing): { mayPay: boolean; reason: string | null } {
  const { t } = useTranslation();
  const { data: session } = useQuery(sessionQuery);
  if (!payments) return { mayPay: false, reason: t('plan.byOperator') };
  if (session?.role !== 'owner') return { mayPay: false, reason: t('plan.ownersPay') };
  return { mayPay: true, reason: null };
}
