import { Option, type Command } from 'commander';
import { readFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import type { CallOutput, Client } from '#client/http.ts';
import { CommandError } from '#lib/command-error.ts';
import { formatPosition } from '#lib/format-position.ts';
import { deviceIds } from '#stores/profiles.ts';
import { refuseFile } from '../refuse-file.ts';
import { decodeInput } from '../terminal/decode-input.ts';
import type { Shell } from '../terminal/shell.ts';
import type { Progress } from '../terminal/progress.ts';
import { findApp, nameOf } from './find-app.ts';
import { parseLimit } from './app-lists.ts';
import { printJson, printTable, runWork, workCommand, type WorkOptions } from './run-work.ts';

type Added = CallOutput<'POST /apps/{id}/keywords'>;

interface AddOptions extends WorkOptions {
  country: string;
  device?: string[];
  depth?: number;
  tag?: string[];
  file?: string;
  yes: boolean;
  wait: boolean;
}

export function addKeywordsCommand(shell?: Shell): Command {
  return workCommand('add')
    .argument('<app>', 'the app: its id, its id in the store, or its name')
    .argument('[phrases...]', 'the phrases; without any, a phrase in each line of stdin')
    .description('track keywords; shows the daily cost before, and asks')
    .requiredOption('--country <codes>', 'the countries, separated by commas, such as us,de')
    .addOption(new Option('--device <devices...>', 'the devices').choices(deviceIds))
    .option('--depth <number>', 'how deep in the results the app is looked for', parseLimit)
    .option('--tag <tags...>', 'tags of the new keywords')
    .option('--file <file>', 'a file with a phrase in each line')
    .option('--yes', 'do not ask', false)
    .option('--wait', 'wait for the first positions', false)
    .action((named: string, phrases: string[], options: AddOptions) =>
      runWork(
        options,
        async ({ shell: io, api, progress }) => {
          const lines = await readPhrases(phrases, options, io);
          const call = await api();
          const app = await findApp(call, named);
          const params = { id: app.id };
          const bodies = splitPhrases(lines, options);
          const cost = await previewAll(call, params, bodies);
          const count = `${cost.added} new ${cost.added === 1 ? 'keyword' : 'keywords'}`;
          io.error(
            `${nameOf(app)}: ${count}, ${cost.existing} tracked already; ` +
              `${cost.searches} more searches and ${Math.ceil(cost.requests)} more requests a ` +
              'day.\n',
          );
          if (cost.added > 0 && !options.yes) await confirm(io);
          const { results, failure } = await addAll(call, params, bodies);
          const jobs = results.flatMap(({ job }) => (job === null ? [] : [job.id]));
          const added = results.flatMap((result) => result.added);
          const isWaiting = options.wait && failure === null;
          if (isWaiting) await waitForJobs(call, jobs, progress);
          const fresh = isWaiting ? await readAgain(call, added, progress) : added;
          const existing = results.flatMap((result) => result.existing);
          if (options.json) await printJson(io, { added: fresh, existing, jobs });
          else await printAdded(io, fresh, failure === null);
          if (failure !== null) throw explainRest(failure, added.length, cost.added);
        },
        shell,
      ),
    );
}

async function readPhrases(given: string[], { file }: AddOptions, shell: Shell): Promise<string[]> {
  const isPiped = given.length === 0 && file === undefined;
  if (isPiped && shell.isInteractive)
    throw new CommandError('Name phrases, a file with --file, or pipe a phrase in each line.');
  const text = isPiped
    ? await shell.readInput()
    : file === undefined
      ? ''
      : decodeInput(await readFile(file).catch((error: unknown) => refuseFile(file, error)), file);
  const lines = text.split(/\r?\n/);
  const phrases = [...given, ...lines].map((line) => line.trim()).filter((line) => line !== '');
  if (phrases.length === 0) throw new CommandError('There is no phrase to add.');
  return [...new Set(phrases)];
}

const maxKeywords = 200;

/** Requests of at most 200 keywords. Each is all or nothing; a failure leaves the ones before. */
function splitPhrases(phrases: readonly string[], { country, device, depth, tag }: AddOptions) {
  const countries = country.split(',').map((code) => code.trim().toLowerCase());
  const each = countries.length * (device?.length ?? 1);
  if (each > maxKeywords)
    throw new CommandError(`At most ${maxKeywords} countries and devices at once. Split them.`);
  const size = Math.floor(maxKeywords / each);
  return Array.from({ length: Math.ceil(phrases.length / size) }, (_, index) => ({
    phrases: phrases.slice(index * size, (index + 1) * size),
    countries,
    ...(device && { devices: device }),
    ...(depth !== undefined && { depth }),
    ...(tag && { tags: tag }),
  }));
}

type Body = ReturnType<typeof splitPhrases>[number];

async function previewAll(call: Client, params: { id: number }, bodies: readonly Body[]) {
  const cost = { added: 0, existing: 0, searches: 0, requests: 0 };
  for (const body of bodies) {
    const { items, budgetDelta } = await call('POST /apps/{id}/keywords/preview', { params, body });
    cost.added += items.filter(({ state }) => state === 'new').length;
    cost.existing += items.filter(({ state }) => state === 'existing').length;
    cost.searches += budgetDelta.searchesPerDay;
    cost.requests += budgetDelta.requestsPerDay;
  }
  return cost;
}

/** Ends at the first failure, which is thrown when nothing was done before it. */
async function addAll(
  call: Client,
  params: { id: number },
  bodies: readonly Body[],
): Promise<{ results: Added[]; failure: Error | null }> {
  const results: Added[] = [];
  try {
    for (const body of bodies)
      results.push(await call('POST /apps/{id}/keywords', { params, body }));
  } catch (error) {
    if (results.length === 0) throw error;
    return { results, failure: error as Error };
  }
  return { results, failure: null };
}

const explainRest = (failure: Error, added: number, all: number): CommandError =>
  new CommandError(`${added} of ${all} new keywords were added. ${failure.message}`);

const printAdded = (shell: Shell, added: Added['added'], isAll: boolean): Promise<void> =>
  printTable(
    shell,
    [
      { title: 'id', value: ({ id }) => id, isRight: true },
      { title: 'phrase', value: ({ phrase }) => phrase, isFlexible: true },
      { title: 'country', value: ({ country }) => country },
      { title: 'device', value: ({ device }) => device },
      { title: 'position', value: ({ latest }) => formatPosition(latest), isRight: true },
    ],
    added,
    isAll ? 'All of them are tracked already.' : 'Nothing was added.',
  );

async function confirm(shell: Shell): Promise<void> {
  if (!shell.isInteractive)
    throw new CommandError('Nothing was added: nobody can be asked here. Add --yes.');
  const reply = await shell.ask('Track them? [y/N] ');
  if (!/^y(es)?$/i.test(reply.trim())) throw new CommandError('Nothing was added.');
}

const pollMs = 1_500;

async function waitForJobs(
  call: Client,
  jobs: readonly number[],
  progress: Progress,
): Promise<void> {
  for (const [index, jobId] of jobs.entries())
    for (;;) {
      const job = await call('GET /jobs/{jobId}', { params: { jobId } });
      if (job.state === 'failed')
        throw new CommandError(
          `The keywords were added. Their first check failed (${job.error ?? 'no reason'}); it ` +
            'is repeated with the daily run.',
        );
      if (job.finishedAt !== null) break;
      const { done, total } = job.progress;
      const part = jobs.length > 1 ? `, job ${index + 1} of ${jobs.length}` : '';
      progress.update(`${done} of ${total} checks${part}`);
      await wait(pollMs);
    }
}

async function readAgain(
  call: Client,
  added: Added['added'],
  progress: Progress,
): Promise<Added['added']> {
  const fresh: Added['added'] = [];
  for (const { id: keywordId } of added) {
    fresh.push(await call('GET /keywords/{keywordId}', { params: { keywordId } }));
    progress.update(`${fresh.length} of ${added.length} positions`);
  }
  return fresh;
}
