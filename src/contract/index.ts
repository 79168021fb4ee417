import packageJson from '../../package.json' with { type: 'json' };
import { apps } from './apps.ts';
import { auth } from './auth.ts';
import { jobs } from './jobs.ts';
import { keywords } from './keywords.ts';
import type { Operation, Operations } from './operation.ts';
import { rankings } from './rankings.ts';
import { runs } from './runs.ts';
import { providers } from './providers.ts';
import { serp } from './serp.ts';
import { service } from './service.ts';
import { store } from './store.ts';
import { tokens } from './tokens.ts';
import { workspace } from './workspace.ts';
import { actions } from './actions.ts';
import { admin } from './admin.ts';
import { alerts } from './alerts.ts';
import { annotations } from './annotations.ts';
import { audit } from './audit.ts';
import { billing } from './billing.ts';
import { briefingOperations } from './briefing.ts';
import { changes } from './changes.ts';
import { charts } from './charts.ts';
import { competitors } from './competitors.ts';
import { countryScores } from './country-scores.ts';
import { digests } from './digests.ts';
import { events } from './events.ts';
import { exports } from './exports.ts';
import { historyImports } from './history-imports.ts';
import { images } from './images.ts';
import { imports } from './imports.ts';
import { keywordField } from './keyword-field.ts';
import { listingDrafts } from './listing-drafts.ts';
import { members } from './members.ts';
import { myWorkspaces } from './my-workspaces.ts';
import { reports } from './reports.ts';
import { reviews } from './reviews.ts';
import { popularity } from './popularity.ts';
import { scores } from './scores.ts';
import { live } from './live.ts';
import { retention } from './retention.ts';
import { settings } from './settings.ts';
import { snapshots } from './snapshots.ts';
import { storefrontLocales } from './storefront-locales.ts';
import { suggestions } from './suggestions.ts';
import { tagOperations } from './tags.ts';
import { timelineOperations } from './timeline.ts';
import { views } from './views.ts';
import { visibility } from './visibility.ts';
import { webhooks } from './webhooks.ts';

/** Every route of the API by its key, `METHOD /path/{param}`. */
export const operations = {
  ...service,
  ...auth,
  ...tokens,
  ...workspace,
  ...apps,
  ...store,
  ...keywords,
  ...rankings,
  ...serp,
  ...providers,
  ...jobs,
  ...runs,
  ...actions,
  ...admin,
  ...alerts,
  ...annotations,
  ...audit,
  ...billing,
  ...briefingOperations,
  ...changes,
  ...charts,
  ...competitors,
  ...countryScores,
  ...digests,
  ...events,
  ...exports,
  ...historyImports,
  ...images,
  ...imports,
  ...keywordField,
  ...listingDrafts,
  ...members,
  ...myWorkspaces,
  ...reports,
  ...reviews,
  ...popularity,
  ...scores,
  ...live,
  ...retention,
  ...settings,
  ...snapshots,
  ...storefrontLocales,
  ...suggestions,
  ...tagOperations,
  ...timelineOperations,
  ...views,
  ...visibility,
  ...webhooks,
};

/** The operations by noun, which is their tag in the OpenAPI document. */
export const operationsByNoun = {
  service,
  auth,
  'my-workspaces': myWorkspaces,
  tokens,
  workspace,
  members,
  settings,
  live,
  retention,
  apps,
  store,
  keywords,
  rankings,
  serp,
  providers,
  popularity,
  scores,
  suggestions,
  'country-scores': countryScores,
  'keyword-field': keywordField,
  'listing-drafts': listingDrafts,
  'storefront-locales': storefrontLocales,
  visibility,
  competitors,
  charts,
  reports,
  reviews,
  snapshots,
  changes,
  briefing: briefingOperations,
  images,
  timeline: timelineOperations,
  annotations,
  views,
  tags: tagOperations,
  actions,
  alerts,
  events,
  webhooks,
  digests,
  jobs,
  runs,
  exports,
  imports,
  'history-imports': historyImports,
  audit,
  billing,
  admin,
} satisfies Record<string, Operations>;

export type Noun = keyof typeof operationsByNoun;

export type OperationMap = typeof operations;
export type OperationKey = keyof OperationMap;
export const operationList = Object.entries(operations) as [OperationKey, Operation][];
/** The product and its API have one version, that of package.json. */
export const apiVersion = packageJson.version;
