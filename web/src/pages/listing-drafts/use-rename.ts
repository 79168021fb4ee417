import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '#web/api.ts';
import { saveVersioned } from '#web/conflict/save-versioned.ts';
import { draftQuery, draftsQuery, type ListingDraft } from '#web/queries/listing-drafts.ts';

const toState = ({ name, etag }: ListingDraft) => ({ fields: { name }, etag });

/**
 * Renames a draft, unless somebody else has renamed it since it was read. Returns the draft, or
 * null for no choice.
 */
export function useRename(
  appId: number,
): (draft: ListingDraft, name: string) => Promise<Pick<ListingDraft, 'id'> | null> {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  return async (draft, name) => {
    const { id } = draft;
    const outcome = await saveVersioned({
      base: toState(draft),
      mine: { name },
      async read() {
        const { items } = await queryClient.fetchQuery({ ...draftsQuery(appId), staleTime: 0 });
        // The next write reports a draft that is gone.
        return toState(items.find((item) => item.id === id) ?? draft);
      },
      write: (body, { ifMatch }) =>
        call('PATCH /listing-drafts/{id}', { params: { id }, body, ifMatch }),
      describe: (_name, theirs, mine) => ({
        label: t('listingDrafts.name'),
        theirs: theirs.name,
        mine: mine.name,
      }),
    });
    // The ETag of the draft is also that of its texts.
    await queryClient.invalidateQueries({ queryKey: draftQuery(id).queryKey, exact: true });
    return outcome.kind === 'cancelled' ? null : { id };
  };
}
