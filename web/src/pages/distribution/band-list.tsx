import { Link } from '@tanstack/react-router';
import { ChevronRight } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Card } from '#web/components/card.tsx';
import { formatCount, formatDay, formatShare, formatSigned } from '#web/format.ts';
import type { Span } from '#web/queries/apps.ts';
import type { DistributionDay, Segments } from '#web/queries/rankings.ts';
import { useSearchValue } from '#web/search-value.ts';
import { bands, colorOf, followedOf, type Band } from './bands.ts';
import { findComparedDays, type ComparedDays } from './compared-days.ts';
import styles from './distribution-page.module.css';
import { formatCoverage } from './format-coverage.ts';

/**
 * The latest complete day as a list, which is also the legend. Each range links to its keywords.
 */
export function BandList({
  days,
  segments,
  span,
  appId,
}: {
  days: DistributionDay[];
  segments: Segments;
  span: Span;
  appId: number;
}) {
  const { t } = useTranslation();
  const [a] = useSearchValue('a');
  const [b] = useSearchValue('b');
  const compared = findComparedDays(days, span, segments, { a, b });
  const { first, last, areFull, isComparable } = compared;
  const isRequested = first.date === a && last.date === b;
  const kind = isRequested ? 'chosen' : areFull ? 'against' : 'againstPartly';
  const lead = t(`distribution.${isComparable ? kind : 'notComparable'}`, {
    day: formatDay(first.date),
  });
  return (
    <Card title={formatDay(last.date, true)} lead={lead}>
      <ul className={styles.bands}>
        {bands.map((band) => (
          <li key={band.id}>
            <Row band={band} compared={compared} appId={appId} />
          </li>
        ))}
      </ul>
      {!areFull && (
        <p className={styles.note}>
          {formatCoverage(first, t)}
          {first !== last && <> · {formatCoverage(last, t)}</>}
        </p>
      )}
      <p className={styles.note}>{t('distribution.linkNote')}</p>
    </Card>
  );
}

function Row({
  band,
  compared: { first, last, isComparable },
  appId,
}: {
  band: Band;
  compared: ComparedDays;
  appId: number;
}) {
  const { t } = useTranslation();
  const change = last[band.id] - first[band.id];
  const inside = (
    <>
      <span className={styles.swatch} style={{ background: colorOf(band) }} aria-hidden />
      <span className={styles.bandName}>{t(`distribution.band.${band.id}`)}</span>
      <span className={styles.bandCount}>{formatCount(last[band.id])}</span>
      <span className={styles.bandShare}>
        {formatShare(last[band.id] / Math.max(1, followedOf(last)))}
      </span>
      <span
        className={styles.bandChange}
        title={t('distribution.change', { day: formatDay(first.date) })}
      >
        {!isComparable ? '–' : change === 0 ? '=' : formatSigned(change)}
      </span>
      <ChevronRight
        size={14}
        className={styles.go}
        aria-hidden
        data-none={!('filter' in band) || undefined}
      />
    </>
  );
  if (!('filter' in band)) {
    return (
      <Link to="/runs" className={styles.band} title={t('distribution.why')}>
        {inside}
      </Link>
    );
  }
  return (
    <Link
      to="/apps/$appId/keywords"
      params={{ appId: String(appId) }}
      search={{ state: band.filter } as never}
      className={styles.band}
    >
      {inside}
    </Link>
  );
}
