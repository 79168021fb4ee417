/**
 * A process that does everything a workspace's plan allows, 48 requests at a time. Its own machine
 * would not be the server's, so it yields the processor to the server and reads no response.
 */
import { fork } from 'node:child_process';
import { setPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

interface Target {
  baseUrl: string;
  token: string;
  appIds: number[];
  from: string;
  to: string;
}

const lowestPriority = 19;
const loops = 48;
const rules = [{ event: 'rank.dropped', enabled: true, scope: {} }];

/** `stop` ends the process and returns the number of responses other than refusals. */
export function startHostileTenant(target: Target): { stop(): Promise<number> } {
  const child = fork(fileURLToPath(import.meta.url), { stdio: 'inherit' });
  child.send(target);
  return {
    stop: async () => {
      const responses = new Promise<number>((resolve) => child.once('message', resolve as never));
      child.send('stop');
      const count = await responses;
      child.disconnect();
      return count;
    },
  };
}

async function attack({ baseUrl, token, appIds, from, to }: Target): Promise<void> {
  let isOver = false;
  let responses = 0;
  process.once('message', () => (isOver = true));
  const ask = async (path: string, body?: object) => {
    const response = await fetch(`${baseUrl}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    await response.arrayBuffer();
    if (response.ok) responses += 1;
    // Refusals are the plan's limits at work.
    else await sleep(50);
  };
  const requests: ((app: number, round: number) => Promise<void>)[] = [
    () => ask('/alerts/rules/backtest', { rules, days: 90 }),
    () => ask('/digests/weekly'),
    (app) => ask(`/apps/${app}/rankings/matrix?from=${from}&to=${to}`),
    (app) => ask(`/apps/${app}/exports/rankings?format=csv&from=${from}&to=${to}`),
    (app, round) =>
      ask(`/apps/${app}/keywords`, { phrases: [`hostile ${round}`], countries: ['us'] }),
  ];
  await Promise.all(
    Array.from({ length: loops }, async (_, index) => {
      for (let round = index; !isOver; round += loops)
        await requests[index % requests.length]!(appIds[round % appIds.length]!, round);
    }),
  );
  process.send!(responses);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  setPriority(lowestPriority);
  process.once('message', (target) => void attack(target as Target));
}
