import type { Client, CallOutput } from '#client/http.ts';
import { CommandError } from '#lib/command-error.ts';
import { printable } from '#lib/text.ts';
import { listAll } from './list-pages.ts';

type App = CallOutput<'GET /apps'>['items'][number];

/**
 * The app with this id, store id, bundle id or name; part of a name suffices when one app has it.
 * Throws CommandError that lists the candidates.
 */
export async function findApp(api: Client, named: string): Promise<App> {
  const apps = await listAll((page) => api('GET /apps', { query: page }));
  const searched = named.trim().toLowerCase();
  const equal = apps.filter((app) => String(app.id) === searched);
  const tests: ((app: App) => boolean)[] = [
    ({ storeAppId, bundleId }) =>
      [storeAppId, bundleId].some((id) => id?.toLowerCase() === searched),
    (app) => namesOf(app).includes(searched),
    (app) => searched !== '' && namesOf(app).some((name) => name.includes(searched)),
  ];
  const found = tests.reduce((some, test) => (some.length > 0 ? some : apps.filter(test)), equal);
  if (found.length === 1) return found[0]!;
  if (found.length === 0)
    throw new CommandError(`No app is named "${printable(named)}". See toprung apps.`);
  const listed = found.slice(0, 10).map((app) => `  ${app.id}  ${app.store}  ${nameOf(app)}`);
  throw new CommandError(
    `${found.length} apps match "${printable(named)}". Use the id of one:\n${listed.join('\n')}`,
  );
}

const namesOf = ({ name, displayName }: App): string[] =>
  [name, displayName].flatMap((text) => (text === null ? [] : [text.toLowerCase()]));

export const nameOf = ({ name, displayName }: Pick<App, 'name' | 'displayName'>): string =>
  printable(displayName ?? name);
