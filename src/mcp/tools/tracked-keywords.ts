import { z } from 'zod';
import { ApiError, type Client } from '#client/http.ts';
import { appIdArgument, keywordIdsArgument } from '../argument-schemas.ts';
import { defineTool, type DescribeError } from '../tool.ts';
import { lines, formatShare } from '../text-format.ts';

const addKeywords = defineTool({
  name: 'add_keywords',
  title: 'Follow keywords',
  description:
    'Tracks each phrase in each country on each device, up to 200, all or none. Each queries the ' +
    'store now, then daily.',
  kind: 'write',
  queriesStore: true,
  idempotent: true,
  input: z.strictObject({
    appId: appIdArgument,
    phrases: z.array(z.string()).describe('At most 5 words each.'),
    countries: z.array(z.string()).describe('Such as us.'),
    devices: z.array(z.string()).optional().describe('iphone (default), ipad, mac.'),
    depth: z.int().min(1).max(200).optional().describe('Results to examine.'),
    tags: z.array(z.string()).optional().describe('For the new keywords.'),
    preview: z.boolean().default(false).describe('true: only returns the cost.'),
  }),
  output: z.object({
    preview: z.boolean(),
    added: z.int(),
    existing: z.int(),
    keywordIds: z.array(z.int()).describe('Only the added ones.'),
    searchesPerDay: z.int(),
    utilizationBefore: z.number(),
    utilizationAfter: z.number().describe('Above 1 a day is too short.'),
    jobId: z.int().nullable(),
  }),
  async run(api, { appId: id, preview, phrases, countries, devices, depth, tags }) {
    const body = {
      phrases,
      countries,
      ...(devices && { devices }),
      ...(depth !== undefined && { depth }),
      ...(tags && { tags }),
    };
    const outcome = preview
      ? await previewKeywords(api, id, body)
      : await writeKeywords(api, id, body);
    const { searchesPerDay, utilizationBefore, utilizationAfter } = outcome.budgetDelta;
    const data = {
      ...outcome.counts,
      preview,
      searchesPerDay,
      utilizationBefore,
      utilizationAfter,
    };
    const text = lines(
      `${preview ? 'Nothing was written. It would add' : 'Added'} ${data.added} keywords; ` +
        `${data.existing} ${preview ? 'are' : 'were'} tracked already.`,
      `Store searches a day: ${searchesPerDay >= 0 ? '+' : ''}${searchesPerDay}; the day is ` +
        `${formatShare(utilizationBefore)} → ${formatShare(utilizationAfter)} full.`,
      utilizationAfter > 1 && 'Above the capacity of a day: runs would not finish.',
      data.jobId !== null && 'First positions follow as the stores respond; see list_keywords.',
    );
    return { text, data };
  },
});

type RequestedKeyword = {
  phrases: string[];
  countries: string[];
  devices?: string[];
  depth?: number;
  tags?: string[];
};

async function previewKeywords(api: Client, id: number, body: RequestedKeyword) {
  const { items, budgetDelta } = await api('POST /apps/{id}/keywords/preview', {
    params: { id },
    body,
  });
  const added = items.filter((item) => item.state === 'new').length;
  return {
    budgetDelta,
    counts: {
      added,
      existing: items.filter((item) => item.state === 'existing').length,
      keywordIds: [],
      jobId: null,
    },
  };
}

async function writeKeywords(api: Client, id: number, body: RequestedKeyword) {
  const { added, existing, job, budgetDelta } = await api('POST /apps/{id}/keywords', {
    params: { id },
    body,
  });
  const ids = added.map((keyword) => keyword.id);
  return {
    budgetDelta,
    counts: {
      added: added.length,
      existing: existing.length,
      keywordIds: ids,
      jobId: job && Number(job.id),
    },
  };
}

const removeKeywords = defineTool({
  name: 'remove_keywords',
  title: 'Remove keywords',
  description:
    'Stops tracking keywords of an app; their history is deleted after 30 days. ' +
    'Ask the user first.',
  kind: 'remove',
  input: z.strictObject({ appId: appIdArgument, keywordIds: keywordIdsArgument(200) }),
  output: z.object({ removed: z.int() }),
  async run(api, { appId: id, keywordIds: ids }) {
    const { deleted } = await api('POST /apps/{id}/keywords/delete', {
      params: { id },
      body: { ids },
    });
    return {
      text:
        `Stopped tracking ${deleted} keywords; adding them again within 30 days restores their ` +
        'history.',
      data: { removed: deleted },
    };
  },
});

const scoreJob = z.object({
  keywordId: z.int(),
  jobId: z.int().nullable(),
  problem: z.string().nullable(),
});

const scoreKeywords = defineTool({
  name: 'score_keywords',
  title: 'Score keywords now',
  description:
    'Queries the store for hints, then scores again (daily allowance). Stored ' +
    'scores are in list_keywords.',
  kind: 'write',
  queriesStore: true,
  input: z.strictObject({ keywordIds: keywordIdsArgument(10) }),
  output: z.object({ jobs: z.array(scoreJob) }),
  async run(api, { keywordIds: ids }, describeError) {
    const jobs = await requestScores(api, ids, describeError);
    const accepted = jobs.filter((job) => job.jobId !== null).length;
    const refused = jobs
      .filter((job) => job.problem !== null)
      .map((job) => `- keyword ${job.keywordId}: ${job.problem}`);
    return {
      text: lines(
        `${accepted} of ${jobs.length} keywords will be scored; see list_keywords in a minute.`,
        refused,
      ),
      data: { jobs },
    };
  },
});

/**
 * Runs the requests one after the other. An error of the first one is the tool's error; a later one
 * keeps the accepted requests.
 */
async function requestScores(
  api: Client,
  ids: readonly number[],
  describeError: DescribeError,
): Promise<z.output<typeof scoreJob>[]> {
  const jobs: z.output<typeof scoreJob>[] = [];
  let isOver = false;
  for (const keywordId of new Set(ids)) {
    if (isOver) {
      jobs.push({ keywordId, jobId: null, problem: 'Not requested after that.' });
      continue;
    }
    try {
      const { job } = await api('POST /keywords/{keywordId}/score', { params: { keywordId } });
      jobs.push({ keywordId, jobId: Number(job.id), problem: null });
    } catch (error) {
      const problem = describeError(error);
      if (jobs.length === 0 || problem === null) throw error;
      isOver = !isOfOneKeyword(error);
      jobs.push({ keywordId, jobId: null, problem });
    }
  }
  return jobs;
}

/**
 * True for an error that concerns only this keyword, which was deleted or paused. An exhausted
 * allowance or a timeout would affect the next one too.
 */
function isOfOneKeyword(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 404 || error.status === 400);
}

export const trackedKeywordTools = [addKeywords, removeKeywords, scoreKeywords];
