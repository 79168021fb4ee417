import { Button, Modal } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { FocusReturn } from '#web/use-focus-return.ts';
import styles from './dialog.module.css';

interface FrameProps {
  title: string;
  opened: boolean;
  onClose: () => void;
  children: ReactNode;
}

/** Full screen on a phone. */
export function DialogFrame({ title, opened, onClose, children }: FrameProps) {
  const { t } = useTranslation();
  const isNarrow = useMediaQuery('(max-width: 47.99em)') ?? false;
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={title}
      size="lg"
      fullScreen={isNarrow}
      closeButtonProps={{ 'aria-label': t('common.close') }}
    >
      <FocusReturn />
      {children}
    </Modal>
  );
}

interface ActionsProps {
  /** The action with its count, or what is missing. */
  submit: string;
  isReady: boolean;
  isPending: boolean;
  onClose: () => void;
}

export function DialogActions({ submit, isReady, isPending, onClose }: ActionsProps) {
  const { t } = useTranslation();
  return (
    <div className={styles.actions}>
      <Button variant="default" onClick={onClose}>
        {t('common.cancel')}
      </Button>
      <Button type="submit" disabled={!isReady} loading={isPending}>
        {submit}
      </Button>
    </div>
  );
}
