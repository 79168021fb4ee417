import { useTranslation } from 'react-i18next';
import { formatCount, formatDecimal } from '#web/format.ts';
import type { ReportComparison, ReportContent } from '#web/queries/reports.ts';
import type { Change } from '../overview/delta.tsx';
import { Tile } from '../overview/tile.tsx';
import tileStyles from '../overview/tiles.module.css';
import styles from './report-page.module.css';
import { compareVisibility } from './visibility-segments.ts';

const tops = [3, 10, 50] as const;

interface Props {
  report: ReportContent;
  comparison: ReportComparison;
}

/** The figures of the last day, each with its change and the keywords that were compared. */
export function ReportTiles({ report, comparison }: Props) {
  const { t } = useTranslation();
  const { from, now, totals, total } = comparison;
  const amongOf = (count: number) => t('report.among', { count, keywords: formatCount(count) });
  const changeOf = (change: number, keywords: number): Change | null =>
    keywords === 0
      ? null
      : { change, since: from, ...(keywords < total && { among: amongOf(keywords) }) };
  const index = report.visibility.at(-1)?.index ?? null;
  const { averagePosition: average } = totals;
  const checked = now.ranked + now.notFound;
  return (
    <dl className={`${tileStyles.tiles} ${styles.tiles}`}>
      <Tile
        label={t('overview.visibility')}
        value={index === null ? '–' : formatDecimal(index)}
        change={compareVisibility(report)}
        note={t('report.of100')}
      />
      {tops.map((top) => (
        <Tile
          key={top}
          label={t(`overview.top${top}`)}
          value={formatCount(now[`top${top}`])}
          change={changeOf(totals[`top${top}`].change, totals[`top${top}`].keywords)}
          note={t('report.ofChecked', { count: checked, checked: formatCount(checked) })}
        />
      ))}
      <Tile
        label={t('overview.average')}
        value={average.b === null ? '–' : formatDecimal(average.b)}
        change={
          average.change !== null && {
            change: average.change,
            since: from,
            digits: 1,
            among: amongOf(average.keywords),
          }
        }
        note={t('report.ofFound', { count: now.ranked, found: formatCount(now.ranked) })}
      />
    </dl>
  );
}
