import { Button, Modal, Textarea } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import styles from './action-detail.module.css';

const maxCharacters = 500;
const ready = ['notUs', 'known', 'later'] as const;

interface Props {
  opened: boolean;
  count: number;
  onClose: () => void;
  onDismiss: (reason: string | undefined) => void;
}

/** Dismisses actions with an optional reason. They return only if their evidence changes. */
export function DismissDialog({ opened, count, onClose, onDismiss }: Props) {
  const { t } = useTranslation();
  const [text, setText] = useState('');
  const close = () => {
    setText('');
    onClose();
  };
  return (
    <Modal
      opened={opened}
      onClose={close}
      title={t('actions.dismissTitle', { count })}
      closeButtonProps={{ 'aria-label': t('common.close') }}
    >
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          onDismiss(text.trim() || undefined);
          close();
        }}
      >
        <p className="muted">{t('actions.dismissText')}</p>
        <div className={styles.ready} role="group" aria-label={t('actions.readyReasons')}>
          {ready.map((name) => (
            <Button
              key={name}
              size="xs"
              className="touch"
              variant="default"
              onClick={() => setText(t(`actions.ready.${name}`))}
            >
              {t(`actions.ready.${name}`)}
            </Button>
          ))}
        </div>
        <Textarea
          label={t('actions.reason')}
          description={t('actions.reasonHint')}
          value={text}
          maxLength={maxCharacters}
          onChange={(event) => setText(event.currentTarget.value)}
          data-autofocus
          autosize
          minRows={2}
          maxRows={6}
        />
        <div className={styles.dialogButtons}>
          <Button variant="default" className="touch" onClick={close}>
            {t('common.cancel')}
          </Button>
          <Button type="submit" className="touch">
            {t('actions.dismiss')}
          </Button>
        </div>
      </form>
    </Modal>
  );
}
