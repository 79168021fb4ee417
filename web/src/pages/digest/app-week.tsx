import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { profileOf } from '#stores/profiles.ts';
import { AppIcon } from '#web/components/app-icon.tsx';
import { formatCount, formatDecimal, formatShare, formatSigned } from '#web/format.ts';
import { appsQuery } from '#web/queries/apps.ts';
import type { Digest, DigestApp } from '#web/queries/digests.ts';
import styles from './digest-page.module.css';
import { MovesList } from './moves-list.tsx';
import { WeekChart } from './week-chart.tsx';

function Tile({ label, value, note }: { label: string; value: ReactNode; note?: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd className={styles.value}>{value}</dd>
      {note && <dd className="muted">{note}</dd>}
    </div>
  );
}

/** The change over the keywords tracked on the first and the last day of the week. */
function Shift({ from, to }: { from: number | null; to: number | null }) {
  const { t } = useTranslation();
  if (from === null || to === null) return null;
  const change = Math.round((to - from) * 100) / 100;
  const kind = change > 0 ? 'up' : change < 0 ? 'down' : 'same';
  return (
    <>
      <span className={styles.shift} data-kind={kind}>
        <span aria-hidden>
          {kind === 'same'
            ? '='
            : `${kind === 'up' ? '▲' : '▼'} ${formatDecimal(Math.abs(change), 2)}`}
        </span>
        <span className="sr-only">{formatSigned(change)}</span>
      </span>{' '}
      {t('digest.sameKeywords')}
    </>
  );
}

function Tiles({ app, digest: { from, to } }: { app: DigestApp; digest: Digest }) {
  const { t } = useTranslation();
  const appId = String(app.appId);
  const { visibility } = app;
  return (
    <dl className={styles.tiles}>
      <Tile
        label={t('overview.visibility')}
        value={
          visibility.to === null ? (
            <span className="muted">–</span>
          ) : (
            formatDecimal(visibility.to, 2)
          )
        }
        note={visibility.to === null ? t('digest.nothingChecked') : <Shift {...visibility} />}
      />
      <Tile
        label={t('digest.found')}
        value={t('digest.of', { part: formatCount(app.ranked), all: formatCount(app.keywords) })}
        note={t('digest.foundNote', {
          out: formatCount(app.notFound),
          unchecked: formatCount(app.notChecked),
        })}
      />
      <Tile
        label={t('digest.top10')}
        value={formatCount(app.top10)}
        note={t('digest.top3', { count: app.top3 })}
      />
      <Tile
        label={t('overview.average')}
        value={
          app.averagePosition === null ? (
            <span className="muted">–</span>
          ) : (
            formatDecimal(app.averagePosition)
          )
        }
        note={t('digest.moved', { up: formatCount(app.improved), down: formatCount(app.dropped) })}
      />
      <Tile
        label={t('digest.reviews')}
        value={
          <Link to="/apps/$appId/reviews" params={{ appId }} search={{ from, to }}>
            {formatCount(app.newReviews)}
          </Link>
        }
        note={t('digest.lowReviews', { count: app.negativeReviews })}
      />
      <Tile
        label={t('digest.rating')}
        value={
          app.rating === null ? <span className="muted">–</span> : formatDecimal(app.rating, 2)
        }
        note={app.rating === null ? t('digest.notRead') : t('digest.stars')}
      />
      <Tile
        label={t('digest.changes')}
        value={
          <Link to="/apps/$appId/timeline" params={{ appId }} search={{ from, to }}>
            {formatCount(app.metadataChanges)}
          </Link>
        }
      />
      <Tile
        label={t('digest.actions')}
        value={
          <Link to="/actions" search={{ app: app.appId } as never}>
            {formatCount(app.openActions)}
          </Link>
        }
      />
    </dl>
  );
}

export function AppWeek({ app, digest }: { app: DigestApp; digest: Digest }) {
  const { t } = useTranslation();
  const { data: apps } = useQuery(appsQuery);
  const iconUrl = apps?.items.find(({ id }) => id === app.appId)?.iconUrl;
  const moves = {
    gained: app.gained.filter(({ from }) => from.position !== null),
    entered: app.gained.filter(({ from }) => from.position === null),
    lost: app.lost.filter(({ to }) => to.position !== null),
    left: app.lost.filter(({ to }) => to.position === null),
  };
  return (
    <section className={styles.app} data-print="column" aria-labelledby={`week-${app.appId}`}>
      <h2 id={`week-${app.appId}`} className={styles.name}>
        <AppIcon name={app.name} store={app.store} iconUrl={iconUrl} size={28} />
        <Link to="/apps/$appId" params={{ appId: String(app.appId) }}>
          <bdi>{app.name}</bdi>
        </Link>
        <span className="muted">{profileOf(app.store).name}</span>
      </h2>
      <p className={styles.coverage}>
        {app.coverage === null
          ? t('digest.noCoverage')
          : t('digest.coverage', { share: formatShare(app.coverage) })}
      </p>
      <Tiles app={app} digest={digest} />
      <WeekChart app={app} digest={digest} />
      <div className={styles.moves} data-print="column">
        {(['gained', 'lost', 'entered', 'left'] as const).map((kind) => (
          <MovesList key={kind} kind={kind} moves={moves[kind]} />
        ))}
      </div>
    </section>
  );
}
