import { tagOperations } from '#contract/tags.ts';
import { updateTag, deleteTag } from '#domain/tracking/tags/update-tag.ts';
import { listTags } from '#domain/tracking/tags/list-tags.ts';
import { routesOf } from '../route.ts';

export const tagsRoutes = routesOf(tagOperations, {
  'GET /tags': ({ ctx }) => listTags(ctx),
  'PATCH /tags/{name}': ({ ctx, params, body }) => updateTag(ctx, params.name, body),
  'DELETE /tags/{name}': ({ ctx, params }) => deleteTag(ctx, params.name),
});
