import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { utcDayOf } from '#lib/dates.ts';
import { seedHistory } from '#tests/harness/history.ts';
import { formatGetRequest, generateLoad } from './load-generator.ts';
import { percentile, type Measurement } from './measurement.ts';
import { startApi } from './product.ts';
import { quietRounds } from './quiet-rounds.ts';

const rounds = 6;
const roundSeconds = 1;

/**
 * Reads of a workspace of 10,000 keywords through the API, beside a bare route with the same data
 * in the same run: the ratio says what the API adds, however busy the machine is.
 */
export async function* measure(): AsyncGenerator<Measurement> {
  // The default level: the line for each request is written at `debug` only.
  const api = await startApi({ LOG_LEVEL: 'info' });
  const bare = spawn(
    process.execPath,
    [
      fileURLToPath(new URL('bare-server.ts', import.meta.url)),
      api.database.url,
      `${api.workspaceId}`,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  try {
    const bareUrl = String((await once(bare.stdout, 'data'))[0]).trim();
    const { appIds } = await seedHistory(api.database.pool, {
      workspaceId: api.workspaceId,
      apps: 20,
      markets: 10_000,
      days: 30,
      lastDay: utcDayOf(new Date()),
    });
    await api.database.pool.query('vacuum analyze');
    const cookie = `cookie: ${api.cookie.name}=${api.cookie.value}`;
    for (const [name, path, goal] of [
      ['apps', '/apps', 2],
      ['keywords', `/apps/${appIds[0]}/keywords?limit=100`, 3],
      ['latest', '/rankings/latest?limit=100', 2],
    ] as const) {
      const timed = (url: string, read: string) => async () =>
        (roundSeconds * 1_000) /
        (await generateLoad(url, 1, roundSeconds, [formatGetRequest(read, cookie)]));
      const works = [timed(api.url, path), timed(bareUrl, `/${name}`)];
      for (const warmUp of works) await warmUp();
      const [ours = 0, theirs = 0] = (await quietRounds(rounds, works)).map((taken) =>
        percentile(
          taken.toSorted((a, b) => a - b),
          0.5,
        ),
      );
      const scale = '10k kws';
      yield {
        name: `${name}, mean of a second, p50`,
        scale,
        measured: ours,
        unit: 'ms',
        goal: null,
      };
      yield { name: `  of a bare route`, scale, measured: theirs, unit: 'ms', goal: null };
      yield { name: `  ratio`, scale, measured: ours / theirs, unit: '×', goal };
    }
  } finally {
    bare.kill();
    await api.close();
  }
}
