import { Button, Modal, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ErrorNotice } from '#web/components/error-notice.tsx';
import { useFrameDialog } from '#web/frame-dialog.ts';
import { useErrorAfterLeaving } from '#web/use-error-after-leaving.ts';
import { useFocusReturn } from '#web/use-focus-return.ts';
import { useIsMounted } from '#web/use-is-mounted.ts';
import styles from './view-list.module.css';

interface Props {
  title: string;
  /** May be longer than a name: the title of a page. */
  initialName: string;
  /** False: nothing was saved, and the dialog stays. */
  onSave: (name: string) => Promise<unknown>;
  onClose: () => void;
}

const maxCharacters = 60;

/** Asks for the name of a new or renamed view. */
export function ViewDialog({ title, initialName, onSave, onClose }: Props) {
  const { t } = useTranslation();
  useFocusReturn();
  const isMounted = useIsMounted();
  const above = useFrameDialog();
  const [name, setName] = useState(() => [...initialName].slice(0, maxCharacters).join(''));
  const save = useMutation({
    mutationFn: () => onSave(name.trim()),
    onSuccess(saved) {
      if (saved !== false && isMounted()) onClose();
    },
    onError: useErrorAfterLeaving(),
  });
  return (
    <Modal
      opened
      onClose={onClose}
      // The dialog for the name of a new view is one of the frame itself.
      closeOnEscape={above === null || above === 'view'}
      title={title}
      closeButtonProps={{ 'aria-label': t('common.close') }}
    >
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate();
        }}
      >
        <TextInput
          label={t('views.name')}
          description={t('views.nameHint')}
          required
          maxLength={maxCharacters}
          data-autofocus
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        {save.error && <ErrorNotice error={save.error} />}
        <div className={styles.formActions}>
          <Button variant="default" onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <Button type="submit" loading={save.isPending} disabled={!name.trim()}>
            {t('views.save')}
          </Button>
        </div>
      </form>
    </Modal>
  );
}
