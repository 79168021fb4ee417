import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { Answer, App } from '../../api.ts';
import { formatCompact, formatCount, formatCountry, formatDay, formatDecimal } from '../../format.ts';
import type { Span } from '../../queries/apps.ts';
import { ratingQuery } from '../../queries/overview.ts';
import { compareQuery, distributionQuery, type ComparedKeyword } from '../../queries/rankings.ts';
import { visibilityQuery } from '../../queries/visibility.ts';
import { Delta } from './delta.tsx';
import { compareMeans, compareTop, findFullDays, findIndexes, type MeanMove, type Top } from './figures.ts';
import { Tile } from './tile.tsx';
import styles from './tiles.module.css';

type Overview = Answer<'GET /apps/{id}/overview'>;

interface Props {
  overview: Overview;
  app: App | undefined;
  country: string | undefined;
  span: Span;
}

const tops: Top[] = [3, 10, 50];

/** The figures of the app; what they are compared with comes after them and moves nothing. */
export function Tiles({ overview, app, country, span }: Props) {
  const { t } = useTranslation();
  const { data: distribution } = useQuery(distributionQuery(overview.appId, country, span));
  const full = findFullDays(distribution?.items ?? []);
  const days = full && { a: full.first.date, b: full.last.date };
  const { data: compared } = useQuery({ ...compareQuery(overview.appId, country, days?.a ?? '', days?.b ?? ''), enabled: days !== null });
  const checked = overview.ranked + overview.notFound;
  const coverage = t('overview.coverage', { checked: formatCount(checked), count: overview.tracked, all: formatCount(overview.tracked) });
  const places = { 3: overview.top3, 10: overview.top10, 50: overview.top50 };
  return (
    <dl className={styles.tiles}>
      <Tile
        label={t('overview.tracked')}
        value={formatCount(overview.tracked)}
        note={t('overview.trackedNote', {
          ranked: formatCount(overview.ranked),
          out: formatCount(overview.notFound),
          unchecked: formatCount(overview.notChecked),
        })}
      />
      {tops.map((top) => (
        <Tile
          key={top}
          label={t(`overview.top${top}`)}
          value={formatCount(places[top])}
          delta={days && compared && <TopDelta rows={compared.items} top={top} since={days.a} />}
          note={coverage}
        />
      ))}
      <VisibilityTile appId={overview.appId} country={country} span={span} />
      <AverageTile overview={overview} days={days} move={compared ? compareMeans(compared.items) : null} />
      {app && <RatingTile app={app} span={span} />}
    </dl>
  );
}

function TopDelta({ rows, top, since }: { rows: readonly ComparedKeyword[]; top: Top; since: string }) {
  const { t } = useTranslation();
  const { change, keywords } = compareTop(rows, top);
  return keywords > 0 && <Delta change={change} since={since} among={t('overview.amongBoth', { count: keywords, shown: formatCount(keywords) })} />;
}

function VisibilityTile({ appId, country, span }: { appId: number; country: string | undefined; span: Span }) {
  const { t } = useTranslation();
  const { data } = useQuery(visibilityQuery(appId, country, span));
  const { first, last } = findIndexes(data?.items ?? []);
  return (
    <Tile
      label={
        <Link to="/methodology" hash="visibility" className={styles.how}>
          {t('overview.visibility')}
        </Link>
      }
      value={last?.index == null ? '–' : formatDecimal(last.index)}
      delta={first?.index != null && last?.index != null && <Delta change={last.index - first.index} since={first.date} digits={1} />}
      note={
        last
          ? t('overview.visibilityNote', { day: formatDay(last.date), checked: formatCount(last.checked), followed: formatCount(last.followed) })
          : t(data ? 'overview.notKnown' : 'common.loading')
      }
    />
  );
}

interface AverageProps {
  overview: Overview;
  days: { a: string; b: string } | null;
  move: MeanMove | null;
}

function AverageTile({ overview, days, move }: AverageProps) {
  const { t } = useTranslation();
  return (
    <Tile
      label={t('overview.average')}
      value={overview.averagePosition === null ? '–' : formatDecimal(overview.averagePosition)}
      delta={move && days && <Delta change={move.gain} since={days.a} digits={1} />}
      note={
        move
          ? t('overview.averageMove', { count: overview.ranked, both: formatCount(move.keywords) })
          : t('overview.averageNote', { count: overview.ranked })
      }
    />
  );
}

function RatingTile({ app, span }: { app: App; span: Span }) {
  const { t } = useTranslation();
  const { data: days } = useQuery(ratingQuery(app.id, app.primaryCountry, span));
  const [first, last] = [days?.[0], days?.at(-1)];
  const country = formatCountry(app.primaryCountry);
  return (
    <Tile
      label={
        <Link to="/apps/$appId/reviews" params={{ appId: String(app.id) }} className={styles.how}>
          {t('facts.rating')}
        </Link>
      }
      value={app.rating === null ? '–' : formatDecimal(app.rating, 2)}
      delta={first && last && first !== last && <Delta change={last.rating! - first.rating!} since={first.date} digits={2} />}
      note={
        app.rating === null
          ? t('overview.ratingNone', { country })
          : app.ratingCount === null
            ? country
            : t('overview.ratingNote', { count: app.ratingCount, shown: formatCompact(app.ratingCount), country })
      }
    />
  );
}
