import { Button, Menu } from '@mantine/core';
import { AlarmClock, Check, CirclePause, RotateCcw, X } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Store } from '#web/api.ts';
import type { Action } from '#web/queries/actions.ts';
import { useWriteAccess } from '#web/queries/write-guard.ts';
import styles from './action-detail.module.css';
import { ActionLink } from './action-link.tsx';
import { DismissDialog } from './dismiss-dialog.tsx';
import { snoozeUntil, type ActionMove } from './use-action-moves.ts';
import { usePauseKeyword } from './use-pause-keyword.ts';

const snoozes = [
  ['tomorrow', 1],
  ['week', 7],
  ['month', 30],
] as const;

export function SnoozeMenu({
  onSnooze,
  disabled,
}: {
  onSnooze: (until: string) => void;
  disabled: boolean;
}) {
  const { t } = useTranslation();
  return (
    <Menu>
      <Menu.Target>
        <Button
          variant="default"
          className="touch"
          disabled={disabled}
          leftSection={<AlarmClock size={15} aria-hidden />}
        >
          {t('actions.snooze')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {snoozes.map(([name, days]) => (
          <Menu.Item key={name} onClick={() => onSnooze(snoozeUntil(days))}>
            {t(`actions.snooze.${name}`)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

/** Pauses an unreachable keyword with one click; its history is kept. */
function PauseKeyword({
  appId,
  keywordId,
  disabled,
  onDone,
}: {
  appId: number | undefined;
  keywordId: number;
  disabled: boolean;
  onDone: () => void;
}) {
  const { t } = useTranslation();
  const pause = usePauseKeyword({ appId, keywordId, onDone });
  return (
    <Button
      variant="light"
      className="touch"
      disabled={disabled}
      loading={pause.isPending}
      leftSection={<CirclePause size={15} aria-hidden />}
      onClick={() => pause.mutate()}
    >
      {t('actions.pauseKeyword')}
    </Button>
  );
}

interface Props {
  action: Action;
  store: Store | undefined;
  onMove: (move: ActionMove) => void;
}

export function ActionButtons({ action, store, onMove }: Props) {
  const { t } = useTranslation();
  const { canWrite, reason } = useWriteAccess();
  const [isDismissing, setDismissing] = useState(false);
  const isLive = action.state === 'open' || action.state === 'snoozed';
  const keywordId = action.keywordIds[0];
  return (
    <>
      <div className={styles.buttons} role="toolbar" aria-label={t('actions.tools')}>
        {isLive && (
          <Button
            className="touch"
            disabled={!canWrite}
            leftSection={<Check size={16} aria-hidden />}
            onClick={() => onMove({ op: 'resolve' })}
          >
            {t('actions.resolve')}
          </Button>
        )}
        {isLive && action.type === 'hopeless-keyword' && keywordId !== undefined && (
          <PauseKeyword
            appId={action.appId ?? undefined}
            keywordId={keywordId}
            disabled={!canWrite}
            onDone={() => onMove({ op: 'resolve' })}
          />
        )}
        <ActionLink action={action} store={store} />
        {isLive && (
          <SnoozeMenu disabled={!canWrite} onSnooze={(until) => onMove({ op: 'snooze', until })} />
        )}
        {isLive && (
          <Button
            variant="default"
            className="touch"
            disabled={!canWrite}
            leftSection={<X size={15} aria-hidden />}
            onClick={() => setDismissing(true)}
          >
            {t('actions.dismiss')}
          </Button>
        )}
        {action.state !== 'open' && (
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
      </div>
      {!canWrite && <p className="muted">{reason}</p>}
      <DismissDialog
        opened={isDismissing}
        count={1}
        onClose={() => setDismissing(false)}
        onDismiss={(why) => onMove({ op: 'dismiss', reason: why })}
      />
    </>
  );
}
