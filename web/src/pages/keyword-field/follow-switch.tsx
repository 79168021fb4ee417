import { Button, Popover, Switch } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatMarket } from '#web/format.ts';
import { useWriteAccess } from '#web/queries/write-guard.ts';
import type { Market } from '#web/scope.ts';
import { AdditionPreview } from '../keywords/addition-preview.tsx';
import styles from './keyword-field-page.module.css';
import type { Following } from './use-following.ts';

interface Props {
  appId: number;
  market: Market;
  term: string;
  keywordId: number | null;
  following: Following;
}

/**
 * Whether a word is tracked as a keyword. Tracking costs searches, so it asks first; untracking can
 * be undone.
 */
export function FollowSwitch({ appId, market, term, keywordId, following }: Props) {
  const { t } = useTranslation();
  const { canWrite, reason } = useWriteAccess();
  const [asked, setAsked] = useState(false);
  // Optimistic; replaced by the response.
  const [requested, setRequested] = useState<boolean | null>(null);
  const isFollowed = keywordId !== null;
  if (requested === isFollowed) setRequested(null);
  const send = (to: boolean, sent: Promise<unknown>) => {
    setRequested(to);
    sent.catch(() => setRequested(null));
  };
  const press = () => {
    if (requested !== null) return;
    if (keywordId === null) setAsked(!asked);
    else send(false, following.stop(keywordId));
  };
  const question = t('keywordField.followConfirm', { word: term, country: formatMarket(market) });
  return (
    <Popover
      opened={asked}
      onChange={setAsked}
      width={280}
      position="bottom-start"
      shadow="md"
      trapFocus
      returnFocus
      withRoles={false}
    >
      <Popover.Target>
        <span className={styles.switch}>
          <Switch
            size="sm"
            aria-label={t('keywordField.followWord', { word: term })}
            checked={requested ?? isFollowed}
            aria-busy={requested !== null || undefined}
            disabled={!canWrite}
            title={reason}
            wrapperProps={{ title: reason }}
            onChange={press}
          />
        </span>
      </Popover.Target>
      <Popover.Dropdown role="dialog" aria-label={question}>
        <p className={styles.question}>{question}</p>
        <AdditionPreview appId={appId} body={{ keywords: [{ phrase: term, ...market }] }} />
        <div className={styles.sure}>
          <Button
            size="xs"
            className="touch"
            variant="default"
            data-autofocus
            onClick={() => setAsked(false)}
          >
            {t('common.cancel')}
          </Button>
          <Button
            size="xs"
            className="touch"
            onClick={() => {
              setAsked(false);
              send(true, following.follow(term));
            }}
          >
            {t('keywordField.followNow')}
          </Button>
        </div>
      </Popover.Dropdown>
    </Popover>
  );
}
