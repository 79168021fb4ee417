import type { AlertRule } from '#contract/alerts.ts';
import type { Tx } from '#db/database.ts';
import {
  listWorkspacesForDigest,
  markDigestSent,
  type DigestWorkspace,
} from '#db/queries/digests/digests.ts';
import { insertJob } from '#db/queries/jobs/jobs.ts';
import { listMailRecipients } from '#db/queries/members/mail-recipients.ts';
import { addDays, utcDayOf, type UtcDay } from '#lib/dates.ts';
import { readRules } from '#domain/alerting/alerts/read-rules.ts';
import { inSystem, type Services } from '#domain/base/context.ts';
import { emitEvents } from '#domain/alerting/events/emit-events.ts';
import { withDefaults } from '#domain/tracking/settings/get-settings.ts';
import { loadDigest } from './get-digest.ts';
import { digestTimeOf, dueWeek, mondayOf } from './week.ts';

const pageSize = 1_000;
const digestBatchSize = 20;

/**
 * Emits each workspace's weekly digest at its chosen day and hour, once per ISO week, even without
 * activity. Returns the number.
 */
export async function emitDigests(services: Services): Promise<number> {
  const now = services.clock.now();
  const newest = addDays(mondayOf(utcDayOf(now)), -7);
  let emitted = 0;
  let page: DigestWorkspace[] = [];
  do {
    const after = page.at(-1)?.id ?? 0;
    page = await inSystem(services, (tx) =>
      listWorkspacesForDigest(tx, newest, { after, limit: pageSize }),
    );
    for (const { id, settings, ...workspace } of page) {
      const week = dueWeek(now, digestTimeOf(withDefaults(settings ?? {})), workspace);
      if (week === null) continue;
      await emitDigest(services, id, week);
      emitted += 1;
      if (emitted === digestBatchSize) return emitted;
    }
  } while (page.length === pageSize);
  return emitted;
}

async function emitDigest(services: Services, workspaceId: number, week: UtcDay): Promise<void> {
  const now = services.clock.now();
  await inSystem(services, async (tx) => {
    if (!(await markDigestSent(tx, workspaceId, week))) return;
    const rule = (await readRules(tx, workspaceId)).find(
      (one): one is DigestRule => one.event === 'digest.weekly',
    );
    if (!rule?.enabled) return;
    const { digest } = await loadDigest(tx, workspaceId, { week, today: utcDayOf(now) });
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
