import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { profileOf } from '#stores/profiles.ts';
import type { App } from '#web/api.ts';
import { Card } from '#web/components/card.tsx';
import { Loaded } from '#web/components/loaded.tsx';
import { formatCount, formatDay } from '#web/format.ts';
import { briefingQuery, type Briefing, type Since } from '#web/queries/briefing.ts';
import styles from './briefing-page.module.css';
import { MoverRow } from './mover-row.tsx';

/** The moves of one app, the most important first. */
export function AppCard({ app, since }: { app: App; since: Since }) {
  const { t } = useTranslation();
  const query = useQuery(briefingQuery(app.id, since));
  return (
    <Card
      title={`${app.displayName ?? app.name} · ${profileOf(app.store).name}`}
      lead={query.data && formatDays(query.data)}
      action={
        <Link to="/apps/$appId" params={{ appId: String(app.id) }} className={styles.more}>
          {t('nav.overview')}
        </Link>
      }
    >
      <Loaded query={query} height={320}>
        {(briefing) => (briefing.to === null ? <Unchecked app={app} /> : <Moves of={briefing} />)}
      </Loaded>
    </Card>
  );

  function formatDays({ from, to, isSinceVisit }: Briefing): string | undefined {
    if (from === null || to === null) return undefined;
    const days = { from: formatDay(from), to: formatDay(to) };
    return isSinceVisit ? t('briefing.sinceVisit', days) : t('briefing.days', days);
  }
}

function Unchecked({ app }: { app: App }) {
  const { t } = useTranslation();
  return (
    <p className="muted">
      {t('briefing.unchecked')}{' '}
      <Link to="/apps/$appId/keywords" params={{ appId: String(app.id) }}>
        {t('nav.keywords')}
      </Link>
    </p>
  );
}

function Moves({ of: briefing }: { of: Briefing }) {
  const { t } = useTranslation();
  const { appId, movers, otherMovers, notChecked, from, to } = briefing;
  const counts = (['gained', 'lost', 'entered', 'left', 'unchanged'] as const).filter(
    (kind) => briefing[kind] > 0,
  );
  return (
    <>
      <p className={styles.counts}>
        {counts.map((kind) => (
          <span key={kind} data-kind={kind}>
            {t(`briefing.${kind}`, { count: briefing[kind], shown: formatCount(briefing[kind]) })}
          </span>
        ))}
        {notChecked > 0 && (
          <Link to="/runs" className={styles.unchecked}>
            {t('briefing.notChecked', { count: notChecked, shown: formatCount(notChecked) })}
          </Link>
        )}
      </p>
      {movers.length === 0 ? (
        <p className="muted">{t('briefing.noMovers')}</p>
      ) : (
        <ul className={styles.rows}>
          {movers.map((mover) => (
            <MoverRow key={mover.keywordId} mover={mover} appId={appId} />
          ))}
        </ul>
      )}
      {otherMovers > 0 && from !== null && to !== null && (
        <Link
          to="/apps/$appId/distribution"
          params={{ appId: String(appId) }}
          search={{ a: from, b: to } as never}
          hash="compare"
          className={styles.more}
        >
          {t('briefing.others', { count: otherMovers, shown: formatCount(otherMovers) })}
        </Link>
      )}
    </>
  );
}
