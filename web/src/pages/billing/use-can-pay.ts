import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { Billing } from '#web/queries/billing.ts';
import { sessionQuery } from '#web/queries/session.ts';
import { useDeleteAt } from './use-delete-at.ts';

/** Whether the reader can buy a plan, or the reason why not. */
export function useCanPay(billing: Billing): { canPay: boolean; reason: string | null } {
  const { t } = useTranslation();
  const { data: session } = useQuery(sessionQuery);
  const deleteAt = useDeleteAt(billing);
  if (!billing.payments) return { canPay: false, reason: t('billing.byOperator') };
  if (session?.role !== 'owner') return { canPay: false, reason: t('billing.ownersPay') };
  if (deleteAt !== null) return { canPay: false, reason: t('billing.restoreFirst') };
  return { canPay: true, reason: null };
}
