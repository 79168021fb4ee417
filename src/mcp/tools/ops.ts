import { z } from 'zod';
import type { CallOutput } from '#client/http.ts';
import { requestAll } from '../request-all.ts';
import { defineTool } from '../tool.ts';
import { lines, formatShare } from '../text-format.ts';
import { getJob } from './get-job.ts';
import { whoami } from './whoami.ts';

type StoreHealth = CallOutput<'GET /runs'>['items'][number]['storeHealth'][number];

const getBudget = defineTool({
  name: 'get_budget',
  title: 'Capacity',
  description: 'Utilization of a day in store requests, the last daily runs.',
  kind: 'read',
  input: z.strictObject({}),
  output: z.object({
    utilization: z.number().describe('Above 1 a day is too short.'),
    stores: z.array(
      z.object({
        store: z.string(),
        requests: z.number(),
        capacity: z.number(),
        utilization: z.number(),
      }),
    ),
    runHours: z.number(),
    runs: z.array(
      z.object({
        date: z.string(),
        state: z.string(),
        planned: z.int(),
        done: z.int(),
        coverage: z.number().nullable(),
      }),
    ),
  }),
  async run(api) {
    const [budget, runs] = await requestAll([
      api('GET /jobs/budget'),
      api('GET /runs', { query: { limit: 7 } }),
    ]);
    const stores = budget.fanOut.map(({ store, requests, capacity, utilization }) => ({
      store,
      requests,
      capacity: capacity.requestsPerDay,
      utilization,
    }));
    const plan = budget.quota ? formatQuota(budget.quota) : null;
    const days = runs.items.map(({ date, state, planned, done, coverage }) => ({
      date,
      state,
      planned,
      done,
      coverage,
    }));
    const drifts = runs.items.flatMap(({ date, storeHealth }) =>
      storeHealth.flatMap(listDrifts).map((field) => `- drift on ${date}: ${field}`),
    );
    const runHours = budget.completion.hours;
    const text = lines(
      `A day is ${formatShare(budget.utilization)} full; a run takes about ` +
        `${runHours.toFixed(1)} h.`,
      stores.map(
        (row) =>
          `- ${row.store}: ${row.requests.toFixed(0)} of ${row.capacity.toFixed(0)} requests ` +
          `a day (${formatShare(row.utilization)})`,
      ),
      plan && `Plan ${plan}.`,
      days.map(
        (day) =>
          `- run ${day.date}: ${day.state}, ${day.done} of ${day.planned} markets ` +
          `checked${day.coverage === null ? '' : ` (${formatShare(day.coverage)})`}`,
      ),
      drifts.length > 0 && 'Fields that a store did not send as before:',
      drifts,
    );
    return { text, data: { utilization: budget.utilization, stores, runHours, runs: days } };
  },
});

/** Such as `ios search web rating`. */
function listDrifts({ store, drifts }: StoreHealth): string[] {
  return drifts.map(({ source, provider, field }) =>
    [store, source, provider, field].filter((part) => part !== null).join(' '),
  );
}

interface Quota {
  plan: string;
  apps: { used: number; limit: number };
  keywordMarkets: { used: number; limit: number };
}

function formatQuota({ plan, apps, keywordMarkets }: Quota): string {
  return (
    `${plan}: ${keywordMarkets.used} of ${keywordMarkets.limit} keyword markets, ${apps.used} ` +
    `of ${apps.limit} apps`
  );
}

export const opsTools = [whoami, getBudget, getJob];
