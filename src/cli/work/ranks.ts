import type { Command } from 'commander';
import type { CallOutput } from '#client/http.ts';
import { formatPosition } from '#lib/format-position.ts';
import type { Shell } from '../terminal/shell.ts';
import { marketOptions, ofMarket } from './app-lists.ts';
import { findApp } from './find-app.ts';
import { listAll, listPages } from './list-pages.ts';
import { printItems, printTable, runWork, workCommand, type WorkOptions } from './run-work.ts';

type DailyRank = CallOutput<'GET /apps/{id}/rankings'>['items'][number];

interface RankOptions extends WorkOptions {
  country?: string;
  device?: 'iphone';
  tag?: string;
  from?: string;
  to?: string;
}

export function ranksCommand(shell?: Shell): Command {
  return marketOptions(workCommand('ranks'))
    .argument('<app>', 'the app: its id, its id in the store, or its name')
    .description('show the positions of an app by keyword and day, the last 7 days by default')
    .option('--tag <tag>', 'only keywords with this tag')
    .option('--from <day>', 'the first day, YYYY-MM-DD')
    .option('--to <day>', 'the last day, YYYY-MM-DD')
    .action((named: string, options: RankOptions) =>
      runWork(
        options,
        async ({ shell: io, api, progress }) => {
          const call = await api();
          const { id } = await findApp(call, named);
          const { tag, from, to } = options;
          const params = { id };
          const filter = { ...ofMarket(options), ...(tag !== undefined && { tag }) };
          const days = from === undefined && to === undefined ? await lastDays(call, id) : {};
          const query = { ...filter, ...days, ...(from && { from }), ...(to && { to }) };
          const read = (page: object) =>
            call('GET /apps/{id}/rankings', {
              params,
              query: { ...query, ...page, fill: 'gaps' },
            });
          if (options.json) return printItems(io, listPages(read));
          const ranks = await listAll(read, {
            onPage: (done) => progress.update(`${done} positions`),
          });
          const keywords = await listAll((page) =>
            call('GET /apps/{id}/keywords', { params, query: { ...filter, ...page } }),
          );
          progress.end();
          const dates = [...new Set(ranks.map(({ date }) => date))].toSorted();
          const cells = new Map(ranks.map((rank) => [`${rank.keywordId} ${rank.date}`, rank]));
          return printTable(
            io,
            [
              { title: 'phrase', value: ({ phrase }) => phrase, isFlexible: true },
              { title: 'country', value: ({ country }) => country },
              { title: 'device', value: ({ device }) => device },
              ...dates.map((date) => ({
                title: date.slice(5),
                value: (keyword: { id: number }) => show(cells.get(`${keyword.id} ${date}`)),
                isRight: true as const,
              })),
            ],
            keywords,
            'There are no keywords. See toprung keywords add.',
          );
        },
        shell,
      ),
    );
}

const show = (rank: DailyRank | undefined): string =>
  formatPosition(rank === undefined || rank.state === 'not_checked' ? null : rank);

const shownDays = 7;
const dayMs = 86_400_000;

/** The seven days that end with the newest one of the instance, whose clock counts. */
async function lastDays(
  call: Awaited<ReturnType<Parameters<Parameters<typeof runWork>[1]>[0]['api']>>,
  id: number,
): Promise<{ from: string; to: string }> {
  const { date: to } = await call('GET /apps/{id}/overview', { params: { id } });
  const from = new Date(Date.parse(`${to}T00:00:00Z`) - (shownDays - 1) * dayMs);
  return { from: from.toISOString().slice(0, 10), to };
}
