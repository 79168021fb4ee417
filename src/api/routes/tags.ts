import { tagOperations } from '../../contract/tags.ts';
import { changeTag, deleteTag } from '../../domain/tags/change-tag.ts';
import { listTags } from '../../domain/tags/list-tags.ts';
import { routesOf } from '../route.ts';

export const tagsRoutes = routesOf(tagOperations, {
  'GET /tags': ({ ctx }) => listTags(ctx),
  'PATCH /tags/{name}': ({ ctx, params, body }) => changeTag(ctx, params.name, body),
  'DELETE /tags/{name}': ({ ctx, params }) => deleteTag(ctx, params.name),
});
