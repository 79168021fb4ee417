import { digests } from '../../contract/digests.ts';
import { getDigest, getDigestPage } from '../../domain/digests/read-digest.ts';
import { readFeed } from '../../domain/feeds/read-feed.ts';
import { routesOf, WrittenPage } from '../route.ts';

export const digestsRoutes = routesOf(digests, {
  'GET /digests/weekly': async ({ ctx, query }) =>
    query.format === 'html'
      ? new WrittenPage(await getDigestPage(ctx, query.week))
      : getDigest(ctx, query.week),
  'GET /apps/{id}/feed': async ({ ctx, params, raw }) => {
    const feed = await readFeed(ctx, params.id);
    await raw.reply.type('application/atom+xml; charset=utf-8').send(feed);
    return '';
  },
});
