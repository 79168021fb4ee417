import { useTranslation } from 'react-i18next';
import type { Keyword, Store } from '#web/api.ts';
import { Ago } from '#web/components/ago.tsx';
import { formatProvider } from '#web/components/format-provider.ts';
import { Move } from '#web/components/move.tsx';
import { PositionText } from '#web/components/position-text.tsx';
import { formatDay } from '#web/format.ts';
import { isWaiting } from '#web/queries/keywords.ts';
import styles from './keyword-page.module.css';

export function CurrentPosition({
  keyword,
  store,
}: {
  keyword: Keyword;
  store: Store | undefined;
}) {
  const { t } = useTranslation();
  const provider = keyword.latest?.provider;
  return (
    <dl className={styles.current}>
      <div className={styles.main}>
        <dt>{t('column.position')}</dt>
        <dd>
          <PositionText cell={keyword.latest} size="lg" />
        </dd>
        <dd className="muted">
          {isWaiting(keyword) ? (
            t(`pending.${keyword.pending as 'queued' | 'running'}`)
          ) : keyword.latest ? (
            <>
              <Ago instant={keyword.latest.checkedAt} />
              {provider && ` · ${formatProvider(store, provider, t)}`}
            </>
          ) : (
            t('position.notChecked')
          )}
        </dd>
      </div>
      {(['change1d', 'change7d', 'change30d'] as const).map((id) => (
        <div key={id}>
          <dt>{t(`column.${id}`)}</dt>
          <dd className={styles.figure}>
            <Move change={keyword[id]} />
          </dd>
        </div>
      ))}
      <div>
        <dt>{t('column.best')}</dt>
        <dd className={styles.figure}>{keyword.best?.position ?? '–'}</dd>
        {keyword.best && <dd className="muted">{formatDay(keyword.best.date, true)}</dd>}
      </div>
      <div>
        <dt>{t('history.depth')}</dt>
        <dd className={styles.figure}>{keyword.latest?.depth ?? keyword.depth}</dd>
        <dd className="muted">{t('keyword.depthNote')}</dd>
      </div>
    </dl>
  );
}
