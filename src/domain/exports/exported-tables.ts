import type { ExportedTable } from '../../db/queries/workspace-tables.ts';

/** A workspace's own tables, those first that others point to. */
export const exportedTables: readonly ExportedTable[] = [
  { name: 'settings', order: ['workspace_id'] },
  { name: 'alert_rules', order: ['workspace_id'] },
  { name: 'tag_styles', order: ['name'] },
  { name: 'apps', order: ['id'], names: 'listing' },
  { name: 'keywords', order: ['id'] },
  { name: 'competitors', order: ['id'], names: 'listing' },
  { name: 'annotations', order: ['id'] },
  { name: 'keyword_fields', order: ['id'] },
  { name: 'review_marks', order: ['review_id'], names: 'review' },
  { name: 'actions', order: ['id'] },
  { name: 'events', order: ['sequence'] },
  { name: 'webhooks', order: ['id'], secret: ['secret', 'old_secrets'] },
  { name: 'audit', order: ['id'] },
];

/** Tables with a workspace_id that no export has, and why. */
export const leftOutTables: Record<string, string> = {
  memberships: 'people belong to the instance',
  sessions: 'credentials',
  tokens: 'credentials',
  invites: 'credentials',
  idempotency: 'answers kept for a day',
  jobs: 'work of this instance',
  budgets: 'follows from the keywords',
  action_runs: 'work of this instance',
  event_counters: 'follows from the events',
  judged_feeds: 'work of this instance',
  told_digests: 'work of this instance',
  deliveries: 'what was sent where, with its signatures',
  delivery_attempts: 'what was sent where, with its signatures',
  request_days: 'use of this instance',
  on_demand_hours: 'use of this instance',
  exports: 'exports themselves',
  export_chunks: 'exports themselves',
  imported_cells: 'they are among the rankings',
  imports: 'imports themselves',
  import_parts: 'imports themselves',
};
