import { useTranslation } from 'react-i18next';

interface Props {
  value: number | null;
  /** Set where the confidence is low: it is shown instead of the number. */
  range: { low: number; high: number } | null;
}

/** 0–100, its range, or not enough data. */
export function ScoreFigure({ value, range }: Props) {
  const { t } = useTranslation();
  if (value === null)
    return (
      <span className="muted" title={t('score.unknown')}>
        <span aria-hidden>–</span>
        <span className="sr-only">{t('score.unknown')}</span>
      </span>
    );
  if (range === null) return <span className="num">{value}</span>;
  return (
    <span className="num" title={t('countryScores.rangeHint', range)}>
      {t('score.range', range)}
    </span>
  );
}
