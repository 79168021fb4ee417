import { Button, CloseButton } from '@mantine/core';
import { Check, RotateCcw, X } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Action } from '#web/queries/actions.ts';
import { SnoozeMenu } from './action-buttons.tsx';
import styles from './actions-page.module.css';
import { DismissDialog } from './dismiss-dialog.tsx';
import type { ActionMove } from './use-action-moves.ts';

interface Props {
  count: number;
  status: Action['state'];
  canWrite: boolean;
  onMove: (move: ActionMove) => void;
  onClear: () => void;
}

export function ActionsBulk({ count, status, canWrite, onMove, onClear }: Props) {
  const { t } = useTranslation();
  const [isDismissing, setDismissing] = useState(false);
  const isLive = status === 'open' || status === 'snoozed';
  return (
    <div className={styles.bulk} role="toolbar" aria-label={t('actions.bulk')}>
      <span className={styles.count} role="status">
        {t('actions.ticked', { count })}
      </span>
      {isLive && (
        <>
          <Button
            className="touch"
            disabled={!canWrite}
            leftSection={<Check size={15} aria-hidden />}
            onClick={() => onMove({ op: 'resolve' })}
          >
            {t('actions.resolve')}
          </Button>
          <SnoozeMenu disabled={!canWrite} onSnooze={(until) => onMove({ op: 'snooze', until })} />
          <Button
            variant="default"
            className="touch"
            disabled={!canWrite}
            leftSection={<X size={15} aria-hidden />}
            onClick={() => setDismissing(true)}
          >
            {t('actions.dismiss')}
          </Button>
        </>
      )}
      {status !== 'open' && (
        <Button
          variant="default"
          className="touch"
          disabled={!canWrite}
          leftSection={<RotateCcw size={15} aria-hidden />}
          onClick={() => onMove({ op: 'reopen' })}
        >
          {t('actions.reopen')}
        </Button>
      )}
      <CloseButton className="touch" aria-label={t('actions.clearTicks')} onClick={onClear} />
      <DismissDialog
        opened={isDismissing}
        count={count}
        onClose={() => setDismissing(false)}
        onDismiss={(why) => onMove({ op: 'dismiss', reason: why })}
      />
    </div>
  );
}
