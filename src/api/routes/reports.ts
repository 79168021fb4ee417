import { reports } from '#contract/reports.ts';
import { findReport, openReport } from '#domain/accounts/reports/open-report.ts';
import { createReport, deleteReport, listReports } from '#domain/accounts/reports/reports.ts';
import { getReport } from '#domain/insights/reports/get-report.ts';
import { requestBaseUrl } from '../plugins/request-base-url.ts';
import { ResponseOf, routesOf } from '../route.ts';

export const reportsRoutes = routesOf(reports, {
  'GET /reports': ({ ctx, query }) => listReports(ctx, query),
  'POST /reports': async ({ ctx, body, raw }) =>
    new ResponseOf(201, await createReport(ctx, body, requestBaseUrl(raw.request))),
  'DELETE /reports/{id}': async ({ ctx, params }) => {
    await deleteReport(ctx, params.id);
    return { id: params.id, deleted: true as const };
  },
  'POST /reports/open': async ({ body, raw }) => {
    const { services, limits } = raw.request.server.api;
    const report = await findReport(services, body.token);
    const open = () => openReport(services, report, body.password);
    // Without a password there is nothing to guess.
    await (body.password === undefined
      ? open()
      : limits.signIn.countFailure(`report ${report.id}`, raw.request.client.bucket, open));
    return getReport(services, report);
  },
});
