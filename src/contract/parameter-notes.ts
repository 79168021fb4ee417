import { storeNames } from '#stores/profiles.ts';

export interface ParameterNote {
  /** Missing when the schema of the parameter has a description of its own. */
  description?: string;
  example: string | number;
}

const listDays: ParameterNote = {
  description: 'The first UTC day. By default the 30 days up to `to`; at most 400 days.',
  example: '2026-10-23',
};

const countryOfApp: ParameterNote = {
  description: 'The country. By default the app’s primary country.',
  example: 'us',
};

/**
 * The meaning and an example of each parameter in a path or a query, by its name. A name that means
 * several things has notes by path (`/apps/{id}`) or by operation (`GET /jobs kind`).
 */
export const parameterNotes: Record<string, ParameterNote> = {
  '/actions/{id}': { description: 'The id of the action.', example: 31 },
  '/admin/workspaces/{id}': { description: 'The id of the workspace.', example: 3 },
  '/annotations/{id}': { description: 'The id of the annotation.', example: 8 },
  '/apps/{id}': { description: 'The id of the app in this workspace.', example: 12 },
  '/auth/invites/{token}': {
    description: 'The token of the invitation’s link.',
    example: 'inv_3fVtq0Zk8yWm2c',
  },
  '/auth/sessions/{id}': { description: 'The id of the session.', example: 5 },
  '/changes/{id}': { description: 'The id of the change.', example: 204 },
  '/listing-drafts/{id}': { description: 'The id of the draft.', example: 7 },
  '/reports/{id}': { description: 'The id of the report.', example: 4 },
  '/snapshots/{id}': { description: 'The id of the snapshot.', example: 77 },
  tool: { example: 'deliver' },
  root: { example: 'fastlane/metadata' },
  '/tokens/{id}': { description: 'The id of the token.', example: 2 },
  '/views/{id}': { description: 'The id of the view.', example: 5 },
  '/webhooks/{id}': { description: 'The id of the webhook.', example: 4 },
  '/workspace/invites/{id}': { description: 'The id of the invitation.', example: 6 },
  '/workspace/members/{id}': { description: 'The user id of the member.', example: 9 },
  '/apps/{id}/competitors/{cid}': { description: 'The id of the competitor.', example: 15 },
  '/apps/{id}/exports/{kind}': { description: 'The rows to export.', example: 'rankings' },
  '/runs/{date}': { description: 'The UTC day of the run.', example: '2026-11-21' },
  '/tags/{name}': { description: 'The name of the tag.', example: 'brand' },
  '/popularity/imports/parts/{part}': {
    description: 'The number of the part, from 1, without gaps.',
    example: 1,
  },
  '/popularity/quarantine/{setId}': {
    description: 'The id of the quarantined week.',
    example: 1,
  },
  'GET /apps/{id}/competitors overlap': { example: 'false' },
  'GET /apps/{id}/keywords published': { example: 'listed' },
  'GET /apps/{id}/keywords minPublished': { example: 50 },
  'GET /popularity/terms genre': {
    description: 'Only terms of this genre; all genres by default.',
    example: 'health_fitness',
  },
  'GET /popularity/terms granularity': {
    description: 'Months or weeks.',
    example: 'month',
  },
  'GET /popularity/terms period': { example: '2026-10-01' },
  'GET /popularity/terms appId': { example: 12 },
  'GET /popularity/terms movement': {
    description: 'Only terms that gained ranks, that lost ranks, or that are new in their genre.',
    example: 'climbers',
  },
  'GET /history-imports/{importId}/rows outcome': { example: 'refused' },
  'GET /history-imports/{importId}/rows/file outcome': { example: 'refused' },
  '/history-imports/{importId}/parts/{part}': {
    description: 'The number of the part, from 1, without gaps.',
    example: 1,
  },
  '/workspace/imports/parts/{part}': {
    description: 'The number of the part, from 1, without gaps.',
    example: 1,
  },
  keywordId: { description: 'The id of the keyword.', example: 345 },
  jobId: { description: 'The id of the job.', example: 901 },
  reviewId: { description: 'The id of the review.', example: 560 },
  deliveryId: { description: 'The id of the delivery.', example: 1203 },
  exportId: { description: 'The id of the export.', example: 901 },
  importId: { description: 'The id of the import.', example: 902 },

  limit: { description: 'The largest number of items in this page.', example: 50 },
  cursor: {
    description: 'The `nextCursor` of the page before. Without it the first page is returned.',
    example: 'WyJhcHBzIiwxMl0',
  },
  from: {
    description: 'The first UTC day. By default the 30 days up to `to`; at most 3,660 days.',
    example: '2026-10-23',
  },
  to: { description: 'The last UTC day, included. Today by default.', example: '2026-11-21' },
  'GET /apps/{id}/briefing since': { example: '2026-11-18' },
  draftId: { description: 'Another draft than the current one.', example: 7 },
  yesterday: { example: 'true' },
  'GET /apps/{id}/exports/{kind} from': {
    ...listDays,
    description: `${listDays.description} \`keywords\` accept no days.`,
  },
  'GET /apps/{id}/exports/{kind} to': {
    description: 'The last UTC day, included. Today by default. `keywords` accept no days.',
    example: '2026-11-21',
  },
  'GET /apps/{id}/rankings from': listDays,
  'GET /apps/{id}/rankings/matrix from': listDays,
  'GET /workspace/audit from': listDays,
  'GET /workspace/usage from': listDays,
  'GET /webhooks/{id}/deliveries from': {
    description: 'Only deliveries created at this instant or later.',
    example: '2026-11-20T00:00:00Z',
  },
  'GET /apps/{id}/annotations from': {
    description: 'The first UTC day. Without a range all days are listed.',
    example: '2026-10-23',
  },
  'GET /apps/{id}/annotations to': {
    description:
      'The last UTC day, included. Without it all later days are listed, future ones too.',
    example: '2026-11-21',
  },
  country: {
    description: 'Only this country: two lowercase letters.',
    example: 'us',
  },
  'GET /apps/{id}/compare country': countryOfApp,
  'GET /apps/{id}/keyword-field/analysis country': countryOfApp,
  'POST /apps/{id}/keyword-field/preview country': countryOfApp,
  'GET /apps/{id}/keyword-suggestions country': countryOfApp,
  'GET /apps/{id}/locale-coverage country': countryOfApp,
  'POST /apps/{id}/locale-coverage/preview country': countryOfApp,
  'GET /apps/{id}/phrase-score country': {
    description: 'The country to search in.',
    example: 'us',
  },
  'GET /popularity/terms country': { description: 'The country of the searches.', example: 'us' },
  'GET /store/serp country': { description: 'The country to search in.', example: 'us' },
  'GET /store/apps/search country': { description: 'The country to search in.', example: 'us' },
  'GET /store/apps/lookup country': {
    description: 'The country whose listing is read. It is `us` by default.',
    example: 'us',
  },
  'GET /charts country': { description: 'The country of the chart.', example: 'us' },
  device: { description: 'Only this device of the store.', example: 'iphone' },
  store: { description: 'The store.', example: storeNames[0] },
  tag: { description: 'Only what has this tag.', example: 'brand' },
  q: { description: 'Only what contains this text.', example: 'habit' },
  'GET /store/apps/search q': {
    description: 'The text to search for: a name or words of it.',
    example: 'habit tracker',
  },
  'GET /store/serp phrase': { description: 'The phrase to search for.', example: 'habit tracker' },
  'GET /apps/{id}/country-scores phrase': {
    description: 'Only this phrase.',
    example: 'habit tracker',
  },
  'GET /apps/{id}/phrase-score phrase': { example: 'habit tracker' },
  'GET /apps/{id}/keyword-suggestions refresh': {
    description: 'Queries the store again instead of using what it responded lately.',
    example: 'true',
  },
  'GET /apps/{id}/keyword-suggestions phrase': {
    description:
      'Suggestions start from this phrase. Without it they start from the app’s listing.',
    example: 'habit',
  },
  include: { example: 'scores' },
  'GET /apps/{id}/rankings/compare include': { example: 'words' },
  'GET /images kind': { description: 'The kind of picture.', example: 'screenshot' },
  'GET /images url': {
    description: 'The address of the picture in the store.',
    example: 'https://is1-ssl.mzstatic.com/image/thumb/Purple/v4/a/AppIcon.png/512x512bb.jpg',
  },
  'GET /apps include': { example: 'summary' },
  'GET /apps/{id} include': { example: 'latestSnapshot,counts' },
  archived: { description: '`true` lists archived apps only.', example: 'false' },
  purge: {
    description: '`true` deletes at once, without 30 days in the archive.',
    example: 'true',
  },
  estimate: {
    description: '`true` returns the cost only, and requests nothing.',
    example: 'true',
  },
  fill: {
    description: '`gaps` adds an entry with a reason for each day without a check.',
    example: 'gaps',
  },
  appId: { description: 'Only this app.', example: 12 },
  appIds: {
    description: 'Only these apps: at most 100 ids, separated by commas.',
    example: '12,13',
  },
  keywordIds: {
    description: 'Only these keywords: at most 100 ids, separated by commas.',
    example: '345,346',
  },
  date: { description: 'The UTC day. The newest day by default.', example: '2026-11-21' },
  a: { description: 'The earlier UTC day.', example: '2026-11-14' },
  b: { description: 'The later UTC day.', example: '2026-11-21' },
  'GET /apps/{id}/snapshots/diff a': { description: 'The id of the first snapshot.', example: 76 },
  'GET /apps/{id}/snapshots/diff b': { description: 'The id of the second snapshot.', example: 77 },
  depth: {
    description: 'The number of results to read. More results cost more requests.',
    example: 50,
  },
  top: { description: 'Only the first positions, down to this one.', example: 10 },
  sort: {
    description: 'The order. A leading minus means the largest first.',
    example: '-traffic',
  },
  'GET /apps/{id}/reviews sort': {
    description: 'The order: the newest first, or the lowest rating first.',
    example: 'newest',
  },
  order: { description: 'The order: `asc` has the oldest event first.', example: 'asc' },
  since: { example: '1200' },
  type: { description: 'Only this type.', example: 'rank.dropped' },
  'GET /actions type': { description: 'Only this type.', example: 'rank-drop' },
  state: { description: 'Only this state.', example: 'failed' },
  'GET /apps/{id}/visibility keywords': {
    description:
      'Keywords that count: `all`, or with `same` only those tracked on the first and on the ' +
      'last day, so that an added keyword does not move the index.',
    example: 'same',
  },
  'GET /apps/{id}/competitors/{cid}/visibility keywords': {
    description:
      'Keywords that count: `all`, or with `same` only those tracked on the first and on the ' +
      'last day, so that an added keyword does not move the index.',
    example: 'same',
  },
  'GET /apps/{id}/keywords state': {
    description: 'Only keywords in this state.',
    example: 'ranked',
  },
  'GET /admin/workspaces state': { description: 'Only this state.', example: 'trial' },
  'GET /actions state': { example: 'open,snoozed' },
  kind: { description: 'Only this kind.', example: 'run-daily' },
  'GET /apps/{id}/gaps kind': {
    description: '`pure`: the app is not found. `behind`: it ranks lower.',
    example: 'pure',
  },
  'GET /apps/{id}/timeline kind': { example: 'change,version' },
  severity: { example: 'high' },
  scope: { example: 'own' },
  competitors: { example: 'true' },
  field: { example: 'name,subtitle' },
  action: { description: 'Only this action.', example: 'app.added' },
  actor: { description: 'Only this actor: an e-mail address.', example: 'ann@example.org' },
  tokenId: { example: 2 },
  rating: { example: '1,2' },
  version: { description: 'Only reviews of this version of the app.', example: '4.2.0' },
  language: { description: 'Only this language: two or three lowercase letters.', example: 'en' },
  hasReply: { description: 'Only reviews with, or without, a reply.', example: 'false' },
  unread: { description: '`true` lists reviews without a read mark only.', example: 'true' },
  by: { description: 'The unit of counting.', example: 'day' },
  locale: { description: 'The localization of the listing.', example: 'en-US' },
  minTraffic: { description: 'Only keywords with at least this traffic.', example: 20 },
  maxDifficulty: { description: 'Only keywords with at most this difficulty.', example: 60 },
  category: { description: 'The category by the store’s own id.', example: '6013' },
  chart: { description: 'The chart.', example: 'free' },
  windowDays: { description: 'The number of days before and after the change.', example: 14 },
  source: { example: 'listing,competitors' },
  format: { description: 'The format of the response.', example: 'csv' },
  'GET /digests/weekly format': { example: 'html' },
  week: { example: '2026-11-16' },
  with: { example: '15,16' },
  url: {
    description: 'The store address of the app; instead of `store` and `id`.',
    example: 'https://apps.apple.com/us/app/id1438388363',
  },
  'GET /store/apps/lookup id': {
    description: 'The store’s own id of the app; with `store`.',
    example: '1438388363',
  },
};
