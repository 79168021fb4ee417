import type { z } from 'zod';
import type { popularityCredentials, popularitySync } from '#contract/popularity-sync.ts';
import {
  deletePopularityCredentials,
  findPopularitySync,
  requestPopularitySync,
  upsertPopularityCredentials,
  type PopularitySyncRow,
} from '#db/queries/popularity/sync.ts';
import { listPopularityWeeks, listQuarantinedWeeks } from '#db/queries/popularity/weeks.ts';
import { writeAudit } from '#domain/base/audit/write-audit.ts';
import { inSystem, type Ctx } from '#domain/base/context.ts';
import { AppError, invalid } from '#domain/base/errors.ts';
import { PopularityApiError } from '#domain/base/ports.ts';
import { utcDayOf } from '#lib/dates.ts';
import { assertManagesPopularity } from '../assert-manages-popularity.ts';
import { encryptPrivateKey } from './private-key.ts';
import { listWeeks, newestWeek } from './published-weeks.ts';
import { requestsPerDay } from './start-due-sync.ts';

export type PopularitySync = z.input<typeof popularitySync>;
type Credentials = z.output<typeof popularityCredentials>;

/** The state of the sync and the newest weeks. Throws forbidden. */
export async function getPopularitySync(ctx: Ctx): Promise<PopularitySync> {
  await assertManagesPopularity(ctx);
  const now = ctx.clock.now();
  const row = await findPopularitySync(ctx.systemDb);
  const weeks = await listPopularityWeeks(ctx.systemDb, listWeeks(now)[0]!);
  const quarantined = await listQuarantinedWeeks(ctx.systemDb);
  return {
    credentials: row ? toCredentials(row) : null,
    state: row ? stateOf(row, now) : 'off',
    newestWeek: newestWeek(now),
    nextAt: row && row.rejectedAt === null ? row.nextAt.toISOString() : null,
    startedAt: row?.startedAt?.toISOString() ?? null,
    finishedAt: row?.finishedAt?.toISOString() ?? null,
    failure: row ? (row.failure as PopularitySync['failure']) : null,
    requestsToday: row?.requestsOn === utcDayOf(now) ? row.requests : 0,
    requestsPerDay,
    quarantined: quarantined.length,
    weeks: weeks.map(({ country, week, outcome, terms, updatedAt }) => ({
      country,
      week,
      outcome,
      terms,
      updatedAt: updatedAt.toISOString(),
    })),
  };
}

function toCredentials(row: PopularitySyncRow): NonNullable<PopularitySync['credentials']> {
  const { clientId, teamId, keyId, accountId, accountName, savedBy, savedAt, rejectedAt } = row;
  const state = rejectedAt === null ? 'accepted' : 'rejected';
  const account = { accountId, accountName };
  return { clientId, teamId, keyId, ...account, savedBy, savedAt: savedAt.toISOString(), state };
}

function stateOf(row: PopularitySyncRow, now: Date): PopularitySync['state'] {
  if (row.rejectedAt !== null) return 'stopped';
  if (row.leasedUntil !== null && row.leasedUntil > now) return 'running';
  if (row.nextAt <= now) return 'due';
  return row.failures > 0 ? 'retrying' : 'waiting';
}

/**
 * Tests credentials with the publisher and stores them; a sync follows. Throws forbidden,
 * invalid_request for a private key of another form, popularity_key_rejected, and
 * popularity_source_unavailable.
 */
export async function savePopularityCredentials(
  ctx: Ctx,
  credentials: Credentials,
): Promise<PopularitySync> {
  await assertManagesPopularity(ctx);
  const account = await findAccount(ctx, credentials);
  const { clientId, teamId, keyId, privateKey } = credentials;
  const encrypted = encryptPrivateKey(await ctx.encryptionKey(), privateKey);
  await inSystem(ctx, async (tx) => {
    await upsertPopularityCredentials(tx, {
      clientId,
      teamId,
      keyId,
      privateKey: encrypted,
      accountId: account.id,
      accountName: account.name,
      savedBy: ctx.actor.email,
      now: ctx.clock.now(),
    });
    await writeAudit(tx, ctx, {
      action: 'popularity.credentials_saved',
      subject: 'popularity',
      detail: { clientId, teamId, keyId },
    });
  });
  ctx.wake();
  return getPopularitySync(ctx);
}

const testTimeoutMs = 20_000;
const retryAfterSeconds = 60;

async function findAccount(ctx: Ctx, key: Credentials): Promise<{ id: string; name: string }> {
  const signal = AbortSignal.timeout(testTimeoutMs);
  try {
    return await ctx.popularityApi.findAccount(key, { signal, lane: 'interactive' });
  } catch (error) {
    if (error instanceof PopularityApiError) {
      const { failure, message, retryAfterMs } = error;
      if (failure === 'bad_key') throw invalid('privateKey', message);
      if (failure === 'rejected' || failure === 'no_account')
        throw new AppError('popularity_key_rejected', message);
      throw new AppError('popularity_source_unavailable', message, {
        retryAfterSeconds: Math.max(retryAfterSeconds, Math.ceil((retryAfterMs ?? 0) / 1_000)),
      });
    }
    if (!signal.aborted) throw error;
    throw new AppError('popularity_source_unavailable', undefined, { retryAfterSeconds });
  }
}

/** Removes the key; published numbers stay. Throws forbidden. */
export async function removePopularityCredentials(ctx: Ctx): Promise<PopularitySync> {
  await assertManagesPopularity(ctx);
  await inSystem(ctx, async (tx) => {
    if (!(await deletePopularityCredentials(tx))) return;
    const subject = 'popularity';
    await writeAudit(tx, ctx, { action: 'popularity.credentials_removed', subject, detail: {} });
  });
  return getPopularitySync(ctx);
}

/** Makes a sync due now. Throws forbidden, popularity_key_missing, popularity_key_rejected. */
export async function requestSync(ctx: Ctx): Promise<PopularitySync> {
  await assertManagesPopularity(ctx);
  const row = await findPopularitySync(ctx.systemDb);
  if (!row) throw new AppError('popularity_key_missing');
  if (row.rejectedAt !== null) throw new AppError('popularity_key_rejected');
  // A limit of the publisher is waited for, also when a person is impatient.
  if (row.failure?.code !== 'limited' || row.nextAt <= ctx.clock.now())
    await requestPopularitySync(ctx.systemDb, ctx.clock.now());
  ctx.wake();
  return getPopularitySync(ctx);
}
