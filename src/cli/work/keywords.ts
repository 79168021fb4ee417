import { Command, Option } from 'commander';
import type { CallOutput } from '#client/http.ts';
import { writeCsv } from '#lib/csv-writer.ts';
import { formatPosition } from '#lib/format-position.ts';
import type { Shell } from '../terminal/shell.ts';
import { addKeywordsCommand } from './add-keywords.ts';
import { marketOptions, ofMarket, parseLimit, signed } from './app-lists.ts';
import { findApp } from './find-app.ts';
import { listAll, listPages } from './list-pages.ts';
import { printItems, printTable, runWork, workCommand, type WorkOptions } from './run-work.ts';

type Keyword = CallOutput<'GET /apps/{id}/keywords'>['items'][number];
type State = 'ranked' | 'not_found' | 'not_checked' | 'paused' | 'favorite';

interface ListOptions extends WorkOptions {
  country?: string;
  device?: 'iphone';
  tag?: string;
  search?: string;
  state?: State;
  limit?: number;
}

const filters = (command: Command): Command =>
  marketOptions(command)
    .argument('<app>', 'the app: its id, its id in the store, or its name')
    .option('--tag <tag>', 'only keywords with this tag')
    .option('--search <text>', 'only phrases with this text')
    .addOption(
      new Option('--state <state>', 'only keywords in this state').choices([
        'ranked',
        'not_found',
        'not_checked',
        'paused',
        'favorite',
      ]),
    );

const queryOf = ({ tag, search, state, ...options }: ListOptions) => ({
  ...ofMarket(options),
  ...(tag !== undefined && { tag }),
  ...(search !== undefined && { q: search }),
  ...(state !== undefined && { state }),
});

export function keywordsCommand(shell?: Shell): Command {
  const keywords = new Command('keywords').description('list, add and export keywords of an app');
  keywords.addCommand(listCommand(shell));
  keywords.addCommand(addKeywordsCommand(shell));
  keywords.addCommand(exportCommand(shell));
  return keywords;
}

function listCommand(shell?: Shell): Command {
  return filters(workCommand('list'))
    .description('list the keywords of an app with their latest positions')
    .option('--limit <number>', 'at most as many keywords', parseLimit)
    .action((named: string, options: ListOptions) =>
      runWork(
        options,
        async ({ shell: io, api, progress }) => {
          const call = await api();
          const { id } = await findApp(call, named);
          const read = (page: object) =>
            call('GET /apps/{id}/keywords', {
              params: { id },
              query: { ...page, ...queryOf(options) },
            });
          const { limit: max = Infinity } = options;
          if (options.json) return printItems(io, listPages(read, max));
          const onPage = (done: number, total: number | null) =>
            progress.update(`${done} of ${total ?? '?'} keywords`);
          const keywords = await listAll(read, { max, onPage });
          progress.end();
          return printTable(io, listColumns, keywords, 'There are no such keywords.');
        },
        shell,
      ),
    );
}

const listColumns = [
  { title: 'id', value: ({ id }: Keyword) => id, isRight: true as const },
  { title: 'phrase', value: ({ phrase }: Keyword) => phrase, isFlexible: true as const },
  { title: 'country', value: ({ country }: Keyword) => country },
  { title: 'device', value: ({ device }: Keyword) => device },
  {
    title: 'position',
    value: ({ latest }: Keyword) => formatPosition(latest),
    isRight: true as const,
  },
  {
    title: '7 days',
    value: ({ change7d }: Keyword) => signed(change7d.positionsGained),
    isRight: true as const,
  },
  { title: 'traffic', value: ({ traffic }: Keyword) => traffic, isRight: true as const },
  { title: 'difficulty', value: ({ difficulty }: Keyword) => difficulty, isRight: true as const },
  { title: 'tags', value: ({ tags }: Keyword) => tags.join(', '), isFlexible: true as const },
];

const exported: readonly [string, (keyword: Keyword) => string | number | boolean | null][] = [
  ['id', ({ id }) => id],
  ['phrase', ({ phrase }) => phrase],
  ['country', ({ country }) => country],
  ['device', ({ device }) => device],
  ['depth', ({ depth }) => depth],
  ['tags', ({ tags }) => tags.join(';')],
  ['paused', ({ paused }) => paused],
  ['date', ({ latest }) => latest?.date ?? null],
  ['state', ({ latest }) => latest?.state ?? 'not_checked'],
  ['position', ({ latest }) => latest?.position ?? null],
  ['examinedDepth', ({ latest }) => latest?.depth ?? null],
  ['resultCount', ({ latest }) => latest?.resultCount ?? null],
  ['change1d', ({ change1d }) => change1d.positionsGained],
  ['change7d', ({ change7d }) => change7d.positionsGained],
  ['change30d', ({ change30d }) => change30d.positionsGained],
  ['traffic', ({ traffic }) => traffic],
  ['difficulty', ({ difficulty }) => difficulty],
  ['opportunity', ({ opportunity }) => opportunity],
  ['note', ({ note }) => note],
];

function exportCommand(shell?: Shell): Command {
  return filters(workCommand('export'))
    .description('write all keywords of an app as CSV, or as JSON with --json')
    .action((named: string, options: ListOptions) =>
      runWork(
        options,
        async ({ shell: io, api, progress }) => {
          const call = await api();
          const { id } = await findApp(call, named);
          const pages = listPages((page) =>
            call('GET /apps/{id}/keywords', {
              params: { id },
              query: { ...page, ...queryOf(options) },
            }),
          );
          if (options.json) return printItems(io, pages);
          await io.out(writeCsv([exported.map(([name]) => name)]));
          let done = 0;
          for await (const { items, total } of pages) {
            await io.out(writeCsv(items.map((item) => exported.map(([, value]) => value(item)))));
            done += items.length;
            progress.update(`${done} of ${total ?? '?'} keywords`);
          }
        },
        shell,
      ),
    );
}
