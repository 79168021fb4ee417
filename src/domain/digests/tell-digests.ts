import { listUntoldWorkspaces, markDigestTold } from '../../db/queries/digests.ts';
import { addDays, utcDayOf, type UtcDay } from '../../lib/dates.ts';
import { inSystem, type Services } from '../context.ts';
import { emitEvents } from '../events/emit.ts';
import { readDigest } from './read-digest.ts';
import { dueWeek, mondayOf, readDigestTime } from './week.ts';

const workspacesAtOnce = 1_000;
const digestsAtOnce = 20;

/** Tells each workspace of its week on the day and hour it wants, once an ISO week, also when nothing happened. Returns how many. */
export async function tellDigests(services: Services): Promise<number> {
  const now = services.clock.now();
  const newest = addDays(mondayOf(utcDayOf(now)), -7);
  const untold = await inSystem(services, (tx) => listUntoldWorkspaces(tx, newest, workspacesAtOnce));
  const due = untold.flatMap(({ id, settings, ...workspace }) => {
    const week = dueWeek(now, readDigestTime(settings), workspace);
    return week === null ? [] : [{ id, week }];
  });
  for (const { id, week } of due.slice(0, digestsAtOnce)) await tellDigest(services, id, week);
  return Math.min(due.length, digestsAtOnce);
}

async function tellDigest(services: Services, workspaceId: number, week: UtcDay): Promise<void> {
  const now = services.clock.now();
  await inSystem(services, async (tx) => {
    if (!(await markDigestTold(tx, workspaceId, week))) return;
    const { digest } = await readDigest(tx, workspaceId, { week, today: utcDayOf(now) });
    await emitEvents(tx, services, [
      {
        workspaceId,
        type: 'digest.weekly',
        key: `digest.weekly:${week}`,
        appId: null,
        occurredAt: now,
        data: digest,
        links: { about: `/digests/weekly?week=${week}` },
      },
    ]);
  });
}
