import { Button, Modal } from '@mantine/core';
import { useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { getConflict, subscribeConflict } from './conflict.ts';
import styles from './conflict-dialog.module.css';

/** Both values of each field that two people changed. Closing it saves nothing. */
export function ConflictDialog() {
  const { t } = useTranslation();
  const conflict = useSyncExternalStore(subscribeConflict, getConflict);
  if (!conflict) return null;
  const { id, changes, choose } = conflict;
  return (
    <Modal
      key={id}
      opened
      onClose={() => choose(null)}
      title={t('conflict.title')}
      size="lg"
      closeButtonProps={{ 'aria-label': t('common.close') }}
    >
      <p>{t('conflict.lead')}</p>
      <div>
        {changes.map(({ label, theirs, mine }) => (
          <div key={label} role="group" aria-label={label} className={styles.change}>
            <h3>{label}</h3>
            <dl>
              <div>
                <dt className="muted">{t('conflict.theirs')}</dt>
                <dd>{theirs || '–'}</dd>
              </div>
              <div>
                <dt className="muted">{t('conflict.mine')}</dt>
                <dd>{mine || '–'}</dd>
              </div>
            </dl>
          </div>
        ))}
      </div>
      <div className={styles.choices}>
        <Button variant="default" className="touch" onClick={() => choose('theirs')}>
          {t('conflict.takeTheirs')}
        </Button>
        <Button className="touch" data-autofocus onClick={() => choose('mine')}>
          {t('conflict.keepMine')}
        </Button>
      </div>
    </Modal>
  );
}
