import type { ImportedTableName } from '#contract/import-rows.ts';
import type { Restore } from './import-run.ts';
import {
  restoreApps,
  restoreCompetitors,
  restoreKeywords,
  restoreRankings,
} from './restore-tracked.ts';
import {
  restoreAlertRules,
  restoreAnnotations,
  restoreKeywordFields,
  restoreReviewMarks,
  restoreSettings,
  restoreTagStyles,
  restoreSentDigests,
  restoreWebhooks,
} from './restore-workspace-data.ts';
import { restoreActions, restoreEvents } from './restore-actions-and-events.ts';
import {
  restoreDraftVersions,
  restoreListingDrafts,
  restoreStorefrontLocales,
} from './restore-listing-drafts.ts';
import { restoreFacts } from './restore-facts.ts';

/** The writers of rows by table. */
export const restorers: { [Name in ImportedTableName]: Restore<Name> } = {
  settings: restoreSettings,
  tag_styles: restoreTagStyles,
  apps: restoreApps,
  keywords: restoreKeywords,
  competitors: restoreCompetitors,
  alert_rules: restoreAlertRules,
  annotations: restoreAnnotations,
  keyword_fields: restoreKeywordFields,
  listing_drafts: restoreListingDrafts,
  listing_draft_versions: restoreDraftVersions,
  storefront_locale_overrides: restoreStorefrontLocales,
  review_marks: restoreReviewMarks,
  webhooks: restoreWebhooks,
  sent_digests: restoreSentDigests,
  actions: restoreActions,
  events: restoreEvents,
  rankings: restoreRankings,
  serp: restoreFacts('serp'),
  reviews: restoreFacts('reviews'),
  changes: restoreFacts('changes'),
  category_ranks: restoreFacts('category_ranks'),
  charts: restoreFacts('charts'),
  scores: restoreFacts('scores'),
  listing_days: restoreFacts('listing_days'),
  snapshots: restoreFacts('snapshots'),
};
