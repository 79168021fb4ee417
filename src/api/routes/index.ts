import type { Operation } from '#contract/operation.ts';
import type { Route } from '../route.ts';
import { appsRoutes } from './apps.ts';
import { authRoutes } from './auth.ts';
import { jobsRoutes } from './jobs.ts';
import { keywordsRoutes } from './keywords.ts';
import { rankingsRoutes } from './rankings.ts';
import { runsRoutes } from './runs.ts';
import { providersRoutes } from './providers.ts';
import { serpRoutes } from './serp.ts';
import { serviceRoutes } from './service.ts';
import { storeRoutes } from './store.ts';
import { tokensRoutes } from './tokens.ts';
import { workspaceRoutes } from './workspace.ts';
import { actionsRoutes } from './actions.ts';
import { adminRoutes } from './admin.ts';
import { alertsRoutes } from './alerts.ts';
import { annotationsRoutes } from './annotations.ts';
import { auditRoutes } from './audit.ts';
import { billingRoutes } from './billing.ts';
import { briefingRoutes } from './briefing.ts';
import { changesRoutes } from './changes.ts';
import { chartsRoutes } from './charts.ts';
import { competitorsRoutes } from './competitors.ts';
import { countryScoresRoutes } from './country-scores.ts';
import { digestsRoutes } from './digests.ts';
import { eventsRoutes } from './events.ts';
import { exportsRoutes } from './exports.ts';
import { historyImportsRoutes } from './history-imports.ts';
import { imagesRoutes } from './images.ts';
import { importsRoutes } from './imports.ts';
import { keywordFieldRoutes } from './keyword-field.ts';
import { listingDraftsRoutes } from './listing-drafts.ts';
import { membersRoutes } from './members.ts';
import { myWorkspacesRoutes } from './my-workspaces.ts';
import { reportsRoutes } from './reports.ts';
import { reviewsRoutes } from './reviews.ts';
import { popularityRoutes } from './popularity.ts';
import { scoresRoutes } from './scores.ts';
import { liveRoutes } from './live.ts';
import { retentionRoutes } from './retention.ts';
import { settingsRoutes } from './settings.ts';
import { snapshotsRoutes } from './snapshots.ts';
import { storefrontLocalesRoutes } from './storefront-locales.ts';
import { suggestionsRoutes } from './suggestions.ts';
import { tagsRoutes } from './tags.ts';
import { timelineRoutes } from './timeline.ts';
import { viewsRoutes } from './views.ts';
import { visibilityRoutes } from './visibility.ts';
import { webhooksRoutes } from './webhooks.ts';

/** Every route of the API. */
export const routes: readonly Route[] = [
  ...serviceRoutes,
  ...authRoutes,
  ...tokensRoutes,
  ...workspaceRoutes,
  ...appsRoutes,
  ...storeRoutes,
  ...keywordsRoutes,
  ...rankingsRoutes,
  ...serpRoutes,
  ...providersRoutes,
  ...jobsRoutes,
  ...runsRoutes,
  ...actionsRoutes,
  ...adminRoutes,
  ...alertsRoutes,
  ...annotationsRoutes,
  ...auditRoutes,
  ...billingRoutes,
  ...briefingRoutes,
  ...changesRoutes,
  ...chartsRoutes,
  ...competitorsRoutes,
  ...countryScoresRoutes,
  ...digestsRoutes,
  ...eventsRoutes,
  ...exportsRoutes,
  ...historyImportsRoutes,
  ...imagesRoutes,
  ...importsRoutes,
  ...keywordFieldRoutes,
  ...listingDraftsRoutes,
  ...membersRoutes,
  ...myWorkspacesRoutes,
  ...reportsRoutes,
  ...reviewsRoutes,
  ...popularityRoutes,
  ...scoresRoutes,
  ...liveRoutes,
  ...retentionRoutes,
  ...settingsRoutes,
  ...snapshotsRoutes,
  ...storefrontLocalesRoutes,
  ...suggestionsRoutes,
  ...tagsRoutes,
  ...timelineRoutes,
  ...viewsRoutes,
  ...visibilityRoutes,
  ...webhooksRoutes,
];

/**
 * Throws at the start when the table has a gap: an operation without a handler, a handler without
 * an operation, a route without its policy.
 */
export function checkRoutes(table: readonly Route[], operations: Record<string, Operation>): void {
  const keys = table.map((route) => route.key);
  const faults = [
    ...Object.keys(operations)
      .filter((key) => !keys.includes(key))
      .map((key) => `${key} has no handler`),
    ...keys
      .filter((key, index) => !(key in operations) || keys.indexOf(key) !== index)
      .map((key) => `${key} has a handler but no operation, or two`),
    ...table
      .filter((route) => typeof route.handler !== 'function')
      .map((route) => `${route.key} has no handler`),
    ...table
      .filter(
        ({ operation }) => !operation.rateClass || typeof operation.readOnlyToken !== 'boolean',
      )
      .map((route) => `${route.key} has no policy`),
    ...table
      .filter(({ operation }) => Object.keys(operation.responses ?? {}).length === 0)
      .map((route) => `${route.key} documents no response`),
  ];
  if (faults.length > 0) throw new Error(`The route table has gaps:\n  ${faults.join('\n  ')}`);
}
