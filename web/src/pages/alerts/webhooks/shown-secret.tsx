import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { CopyButton } from '#web/components/copy-button.tsx';
import styles from './webhooks.module.css';

export function ShownSecret({ secret, onClose }: { secret: string; onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <div className={styles.form}>
      <p>{t('webhooks.once')}</p>
      <div className={styles.shown}>
        <code data-testid="webhook-secret">{secret}</code>
        <CopyButton text={secret} label={t('webhooks.secret')} />
      </div>
      <p className="muted">{t('webhooks.onceHint')}</p>
      <div className={styles.dialogButtons}>
        <Button className="touch" onClick={onClose}>
          {t('webhooks.kept')}
        </Button>
      </div>
    </div>
  );
}
