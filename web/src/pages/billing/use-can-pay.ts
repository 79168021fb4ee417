import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { Billing } from '#web/queries/billing.ts';
import { sessionQuery } from '#web/queries/session.ts';

/** Whether the reader can buy a plan, or the reason why not. */
export function useCanPay({ payments }: Billing): { canPay: boolean; reason: string | null } {
  const { t } = useTranslation();
  const { data: session } = useQuery(sessionQuery);
  if (!payments) return { canPay: false, reason: t('billing.byOperator') };
  if (session?.role !== 'owner') return { canPay: false, reason: t('billing.ownersPay') };
  return { canPay: true, reason: null };
}
