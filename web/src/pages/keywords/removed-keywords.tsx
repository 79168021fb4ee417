import { Button } from '@mantine/core';
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { ArchiveRestore } from 'lucide-react';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Ago } from '#web/components/ago.tsx';
import { EmptyState } from '#web/components/empty-state.tsx';
import { ErrorNotice } from '#web/components/error-notice.tsx';
import { LoadedPages } from '#web/components/loaded-pages.tsx';
import { MarketChip } from '#web/components/market-chip.tsx';
import { showSuccess } from '#web/components/toasts/toasts.tsx';
import { formatCountry, formatDay, formatInstant, zonedDayOf } from '#web/format.ts';
import { tagsQuery } from '#web/queries/alerts.ts';
import { refreshCounts } from '#web/queries/keyword-changes.ts';
import { removedKeywordsQuery, type RemovedKeyword } from '#web/queries/removed-keywords.ts';
import { useWriteAccess } from '#web/queries/write-guard.ts';
import { useErrorAfterLeaving } from '#web/use-error-after-leaving.ts';
import { useIsMounted } from '#web/use-is-mounted.ts';
import { DialogFrame } from './dialog.tsx';
import tableStyles from './keyword-table.module.css';
import styles from './removed-keywords.module.css';
import { restoreKeywords } from './restore-keywords.ts';

interface Props {
  appId: number;
  opened: boolean;
  onClose: () => void;
}

interface TableProps {
  rows: readonly RemovedKeyword[];
  ticked: ReadonlySet<number>;
  onTick: (ids: readonly number[], isOn: boolean) => void;
  isDisabled: boolean;
}

function Head({ rows, ticked, onTick, isDisabled }: TableProps) {
  const { t } = useTranslation();
  const count = rows.filter(({ id }) => ticked.has(id)).length;
  return (
    <div role="rowgroup">
      <div role="row" className={styles.head}>
        <span role="columnheader" className={tableStyles.tick}>
          <input
            type="checkbox"
            aria-label={t('keywords.selectAll')}
            disabled={isDisabled}
            checked={count > 0 && count === rows.length}
            ref={(box) => {
              if (box) box.indeterminate = count > 0 && count < rows.length;
            }}
            onChange={() =>
              onTick(
                rows.map(({ id }) => id),
                count < rows.length,
              )
            }
          />
        </span>
        <span role="columnheader" className={styles.phrase}>
          {t('column.phrase')}
        </span>
        <span role="columnheader" className={styles.country}>
          {t('column.country')}
        </span>
        <span role="columnheader" className={styles.removedAt}>
          {t('removed.at')}
        </span>
        <span role="columnheader" className={styles.purgeAt}>
          {t('removed.purgeAt')}
        </span>
      </div>
    </div>
  );
}

function Row({
  keyword,
  isTicked,
  onTick,
  isDisabled,
}: Pick<TableProps, 'isDisabled'> & {
  keyword: RemovedKeyword;
  isTicked: boolean;
  onTick: (isOn: boolean) => void;
}) {
  const { t } = useTranslation();
  const id = useId();
  const { phrase, country, removedAt, purgeAt, paused } = keyword;
  return (
    <div role="row" className={styles.row}>
      <span role="cell" className={tableStyles.tick}>
        <input
          id={id}
          type="checkbox"
          aria-label={t('keywords.select', { phrase, country: formatCountry(country) })}
          disabled={isDisabled}
          checked={isTicked}
          onChange={(event) => onTick(event.currentTarget.checked)}
        />
      </span>
      <span role="cell" className={styles.phrase}>
        <label htmlFor={id}>
          <bdi>{phrase}</bdi>
          {paused && <span className="muted"> {t('pending.paused')}</span>}
        </label>
      </span>
      <span role="cell" className={styles.country}>
        <MarketChip of={keyword} />
      </span>
      <span role="cell" className={styles.removedAt}>
        <span className={styles.label} aria-hidden>
          {t('removed.at')}
        </span>
        <Ago instant={removedAt} />
      </span>
      <span role="cell" className={styles.purgeAt}>
        <span className={styles.label} aria-hidden>
          {t('removed.purgeAt')}
        </span>
        <time dateTime={purgeAt} title={formatInstant(purgeAt)} className="num">
          {formatDay(zonedDayOf(purgeAt))}
        </time>
      </span>
    </div>
  );
}

function Bin({ appId, onClose }: Omit<Props, 'opened'>) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const { canWrite, reason } = useWriteAccess();
  const isMounted = useIsMounted();
  const query = useInfiniteQuery(removedKeywordsQuery(appId));
  const [ticked, setTicked] = useState<ReadonlySet<number>>(new Set());
  const tick = (ids: readonly number[], isOn: boolean) => {
    const next = new Set(ticked);
    for (const id of ids) {
      if (isOn) next.add(id);
      else next.delete(id);
    }
    setTicked(next);
  };
  const restore = useMutation({
    mutationFn: (ids: readonly number[]) => restoreKeywords(appId, ids),
    onSuccess(_data, ids) {
      showSuccess(t('keywords.restored', { count: ids.length }));
      if (isMounted()) onClose();
    },
    onError: useErrorAfterLeaving(),
    onSettled() {
      refreshCounts(queryClient, appId);
      void queryClient.invalidateQueries({ queryKey: ['keywords'] });
      void queryClient.invalidateQueries({ queryKey: tagsQuery.queryKey });
    },
  });
  const empty = (
    <EmptyState icon={ArchiveRestore} title={t('removed.empty')} text={t('removed.emptyText')} />
  );
  return (
    <LoadedPages query={query} height={220} more="wide" empty={empty}>
      {(rows) => {
        // Another tab may have restored some of them.
        const chosen = rows.filter(({ id }) => ticked.has(id)).map(({ id }) => id);
        const isDisabled = !canWrite || restore.isPending;
        const table = { rows, ticked, onTick: tick, isDisabled };
        return (
          <form
            className={styles.bin}
            onSubmit={(event) => {
              event.preventDefault();
              restore.mutate(chosen);
            }}
          >
            <p className="muted">{t('removed.lead')}</p>
            <div role="table" aria-label={t('removed.title')}>
              <Head {...table} />
              <div role="rowgroup">
                {rows.map((keyword) => (
                  <Row
                    key={keyword.id}
                    keyword={keyword}
                    isTicked={ticked.has(keyword.id)}
                    onTick={(isOn) => tick([keyword.id], isOn)}
                    isDisabled={isDisabled}
                  />
                ))}
              </div>
            </div>
            <div className={styles.foot}>
              {restore.error && <ErrorNotice error={restore.error} />}
              <Button
                type="submit"
                className="touch"
                disabled={!canWrite || chosen.length === 0}
                title={reason}
                loading={restore.isPending}
              >
                {chosen.length > 0
                  ? t('removed.submit', { count: chosen.length })
                  : t('removed.submitEmpty')}
              </Button>
            </div>
          </form>
        );
      }}
    </LoadedPages>
  );
}

/** The removed keywords of an app, which can be restored for 30 days. */
export function RemovedKeywords({ opened, ...rest }: Props) {
  const { t } = useTranslation();
  return (
    <DialogFrame title={t('removed.title')} opened={opened} onClose={rest.onClose}>
      <Bin {...rest} />
    </DialogFrame>
  );
}
