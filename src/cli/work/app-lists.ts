import { InvalidArgumentError, Option, type Command } from 'commander';
import type { CallOutput } from '#client/http.ts';
import { actionStates, severities } from '#contract/choices.ts';
import { formatPosition } from '#lib/format-position.ts';
import { deviceIds, storeNames, type StoreName } from '#stores/profiles.ts';
import type { Shell } from '../terminal/shell.ts';
import { findApp, nameOf } from './find-app.ts';
import { listAll, listPages } from './list-pages.ts';
import {
  printItems,
  printJson,
  printTable,
  runWork,
  workCommand,
  type WorkOptions,
} from './run-work.ts';

const appDescription = 'the app: its id, its id in the store, or its name';

export function parseLimit(text: string): number {
  if (!/^[1-9]\d{0,6}$/.test(text)) throw new InvalidArgumentError('A whole number from 1.');
  return Number(text);
}

export const marketOptions = (command: Command): Command =>
  command
    .option('--country <code>', 'only this country, such as us')
    .addOption(new Option('--device <device>', 'only this device').choices(deviceIds));

export function appsCommand(shell?: Shell): Command {
  return workCommand('apps')
    .description('list the apps of the workspace')
    .addOption(new Option('--store <store>', 'only this store').choices(storeNames))
    .option('--search <text>', 'only apps whose name has the text')
    .action((options: WorkOptions & { store?: StoreName; search?: string }) =>
      runWork(
        options,
        async ({ shell: io, api, progress }) => {
          const call = await api();
          const { store, search: q } = options;
          const read = (page: object) =>
            call('GET /apps', {
              query: { ...page, include: 'summary', ...(store && { store }), ...(q && { q }) },
            });
          if (options.json) return printItems(io, listPages(read));
          const apps = await listAll(read, { onPage: (done) => progress.update(`${done} apps`) });
          progress.end();
          return printTable(
            io,
            [
              { title: 'id', value: ({ id }) => id, isRight: true },
              { title: 'store', value: (app) => app.store },
              { title: 'name', value: nameOf, isFlexible: true },
              { title: 'store id', value: ({ storeAppId }) => storeAppId, isFlexible: true },
              { title: 'keywords', value: ({ counts }) => counts?.keywords ?? null, isRight: true },
              { title: 'ranked', value: ({ counts }) => counts?.ranked ?? null, isRight: true },
            ],
            apps,
            'There are no apps. Add one in the dashboard.',
          );
        },
        shell,
      ),
    );
}

interface MarketOptions extends WorkOptions {
  country?: string;
  device?: (typeof deviceIds)[number];
}

/** The members of a query that are set. */
export const ofMarket = ({ country, device }: MarketOptions) => ({
  ...(country !== undefined && { country: country.toLowerCase() }),
  ...(device !== undefined && { device }),
});

interface DayOptions extends MarketOptions {
  from?: string;
  to?: string;
  limit: number;
}

const movedKinds = ['gained', 'lost', 'entered', 'left'] as const;
/** The most rows of a list that the API returns. */
const maxMovers = 500;

const describeLimit = (limit: number): string =>
  `the first ${limit}${limit < maxMovers ? `; use --limit ${maxMovers} for more` : ''}`;

const describeNotComparable = ({
  notComparable,
  segments,
}: CallOutput<'GET /apps/{id}/rankings/movers'>): string => {
  const providers = segments.map(({ from, provider }) => `${provider} from ${from}`).join(', ');
  return (
    `${notComparable} keywords are not comparable, because two search providers have their ` +
    `positions${segments.length > 1 ? `: ${providers}` : ''}\n`
  );
};

export function moversCommand(shell?: Shell): Command {
  return marketOptions(workCommand('movers'))
    .argument('<app>', appDescription)
    .description('list the keywords that gained, lost, entered or left between two days')
    .option('--from <day>', 'the first day, YYYY-MM-DD')
    .option('--to <day>', 'the last day, YYYY-MM-DD')
    .option('--limit <number>', 'the most rows of each list', parseLimit, 50)
    .action((named: string, options: DayOptions) =>
      runWork(
        options,
        async ({ shell: io, api }) => {
          const call = await api();
          const { id } = await findApp(call, named);
          const { from, to, limit } = options;
          const movers = await call('GET /apps/{id}/rankings/movers', {
            params: { id },
            query: { ...ofMarket(options), limit, ...(from && { from }), ...(to && { to }) },
          });
          for (const kind of movedKinds)
            if (movers[kind].length >= limit) io.error(`${kind}: ${describeLimit(limit)}\n`);
          if (movers.notComparable > 0) io.error(describeNotComparable(movers));
          if (options.json) return printJson(io, movers);
          await io.out(`${movers.from} to ${movers.to}\n`);
          const rows = movedKinds.flatMap((kind) => movers[kind].map((row) => ({ kind, ...row })));
          return printTable(
            io,
            [
              { title: '', value: ({ kind }) => kind },
              { title: 'phrase', value: ({ phrase }) => phrase, isFlexible: true },
              { title: 'country', value: ({ country }) => country },
              { title: 'device', value: ({ device }) => device },
              { title: 'from', value: (row) => formatPosition(row.from), isRight: true },
              { title: 'to', value: (row) => formatPosition(row.to), isRight: true },
              { title: 'change', value: ({ change }) => signed(change), isRight: true },
            ],
            rows,
            movers.compared === 0 ? 'Nothing was compared.' : 'Nothing moved.',
          );
        },
        shell,
      ),
    );
}

/** Positions gained with their sign; null where there is no comparison. */
export const signed = (change: number | null): string | null =>
  change === null ? null : change > 0 ? `+${change}` : String(change);

interface ActionOptions extends WorkOptions {
  app?: string;
  state: string;
  severity?: string;
}

export function actionsCommand(shell?: Shell): Command {
  return workCommand('actions')
    .description('list suggested actions')
    .option('--app <app>', 'only those of an app')
    .addOption(new Option('--state <state>', 'their state').choices(actionStates).default('open'))
    .addOption(new Option('--severity <severity>', 'their severity').choices(severities))
    .action((options: ActionOptions) =>
      runWork(
        options,
        async ({ shell: io, api }) => {
          const call = await api();
          const { state, severity } = options;
          const appId =
            options.app === undefined ? undefined : (await findApp(call, options.app)).id;
          const read = (page: object) =>
            call('GET /actions', {
              query: {
                ...page,
                state,
                ...(severity !== undefined && { severity }),
                ...(appId !== undefined && { appId }),
              },
            });
          if (options.json) return printItems(io, listPages(read));
          return printTable(
            io,
            [
              { title: 'id', value: ({ id }) => id, isRight: true },
              { title: 'severity', value: (action) => action.severity },
              { title: 'app', value: (action) => action.appId, isRight: true },
              { title: 'action', value: ({ title }) => title, isFlexible: true },
              { title: 'since', value: ({ openedAt }) => openedAt.slice(0, 10) },
            ],
            await listAll(read),
            'There are no such actions.',
          );
        },
        shell,
      ),
    );
}
