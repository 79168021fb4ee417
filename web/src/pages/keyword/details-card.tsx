import { Button, Select, TagsInput, Textarea } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Keyword, Versioned } from '#web/api.ts';
import { Card } from '#web/components/card.tsx';
import { splitNewTags } from '#web/components/split-new-tags.ts';
import { useWriteAccess } from '#web/queries/write-guard.ts';
import { useDraft } from '#web/use-draft.ts';
import styles from './keyword-page.module.css';
import type { UpdateKeyword } from './use-keyword-update.ts';

const usualDepths = [10, 30, 50, 100, 200];
const maxCharacters = 2_000;

/** Tags, depth and note of the keyword. */
export function DetailsCard({
  keyword,
  update,
  isSaving,
}: {
  keyword: Versioned<Keyword>;
  update: UpdateKeyword;
  isSaving: boolean;
}) {
  const { t } = useTranslation();
  const { canWrite, reason } = useWriteAccess();
  const depths = [...new Set([...usualDepths, keyword.depth])].toSorted((a, b) => a - b);
  return (
    <Card title={t('keyword.details')} lead={reason}>
      <div className={styles.details}>
        <TagsInput
          label={t('add.tags')}
          placeholder={keyword.tags.length === 0 ? t('keyword.tagsExample') : undefined}
          value={keyword.tags}
          onChange={(tags) => void update({ tags: splitNewTags(tags, keyword.tags) })}
          maxTags={20}
          maxLength={40}
          disabled={!canWrite}
          clearable
          clearButtonProps={{ 'aria-label': t('add.clearTags') }}
        />
        <Select
          label={t('keyword.depth')}
          description={t('keyword.depthHint')}
          value={String(keyword.depth)}
          data={depths.map((depth) => ({
            value: String(depth),
            label: t('keyword.depthOption', { count: depth }),
          }))}
          onChange={(depth) =>
            depth && Number(depth) !== keyword.depth && void update({ depth: Number(depth) })
          }
          allowDeselect={false}
          disabled={!canWrite}
        />
        <KeywordNote
          key={keyword.id}
          keyword={keyword}
          update={update}
          isSaving={isSaving}
          canWrite={canWrite}
        />
      </div>
    </Card>
  );
}

function KeywordNote({
  keyword,
  update,
  isSaving,
  canWrite,
}: {
  keyword: Versioned<Keyword>;
  update: UpdateKeyword;
  isSaving: boolean;
  canWrite: boolean;
}) {
  const { t } = useTranslation();
  // Until it is saved, a rejected value stays in its field.
  const draft = useDraft(`keyword-note.${keyword.id}`, keyword.note ?? '', keyword.etag);
  const { text } = draft;
  const isChanged = text.trim() !== (keyword.note ?? '');
  const save = async () => {
    if (await update({ note: text.trim() || null }, draft.base)) draft.forget(text);
  };
  return (
    <div className={styles.note}>
      <Textarea
        label={t('keyword.note')}
        placeholder={t('keyword.noteExample')}
        value={text}
        rows={3}
        maxLength={maxCharacters}
        disabled={!canWrite}
        onChange={(event) => draft.change(event.currentTarget.value)}
      />
      {isChanged && (
        <div className={styles.noteButtons}>
          <Button size="xs" className="touch" loading={isSaving} onClick={() => void save()}>
            {t('annotation.save')}
          </Button>
          <Button size="xs" className="touch" variant="default" onClick={() => draft.forget()}>
            {t('common.cancel')}
          </Button>
        </div>
      )}
    </div>
  );
}
