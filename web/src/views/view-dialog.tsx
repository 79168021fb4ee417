import { Button, Modal, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFocusReturn } from '#web/use-focus-return.ts';
import styles from './view-list.module.css';

interface Props {
  title: string;
  initialName: string;
  onSave: (name: string) => void;
  onClose: () => void;
}

/** Asks for the name of a new or renamed view. */
export function ViewDialog({ title, initialName, onSave, onClose }: Props) {
  const { t } = useTranslation();
  useFocusReturn();
  const [name, setName] = useState(initialName);
  return (
    <Modal
      opened
      onClose={onClose}
      title={title}
      closeButtonProps={{ 'aria-label': t('common.close') }}
    >
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          onSave(name.trim());
          onClose();
        }}
      >
        <TextInput
          label={t('views.name')}
          description={t('views.nameHint')}
          required
          maxLength={60}
          data-autofocus
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <div className={styles.formActions}>
          <Button variant="default" onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <Button type="submit" disabled={!name.trim()}>
            {t('views.save')}
          </Button>
        </div>
      </form>
    </Modal>
  );
}
