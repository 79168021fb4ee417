import type { WebhookKind } from '#contract/webhooks.ts';
import type { ExportedTable } from '#db/queries/exports/workspace-tables.ts';
import { maskAddress } from '#domain/alerting/webhooks/mask-address.ts';
import { factKinds } from '#domain/tracking/imported-facts/fact-kinds.ts';
import { parseExact, stringifyExact } from '#lib/json.ts';

/** How a workspace's table is exported and imported. */
export type TenantTable =
  /**
   * Its rows are restored under new ids. `anew` lists the columns or paths that start fresh with
   * the import, with the reason.
   */
  | (ExportedTable & { is: 'restored'; anew?: Record<string, string>; lacking?: string })
  /** Its rows are in the file only for reading. */
  | (ExportedTable & { is: 'read_only'; why: string })
  /** Recomputed from restored rows. */
  | { is: 'derived'; name: string; from: string }
  | { is: 'left_out'; name: string; why: string };

const followed =
  'facts of this instance are visible from the day on which they are tracked here; a file ' +
  'cannot prove an earlier one';
const people = 'members belong to the instance: invite them again';
const credentials = 'exports contain no credentials: create them again';
const ofHere = 'work of this instance';
const use = 'use of this instance, which its limits count';

/**
 * Every table with a workspace_id, once. Referenced tables come first, which is the order in the
 * file. Each decision is made only here; tests check that none is missing and that each one is
 * true.
 */
export const tenantTables: readonly TenantTable[] = [
  { is: 'restored', name: 'settings', order: ['workspace_id'] },
  { is: 'restored', name: 'tag_styles', order: ['name'] },
  {
    is: 'restored',
    name: 'apps',
    order: ['id'],
    names: ['listing', 'since'],
    anew: { created_at: followed, archived_spans: followed },
  },
  {
    is: 'restored',
    name: 'keywords',
    order: ['id'],
    names: ['since'],
    anew: { created_at: followed, tracking_periods: followed },
  },
  {
    is: 'restored',
    name: 'competitors',
    order: ['id'],
    names: ['competitor', 'since'],
    anew: {
      created_at: followed,
      followed_at: followed,
      archived_spans: followed,
      tracking_periods: followed,
    },
  },
  { is: 'restored', name: 'alert_rules', order: ['workspace_id'] },
  { is: 'restored', name: 'annotations', order: ['id'] },
  { is: 'restored', name: 'keyword_fields', order: ['id'], anew: { saved_by: people } },
  { is: 'restored', name: 'listing_drafts', order: ['id'] },
  { is: 'restored', name: 'listing_draft_versions', order: ['id'], anew: { saved_by: people } },
  { is: 'restored', name: 'storefront_locale_overrides', order: ['country', 'locale'] },
  { is: 'restored', name: 'review_marks', order: ['app_id', 'country', 'store_review_id'] },
  {
    is: 'restored',
    name: 'webhooks',
    order: ['id'],
    secret: ['secret', 'old_secrets', 'secret_strength'],
    mask: maskWebhook,
    anew: {
      url:
        'exports contain no secret parts of addresses: a webhook whose address has one is ' +
        'disabled until you enter the whole address',
      secret:
        'exports contain no signing secrets: a new one was generated; POST ' +
        '/webhooks/{id}/secret sets yours',
      failures: 'belongs to deliveries of another instance',
      failing_since: 'belongs to deliveries of another instance',
      has_succeeded: 'belongs to deliveries of another instance',
      last_delivery_id: 'belongs to deliveries of another instance',
    },
    lacking: 'this instance blocks such addresses',
  },
  {
    is: 'restored',
    name: 'sent_digests',
    order: ['workspace_id'],
    lacking: 'a week that is not over',
  },
  {
    is: 'restored',
    name: 'actions',
    order: ['id'],
    anew: { resolved_by: people },
  },
  {
    is: 'restored',
    name: 'events',
    order: ['sequence'],
    anew: {
      key: 'derived from its subject',
      'body.workspaceId': 'this workspace’s',
    },
    lacking: 'this event was emitted in this workspace before',
  },
  {
    is: 'read_only',
    name: 'audit',
    order: ['id'],
    why: 'the audit log belongs to its instance: a file proves nothing',
  },

  { is: 'derived', name: 'budgets', from: 'apps, keywords and competitors' },
  { is: 'derived', name: 'event_counters', from: 'events' },
  { is: 'derived', name: 'imported_daily_ranks', from: 'rankings' },
  { is: 'derived', name: 'imported_facts', from: 'the facts that follow the tables' },

  { is: 'left_out', name: 'reader_logins', why: credentials },
  { is: 'left_out', name: 'memberships', why: people },
  { is: 'left_out', name: 'invites', why: people },
  { is: 'left_out', name: 'invite_mails', why: people },
  { is: 'left_out', name: 'briefing_visits', why: people },
  { is: 'left_out', name: 'event_reads', why: people },
  { is: 'left_out', name: 'saved_views', why: 'addresses contain ids of this instance' },
  { is: 'left_out', name: 'reports', why: credentials },
  { is: 'left_out', name: 'sessions', why: credentials },
  { is: 'left_out', name: 'tokens', why: credentials },
  { is: 'left_out', name: 'idempotency', why: 'responses stored for a day' },
  { is: 'left_out', name: 'jobs', why: ofHere },
  {
    is: 'left_out',
    name: 'country_scores',
    why: 'results of a few days, which are requested again',
  },
  {
    is: 'left_out',
    name: 'autocomplete_lists',
    why: 'lists of a few days, which are requested again',
  },
  { is: 'left_out', name: 'action_runs', why: ofHere },
  { is: 'left_out', name: 'run_counts', why: ofHere },
  { is: 'left_out', name: 'days_to_count', why: ofHere },
  {
    is: 'left_out',
    name: 'evaluated_feeds',
    why: 'new readings are evaluated here; a reported review is not reported again',
  },
  { is: 'left_out', name: 'deliveries', why: 'deliveries with their signatures' },
  { is: 'left_out', name: 'delivery_attempts', why: 'deliveries with their signatures' },
  { is: 'left_out', name: 'request_days', why: use },
  { is: 'left_out', name: 'on_demand_hours', why: use },
  { is: 'left_out', name: 'rate_limit_windows', why: use },
  { is: 'left_out', name: 'rate_limit_leases', why: use },
  {
    is: 'left_out',
    name: 'payment_events',
    why: 'events of the payment provider for this instance',
  },
  { is: 'left_out', name: 'exports', why: 'exports themselves' },
  { is: 'left_out', name: 'export_chunks', why: 'exports themselves' },
  { is: 'left_out', name: 'imports', why: 'imports themselves' },
  { is: 'left_out', name: 'import_parts', why: 'imports themselves' },
  { is: 'left_out', name: 'popularity_import_parts', why: ofHere },
  { is: 'left_out', name: 'history_imports', why: 'imports themselves' },
  { is: 'left_out', name: 'history_import_parts', why: 'imports themselves' },
  { is: 'left_out', name: 'history_import_chunks', why: 'imports themselves' },
];

/** A row of `webhooks` as JSON, with its address as the API shows it. */
function maskWebhook(text: string): string {
  const row = parseExact(text) as { url: string; kind: WebhookKind };
  return stringifyExact({ ...row, url: maskAddress(row) });
}

/**
 * Facts that instances read from the stores. They are in the file as far as the workspace may see
 * them, and an import restores all of them.
 */
export const factTables = ['rankings', ...Object.keys(factKinds)];

type Exported = Extract<TenantTable, { is: 'restored' | 'read_only' }>;

export const exportedTables: readonly Exported[] = tenantTables.filter(
  ({ is }) => is === 'restored' || is === 'read_only',
) as readonly Exported[];

/** Tables that no export contains, with the reason. */
export const omittedTables: Record<string, string> = Object.fromEntries(
  tenantTables.flatMap((table) => {
    if (table.is === 'left_out') return [[table.name, table.why]];
    return table.is === 'derived' ? [[table.name, `follows from ${table.from}`]] : [];
  }),
);
