import { useTranslation } from 'react-i18next';
import { PositionText } from '#web/components/position-text.tsx';
import type { RowScore } from './row-score.ts';
import styles from './suggestions-page.module.css';

const allKinds = ['traffic', 'difficulty', 'position'] as const;
type Kind = (typeof allKinds)[number] | 'opportunity';

interface FigureProps {
  value: number | null;
  /** Set where the confidence is low: it is shown instead of the number. */
  range?: { low: number; high: number } | null;
}

/** 0–100, its range, or not enough data. */
export function ScoreFigure({ value, range = null }: FigureProps) {
  const { t } = useTranslation();
  if (value !== null && range)
    return (
      <span
        className="num muted"
        title={`${t('score.confidence.low')}, ${t('score.probably', range)}`}
      >
        {t('score.range', range)}
      </span>
    );
  if (value !== null) return <span className="num">{value}</span>;
  return (
    <span className="muted" title={t('score.unknown')}>
      <span aria-hidden>–</span>
      <span className="sr-only">{t('score.unknown')}</span>
    </span>
  );
}

export function ScoreFigures({
  score,
  kinds = allKinds,
}: {
  score: RowScore;
  kinds?: readonly Kind[];
}) {
  const { t } = useTranslation();
  return (
    <dl className={styles.figures}>
      {kinds.map((kind) => (
        <div key={kind}>
          <dt>{t(`suggestions.${kind}`)}</dt>
          <dd>
            {kind === 'position' ? (
              <PositionText cell={score} size="sm" />
            ) : (
              <ScoreFigure
                value={score[kind]}
                range={kind === 'opportunity' ? null : score[`${kind}Range`]}
              />
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}
