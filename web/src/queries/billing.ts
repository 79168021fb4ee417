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

/** What the plan holds and what is used of it; undefined where there are no plans, and nothing is asked. */
export function useBilling(): Billing | undefined {
  return useQuery({ ...billingQuery, enabled: useHasPlans() }).data;
}

const dayMs = 86_400_000;

/** A day that has begun counts as one. */
export function countDaysLeft(endsAt: string, nowMs = Date.now()): number {
  return Math.max(0, Math.ceil((Date.parse(endsAt) - nowMs) / dayMs));
}
