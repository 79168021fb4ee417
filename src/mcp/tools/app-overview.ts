import { z } from 'zod';
import type { CallOutput, Client } from '#client/http.ts';
import { addDays } from '#lib/dates.ts';
import { requestAll } from '../request-all.ts';
import { formatMover, formatNotComparable, moverKinds, toMoverRow } from '../movers.ts';
import { anyCountryArgument, anyDeviceArgument, appIdArgument } from '../argument-schemas.ts';
import { notice, storeName } from '../common-schemas.ts';
import { keepLastProvider } from '../provider-facts.ts';
import { defineTool } from '../tool.ts';
import {
  cut,
  formatCoverage,
  formatFilter,
  formatRating,
  lines,
  quote,
  storeTextNotice,
} from '../text-format.ts';

/** The maximum age of a position and of the visibility index. */
const positionMaxAgeDays = 3;

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
  moved: z.array(z.string()),
  openActions: z.int(),
  actions: z.array(z.object({ actionId: z.int(), severity: z.string(), title: z.string() })),
  lastRun: z.string().nullable(),
  notice,
});

interface Filter {
  country?: string | undefined;
  device?: string | undefined;
}

export const getAppOverview = defineTool({
  name: 'get_app_overview',
  title: 'App overview',
  description: 'Positions, movers, visibility since `days` ago, rating, actions.',
  kind: 'read',
  input: z.strictObject({
    appId: appIdArgument,
    country: anyCountryArgument,
    device: anyDeviceArgument,
    days: z.int().min(1).max(90).default(7).describe('Days to compare with.'),
  }),
  output,
  async run(api, { appId: id, days, ...filter }) {
    const found = await getOverview(api, id, filter, days);
    const { app, overview, since, visibility, provider, actions, movers } = found;
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
      moved: [
        ...moverKinds.flatMap((kind) =>
          movers[kind].slice(0, 5).map((row) => formatMover(toMoverRow(kind, row))),
        ),
        ...formatNotComparable(movers),
      ],
      actions: actions.map((action) => ({
        actionId: action.id,
        severity: action.severity,
        title: cut(action.title, 160),
      })),
      lastRun: lastRun && `${lastRun.date} ${lastRun.state}`,
      notice: storeTextNotice,
    };
    return { text: formatOverview(data, { ...filter, primaryCountry, provider }), data };
  },
});

function formatOverview(
  data: z.output<typeof output>,
  {
    primaryCountry,
    provider,
    ...filter
  }: Filter & { primaryCountry: string; provider: string | null },
): string {
  const { openActions } = data;
  const isFiltered = filter.country !== undefined || filter.device !== undefined;
  const tops =
    `${data.top10} in the top 10 (${data.top3} in the ` + `top 3, ${data.top50} in the top 50)`;
  const rest = `${data.notFound} checked and not found, ${data.notChecked} not checked`;
  return lines(
    `${quote(data.name)} (${data.store}) on ${data.date} by checks at most ` +
      `${positionMaxAgeDays} days old, ${formatFilter(filter)}: ${data.ranked} of ` +
      `${data.tracked} keywords ranked, ${tops}; ${rest}.`,
    `Average position ${data.averagePosition ?? '–'} (of the ranked); ` +
      `${formatRating(data.rating, data.ratingCount)} in ${primaryCountry}.`,
    formatVisibility(data.visibility, data.date, provider),
    data.moved.length > 0
      ? `Moved since ${data.since}, at most 5 of each kind:`
      : `No known moves since ${data.since}.`,
    data.moved.map((row) => `- ${row}`),
    data.actions.length > 0 &&
      `${openActions} open actions${isFiltered ? ', of all keywords' : ''}; the newest:`,
    data.actions.map(
      (action) => `- action ${action.actionId} (${action.severity}) ${quote(action.title, 160)}`,
    ),
    `Last run: ${data.lastRun ?? 'none yet'}.`,
    storeTextNotice,
  );
}

function formatVisibility(days: VisibilityDay[], today: string, provider: string | null): string {
  const parts = days.map(
    ({ date, index, coverage }) => `${index} on ${date}${formatCoverage(coverage)}`,
  );
  const newest = days.at(-1);
  if (!newest || newest.date < addDays(today, -positionMaxAgeDays))
    parts.push(`unknown: nothing was checked within ${positionMaxAgeDays} days`);
  const caveat = days.some(({ coverage }) => coverage < 1)
    ? ' Coverage below 100 %: not all keywords were checked, which alone can move it.'
    : '';
  return `Visibility ${parts.join(' → ')}${provider === null ? '' : `; ${provider}`}.${caveat}`;
}

async function getOverview(api: Client, id: number, filter: Filter, days: number) {
  const params = { id };
  const overview = await api('GET /apps/{id}/overview', { params, query: filter });
  const since = addDays(overview.date, -days);
  const range = { ...filter, from: since, to: overview.date };
  const [app, movers, seen, open] = await requestAll([
    api('GET /apps/{id}', { params }),
    api('GET /apps/{id}/rankings/movers', { params, query: { ...range, limit: 5 } }),
    api('GET /apps/{id}/visibility', {
      params,
      query: { ...range, from: addDays(since, -positionMaxAgeDays), keywords: 'same' },
    }),
    api('GET /actions', { query: { appId: id, state: 'open', limit: 5 } }),
  ]);
  const latest = keepLastProvider(
    findLatestVisibility(seen.items, [since, overview.date]),
    seen.segments,
  );
  return {
    app,
    overview,
    since,
    movers,
    visibility: latest.days,
    provider: latest.provider,
    actions: open.items,
  };
}

/**
 * Today has no index before its first check, so the latest one counts for as long as a position
 * does. No day appears twice.
 */
function findLatestVisibility(
  items: CallOutput<'GET /apps/{id}/visibility'>['items'],
  dates: readonly string[],
): VisibilityDay[] {
  const found = dates.flatMap(
    (date) =>
      items.findLast(
        (item) =>
          item.index !== null &&
          item.date <= date &&
          item.date >= addDays(date, -positionMaxAgeDays),
      ) ?? [],
  );
  return [...new Set(found)].map(({ date, index, coverage }) => ({
    date,
    index: index!,
    coverage: coverage!,
  }));
}
