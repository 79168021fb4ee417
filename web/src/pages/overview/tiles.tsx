import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import type { ResponseOf, App } from '#web/api.ts';
import {
  formatCompact,
  formatCount,
  formatCountry,
  formatDay,
  formatDecimal,
} from '#web/format.ts';
import type { Span } from '#web/queries/apps.ts';
import { ratingQuery } from '#web/queries/overview.ts';
import {
  comparisonTotalsQuery,
  distributionQuery,
  type ComparisonTotals,
} from '#web/queries/rankings.ts';
import { visibilityQuery, type Visibility } from '#web/queries/visibility.ts';
import { isPast, type MarketFilter } from '#web/scope.ts';
import {
  comparedSpan,
  daysOfPeriod,
  findCompleteDays,
  findShownDay,
} from '../distribution/complete-days.ts';
import type { Change } from './delta.tsx';
import { countDay, findIndexes, lacksSameKeywords, type Figures } from './figures.ts';
import { useCounted } from './use-counted.ts';
import { Tile } from './tile.tsx';
import styles from './tiles.module.css';

type Overview = ResponseOf<'GET /apps/{id}/overview'>;

interface Props {
  overview: Overview;
  app: App | undefined;
  market: MarketFilter;
  span: Span;
}

const tops = [3, 10, 50] as const;
const none = { items: [], segments: [] };

/**
 * The figures of the latest day, or of the last day of a past period. The comparison loads later
 * without shifting the layout.
 */
export function Tiles({ overview, app, market, span }: Props) {
  const { t } = useTranslation();
  const { data: distribution } = useQuery(
    distributionQuery(overview.appId, market, comparedSpan(span)),
  );
  const { items, segments } = distribution ?? none;
  const full = findCompleteDays(items, span, segments);
  const shown = isPast(span) ? findShownDay(daysOfPeriod(items, span)) : null;
  const days = full
    ? { a: full.first.date, b: full.last.date }
    : shown && { a: shown.date, b: shown.date };
  const { data: compared } = useQuery({
    ...comparisonTotalsQuery(overview.appId, market, days?.a ?? '', days?.b ?? ''),
    enabled: days !== null,
  });
  const totals = compared?.totals;
  const ofDay = shown && totals ? countDay(shown, totals.averagePosition.b) : null;
  const figures = isPast(span) ? ofDay : overview;
  const since = full && totals ? full.first.date : null;
  const newest = overview.newestCheck?.date;
  // Every tile names its day, unless it is today.
  const day = shown?.date ?? (newest === overview.date ? null : newest);
  const noteOf = (format: (of: Figures) => string) => {
    if (!figures) return t(distribution && !shown ? 'overview.notKnown' : 'common.loading');
    const note = format(figures);
    return day ? t('overview.onDay', { day: formatDay(day), note }) : note;
  };
  const formatCoverage = ({ ranked, notFound, tracked }: Figures) =>
    t('overview.coverage', {
      checked: formatCount(ranked + notFound),
      count: tracked,
      all: formatCount(tracked),
    });
  return (
    <dl className={styles.tiles}>
      <Tile
        label={t('overview.tracked')}
        value={figures ? formatCount(figures.tracked) : '–'}
        note={noteOf((counted) => describeTracked(counted, t))}
      />
      {tops.map((top) => (
        <Tile
          key={top}
          label={t(`overview.top${top}`)}
          value={figures ? formatCount(figures[`top${top}`]) : '–'}
          change={
            since !== null &&
            totals &&
            changeOfTop(totals[`top${top}`], figures?.tracked ?? 0, since, t)
          }
          note={noteOf(formatCoverage)}
        />
      ))}
      <VisibilityTile appId={overview.appId} market={market} span={span} />
      <AverageTile
        figures={figures}
        noteOf={noteOf}
        since={since}
        move={since && totals ? totals.averagePosition : null}
      />
      {app && <RatingTile app={app} span={span} />}
    </dl>
  );
}

/** Positions of the last days count as current, so it says how many are not of the newest day. */
function describeTracked({ ranked, notFound, notChecked, newestCheck }: Figures, t: TFunction) {
  const counted = t('overview.trackedNote', {
    ranked: formatCount(ranked),
    out: formatCount(notFound),
    unchecked: formatCount(notChecked),
  });
  if (!newestCheck?.older) return counted;
  const older = t('overview.olderNote', {
    count: newestCheck.older,
    shown: formatCount(newestCheck.older),
    day: formatDay(newestCheck.date),
  });
  return `${counted}; ${older}`;
}

/** Null if no keyword can be compared. It names those that were, unless all were. */
function changeOfTop(
  { change, keywords }: ComparisonTotals['top10'],
  tracked: number,
  since: string,
  t: TFunction,
): Change | null {
  const among = t('overview.amongBoth', { count: keywords, shown: formatCount(keywords) });
  if (keywords === 0) return null;
  return { change, since, ...(keywords < tracked && { among }) };
}

function VisibilityTile({
  appId,
  market,
  span,
}: {
  appId: number;
  market: MarketFilter;
  span: Span;
}) {
  const { t } = useTranslation();
  const [counted] = useCounted();
  const { data } = useQuery(visibilityQuery(appId, market, span, counted));
  const { items, segments } = data ?? none;
  const { first, last } = findIndexes(items, segments);
  return (
    <Tile
      label={
        <Link to="/methodology" hash="visibility" className={styles.how}>
          {t('overview.visibility')}
        </Link>
      }
      value={last?.index == null ? '–' : formatDecimal(last.index)}
      change={
        first?.index != null &&
        last?.index != null && { change: last.index - first.index, since: first.date, digits: 1 }
      }
      note={
        last
          ? t('overview.visibilityNote', {
              day: formatDay(last.date),
              checked: formatCount(last.checked),
              followed: formatCount(last.followed),
            })
          : t(data ? whyUnknown(data) : 'common.loading')
      }
    />
  );
}

const whyUnknown = (visibility: Visibility) =>
  lacksSameKeywords(visibility) ? 'visibility.noSame' : 'overview.notKnown';

interface AverageProps {
  figures: Figures | null;
  noteOf: (format: (of: Figures) => string) => string;
  since: string | null;
  move: ComparisonTotals['averagePosition'] | null;
}

function AverageTile({ figures, noteOf, since, move }: AverageProps) {
  const { t } = useTranslation();
  return (
    <Tile
      label={t('overview.average')}
      value={figures?.averagePosition == null ? '–' : formatDecimal(figures.averagePosition)}
      change={
        move?.change != null &&
        since !== null && {
          change: move.change,
          since,
          digits: 1,
          among: t('overview.amongFound', {
            count: move.keywords,
            shown: formatCount(move.keywords),
          }),
        }
      }
      note={noteOf(({ ranked }) => t('overview.averageNote', { count: ranked }))}
    />
  );
}

/** The rating shown by the store, or the one at the end of a past period. */
function RatingTile({ app, span }: { app: App; span: Span }) {
  const { t } = useTranslation();
  const { data: days } = useQuery(ratingQuery(app.id, app.primaryCountry, span));
  const [first, last] = [days?.[0], days?.at(-1)];
  const past = isPast(span);
  const { rating, ratingCount } = past ? (last ?? { rating: null, ratingCount: null }) : app;
  const country = formatCountry(app.primaryCountry);
  const counted =
    ratingCount === null
      ? country
      : t('overview.ratingNote', {
          count: ratingCount,
          shown: formatCompact(ratingCount),
          country,
        });
  const missing = past
    ? t(days ? 'overview.notKnown' : 'common.loading')
    : t('overview.ratingNone', { country });
  return (
    <Tile
      label={
        <Link to="/apps/$appId/reviews" params={{ appId: String(app.id) }} className={styles.how}>
          {t('facts.rating')}
        </Link>
      }
      value={rating === null ? '–' : formatDecimal(rating, 2)}
      change={
        first &&
        last &&
        first !== last && { change: last.rating! - first.rating!, since: first.date, digits: 2 }
      }
      note={
        rating === null
          ? missing
          : past
            ? t('overview.onDay', { day: formatDay(last!.date), note: counted })
            : counted
      }
    />
  );
}
