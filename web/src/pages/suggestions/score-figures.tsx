import { useTranslation } from 'react-i18next';
import { PositionText } from '#web/components/position-text.tsx';
import type { PhraseScore } from '#web/queries/scores.ts';
import styles from './suggestions-page.module.css';

const allKinds = ['traffic', 'difficulty', 'position'] as const;

/** 0–100, or not enough data. */
export function ScoreFigure({ value }: { value: number | null }) {
  const { t } = useTranslation();
  if (value !== null) return <span className="num">{value}</span>;
  return (
    <span className="muted" title={t('score.unknown')}>
      <span aria-hidden>–</span>
      <span className="sr-only">{t('score.unknown')}</span>
    </span>
  );
}

/** A score with low confidence is shown as its range. */
function UnsureFigure({ score, kind }: { score: PhraseScore; kind: 'traffic' | 'difficulty' }) {
  const { t } = useTranslation();
  const { confidences, ranges } = score.provenance;
  const range = ranges?.[kind] ?? null;
  if (range === null || confidences[kind] !== 'low') return <ScoreFigure value={score[kind]} />;
  return <span className="num">{t('score.range', range)}</span>;
}

export function ScoreFigures({
  score,
  kinds = allKinds,
}: {
  score: PhraseScore;
  kinds?: readonly (typeof allKinds)[number][];
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
              <UnsureFigure score={score} kind={kind} />
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}
