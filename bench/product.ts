import { startToprung, type Child } from '#tests/harness/process.ts';
import { createDataDir, productEnvironment, removeDataDir } from '#tests/harness/product.ts';
import { openBenchDatabase, type BenchDatabase } from './database.ts';

/** The API as it ships, in a process of its own, and a user signed in to an empty workspace. */
export interface BenchApi {
  url: string;
  database: BenchDatabase;
  workspaceId: number;
  cookie: { name: string; value: string };
  /** Milliseconds of the server for each response of an operation so far, by its own log. */
  serverMs(operation: string): number[];
  /** Another role of the same product. Resolves to the match of `announced`. */
  start(role: string, more: Record<string, string>, announced: RegExp): Promise<string>;
  close(): Promise<void>;
}

export async function startApi(settings: Record<string, string> = {}): Promise<BenchApi> {
  const [database, dataDir] = await Promise.all([openBenchDatabase(), createDataDir()]);
  const environment = {
    ...productEnvironment(dataDir, { baseUrl: 'http://127.0.0.1:9' }),
    DATABASE_URL: database.url,
    LOG_LEVEL: 'debug',
    ...settings,
  };
  const children: Child[] = [];
  const start = async (role: string, more: Record<string, string>, announced: RegExp) => {
    const child = startToprung(['start', '--role', role], { ...environment, ...more });
    children.push(child);
    await child.waitFor(announced, 60_000);
    return announced.exec(child.output())![1]!;
  };
  const close = async () => {
    await Promise.all(children.map((child) => child.kill('SIGTERM')));
    await database.close();
    await removeDataDir(dataDir);
  };
  try {
    const url = await start('api', {}, / API: +(http\S+)/);
    return {
      url,
      database,
      ...(await signUp(url)),
      serverMs: (operation) => readServerMs(children[0]!, operation),
      start,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

function readServerMs(api: Child, operation: string): number[] {
  return api
    .output()
    .split('\n')
    .filter((line) => line.includes(`"operation":"${operation}"`))
    .map((line) => Number(/"ms":([\d.]+)/.exec(line)![1]));
}

async function signUp(apiUrl: string): Promise<Pick<BenchApi, 'cookie' | 'workspaceId'>> {
  const response = await fetch(`${apiUrl}/auth/sign-up`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
    body: JSON.stringify({
      email: 'owner@example.org',
      password: 'grape-tunnel-oxide-41',
      name: 'Mara Lind',
      workspaceName: 'Northlight',
    }),
  });
  if (!response.ok)
    throw new Error(`sign-up answered ${response.status}: ${await response.text()}`);
  const [name = '', value = ''] = response.headers.getSetCookie()[0]!.split(';')[0]!.split('=');
  const { workspace } = (await response.json()) as { workspace: { id: number } };
  return { cookie: { name, value }, workspaceId: workspace.id };
}
