import { z } from 'zod';
import type { CallOutput, Client } from '../../client/http.ts';
import { addDays } from '../../lib/dates.ts';
import { askAll } from '../ask-all.ts';
import { moverKinds, moverRow, tellMover, tellMoverLine } from '../movers.ts';
import { appId, country, notice, storeName } from '../shapes.ts';
import { defineTool } from '../tool.ts';
import { cut, lines, quote, storeTextNotice, tellRating } from '../wording.ts';

/** A position, and with it the index, stands for so long. */
const standingDays = 3;

const visibilityDay = z.object({ date: z.string(), index: z.number(), coverage: z.number() });
type VisibilityDay = z.output<typeof visibilityDay>;

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
  visibility: z.array(visibilityDay),
  moved: z.array(moverRow),
  openActions: z.int(),
  actions: z.array(z.object({ actionId: z.int(), severity: z.string(), title: z.string() })),
  lastRun: z.string().nullable(),
  notice,
});

export const getAppOverview = defineTool({
  name: 'get_app_overview',
  title: 'App at a glance',
  description:
    'How an app stands: positions, up to 5 movers of each kind and visibility since `days` ago, rating, open actions.',
  kind: 'read',
  input: z.strictObject({
    appId,
    country: country.optional(),
    days: z.int().min(1).max(90).default(7),
  }),
  output,
  async run(api, { appId: id, country: market, days }) {
    const { app, overview, since, visibility, actions, movers } = await readOverview(
      api,
      id,
      market,
      days,
    );
    const {
      date,
      tracked,
      ranked,
      notFound,
      notChecked,
      top3,
      top10,
      top50,
      averagePosition,
      openActions,
      lastRun,
    } = overview;
    const { store, primaryCountry, rating, ratingCount } = app;
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
      moved: moverKinds.flatMap((kind) =>
        movers[kind].slice(0, 5).map((row) => tellMover(kind, row)),
      ),
      actions: actions.map((action) => ({
        actionId: action.id,
        severity: action.severity,
        title: cut(action.title, 160),
      })),
      lastRun: lastRun && `${lastRun.date} ${lastRun.state}`,
      notice: storeTextNotice,
    };
    return { text: tellOverview(data, { market, primaryCountry }), data };
  },
});

function tellOverview(
  data: z.output<typeof output>,
  { market, primaryCountry }: { market: string | undefined; primaryCountry: string },
): string {
  const { openActions } = data;
  const tops = `${data.top10} in the top 10 (${data.top3} in the top 3, ${data.top50} in the top 50)`;
  const rest = `${data.notFound} checked and not found, ${data.notChecked} not checked`;
  return lines(
    `${quote(data.name)} (${data.store}) on ${data.date} by checks at most ${standingDays} days old, ${market ?? 'all countries'}: ${data.ranked} of ${data.tracked} keywords ranked, ${tops}; ${rest}.`,
    `Average position ${data.averagePosition ?? '–'} (of the ranked); ${tellRating(data.rating, data.ratingCount)} in ${primaryCountry}.`,
    tellVisibility(data.visibility, data.date),
    data.moved.length > 0
      ? `Moved since ${data.since}, at most 5 of each kind:`
      : `Nothing is known to have moved since ${data.since}.`,
    data.moved.map(tellMoverLine),
    data.actions.length > 0 &&
      `${openActions} open actions${market === undefined ? '' : ', of all countries'}; the newest:`,
    data.actions.map(
      (action) => `- action ${action.actionId} (${action.severity}) ${quote(action.title, 160)}`,
    ),
    `Last run: ${data.lastRun ?? 'none yet'}.`,
    storeTextNotice,
  );
}

function tellVisibility(days: VisibilityDay[], today: string): string {
  const told = days.map(
    ({ date, index, coverage }) =>
      `${index} on ${date}${coverage < 1 ? ` (coverage ${Math.floor(coverage * 100)} %)` : ''}`,
  );
  const newest = days.at(-1);
  if (!newest || newest.date < addDays(today, -standingDays))
    told.push(`not known now: nothing was checked within ${standingDays} days`);
  const isPartial = days.some(({ coverage }) => coverage < 1);
  return `Visibility ${told.join(' → ')}.${isPartial ? ' Coverage below 100 %: not all keywords were checked, which alone can move it.' : ''}`;
}

async function readOverview(api: Client, id: number, market: string | undefined, days: number) {
  const params = { id };
  const overview = await api('GET /apps/{id}/overview', { params, query: { country: market } });
  const since = addDays(overview.date, -days);
  const range = { from: since, to: overview.date, country: market };
  const [app, movers, seen, open] = await askAll([
    api('GET /apps/{id}', { params }),
    api('GET /apps/{id}/rankings/movers', { params, query: { ...range, limit: 5 } }),
    api('GET /apps/{id}/visibility', {
      params,
      query: { ...range, from: addDays(since, -standingDays) },
    }),
    api('GET /actions', { query: { appId: id, status: 'open', limit: 5 } }),
  ]);
  return {
    app,
    overview,
    since,
    movers,
    visibility: findStanding(seen.items, [since, overview.date]),
    actions: open.items,
  };
}

/** Today has no index until its run has checked something, so the newest counts as long as a position does; no day twice. */
function findStanding(
  items: CallOutput<'GET /apps/{id}/visibility'>['items'],
  dates: readonly string[],
): VisibilityDay[] {
  const found = dates.flatMap(
    (date) =>
      items.findLast(
        (item) =>
          item.index !== null && item.date <= date && item.date >= addDays(date, -standingDays),
      ) ?? [],
  );
  return [...new Set(found)].map(({ date, index, coverage }) => ({
    date,
    index: index!,
    coverage: coverage!,
  }));
}
