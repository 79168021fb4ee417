import { Button, Tooltip } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Earth, Pause, Play, Star } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { Keyword } from '#web/api.ts';
import { useWriteAccess } from '#web/queries/write-guard.ts';
import styles from './keyword-page.module.css';
import type { UpdateKeyword } from './use-keyword-update.ts';

export function KeywordButtons({ keyword, update }: { keyword: Keyword; update: UpdateKeyword }) {
  const { t } = useTranslation();
  const { canWrite, reason } = useWriteAccess();
  const guard = { 'data-disabled': !canWrite || undefined, 'aria-disabled': !canWrite };
  return (
    <>
      <Link
        className={styles.find}
        to="/apps/$appId/country-scores"
        params={{ appId: String(keyword.appId) }}
        search={{ phrase: keyword.phrase, device: keyword.device } as never}
      >
        <Earth size={15} aria-hidden />
        {t('keyword.findCountries')}
      </Link>
      <Tooltip label={reason} disabled={canWrite}>
        <Button
          variant="default"
          aria-pressed={keyword.favorite}
          leftSection={
            <Star size={15} aria-hidden className={keyword.favorite ? styles.starOn : undefined} />
          }
          onClick={() => canWrite && void update({ favorite: !keyword.favorite })}
          {...guard}
        >
          {t('keyword.favorite')}
        </Button>
      </Tooltip>
      <Tooltip label={reason} disabled={canWrite}>
        <Button
          variant="default"
          leftSection={
            keyword.paused ? <Play size={15} aria-hidden /> : <Pause size={15} aria-hidden />
          }
          onClick={() => canWrite && void update({ paused: !keyword.paused })}
          {...guard}
        >
          {keyword.paused ? t('bulk.resume') : t('bulk.pause')}
        </Button>
      </Tooltip>
    </>
  );
}
