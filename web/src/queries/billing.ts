import { queryOptions, useQuery } from '@tanstack/react-query';
import { call, type Answer } from '../api.ts';
import { budgetQuery } from './runs.ts';

export type Billing = Answer<'GET /billing'>;
export type Plan = Answer<'GET /billing/plans'>['items'][number];
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

/** Whether this instance has plans: the budget, which every page reads for its pill, has a quota then and only then. */
export function useHasPlans(): boolean {
  return useQuery(budgetQuery).data?.quota !== undefined;
}

/** The plan of who has something to be told of it on every page; nobody else's is asked for. */
export function useNewsOfPlan(state: BillingState | undefined): Billing | undefined {
  const quota = useQuery(budgetQuery).data?.quota;
  const isNews = quota !== undefined && (state === 'trial' || quota.overLimitSince !== null);
  return useQuery({ ...billingQuery, enabled: isNews }).data;
}

const dayMs = 86_400_000;

/** A day that has begun counts as one. */
export function countDaysLeft(endsAt: string, nowMs = Date.now()): number {
  return Math.max(0, Math.ceil((Date.parse(endsAt) - nowMs) / dayMs));
}
