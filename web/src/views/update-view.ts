import type { QueryClient } from '@tanstack/react-query';
import { call } from '../api.ts';
import { saveVersioned } from '../conflict/save-versioned.ts';
import { i18next } from '../i18n.ts';
import { viewsQuery, type SavedView } from '../queries/views.ts';

export type ViewFields = Pick<SavedView, 'name' | 'pinned'>;

const pick = ({ name, pinned }: SavedView): ViewFields => ({ name, pinned });

/**
 * Renames or pins a view, unless somebody else has changed the same since it was read. Returns
 * false when the person kept neither change.
 */
export async function updateView(
  queryClient: QueryClient,
  view: SavedView,
  set: Partial<ViewFields>,
): Promise<boolean> {
  const { id } = view;
  const outcome = await saveVersioned({
    base: { fields: pick(view), etag: view.etag },
    mine: { ...pick(view), ...set },
    read: async () => {
      const { items } = await queryClient.fetchQuery({ ...viewsQuery, staleTime: 0 });
      // The next write reports a view that is gone.
      const found = items.find((item) => item.id === id) ?? view;
      return { fields: pick(found), etag: found.etag };
    },
    write: (fields, { ifMatch, changed }) =>
      call('PATCH /views/{id}', {
        params: { id },
        body: Object.fromEntries(changed.map((field) => [field, fields[field]])),
        ifMatch,
      }),
    describe: (field, theirs, mine) => ({
      label: i18next.t(field === 'name' ? 'views.name' : 'views.pin'),
      theirs: String(theirs[field]),
      mine: String(mine[field]),
    }),
  });
  return outcome.kind !== 'cancelled';
}
