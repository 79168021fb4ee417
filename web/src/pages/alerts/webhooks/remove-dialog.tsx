import { Button, Modal } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useFocusReturn } from '#web/use-focus-return.ts';
import type { Webhook } from '#web/queries/webhooks.ts';
import styles from './webhooks.module.css';

interface Props {
  webhook: Webhook;
  isPending: boolean;
  onRemove: () => void;
  onClose: () => void;
}

export function RemoveDialog({ webhook, isPending, onRemove, onClose }: Props) {
  const { t } = useTranslation();
  useFocusReturn();
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('webhooks.removeTitle')}
      closeButtonProps={{ 'aria-label': t('common.close') }}
    >
      <div className={styles.form}>
        <p>{t('webhooks.removeText', { host: new URL(webhook.url).host })}</p>
        <div className={styles.dialogButtons}>
          <Button variant="default" className="touch" onClick={onClose} data-autofocus>
            {t('common.cancel')}
          </Button>
          <Button color="red" className="touch" loading={isPending} onClick={onRemove}>
            {t('webhooks.remove')}
          </Button>
        </div>
      </div>
    </Modal>
  );
}
