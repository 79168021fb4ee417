/**
 * Parameters of the API that tools name differently. A tool may have names of its own besides.
 * The first argument that the tool has is meant.
 */
export const sharedApiNames: Readonly<Record<string, string>> = {
  id: 'appId',
  cid: 'competitorId',
  ids: 'keywordIds',
  keywordId: 'keywordIds',
  q: 'query',
};

/** The ids in paths of the API, with their argument and the tool that lists valid ones, if any. */
export const identifiers: Readonly<Record<string, { argument: string; listedBy?: string }>> = {
  apps: { argument: 'appId', listedBy: 'list_apps' },
  keywords: { argument: 'keywordId', listedBy: 'list_keywords' },
  competitors: { argument: 'competitorId', listedBy: 'compare_competitors' },
  changes: { argument: 'changeId', listedBy: 'list_changes' },
  actions: { argument: 'actionId', listedBy: 'list_actions' },
  'listing-drafts': { argument: 'draftId', listedBy: 'get_listing_draft' },
  jobs: { argument: 'jobId' },
};
