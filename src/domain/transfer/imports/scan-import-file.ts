import { importedRows, type ImportedRow, type ImportedTableName } from '#contract/import-rows.ts';
import type { MarketName } from '#db/queries/rankings/markets.ts';
import type { Ctx } from '#domain/base/context.ts';
import { readDevice } from '#domain/base/device.ts';
import { invalid } from '#domain/base/errors.ts';
import { exportedTables, factTables } from '../exports/exported-tables.ts';
import { readFieldText } from '#domain/insights/keyword-field/field-text.ts';
import { findPhraseError } from '#domain/base/text/phrase.ts';
import { normalisePhrase } from '#lib/normalise-phrase.ts';
import { refuse } from '#domain/tracking/keywords/parse-keywords.ts';
import { marketKey } from '#domain/tracking/keywords/plan-addition.ts';
import { mapStores, profileOf, storeNames, type StoreName } from '#domain/base/ports.ts';
import type { FactNoun } from '#domain/tracking/imported-facts/fact-kinds.ts';
import { findMissingPart } from '#domain/alerting/formats/index.ts';
import { isMasked } from '#domain/alerting/webhooks/mask-address.ts';
import { isDeeper, levelsMax, type ExportFile, type FileRow } from './export-file.ts';
import { IdMap } from './id-map.ts';

type Row<Name extends ImportedTableName> = ImportedRow<Name>;
type Visits = { [Name in ImportedTableName]?: (survey: Survey, row: Row<Name>) => void };

const most = {
  settings: 1,
  alert_rules: 1,
  sent_digests: 1,
  apps: 1_000,
  keywords: 50_000,
  competitors: 50_000,
  webhooks: 50,
  actions: 100_000,
  listing_drafts: 20_000,
  storefront_locale_overrides: 1_000,
};

/** The needs of a whole file, determined before anything is written. */
export class Survey {
  readonly ctx: Ctx;
  sha256 = '';
  /** Public names, created before the import; see prepare-names.ts. */
  readonly listings = mapStores(() => new Set<string>());
  readonly markets = mapStores(() => new Map<string, MarketName>());
  /** Counts against the plan. */
  liveApps = 0;
  readonly liveMarkets = new Set<string>();
  readonly webhookUrls = new Map<number, string>();
  readonly apps = new Map<number, { store: StoreName; isArchived: boolean }>();
  readonly drafts = new Set<number>();
  /** Ids of the file's reviews, changes and snapshots. */
  readonly factIds: Record<FactNoun, Set<number>> = {
    review: new Set(),
    change: new Set(),
    snapshot: new Set(),
  };
  private readonly counts = new Map<string, number>();
  private readonly names = new Map<string, Set<string>>();

  constructor(ctx: Ctx) {
    this.ctx = ctx;
  }

  count(table: string): void {
    const count = (this.counts.get(table) ?? 0) + 1;
    this.counts.set(table, count);
    const limit = (most as Record<string, number>)[table];
    if (limit !== undefined && count > limit)
      throw invalid(table, 'rows in an import', count, limit);
  }

  /** Rejects a second row of a singleton. */
  requireNew(table: string, member: string, name: string | number): void {
    const known = this.names.get(`${table}.${member}`) ?? new Set<string>();
    this.names.set(`${table}.${member}`, known);
    if (known.has(String(name)))
      throw invalid(`${table}.${member}`, 'each once', String(name).slice(0, 100));
    known.add(String(name));
  }

  requireApp(table: string, id: number): { store: StoreName; isArchived: boolean } {
    const app = this.apps.get(id);
    if (!app) throw invalid(`${table}.app_id`, 'an app of the file', id);
    return app;
  }

  requireListing(
    table: string,
    { store, storeAppId }: { store: StoreName; storeAppId: string },
  ): void {
    if (!this.ctx.stores[store].isStoreAppId(storeAppId))
      throw invalid(`${table}.listing.storeAppId`, 'an id of the store', storeAppId.slice(0, 100));
    this.listings[store].add(storeAppId);
  }
}

/**
 * Scans a whole file without writing. Throws invalid_request and the errors of adding keywords, for
 * the first error.
 */
export async function scanImportFile(ctx: Ctx, file: ExportFile): Promise<Survey> {
  const survey = new Survey(ctx);
  let tableIndex = 0;
  for await (const row of file.rows()) {
    tableIndex = requireOrder(row, tableIndex);
    survey.count(row.table);
    const name = toImportedTable(row.table);
    if (name !== null) visit(survey, name, row);
  }
  survey.sha256 = file.sha256;
  return survey;
}

export function toImportedTable(table: string): ImportedTableName | null {
  return Object.hasOwn(importedRows, table) ? (table as ImportedTableName) : null;
}

/** Parses a row by its schema; repeated when writing, since a part may have been uploaded again. */
export function readAs<Name extends ImportedTableName>(
  name: Name,
  { row, line }: FileRow,
): Row<Name> {
  const read = importedRows[name].safeParse(row);
  if (read.success) return read.data as Row<Name>;
  const [issue] = read.error.issues;
  throw invalid([`line ${line}`, ...issue!.path].join('.'), issue!.message);
}

function visit<Name extends ImportedTableName>(survey: Survey, name: Name, row: FileRow): void {
  const read = readAs(name, row);
  visits[name]?.(survey, read);
}

const tableIndexes = new Map(exportedTables.map(({ name }, index) => [name, index]));

/** Referenced tables come first; shared facts come last. */
function requireOrder({ table, line }: FileRow, previous: number): number {
  const next =
    tableIndexes.get(table) ?? (factTables.includes(table) ? exportedTables.length : previous);
  if (next < previous)
    throw invalid(`line ${line}.table`, 'tables in the order of an export', table);
  return next;
}

const visits: Visits = {
  settings: () => {},
  tag_styles: (survey, { name }) => survey.requireNew('tag_styles', 'name', name),
  apps: (survey, { id, listing, archived_at }) => {
    survey.requireNew('apps', 'id', id);
    survey.requireNew('apps', 'listing', `${listing.store} ${listing.storeAppId}`);
    survey.requireListing('apps', listing);
    survey.apps.set(id, { store: listing.store, isArchived: archived_at !== null });
    if (archived_at === null) survey.liveApps += 1;
  },
  keywords: (survey, { id, app_id, phrase, country, device, paused, archived_at }) => {
    const app = survey.requireApp('keywords', app_id);
    const fault = findPhraseError(`keywords.${id}.phrase`, phrase);
    if (fault) refuse([fault]);
    const name = {
      phrase: normalisePhrase(phrase),
      country,
      device: readDevice(`keywords.${id}.device`, device, app.store),
    };
    const market = marketKey(name);
    survey.requireNew('keywords', 'id', id);
    survey.requireNew('keywords', 'phrase', `${app_id} ${market}`);
    survey.markets[app.store].set(market, name);
    if (!paused && archived_at === null && !app.isArchived)
      survey.liveMarkets.add(`${app.store} ${market}`);
  },
  competitors: (survey, { id, app_id, listing }) => {
    const app = survey.requireApp('competitors', app_id);
    if (app.store !== listing.store)
      throw invalid('competitors.listing.store', 'an app of the same store', listing.store);
    survey.requireNew('competitors', 'id', id);
    survey.requireNew('competitors', 'listing', `${app_id} ${listing.storeAppId}`);
    survey.requireListing('competitors', listing);
  },
  annotations: (survey, { app_id }) => void survey.requireApp('annotations', app_id),
  keyword_fields: (survey, { app_id, text }) => {
    const { store } = survey.requireApp('keyword_fields', app_id);
    const field = profileOf(store).texts.keywordField;
    if (field === null)
      throw invalid('keyword_fields.app_id', 'an app of a store with keyword fields', store);
    readFieldText(text, field.max);
  },
  listing_drafts: (survey, { id, app_id, name, is_current }) => {
    survey.requireApp('listing_drafts', app_id);
    survey.requireNew('listing_drafts', 'id', id);
    survey.requireNew('listing_drafts', 'name', `${app_id} ${name}`);
    if (is_current) survey.requireNew('listing_drafts', 'is_current', app_id);
    survey.drafts.add(id);
  },
  listing_draft_versions: (survey, { draft_id }) => {
    if (!survey.drafts.has(draft_id))
      throw invalid('listing_draft_versions.draft_id', 'a draft of the file', draft_id);
  },
  storefront_locale_overrides: (survey, { country, locale }) =>
    survey.requireNew('storefront_locale_overrides', 'locale', `${country} ${locale}`),
  review_marks: (survey, { app_id, country, store_review_id }) => {
    survey.requireApp('review_marks', app_id);
    survey.requireNew('review_marks', 'store_review_id', `${app_id} ${country} ${store_review_id}`);
  },
  webhooks: (survey, { id, url, kind }) => {
    survey.requireNew('webhooks', 'id', id);
    const missing = isMasked(url) ? null : findMissingPart({ kind, url });
    if (missing !== null) throw invalid('webhooks.url', missing.rule, missing.fault);
    survey.webhookUrls.set(id, url);
  },
  reviews: ({ factIds }, { id }) => void factIds.review.add(id),
  changes: ({ factIds }, { id }) => void factIds.change.add(id),
  snapshots: ({ factIds }, { id }) => void factIds.snapshot.add(id),
  events: (_, { body }) => {
    if (isDeeper(body.data, levelsMax))
      throw invalid('events.body', 'levels of JSON', null, levelsMax);
  },
  actions: (survey, { id, app_id, type, key, status }) => {
    survey.requireNew('actions', 'id', id);
    if (app_id !== null) survey.requireApp('actions', app_id);
    if (new IdMap().renewActionKey(type, key) === null)
      throw invalid('actions.key', 'the key of an action of its type');
    if (status === 'open' || status === 'snoozed') survey.requireNew('actions', 'key', key);
  },
};

/** Listings to create before the import, by store. */
export function listNames(
  survey: Survey,
): { store: StoreName; storeAppIds: string[]; markets: MarketName[] }[] {
  return storeNames.map((store) => ({
    store,
    storeAppIds: [...survey.listings[store]],
    markets: [...survey.markets[store].values()],
  }));
}
