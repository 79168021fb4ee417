import type { AlertRule } from '../../contract/alerts.ts';
import type { Tx } from '../../db/database.ts';
import {
  listDigestReaders,
  listUntoldWorkspaces,
  markDigestTold,
  type UntoldWorkspace,
} from '../../db/queries/digests.ts';
import { insertJob } from '../../db/queries/jobs.ts';
import { addDays, utcDayOf, type UtcDay } from '../../lib/dates.ts';
import { readRules } from '../alerts/read-rules.ts';
import { inSystem, type Services } from '../context.ts';
import { emitEvents } from '../events/emit.ts';
import { withDefaults } from '../settings/read-settings.ts';
import { readDigest } from './read-digest.ts';
import { digestTimeOf, dueWeek, mondayOf } from './week.ts';

const pageSize = 1_000;
const digestsAtOnce = 20;

/** Tells each workspace of its week on the day and hour it wants, once an ISO week, also when nothing happened. Returns how many. */
export async function tellDigests(services: Services): Promise<number> {
  const now = services.clock.now();
  const newest = addDays(mondayOf(utcDayOf(now)), -7);
  let told = 0;
  let page: UntoldWorkspace[] = [];
  do {
    const after = page.at(-1)?.id ?? 0;
    page = await inSystem(services, (tx) =>
      listUntoldWorkspaces(tx, newest, { after, limit: pageSize }),
    );
    for (const { id, settings, ...workspace } of page) {
      const week = dueWeek(now, digestTimeOf(withDefaults(settings ?? {})), workspace);
      if (week === null) continue;
      await tellDigest(services, id, week);
      told += 1;
      if (told === digestsAtOnce) return told;
    }
  } while (page.length === pageSize);
  return told;
}

async function tellDigest(services: Services, workspaceId: number, week: UtcDay): Promise<void> {
  const now = services.clock.now();
  await inSystem(services, async (tx) => {
    if (!(await markDigestTold(tx, workspaceId, week))) return;
    const rule = (await readRules(tx, workspaceId)).find(
      (one): one is DigestRule => one.event === 'digest.weekly',
    );
    if (!rule?.enabled) return;
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
    if (services.mailer !== null)
      await acceptMails(tx, { workspaceId, week, mailTo: rule.mailTo, now });
  });
}

type DigestRule = Extract<AlertRule, { event: 'digest.weekly' }>;

/** A piece of house work for each reader, in the transaction that tells the digest. */
async function acceptMails(
  tx: Tx,
  mails: { workspaceId: number; week: UtcDay; mailTo: DigestRule['mailTo']; now: Date },
): Promise<void> {
  const { workspaceId, week, mailTo, now } = mails;
  const readers =
    mailTo === 'nobody' ? [] : await listDigestReaders(tx, workspaceId, mailTo === 'everyone');
  for (const { userId } of readers) {
    const dedupeKey = `digest-mail_${week}_${userId}`;
    await insertJob(tx, {
      workspaceId,
      appId: null,
      kind: 'digest-mail',
      dedupeKey,
      payload: { week, userId },
      total: 1,
      queuedAt: now,
    });
  }
}
