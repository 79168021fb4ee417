import { digests } from '../../contract/digests.ts';
import { getDigest } from '../../domain/digests/read-digest.ts';
import { readFeed } from '../../domain/feeds/read-feed.ts';
import { routesOf } from '../route.ts';

export const digestsRoutes = routesOf(digests, {
  'GET /digests/weekly': ({ ctx, query }) => getDigest(ctx, query.week),
  'GET /apps/{id}/feed': async ({ ctx, params, raw }) => {
    const feed = await readFeed(ctx, params.id);
    await raw.reply.type('application/atom+xml; charset=utf-8').send(feed);
    return '';
  },
});
