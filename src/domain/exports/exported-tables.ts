import type { ExportedTable } from '../../db/queries/workspace-tables.ts';

/** A workspace's own tables, those first that others point to. `restored`: an import writes them again. */
export const exportedTables: readonly (ExportedTable & { restored: boolean })[] = [
  { name: 'settings', order: ['workspace_id'], restored: true },
  { name: 'alert_rules', order: ['workspace_id'], restored: true },
  { name: 'tag_styles', order: ['name'], restored: true },
  { name: 'apps', order: ['id'], names: 'listing', restored: true },
  { name: 'keywords', order: ['id'], restored: true },
  { name: 'competitors', order: ['id'], names: 'listing', restored: true },
  { name: 'annotations', order: ['id'], restored: true },
  { name: 'keyword_fields', order: ['id'], restored: true },
  { name: 'review_marks', order: ['review_id'], names: 'review', restored: false },
  { name: 'actions', order: ['id'], restored: false },
  { name: 'events', order: ['sequence'], restored: false },
  { name: 'webhooks', order: ['id'], secret: ['secret', 'old_secrets'], restored: false },
  { name: 'audit', order: ['id'], restored: false },
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
};
