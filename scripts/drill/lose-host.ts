import { compareAll, countOpen, timed, trackKeywords, type Drill } from './drill.ts';
import { startHost, waitForApi, waitForWorker } from './host.ts';
import type { Target } from './lose-queue.ts';

/** Kills one of two workers while both work. */
export async function loseHost(drill: Drill, target: Target): Promise<void> {
  const { databaseUrl, token, tracked } = target;
  drill.say('3. One of two hosts with a worker is lost while it works.');
  const environment = { DATABASE_URL: databaseUrl };
  const api = startHost(drill, 'api', environment);
  const workers = [0, 1].map(() => startHost(drill, 'worker', environment));
  try {
    const client = await waitForApi(api, token);
    await Promise.all(workers.map(waitForWorker));
    const added = await trackKeywords(client, tracked, tracked + drill.markets);
    await workers[0]!.kill('SIGKILL');
    const open = await countOpen(databaseUrl);
    drill.say(
      `             ${added} keyword markets were added. With ${open} of them still to check,`,
    );
    drill.say('             a worker was killed.');
    await timed(
      drill,
      (rows) => `the other worker did its work; ${rows} positions are true`,
      () => compareAll(drill, databaseUrl),
    );
  } finally {
    await Promise.all([api, ...workers].map((host) => host.kill('SIGTERM')));
  }
}
