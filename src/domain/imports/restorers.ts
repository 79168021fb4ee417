import type { ImportedTableName } from '../../contract/import-rows.ts';
import type { Restore } from './import-run.ts';
import {
  restoreApps,
  restoreCompetitors,
  restoreKeywords,
  restoreRankings,
} from './restore-followed.ts';
import {
  restoreAlertRules,
  restoreAnnotations,
  restoreKeywordFields,
  restoreReviewMarks,
  restoreSettings,
  restoreTagStyles,
  restoreToldDigests,
  restoreWebhooks,
} from './restore-own.ts';
import { restoreActions, restoreEvents } from './restore-told.ts';

/** Who writes the rows of a table. */
export const restorers: { [Name in ImportedTableName]: Restore<Name> } = {
  settings: restoreSettings,
  tag_styles: restoreTagStyles,
  apps: restoreApps,
  keywords: restoreKeywords,
  competitors: restoreCompetitors,
  alert_rules: restoreAlertRules,
  annotations: restoreAnnotations,
  keyword_fields: restoreKeywordFields,
  review_marks: restoreReviewMarks,
  webhooks: restoreWebhooks,
  told_digests: restoreToldDigests,
  actions: restoreActions,
  events: restoreEvents,
  rankings: restoreRankings,
};
