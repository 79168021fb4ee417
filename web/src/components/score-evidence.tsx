import { useTranslation } from 'react-i18next';
import { formatCompact, formatDay, formatDecimal, formatShare } from '../format.ts';
import type { ExplainedScore } from '../queries/scores.ts';
import { Ago } from './ago.tsx';
import { formatPeriod } from './format-period.ts';
import { Meter } from './meter.tsx';
import styles from './score-evidence.module.css';

const signals = [
  'published',
  'bound',
  'early',
  'rank',
  'continuations',
  'length',
  'hints',
  'serp',
  'charts',
  'strength',
  'leaders',
  'titles',
  'quality',
  'age',
] as const;
type Signal = (typeof signals)[number];
const isSignal = (name: string): name is Signal => signals.includes(name as Signal);

/** Both scores with their signals. Missing signals are named. */
export function ScoreEvidence({ score }: { score: ExplainedScore }) {
  const { t } = useTranslation();
  const { provenance } = score;
  return (
    <>
      <div className={styles.pair}>
        <OneScore kind="traffic" score={score} />
        <OneScore kind="difficulty" score={score} />
      </div>
      <DifficultyByGoal score={score} />
      <Inputs score={score} />
      <p className={styles.provenance}>
        {t('score.provenance', {
          formula: provenance.formula,
          day: formatDay(provenance.observedAt, true),
        })}{' '}
        <Ago instant={score.scoredAt} />. {t('score.notComparable')}
      </p>
    </>
  );
}

function OneScore({ kind, score }: { kind: 'traffic' | 'difficulty'; score: ExplainedScore }) {
  const { t } = useTranslation();
  const { evidence, missing, confidences, ranges, estimate } = score.provenance;
  const range = ranges?.[kind] ?? null;
  const isUnsure = range !== null && confidences[kind] === 'low';
  const absent = missing
    .filter((name) => name.startsWith(`${kind}.`))
    .map((name) => name.slice(kind.length + 1));
  const isKnown = score[kind] !== null;
  const other = kind === 'traffic' ? estimate : null;
  return (
    <section className={styles.one} aria-label={t(`score.${kind}`)}>
      <h3>{t(`score.${kind}`)}</h3>
      <p className={styles.value}>
        {score[kind] === null ? (
          <span title={t('score.unknown')}>–</span>
        ) : isUnsure ? (
          t('score.range', range)
        ) : (
          score[kind]
        )}
        <span className={styles.of}>{isKnown ? t('score.of100') : t('score.unknown')}</span>
      </p>
      <p className="muted">
        {t(`score.confidence.${confidences[kind]}`)}
        {range && range.low < range.high && `, ${t('score.probably', range)}`}
      </p>
      <Signals
        parts={evidence.filter((part) => part.score === kind)}
        absent={other ? [] : absent}
        isKnown={isKnown}
      />
      {other && <Estimate estimate={other} absent={absent} />}
    </section>
  );
}

/** The traffic from the signals alone, beside the store's own number or its bound. */
function Estimate({
  estimate: { traffic, range, evidence },
  absent,
}: {
  estimate: NonNullable<ExplainedScore['provenance']['estimate']>;
  absent: readonly string[];
}) {
  const { t } = useTranslation();
  return (
    <section className={styles.estimate} aria-label={t('score.estimateTitle')}>
      <h3>{t('score.estimateTitle')}</h3>
      <p>
        <b className="num">{traffic ?? '–'}</b>{' '}
        <span className="muted">
          {traffic === null ? t('score.unknown') : t('score.of100')}
          {range && `, ${t('score.probably', range)}`}
        </span>
      </p>
      <Signals parts={evidence} absent={absent} isKnown={traffic !== null} />
    </section>
  );
}

type Part = ExplainedScore['provenance']['evidence'][number];

/** The signals of a score, the heaviest first, and those without data. */
function Signals({
  parts,
  absent,
  isKnown,
}: {
  parts: readonly Part[];
  absent: readonly string[];
  isKnown: boolean;
}) {
  const { t } = useTranslation();
  const nameOf = (signal: string) => (isSignal(signal) ? t(`score.signal.${signal}`) : signal);
  return (
    <ul className={styles.signals}>
      {parts
        .toSorted((a, b) => b.weight - a.weight)
        .map(({ signal, points, weight, value }) => (
          <li key={signal} title={isSignal(signal) ? t(`score.meaning.${signal}`) : undefined}>
            <span>{nameOf(signal)}</span>
            <span style={{ width: `${weight * 100}%` }}>
              <Meter share={value} />
            </span>
            <span className={styles.points}>
              {formatDecimal(points)}
              <span className="muted"> / {formatDecimal(weight * 100, 0)}</span>
            </span>
          </li>
        ))}
      {absent.map((signal) => (
        <li key={signal} data-missing>
          <span>{nameOf(signal)}</span>
          <span>{t(isKnown ? 'score.missing' : 'score.notKnown')}</span>
        </li>
      ))}
    </ul>
  );
}

/** The difficulty of the first 5, 10 and 20, each with its own signals. */
function DifficultyByGoal({ score }: { score: ExplainedScore }) {
  const { t } = useTranslation();
  const { difficulties, evidence, ranges, confidences } = score.provenance;
  if (!difficulties) return null;
  const goals = [
    { count: 5, ...difficulties.top5 },
    {
      count: 10,
      score: score.difficulty,
      range: ranges?.difficulty,
      confidence: confidences.difficulty,
      evidence: evidence.filter((part) => part.score === 'difficulty'),
    },
    { count: 20, ...difficulties.top20 },
  ];
  return (
    <section aria-label={t('score.goals')} className={styles.goals}>
      <h3>{t('score.goals')}</h3>
      <dl>
        {goals.map((goal) => (
          <div key={goal.count} title={t('score.goalHint', { count: goal.count })}>
            <dt>{t('score.goal', { count: goal.count })}</dt>
            <dd className="num">
              {goal.confidence === 'low' && goal.range
                ? t('score.range', goal.range)
                : (goal.score ?? '–')}
            </dd>
            <dd className={styles.goalParts}>
              {(goal.evidence ?? []).map(({ signal, points }) => (
                <span key={signal}>
                  {isSignal(signal) ? t(`score.signal.${signal}`) : signal} {formatDecimal(points)}
                </span>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** The known facts behind the signals. */
function Inputs({ score }: { score: ExplainedScore }) {
  const { t } = useTranslation();
  const { inputs } = score.provenance;
  const facts = [
    inputs.hintsDate === null
      ? null
      : inputs.hintPrefix === null
        ? t('score.hintNever')
        : t('score.hintFrom', { prefix: inputs.hintPrefix, position: inputs.hintPosition ?? '–' }),
    inputs.continuations ? t('score.continuations', { count: inputs.continuations }) : null,
    inputs.plural ? t('score.plural') : null,
    inputs.published
      ? t('score.publishedIn', {
          period: inputs.publishedList
            ? formatPeriod(inputs.publishedList)
            : inputs.published.period,
        })
      : null,
    inputs.serpSize === null || inputs.serpDate === null
      ? null
      : t('score.results', { size: inputs.serpSize, day: formatDay(inputs.serpDate) }),
    inputs.medianRatingCount === null
      ? null
      : t('score.median', { ratings: formatCompact(inputs.medianRatingCount) }),
    inputs.exactTitles === null ? null : t('score.titles', { count: inputs.exactTitles }),
    inputs.chartingApps === null ? null : t('score.charting', { count: inputs.chartingApps }),
    inputs.brand ? t('score.brand', { share: formatShare(0.35) }) : null,
  ].filter((fact) => fact !== null);
  return (
    <ul className={styles.inputs} aria-label={t('score.facts')}>
      {facts.map((fact) => (
        <li key={fact}>{fact}</li>
      ))}
    </ul>
  );
}
