import { digests } from '#contract/digests.ts';
import { getDigest, getDigestPage } from '#domain/insights/digests/get-digest.ts';
import { readFeed } from '#domain/alerting/feeds/read-feed.ts';
import { routesOf, HtmlPage } from '../route.ts';

export const digestsRoutes = routesOf(digests, {
  'GET /digests/weekly': async ({ ctx, query }) =>
    query.format === 'html'
      ? new HtmlPage(await getDigestPage(ctx, query.week))
      : getDigest(ctx, query.week),
  'GET /apps/{id}/feed': async ({ ctx, params, raw }) => {
    const feed = await readFeed(ctx, params.id);
    await raw.reply.type('application/atom+xml; charset=utf-8').send(feed);
    return '';
  },
});
