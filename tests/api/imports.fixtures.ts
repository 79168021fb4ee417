import { createHash } from 'node:crypto';
import { eventSamples } from '#contract/events.ts';
import type { Credential, TestApi } from '../harness/api.ts';

export type Row = Record<string, unknown>;
export type TableRow = [table: string, row: Row];

/** A file as an export writes it, with a matching last line. */
export function makeFile(
  rows: readonly TableRow[],
  manifest: object = { format: 'toprung-workspace', version: 1 },
): string {
  return finishImportFile(
    [{ manifest }, ...rows.map(([table, row]) => ({ table, row }))].map((line) =>
      JSON.stringify(line),
    ),
  );
}

export function finishImportFile(lines: readonly string[]): string {
  const body = lines.map((line) => `${line}\n`).join('');
  const end = { lines: lines.length, sha256: createHash('sha256').update(body).digest('hex') };
  return `${body}${JSON.stringify({ end })}\n`;
}

const at = '2026-11-01T08:00:00.123456+00:00';
const archived = { archived_at: null, purge_at: null };

/** One row of every restored table, in their order; `ids` is the first id. */
export function sampleRows(ids = 500): TableRow[] {
  const [app, keyword, competitor, webhook, action] = [ids, ids + 1, ids + 2, ids + 3, ids + 4];
  const listing = (storeAppId: string) => ({ store: 'ios', storeAppId, name: 'A listing' });
  const reported = {
    timestamp: '2026-11-01T08:00:00.000Z',
    id: 'evt_0123456789',
    sequence: 1,
    workspaceId: 99,
    app: null,
    links: {},
  };
  const data = { ...eventSamples['rank.dropped'], keywordId: keyword };
  return [
    ['settings', { settings: { digestHour: 5 } }],
    ['tag_styles', { name: 'brand', color: '#1f7a4d' }],
    [
      'apps',
      {
        id: app,
        listing: listing('4711'),
        primary_country: 'us',
        display_name: 'Ours',
        tags: ['mine'],
        note: 'a note',
        linked_app_id: null,
        tracked_since: at,
        ...archived,
      },
    ],
    [
      'keywords',
      {
        id: keyword,
        app_id: app,
        phrase: 'habit tracker',
        country: 'us',
        depth: 200,
        paused: false,
        favorite: true,
        tags: ['core'],
        note: null,
        tracked_since: at,
        ...archived,
      },
    ],
    [
      'competitors',
      {
        id: competitor,
        app_id: app,
        listing: listing('4712'),
        relationship: 'competitor',
        note: null,
        tracked_since: at,
        archived_at: null,
      },
    ],
    [
      'alert_rules',
      {
        rules: [{ event: 'rank.dropped', scope: { appIds: [app], tags: ['core'] } }],
        saved_at: at,
      },
    ],
    [
      'annotations',
      {
        id: 1,
        app_id: app,
        on_date: '2026-11-01',
        text: 'a new icon',
        keyword_ids: [keyword],
        created_at: at,
      },
    ],
    [
      'keyword_fields',
      {
        id: 1,
        app_id: app,
        locale: 'en-US',
        text: 'one,two',
        normalized: 'one,two',
        saved_at: at,
        saved_by: 7,
      },
    ],
    ['listing_drafts', { id: 3, app_id: app, name: 'Spring', is_current: true, created_at: at }],
    [
      'listing_draft_versions',
      { id: 1, draft_id: 3, locale: 'en-US', texts: { title: 'Ours' }, saved_at: at, saved_by: 7 },
    ],
    [
      'storefront_locale_overrides',
      { country: 'gb', locale: 'en-AU', enabled: true, note: null, saved_at: at },
    ],
    [
      'review_marks',
      {
        app_id: app,
        country: 'us',
        store_review_id: 'r-1',
        tags: ['bug'],
        note: 'replied',
        read_at: at,
      },
    ],
    [
      'webhooks',
      {
        id: webhook,
        url: 'https://hooks.example.org/x',
        kind: 'standard',
        events: ['rank.dropped'],
        description: 'ours',
        enabled: false,
        disabled_by: 'user',
        created_at: at,
      },
    ],
    ['sent_digests', { week: '2026-11-02' }],
    [
      'actions',
      {
        id: action,
        app_id: app,
        type: 'rank-drop',
        key: `rank-drop:${app}:${keyword}`,
        fingerprint: 'abc',
        severity: 'high',
        title: 'It fell',
        reason: `See GET /apps/${app}/keywords.`,
        evidence: { keywordId: keyword, positions: [1, 2] },
        keyword_ids: [keyword],
        status: 'dismissed',
        opened_at: at,
        seen_at: at,
        snoozed_until: null,
        resolved_at: at,
        resolved_by: 'user:12',
        dismiss_reason: 'no',
      },
    ],
    [
      'events',
      {
        sequence: 1,
        type: 'rank.dropped',
        key: 'k',
        app_id: app,
        occurred_at: at,
        body: JSON.stringify({ type: 'rank.dropped', ...reported, data }),
      },
    ],
    [
      'rankings',
      {
        appId: app,
        keywordId: keyword,
        date: '2026-11-01',
        position: 7,
        depth: 200,
        checkedAt: '2026-11-01T02:00:00.000Z',
      },
    ],
    ...sampleFacts({ app, keyword, competitor }),
  ];
}

/** A row of every kind of fact about the stores. */
function sampleFacts({ app, keyword, competitor }: Record<string, number>): TableRow[] {
  const instant = '2026-11-01T02:00:00.000Z';
  const listing = { store: 'ios', storeAppId: '4712', name: 'A listing' };
  const market = { keywordId: keyword, phrase: 'habit tracker', country: 'us', device: 'iphone' };
  const picture = 'https://images.example.org/icon.png';
  return [
    [
      'serp',
      {
        ...market,
        date: '2026-11-01',
        depth: 200,
        resultCount: 1,
        provider: 'web',
        adsBefore: 1,
        position: 1,
        storeAppId: '4712',
        name: 'A listing',
        developer: 'A developer',
        iconUrl: picture,
        rating: 4.5,
        ratingCount: 12,
        appId: null,
        isOwn: false,
        isCompetitor: true,
      },
    ],
    [
      'reviews',
      {
        id: 4,
        appId: app,
        storeReviewId: 'r-1',
        author: 'june',
        rating: 1,
        title: 'Lost',
        body: 'All gone.',
        version: '4.2',
        country: 'us',
        language: 'en',
        reviewedAt: instant,
        firstSeenAt: null,
        editedAt: null,
        reply: { text: 'We are sorry.', at: null },
        tags: ['bug'],
        note: 'replied',
        read: true,
      },
    ],
    [
      'changes',
      {
        id: 5,
        appId: app,
        competitorId: competitor,
        listing,
        country: 'us',
        locale: 'en',
        field: 'name',
        before: 'Before',
        after: 'A listing',
        version: '4.2',
        detectedAt: instant,
        previousAt: instant,
        snapshotId: 6,
      },
    ],
    [
      'category_ranks',
      {
        appId: app,
        date: '2026-11-01',
        country: 'us',
        category: { id: '6013', name: 'Health & Fitness' },
        chart: 'free',
        state: 'ranked',
        position: 3,
        depth: 200,
        checkedAt: instant,
      },
    ],
    [
      'charts',
      {
        appId: app,
        date: '2026-11-01',
        country: 'us',
        category: { id: '6013', name: 'Health & Fitness' },
        chart: 'free',
        depth: 200,
        readAt: instant,
        apps: [
          { storeAppId: '4712', name: 'A listing' },
          { storeAppId: '4713', name: null },
        ],
      },
    ],
    [
      'scores',
      {
        ...market,
        appId: app,
        store: 'ios',
        scoredAt: instant,
        traffic: 40,
        difficulty: null,
        provenance: sampleProvenance,
      },
    ],
    [
      'listing_days',
      {
        appId: app,
        date: '2026-11-01',
        competitorId: null,
        listing,
        country: 'us',
        rating: 4.5,
        ratingCount: 12,
        histogram: [1, 2, 3, 4, 5],
        installs: 1_000,
        price: 1.99,
        readAt: instant,
      },
    ],
    [
      'snapshots',
      {
        id: 6,
        appId: app,
        competitorId: competitor,
        country: 'us',
        language: 'en',
        takenAt: instant,
        supersededAt: null,
        name: 'A listing',
        version: '4.2',
        changed: ['name'],
        fields: null,
      },
    ],
  ];
}

const sampleProvenance = {
  formula: 'traffic.ios@1+difficulty.ios@1',
  store: 'ios',
  country: 'us',
  observedAt: '2026-11-01',
  evidence: [{ score: 'traffic', signal: 'hints', value: 0.5, weight: 1, points: 40 }],
  inputs: {
    serpDate: null,
    serpSize: null,
    medianRatingCount: null,
    exactTitles: null,
    brand: false,
    hintsDate: '2026-11-01',
    hintPrefix: 'hab',
    hintPosition: 2,
    chartingApps: null,
  },
  missing: [],
  confidence: 'low',
  confidences: { traffic: 'low', difficulty: 'low' },
};

/** The same rows with one member of one table changed. */
export function withMember(
  table: string,
  member: string,
  value: unknown,
  rows = sampleRows(),
): TableRow[] {
  return rows.map(([name, row]) => [name, name === table ? { ...row, [member]: value } : row]);
}

/** An import of one part that is no export, accepted and not started. Returns the job's id. */
export async function acceptWordsImport(api: TestApi, who: Credential): Promise<number> {
  await api.ok(
    'PUT /workspace/imports/parts/{part}',
    { params: { part: 1 }, body: { text: 'words' } },
    who,
  );
  const { job } = (await api.ok(
    'POST /workspace/imports',
    { body: { format: 'ndjson', parts: 1 } },
    who,
  )) as { job: { id: number } };
  return job.id;
}
