import { queryOptions, useQuery } from '@tanstack/react-query';
import { call, type ResponseOf } from '../api.ts';
import { budgetQuery } from './runs.ts';

export type Billing = ResponseOf<'GET /billing'>;
export type Plan = ResponseOf<'GET /billing/plans'>['items'][number];
export type BillingState = Billing['state'];

export const billingQuery = queryOptions({
  queryKey: ['billing'],
  queryFn: ({ signal }) => call('GET /billing', {}, signal),
  staleTime: 30_000,
});

export const plansQuery = queryOptions({
  queryKey: ['billing', 'plans'],
  queryFn: ({ signal }) => call('GET /billing/plans', {}, signal),
  staleTime: 5 * 60_000,
});

/** Whether this instance has plans. The budget, which every page loads, has a quota only then. */
export function useHasPlans(): boolean {
  return useQuery(budgetQuery).data?.quota !== undefined;
}

/** The plan, if every page must show a message about it. Otherwise it is not requested. */
export function useBillingRefresh(state: BillingState | undefined): Billing | undefined {
  const quota = useQuery(budgetQuery).data?.quota;
  const isNews =
    quota !== undefined &&
    (state === 'trial' || quota.keywordMarkets.used > quota.keywordMarkets.limit);
  return useQuery({ ...billingQuery, enabled: isNews }).data;
}

const dayMs = 86_400_000;

/** A started day counts as one. */
export function countDaysLeft(endsAt: string, nowMs = Date.now()): number {
  return Math.max(0, Math.ceil((Date.parse(endsAt) - nowMs) / dayMs));
}
