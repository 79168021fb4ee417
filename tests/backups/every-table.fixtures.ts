import type pg from 'pg';

/** Characters that COPY escapes or uses itself, and ones of several bytes. */
const text = String.raw`'\.' || chr(10) || E'\\N\ttab\\' || chr(13) || '“日本語” 😀'`;
const everyByte = `decode((select string_agg(lpad(to_hex(n), 2, '0'), '' order by n)
  from generate_series(0, 255) n), 'hex')`;
const at = `timestamptz '2026-11-20 05:00:00.123456Z'`;
const maxBigint = '9223372036854775807';
const ws = '(select min(id) from workspaces)';
const one = (column: string, table: string) => `(select min(${column}) from ${table})`;
const app = `(select min(id) from apps where workspace_id = ${ws})`;
const keyword = `(select min(id) from keywords where workspace_id = ${ws})`;
const job = `(select min(id) from jobs where workspace_id = ${ws})`;

/** Rows of the tables that two weeks of the demo leave empty. */
const rows: Record<string, string> = {
  account_links: `values (${everyByte}, ${one('id', 'users')}, 'password', true, ${at}, ${at})`,
  alert_rules: `values (${ws}, jsonb_build_array(${text}), ${at})`,
  days_to_count: `values (${ws}, '2026-11-20')`,
  dead_letters: `(queue, job_id, data) values ('ios', ${text}, jsonb_build_object('a', ${text}))`,
  exports: `(workspace_id, job_id, format, created_at, rows, bytes, apps)
    values (${ws}, ${job}, 'ndjson', ${at}, ${maxBigint}, ${maxBigint}, '[]')`,
  export_chunks: `values (${ws}, ${one('id', 'exports')}, 1, ${everyByte})`,
  field_drifts: `(store, source, field, began_at) values ('ios', 'page', ${text}, ${at})`,
  idempotency: `(workspace_id, key, request_hash, status, response)
    values (${ws}, ${text}, ${everyByte}, 200, ${text}), (${ws}, '', ${everyByte}, null, null)`,
  popularity_imports: `(job_id, requested_by, file_name, bytes, parts, created_at, refusal)
    values (${job}, 'a@example.org', ${text}, ${maxBigint}, 1, ${at}, jsonb_build_array(${text}))`,
  popularity_sets: `(country, granularity, period, source, created_at)
    values ('us', 'month', '2026-10-01', 'file', ${at})`,
  popularity: `values (${one('id', 'popularity_sets')}, 0, 1, 100, 46, 3, ${text}, ${text})`,
  popularity_floors: `values (${one('id', 'popularity_sets')}, 0, 1, 46)`,
  popularity_sync: `(client_id, team_id, key_id, private_key, account_id, account_name, saved_by,
    saved_at, next_at) values (${text}, ${text}, ${text}, ${everyByte}, '1', ${text}, ${text},
    ${at}, ${at})`,
  popularity_weeks: `(country, week, outcome, set_id, terms, unreadable, reasons, updated_at)
    values ('us', '2026-10-04', 'quarantined', ${one('id', 'popularity_sets')}, 1, 0,
      jsonb_build_array(${text}), ${at})`,
  popularity_import_parts: `values (${ws}, 1, ${everyByte}, ${at})`,
  history_imports: `(workspace_id, app_id, job_id, requested_by, file_name, created_at, reading)
    values (${ws}, ${app}, ${job}, 'a@example.org', ${text}, ${at}, jsonb_build_array(${text}))`,
  history_import_parts: `values (${ws}, ${one('id', 'history_imports')}, 1, 3, ${everyByte},
    ${at})`,
  history_import_chunks: `values (${ws}, ${one('id', 'history_imports')}, 1, '{}', ${everyByte})`,
  import_parts: `values (${ws}, 1, ${everyByte}, ${at})`,
  imported_daily_ranks: `values (${ws}, ${keyword}, ${one('id', 'listings')}, '2026-01-31', null,
    200, null, 'web')`,
  imported_facts: `(workspace_id, app_id, keyword_id, kind, on_date, items)
    values (${ws}, ${app}, ${keyword}, 'serp', '2026-02-28',
      jsonb_build_array(${text}, null, 1e30))`,
  imports: `(workspace_id, job_id, parts, created_at, report, refusal)
    values (${ws}, ${job}, 1, ${at}, '{"lines": ${maxBigint}}', null)`,
  invite_mails: `values (${ws}, ${text}, ${at})`,
  invites: `(workspace_id, email, role, secret_hash, invited_by, created_at, expires_at)
    values (${ws}, 'a@example.org', 'member', ${everyByte}, null, ${at}, ${at})`,
  on_demand_hours: `values (${ws}, 'lookup', ${at}, 3)`,
  payment_events: `values (${text}, 'customer.updated', ${at}, ${ws})`,
  pending_evaluations: `values (${one('id', 'markets')}, '2026-11-20')`,
  request_days: `values (${ws}, '2026-11-20', 0, 'read', ${maxBigint})`,
  response_anomalies: `(store, provider, on_date, detected_at, unconfirmed_from, compared, short)
    values ('ios', 'web', '2026-11-20', ${at}, ${at}, 10, 4)`,
  review_marks: `(workspace_id, app_id, country, store_review_id, tags, note)
    values (${ws}, ${app}, 'us', ${text}, array[${text}, '', 'a,b', '"'], null)`,
  briefing_visits: `values (${ws}, ${one('id', 'users')}, '2026-11-20', null)`,
  event_reads: `values (${ws}, ${one('id', 'users')}, ${maxBigint})`,
  country_scores: `(workspace_id, app_id, country, device, phrase, requested_at, scored_at, depth,
      certainty)
    values (${ws}, ${app}, 'us', 'iphone', ${text}, ${at}, ${at}, 200, jsonb_build_array(${text}))`,
  autocomplete_lists: `values (${ws}, 'ios', 'us', ${text}, array[${text}, ''], ${at})`,
  last_ranks: `values (${one('id', 'markets')}, '2026-10-31', 200,
    decode(repeat('00010203', 256), 'hex'), ${everyByte})`,
  listing_drafts: `(workspace_id, app_id, name, is_current, created_at)
    values (${ws}, ${app}, ${text}, true, ${at})`,
  listing_draft_versions: `(workspace_id, draft_id, locale, texts, saved_at)
    values (${ws}, ${one('id', 'listing_drafts')}, 'en-US', jsonb_build_object('title', ${text}),
      ${at})`,
  storefront_locale_overrides: `values (${ws}, 'gb', 'en-AU', true, ${text}, ${at})`,
  reports: `(workspace_id, app_id, name, days, secret_hash, password_hash, created_at)
    values (${ws}, ${one('id', 'apps')}, ${text}, 30, ${everyByte}, ${text}, ${at})`,
  saved_views: `(workspace_id, app_id, name, path, created_at)
    values (${ws}, null, ${text}, '/actions', ${at})`,
  snapshots_to_picture: `values (${one('id', 'snapshots')})`,
  serp_months: `(market_id, month, days, last_on, last_result_count, provider, results)
    values (${one('id', 'markets')}, '2026-10-01', 2147483647, '2026-10-31', 200,
      ${text}, ${everyByte})`,
  sessions: `(id_hash, user_id, workspace_id, created_at, last_seen_at, expires_at, address)
    values (${everyByte}, ${one('id', 'users')}, ${ws}, ${at}, ${at}, 'infinity', '::1')`,
  settings: `values (${ws}, jsonb_build_object('a', ${text}))`,
  stale_scores: `values (${one('id', 'markets')})`,
  store_task_gaps: `values (${one('id', 'store_tasks')}, '2026-11-20', 'shed', ${text})`,
  tokens: `(workspace_id, user_id, name, prefix, secret_hash, read_only, created_at)
    values (${ws}, ${one('id', 'users')}, 'name', 'prefix', ${everyByte}, true, ${at})`,
  unnamed_listings: `(listing_id, store, country, since, device)
    select id, store, 'us', ${at}, devices[1] from listings join stores using (store) limit 3`,
  webhooks: `(workspace_id, url, kind, events, secret, secret_strength, old_secrets, created_at)
    values (${ws}, ${text}, 'standard', array['rank.dropped'], ${everyByte}, 'strong', '[]',
      ${at})`,
  deliveries: `(workspace_id, webhook_id, message_id, type, body, created_at)
    values (${ws}, ${one('id', 'webhooks')}, 'message', 'rank.dropped', ${text}, ${at})`,
  delivery_attempts: `values (${ws}, ${one('id', 'deliveries')}, 1, ${at}, 500, 7, ${text}, null,
    '{}', null, ${text})`,
};

/** Fills what a database of the demo lacks, so that no permanent table is empty. */
export async function fillEveryTable(pool: pg.Pool): Promise<void> {
  for (const [table, values] of Object.entries(rows))
    await pool.query(`insert into ${table} ${values} on conflict do nothing`);
}

/** Permanent tables whose rows a backup contains. */
export async function listTables(pool: pg.Pool): Promise<string[]> {
  const { rows: found } = await pool.query<{ name: string }>(
    `select tablename as name from pg_tables t join pg_class c on c.oid = tablename::regclass
     where schemaname = 'public' and relpersistence = 'p' and not relispartition
       and tablename not in ('migrations', 'backups', 'parquet_exports', 'reader_logins')
     order by 1`,
  );
  return found.map(({ name }) => name);
}

/** Rows and a hash of each table, whatever the order, as PostgreSQL itself computes them. */
export async function hashTables(
  pool: pg.Pool,
  except: readonly string[] = [],
): Promise<Record<string, string>> {
  const hashes: [string, string][] = [];
  for (const table of await listTables(pool)) {
    if (except.includes(table)) continue;
    const { rows: found } = await pool.query<{ hash: string }>(
      `select count(*) || ' ' || coalesce(sum(hashtextextended(t::text, 1)::numeric), 0) as hash
       from ${table} t`,
    );
    hashes.push([table, found[0]!.hash]);
  }
  return Object.fromEntries(hashes);
}
