import type { Plan } from '#web/queries/billing.ts';

/** The limits of plans in order of importance. */
export const planRows = [
  { id: 'apps', read: (plan: Plan) => plan.apps },
  { id: 'keywordMarkets', read: (plan: Plan) => plan.keywordMarkets },
  { id: 'members', read: (plan: Plan) => plan.members },
  { id: 'reads', read: (plan: Plan) => plan.readsPerMinute },
  { id: 'writes', read: (plan: Plan) => plan.writesPerMinute },
  { id: 'requests', read: (plan: Plan) => plan.requestsPerDay },
  { id: 'parallel', read: (plan: Plan) => plan.parallel },
  { id: 'refresh', read: (plan: Plan) => plan.onDemand.refresh },
  { id: 'run-daily', read: (plan: Plan) => plan.onDemand['run-daily'] },
  { id: 'score', read: (plan: Plan) => plan.onDemand.score },
  { id: 'suggestions', read: (plan: Plan) => plan.onDemand.suggestions },
] as const;
