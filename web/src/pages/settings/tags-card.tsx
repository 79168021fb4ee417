import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Tag } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call, type ResponseOf } from '#web/api.ts';
import { Card } from '#web/components/card.tsx';
import { ConfirmButton } from '#web/components/confirm-button.tsx';
import { EmptyState } from '#web/components/empty-state.tsx';
import { lazyPart } from '#web/components/lazy-part.tsx';
import { Loaded } from '#web/components/loaded.tsx';
import { TagDot } from '#web/components/tag-dot.tsx';
import { showError, showSuccess } from '#web/components/toasts/toasts.tsx';
import { deleteIfThere } from '#web/delete-if-there.ts';
import { tagsQuery } from '#web/queries/alerts.ts';
import { useWriteAccess } from '#web/queries/write-guard.ts';
import styles from './settings-page.module.css';

export type TagRecord = ResponseOf<'GET /tags'>['items'][number];

const EditTag = lazyPart(async () => (await import('./edit-tag.tsx')).EditTag);

/** The tags of apps and keywords, with their names and colours. */
export function TagsCard() {
  const { t } = useTranslation();
  const query = useQuery(tagsQuery);
  const [edited, setEdited] = useState<TagRecord | null>(null);
  return (
    <Card title={t('tags.title')} lead={t('tags.lead')}>
      <Loaded query={query} height={170}>
        {({ items }) =>
          items.length === 0 ? (
            <EmptyState icon={Tag} title={t('tags.emptyTitle')} text={t('tags.emptyText')} />
          ) : (
            <ul className={styles.rows}>
              {items.map((tag) => (
                <TagRow key={tag.name} tag={tag} onEdit={() => setEdited(tag)} />
              ))}
            </ul>
          )
        }
      </Loaded>
      {edited && (
        <EditTag tag={edited} onClose={() => setEdited(null)} onFail={() => setEdited(null)} />
      )}
    </Card>
  );
}

function TagRow({ tag, onEdit }: { tag: TagRecord; onEdit: () => void }) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const { canWrite, reason } = useWriteAccess();
  const { name, apps, keywords } = tag;
  const remove = useMutation({
    mutationFn: () => deleteIfThere(call('DELETE /tags/{name}', { params: { name } })),
    onSuccess: () => showSuccess(t('tags.removed', { name })),
    onError: showError,
    onSettled: () => queryClient.invalidateQueries(),
  });
  return (
    <li>
      <span className={styles.grow}>
        <span className={styles.name}>
          <TagDot tag={name} />
          <bdi>{name}</bdi>
        </span>
        <span className="muted">
          {t('tags.apps', { count: apps })} · {t('tags.keywords', { count: keywords })}
        </span>
      </span>
      <span className={styles.rowButtons}>
        <Button
          size="xs"
          variant="default"
          className="touch"
          disabled={!canWrite}
          title={reason}
          onClick={onEdit}
        >
          {t('tags.edit')}
          <span className="sr-only"> {name}</span>
        </Button>
        <ConfirmButton
          question={t('tags.removeQuestion', { name })}
          sure={t('tags.removeSure')}
          disabled={!canWrite}
          why={reason}
          loading={remove.isPending}
          onConfirm={() => remove.mutate()}
        >
          {t('tags.remove')}
          <span className="sr-only"> {name}</span>
        </ConfirmButton>
      </span>
    </li>
  );
}
