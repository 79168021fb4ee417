import type { ExportedTable } from '../../db/queries/workspace-tables.ts';

/** What becomes of a table of a workspace when it is exported and imported. */
export type TenantTable =
  /** Its rows come back as they were, under new ids; `anew` is what of them begins with the import, by column or path, and why. */
  | (ExportedTable & { is: 'restored'; anew?: Record<string, string>; lacking?: string })
  /** Its rows are in the file, for reading. */
  | (ExportedTable & { is: 'told'; why: string })
  /** Worked out again from what is restored. */
  | { is: 'derived'; name: string; from: string }
  | { is: 'left_out'; name: string; why: string };

const followed =
  'what the stores showed may be seen from the day on which it is followed here; a file is no proof of an earlier one';
const people = 'people belong to the instance: invite them again';
const credentials = 'credentials are in no file: make them anew';
const reviews = 'reviews are facts of the stores and have other ids here';
const ofHere = 'work of this instance';
const use = 'use of this instance, which its limits count';

/**
 * Every table with a workspace_id, once: those first that others point to, which is the order in the file. Here alone it
 * is decided what becomes of one; a test holds that none is missing, and another that the decision is what happens.
 */
export const tenantTables: readonly TenantTable[] = [
  { is: 'restored', name: 'settings', order: ['workspace_id'] },
  { is: 'restored', name: 'tag_styles', order: ['name'] },
  {
    is: 'restored',
    name: 'apps',
    order: ['id'],
    names: ['listing', 'since'],
    anew: { created_at: followed },
  },
  {
    is: 'restored',
    name: 'keywords',
    order: ['id'],
    names: ['since'],
    anew: { created_at: followed, terms: followed },
  },
  {
    is: 'restored',
    name: 'competitors',
    order: ['id'],
    names: ['listing', 'since'],
    anew: { created_at: followed, followed_at: followed, terms: followed },
  },
  { is: 'restored', name: 'alert_rules', order: ['workspace_id'] },
  { is: 'restored', name: 'annotations', order: ['id'] },
  { is: 'restored', name: 'keyword_fields', order: ['id'], anew: { saved_by: people } },
  { is: 'restored', name: 'review_marks', order: ['app_id', 'country', 'store_review_id'] },
  {
    is: 'restored',
    name: 'webhooks',
    order: ['id'],
    secret: ['secret', 'old_secrets', 'secret_strength'],
    anew: {
      secret:
        'signing secrets are in no file: a new one was made, which POST /webhooks/{id}/secret replaces with yours',
      failures: 'of deliveries from elsewhere',
      failing_since: 'of deliveries from elsewhere',
    },
    lacking: 'this instance does not send to addresses like theirs',
  },
  {
    is: 'restored',
    name: 'told_digests',
    order: ['workspace_id'],
    lacking: 'a week that is not over',
  },
  {
    is: 'restored',
    name: 'actions',
    order: ['id'],
    anew: { resolved_by: people, 'evidence.exampleReviewIds': reviews },
  },
  {
    is: 'restored',
    name: 'events',
    order: ['sequence'],
    anew: {
      key: 'made from what it is about',
      'body.data.reviewId': reviews,
      'body.data.evidence.exampleReviewIds': reviews,
      'body.links.review': reviews,
      'body.workspaceId': 'this workspace’s',
    },
    lacking: 'this workspace was told of it before',
  },
  {
    is: 'told',
    name: 'audit',
    order: ['id'],
    why: 'who did what is written where it was done: what a file says of it proves nothing',
  },

  { is: 'derived', name: 'budgets', from: 'apps, keywords and competitors' },
  { is: 'derived', name: 'event_counters', from: 'events' },
  { is: 'derived', name: 'imported_cells', from: 'rankings' },

  { is: 'left_out', name: 'memberships', why: people },
  { is: 'left_out', name: 'invites', why: people },
  { is: 'left_out', name: 'invite_mails', why: people },
  { is: 'left_out', name: 'sessions', why: credentials },
  { is: 'left_out', name: 'tokens', why: credentials },
  { is: 'left_out', name: 'idempotency', why: 'answers kept for a day' },
  { is: 'left_out', name: 'jobs', why: ofHere },
  { is: 'left_out', name: 'action_runs', why: ofHere },
  { is: 'left_out', name: 'run_counts', why: ofHere },
  {
    is: 'left_out',
    name: 'judged_feeds',
    why: 'what is read here is judged here; a review that was told is not told again',
  },
  { is: 'left_out', name: 'deliveries', why: 'what was sent where, with its signatures' },
  { is: 'left_out', name: 'delivery_attempts', why: 'what was sent where, with its signatures' },
  { is: 'left_out', name: 'request_days', why: use },
  { is: 'left_out', name: 'on_demand_hours', why: use },
  { is: 'left_out', name: 'limit_windows', why: use },
  { is: 'left_out', name: 'limit_leases', why: use },
  { is: 'left_out', name: 'payment_events', why: 'what the payment provider told this instance' },
  { is: 'left_out', name: 'exports', why: 'exports themselves' },
  { is: 'left_out', name: 'export_chunks', why: 'exports themselves' },
  { is: 'left_out', name: 'imports', why: 'imports themselves' },
  { is: 'left_out', name: 'import_parts', why: 'imports themselves' },
];

const seenByStores = 'what the stores showed is for each instance to see itself';

/** Shared facts, which are in the file as far as the workspace may see them. Null: they come back; else why they do not. */
export const factTables: Record<string, string | null> = {
  rankings: null,
  serp: seenByStores,
  reviews: seenByStores,
  changes: seenByStores,
  category_ranks: seenByStores,
  scores: seenByStores,
  snapshots: seenByStores,
};

type Exported = Extract<TenantTable, { is: 'restored' | 'told' }>;

export const exportedTables: readonly Exported[] = tenantTables.filter(
  ({ is }) => is === 'restored' || is === 'told',
) as readonly Exported[];

/** Tables that no export has, and why. */
export const leftOutTables: Record<string, string> = Object.fromEntries(
  tenantTables.flatMap((table) => {
    if (table.is === 'left_out') return [[table.name, table.why]];
    return table.is === 'derived' ? [[table.name, `follows from ${table.from}`]] : [];
  }),
);
