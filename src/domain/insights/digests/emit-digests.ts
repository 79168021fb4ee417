import type { AlertRule } from '#contract/alerts.ts';
import type { Tx } from '#db/database.ts';
import {
  lockWorkspacesForDigest,
  markDigestSent,
  rescheduleLaterDigests,
  scheduleDigests,
} from '#db/queries/digests/digests.ts';
import { insertJob } from '#db/queries/jobs/jobs.ts';
import { listMailRecipients } from '#db/queries/members/mail-recipients.ts';
import { utcDayOf, type UtcDay } from '#lib/dates.ts';
import { readRules } from '#domain/alerting/alerts/read-rules.ts';
import { inSystem, type Services } from '#domain/base/context.ts';
import { isClockPlausible } from '#domain/base/plausible-clock.ts';
import { emitEvents } from '#domain/alerting/events/emit-events.ts';
import { withDefaults } from '#domain/tracking/settings/get-settings.ts';
import { loadDigest } from './get-digest.ts';
import { digestTimeOf, dueWeek, mondayOf, nextDigestAt } from './week.ts';

const pageSize = 1_000;
const digestBatchSize = 20;

/**
 * Emits each workspace's weekly digest at its chosen day and hour, once per ISO week, even without
 * activity, but not while the daily run skips the workspace. Returns the number.
 */
export async function emitDigests(services: Services): Promise<number> {
  if (!(await isClockPlausible(services))) return 0;
  const now = services.clock.now();
  await rescheduleLaterDigests(services.systemDb, now, pageSize);
  let emitted = 0;
  for (let isLast = false; !isLast && emitted < digestBatchSize;) {
    const page = await inSystem(services, (tx) => takeDue(tx, now));
    for (const { id, week } of page.due) await emitDigest(services, id, week);
    emitted += page.due.length;
    isLast = page.isLast;
  }
  return emitted;
}

/**
 * The digests that are due, at most `digestBatchSize`. Workspaces that have none are considered
 * again at their next digest time, and the others once more after their digest.
 */
async function takeDue(
  tx: Tx,
  now: Date,
): Promise<{ due: { id: number; week: UtcDay }[]; isLast: boolean }> {
  const page = await lockWorkspacesForDigest(tx, now, pageSize);
  const considered = page.map(({ id, settings, dailyRunPaused, ...workspace }) => {
    const time = digestTimeOf(withDefaults(settings ?? {}));
    const week = dailyRunPaused ? null : dueWeek(now, time, workspace);
    return { id, week, at: nextDigestAt(now, time) };
  });
  await scheduleDigests(
    tx,
    considered.filter(({ week }) => week === null),
  );
  const due = considered.flatMap(({ id, week }) => (week === null ? [] : [{ id, week }]));
  return { due: due.slice(0, digestBatchSize), isLast: page.length < pageSize };
}

async function emitDigest(services: Services, workspaceId: number, week: UtcDay): Promise<void> {
  const now = services.clock.now();
  await inSystem(services, async (tx) => {
    const thisWeek = mondayOf(utcDayOf(now));
    if (!(await markDigestSent(tx, workspaceId, { week, thisWeek }))) return;
    const rule = (await readRules(tx, workspaceId)).find(
      (one): one is DigestRule => one.event === 'digest.weekly',
    );
    if (!rule?.enabled) return;
    const { digest } = await loadDigest(tx, workspaceId, { week, today: utcDayOf(now) });
    const emitted = await emitEvents(tx, services, [
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
    if (services.mailer !== null && emitted.length > 0)
      await enqueueDigestEmails(tx, { workspaceId, week, mailTo: rule.mailTo, now });
  });
}

type DigestRule = Extract<AlertRule, { event: 'digest.weekly' }>;

/** One background job per recipient, in the transaction that emits the digest. */
async function enqueueDigestEmails(
  tx: Tx,
  mails: { workspaceId: number; week: UtcDay; mailTo: DigestRule['mailTo']; now: Date },
): Promise<void> {
  const { workspaceId, week, mailTo, now } = mails;
  const readers =
    mailTo === 'nobody' ? [] : await listMailRecipients(tx, workspaceId, mailTo === 'everyone');
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
