import { Button, Checkbox, Modal, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '#web/api.ts';
import { ErrorNotice } from '#web/components/error-notice.tsx';
import { showSuccess } from '#web/components/toasts/toasts.tsx';
import { useErrorAfterLeaving } from '#web/use-error-after-leaving.ts';
import { useFocusReturn } from '#web/use-focus-return.ts';
import { useIsCovered } from '#web/use-is-covered.ts';
import { useIsMounted } from '#web/use-is-mounted.ts';
import { saveVersioned } from '#web/conflict/save-versioned.ts';
import { tagsQuery } from '#web/queries/alerts.ts';
import styles from './settings-page.module.css';
import type { TagRecord } from './tags-card.tsx';

const firstColor = '#1f7a4d';
const toState = ({ name, color, etag }: TagRecord) => ({ fields: { name, color }, etag });
type Fields = ReturnType<typeof toState>['fields'];

/** Edits name and colour, unless somebody else has changed the same meanwhile. */
export function EditTag({ tag, onClose }: { tag: TagRecord; onClose: () => void }) {
  const { t } = useTranslation();
  useFocusReturn();
  const isCovered = useIsCovered();
  const isMounted = useIsMounted();
  const queryClient = useQueryClient();
  const [base] = useState(() => toState(tag));
  const [{ name, color }, setFields] = useState<Fields>(base.fields);
  const save = useMutation({
    mutationFn: () =>
      saveVersioned<Fields, unknown>({
        base,
        mine: { name: name.trim(), color },
        async read() {
          const { items } = await queryClient.fetchQuery({ ...tagsQuery, staleTime: 0 });
          // The next write reports a tag that was renamed or removed.
          return toState(items.find((item) => item.name === tag.name) ?? tag);
        },
        write: (fields, { ifMatch, changed }) =>
          call('PATCH /tags/{name}', {
            params: { name: tag.name },
            body: Object.fromEntries(changed.map((field) => [field, fields[field]])),
            ifMatch,
          }),
        describe: (field, theirs, mine) => ({
          label: t(`tags.${field}`),
          theirs: theirs[field] ?? '',
          mine: mine[field] ?? '',
        }),
      }),
    async onSuccess({ kind }) {
      if (kind === 'cancelled') return;
      if (kind === 'saved') showSuccess(t('tags.saved'));
      if (isMounted()) onClose();
      await queryClient.invalidateQueries();
    },
    onError: useErrorAfterLeaving(),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate();
  };
  return (
    <Modal
      opened
      onClose={onClose}
      closeOnEscape={!isCovered}
      title={t('tags.editTitle', { name: tag.name })}
      closeButtonProps={{ 'aria-label': t('common.close') }}
    >
      <form className={styles.form} onSubmit={submit}>
        <TextInput
          label={t('tags.name')}
          description={t('tags.nameHint')}
          required
          maxLength={40}
          value={name}
          data-autofocus
          onChange={({ currentTarget }) => setFields({ name: currentTarget.value, color })}
        />
        <Checkbox
          label={t('tags.hasColor')}
          checked={color !== null}
          onChange={({ currentTarget }) =>
            setFields({ name, color: currentTarget.checked ? (tag.color ?? firstColor) : null })
          }
        />
        {color !== null && (
          <TextInput
            type="color"
            label={t('tags.color')}
            value={color}
            onChange={({ currentTarget }) => setFields({ name, color: currentTarget.value })}
          />
        )}
        {save.error && <ErrorNotice error={save.error} />}
        <Button type="submit" className="touch" loading={save.isPending} disabled={!name.trim()}>
          {t('tags.save')}
        </Button>
      </form>
    </Modal>
  );
}
