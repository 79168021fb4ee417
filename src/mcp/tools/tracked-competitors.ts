import { z } from 'zod';
import { appIdArgument, competitorIdArgument } from '../argument-schemas.ts';
import { notice } from '../common-schemas.ts';
import { defineTool, ToolError } from '../tool.ts';
import { cut, lines, quote, storeTextNotice } from '../text-format.ts';

const addCompetitor = defineTool({
  name: 'add_competitor',
  title: 'Add a competitor',
  description:
    'Compares an app with another one of its store, by storeAppId or url. Queries the store now ' +
    'and daily.',
  kind: 'write',
  queriesStore: true,
  idempotent: true,
  input: z.strictObject({
    appId: appIdArgument,
    storeAppId: z.string().optional().describe('From find_app.'),
    url: z.string().optional().describe('The store address.'),
    relationship: z.string().optional().describe('Such as direct.'),
  }),
  output: z.object({
    competitorId: z.int(),
    name: z.string(),
    added: z.boolean(),
    notice,
  }),
  async run(api, { appId: id, storeAppId, url, relationship }) {
    if ((url === undefined) === (storeAppId === undefined))
      throw new ToolError('Give either storeAppId or url. Nothing was written.');
    const which = url === undefined ? { storeAppId: storeAppId! } : { url };
    const { competitor, job } = await api('POST /apps/{id}/competitors', {
      params: { id },
      body: { ...which, ...(relationship !== undefined && { relationship }) },
    });
    const name = cut(competitor.name, 120);
    const text = lines(
      `${quote(name)} is ${job ? 'now' : 'already'} competitor ${competitor.id} of app ${id}.`,
      job !== null && 'Past positions come from stored results; see compare_competitors.',
      storeTextNotice,
    );
    return {
      text,
      data: {
        competitorId: competitor.id,
        name,
        added: job !== null,
        notice: storeTextNotice,
      },
    };
  },
});

const removeCompetitor = defineTool({
  name: 'remove_competitor',
  title: 'Remove a competitor',
  description: 'Removes a competitor of an app. Ask the user first.',
  kind: 'remove',
  input: z.strictObject({ appId: appIdArgument, competitorId: competitorIdArgument }),
  output: z.object({ removed: z.literal(true) }),
  async run(api, { appId: id, competitorId: cid }) {
    await api('DELETE /apps/{id}/competitors/{cid}', { params: { id, cid } });
    return {
      text: `Competitor ${cid} of app ${id} is removed; adding it again restores it.`,
      data: { removed: true as const },
    };
  },
});

export const trackedCompetitorTools = [addCompetitor, removeCompetitor];
