import {
  findSharedReport,
  markReportOpened,
  type SharedReport,
} from '#db/queries/reports/reports.ts';
import type { Services } from '#domain/base/context.ts';
import { AppError, notFound } from '#domain/base/errors.ts';
import { readLinkSecret } from '../auth/link-secrets.ts';
import { verifyPassword } from '../auth/password-hashing.ts';

export type { SharedReport };

/**
 * The report of a link. Throws the same not_found for unknown, deleted and expired ones, and
 * workspace_suspended.
 */
export async function findReport(services: Services, token: string): Promise<SharedReport> {
  const hash = readLinkSecret(token);
  const report =
    hash === null
      ? undefined
      : await findSharedReport(services.systemDb, hash, services.clock.now());
  if (!report) throw notFound();
  if (report.workspaceState === 'suspended')
    throw new AppError('workspace_suspended', 'This report is not available at the moment.');
  return report;
}

/** Throws unauthenticated without the password that the report has. */
export async function openReport(
  services: Services,
  report: SharedReport,
  password: string | undefined,
): Promise<void> {
  const { id, passwordHash } = report;
  if (passwordHash !== null) {
    if (password === undefined)
      throw new AppError('unauthenticated', 'This report has a password. Enter it to read on.');
    if (!(await verifyPassword(passwordHash, password)))
      throw new AppError('unauthenticated', 'This is not the password of the report.');
  }
  await markReportOpened(services.systemDb, id, services.clock.now());
}
