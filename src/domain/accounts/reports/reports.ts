import type { z } from 'zod';
import type { report as reportShape, reports } from '#contract/reports.ts';
import {
  countReports,
  deleteReport as deleteReportRow,
  insertReport,
  listReports as listReportRows,
  type ReportRow,
} from '#db/queries/reports/reports.ts';
import { listMembers } from '#db/queries/members/members.ts';
import { writeAudit } from '#domain/base/audit/write-audit.ts';
import { inSystem, inTenant, type Ctx } from '#domain/base/context.ts';
import { readDevice } from '#domain/base/device.ts';
import { invalid, notFound } from '#domain/base/errors.ts';
import { holdCaller } from '#domain/base/hold-caller.ts';
import { assertStorable } from '#domain/base/text/parse-tags.ts';
import { getApp } from '#domain/tracking/apps/get-app.ts';
import { createLinkSecret, reportPath } from '../auth/link-secrets.ts';
import { hashPassword } from '../auth/password-hashing.ts';

type Report = z.input<typeof reportShape>;
type NewReport = z.output<(typeof reports)['POST /reports']['body']>;
type ReportList = z.input<(typeof reports)['GET /reports']['responses'][200]>;

/** The maximum of reports in a workspace. */
const maxReports = 100;

export async function listReports(
  ctx: Ctx,
  { appId = null }: { appId?: number | null | undefined },
): Promise<ReportList> {
  const rows = await inTenant(ctx, (tx) =>
    listReportRows(tx, ctx.workspaceId, { appId, now: ctx.clock.now() }),
  );
  // Users belong to no workspace, so their addresses need the role of the system.
  const members = await listMembers(ctx.systemDb, ctx.workspaceId);
  const emails = new Map(members.map(({ id, email }) => [id, email]));
  return { items: rows.map((row) => present(row, emails)), nextCursor: null, total: rows.length };
}

/**
 * Creates a link to a report of an app; the link is only in this response. `baseUrl` is the address
 * that the caller uses. Throws unauthenticated when the caller's session has ended, not_found for
 * an unknown app, and invalid_request for an archived one, a device that the store lacks, an end in
 * the past, or one report too many.
 */
export async function createReport(
  ctx: Ctx,
  { password = null, expiresAt = null, country = null, device = null, ...input }: NewReport,
  baseUrl: string,
): Promise<Report & { url: string }> {
  const createdAt = ctx.clock.now();
  const endsAt = expiresAt === null ? null : new Date(expiresAt);
  assertStorable('name', input.name);
  if (endsAt !== null && endsAt <= createdAt)
    throw invalid('expiresAt', 'in the future', expiresAt);
  const { secret, hash } = createLinkSecret();
  const passwordHash = password === null ? null : await hashPassword(password);
  const id = await inSystem(ctx, async (tx) => {
    await holdCaller(tx, ctx);
    const { store, archivedAt } = await getApp(tx, ctx, input.appId);
    if (archivedAt) throw invalid('appId', 'the app is archived; restore it first', input.appId);
    if (device !== null) readDevice('device', device, store);
    const others = await countReports(tx, ctx.workspaceId, createdAt);
    if (others >= maxReports)
      throw invalid(
        'name',
        `at most ${maxReports} reports; delete one first`,
        others + 1,
        maxReports,
      );
    const made = await insertReport(tx, ctx.workspaceId, {
      ...input,
      country,
      device,
      secretHash: hash,
      passwordHash,
      createdBy: ctx.actor.userId,
      createdAt,
      expiresAt: endsAt,
    });
    await writeAudit(tx, ctx, {
      action: 'report.created',
      subject: `report ${made}`,
      detail: { name: input.name, appId: input.appId },
    });
    return made;
  });
  return {
    id,
    ...input,
    country,
    device,
    hasPassword: password !== null,
    createdBy: ctx.actor.email,
    createdAt: createdAt.toISOString(),
    expiresAt: endsAt?.toISOString() ?? null,
    lastOpenedAt: null,
    url: baseUrl + reportPath(secret),
  };
}

/** Its link stops working at once. Throws not_found. */
export async function deleteReport(ctx: Ctx, id: number): Promise<void> {
  await inTenant(ctx, async (tx) => {
    const name = await deleteReportRow(tx, ctx.workspaceId, id);
    if (name === undefined) throw notFound();
    await writeAudit(tx, ctx, {
      action: 'report.deleted',
      subject: `report ${id}`,
      detail: { name },
    });
  });
}

const present = (
  { createdBy, createdAt, expiresAt, lastOpenedAt, ...row }: ReportRow,
  emails: ReadonlyMap<number, string>,
): Report => ({
  ...row,
  createdBy: createdBy === null ? null : (emails.get(createdBy) ?? null),
  createdAt: createdAt.toISOString(),
  expiresAt: expiresAt?.toISOString() ?? null,
  lastOpenedAt: lastOpenedAt?.toISOString() ?? null,
});
