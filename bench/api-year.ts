import { seedHistory } from '#tests/harness/history.ts';
import { addDays, utcDayOf } from '#lib/dates.ts';
import { generateLoad, formatGetRequest } from './load-generator.ts';
import { percentile, type Measurement } from './measurement.ts';
import { startApi } from './product.ts';
import { quietRounds } from './quiet-rounds.ts';

const operation = 'GET /apps/{id}/rankings/matrix';
/** The settings of `npm start`. */
const asShipped = '--max-semi-space-size=2';
const warmUpSeconds = 2;
const rounds = 10;
const roundSeconds = 1;

/**
 * A year of 500 keywords through the API, by its own log: from the request's head to the response's
 * last byte.
 */
export async function* measure(): AsyncGenerator<Measurement> {
  const api = await startApi({ NODE_OPTIONS: asShipped });
  try {
    const lastDay = utcDayOf(new Date());
    const past = await seedHistory(api.database.pool, {
      workspaceId: api.workspaceId,
      apps: 1,
      markets: 500,
      days: 365,
      lastDay,
      gapShare: 0.02,
    });
    await api.database.pool.query('vacuum analyze');
    const range = `from=${addDays(lastDay, -364)}&to=${lastDay}`;
    const path = `/apps/${past.appIds[0]}/rankings/matrix?${range}`;
    const request = formatGetRequest(path, `cookie: ${api.cookie.name}=${api.cookie.value}`);
    await generateLoad(api.url, 1, warmUpSeconds, [request]);
    const askRound = async () => {
      const times = await generateLoad(api.url, 1, roundSeconds, [request]);
      return api.serverMs(operation).slice(-times);
    };
    const sorted = (await quietRounds(rounds, [askRound])).flat(2).toSorted((a, b) => a - b);
    for (const share of [0.5, 0.95]) {
      const name = `a year of 500 keywords through the API, server time, p${share * 100}`;
      yield {
        name,
        scale: 'target',
        measured: percentile(sorted, share),
        unit: 'ms',
        goal: share === 0.95 ? 25 : null,
      };
    }
  } finally {
    await api.close();
  }
}
