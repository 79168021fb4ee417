import { images } from '#contract/images.ts';
import { getImage } from '#domain/tracking/images/get-image.ts';
import { routesOf } from '../route.ts';

/** A private cache keeps a picture, because it belongs to a response that needs a credential. */
const keptForYears = 'private, max-age=31536000, immutable';
const retryAfterSeconds = 2;

export const imagesRoutes = routesOf(images, {
  'GET /images': async ({ ctx, query, raw: { request, reply } }) => {
    const image = await getImage(ctx, query);
    if (image === null) {
      void reply.code(202).header('retry-after', String(retryAfterSeconds)).send();
      return '';
    }
    reply.headers({ 'cache-control': keptForYears, etag: image.etag });
    if (request.headers['if-none-match'] === image.etag) void reply.code(304).send();
    else void reply.code(200).type(image.type).send(image.bytes);
    return '';
  },
});
