import { z } from 'zod';
import type { Client } from '../../client/http.ts';
import { addDays } from '../../lib/dates.ts';
import { askAll } from '../ask-all.ts';
import { moverKinds, moverRow, tellMover, tellMoverLine } from '../movers.ts';
import { appId, country, notice, storeName } from '../shapes.ts';
import { defineTool } from '../tool.ts';
import { cut, lines, quote, storeTextNotice, tellRating } from '../wording.ts';

const output = z.object({
  name: z.string(),
  store: storeName,
  date: z.string(),
  since: z.string(),
  tracked: z.int(),
  ranked: z.int(),
  notFound: z.int(),
  notChecked: z.int(),
  top3: z.int(),
  top10: z.int(),
  top50: z.int(),
  averagePosition: z.number().nullable(),
  rating: z.number().nullable(),
  ratingCount: z.int().nullable(),
  visibility: z.object({ from: z.number().nullable(), to: z.number().nullable() }),
  moved: z.array(moverRow).describe('At most 5 of each kind.'),
  openActions: z.int(),
  actions: z.array(z.object({ actionId: z.int(), severity: z.string(), title: z.string() })),
  lastRun: z.string().nullable(),
  notice,
});

export const getAppOverview = defineTool({
  name: 'get_app_overview',
  title: 'App at a glance',
  description: 'How an app stands: positions, movers since `days` ago, visibility, rating, open actions. One call instead of five.',
  kind: 'read',
  input: z.strictObject({ appId, country: country.optional(), days: z.int().min(1).max(90).default(7) }),
  output,
  async run(api, { appId: id, country: market, days }) {
    const { app, overview, since, visibility, actions, movers } = await readOverview(api, id, market, days);
    const { date, tracked, ranked, notFound, notChecked, top3, top10, top50, averagePosition, openActions, lastRun } = overview;
    const { store, rating, ratingCount } = app;
    const counts = { tracked, ranked, notFound, notChecked, top3, top10, top50, averagePosition };
    const data = {
      ...counts,
      name: cut(app.displayName ?? app.name, 120),
      store,
      rating,
      ratingCount,
      date,
      since,
      visibility,
      openActions,
      moved: moverKinds.flatMap((kind) => movers[kind].slice(0, 5).map((row) => tellMover(kind, row))),
      actions: actions.map((action) => ({
        actionId: action.id,
        severity: action.severity,
        title: cut(action.title, 160),
      })),
      lastRun: lastRun && `${lastRun.date} ${lastRun.state}`,
      notice: storeTextNotice,
    };
    return { text: tellOverview(data), data };
  },
});

function tellOverview(data: z.output<typeof output>): string {
  const { visibility, openActions } = data;
  const tops = `${data.top10} in the top 10 (${data.top3} in the top 3, ${data.top50} in the top 50)`;
  const rest = `${data.notFound} checked and not found, ${data.notChecked} not checked`;
  return lines(
    `${quote(data.name)} (${data.store}) on ${data.date}: ${data.ranked} of ${data.tracked} keywords ranked, ${tops}; ${rest}.`,
    `Average position ${data.averagePosition ?? '–'} (of the ranked); ${tellRating(data.rating, data.ratingCount)}.`,
    `Visibility ${visibility.from ?? '–'} → ${visibility.to ?? '–'} since ${data.since}.`,
    data.moved.map(tellMoverLine),
    data.actions.length > 0 && `${openActions} open actions; the newest:`,
    data.actions.map((action) => `- action ${action.actionId} (${action.severity}) ${quote(action.title, 160)}`),
    `Last run: ${data.lastRun ?? 'none yet'}.`,
    storeTextNotice,
  );
}

async function readOverview(api: Client, id: number, market: string | undefined, days: number) {
  const params = { id };
  const overview = await api('GET /apps/{id}/overview', { params, query: { country: market } });
  const since = addDays(overview.date, -days);
  const range = { from: since, to: overview.date, country: market };
  const [app, movers, seen, open] = await askAll([
    api('GET /apps/{id}', { params }),
    api('GET /apps/{id}/rankings/movers', { params, query: { ...range, limit: 5 } }),
    api('GET /apps/{id}/visibility', { params, query: range }),
    api('GET /actions', { query: { appId: id, status: 'open', limit: 5 } }),
  ]);
  const visibility = { from: seen.items.at(0)?.index ?? null, to: seen.items.at(-1)?.index ?? null };
  return { app, overview, since, movers, visibility, actions: open.items };
}
