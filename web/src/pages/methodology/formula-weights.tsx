import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { profileOf } from '#stores/profiles.ts';
import type { ResponseOf } from '#web/api.ts';
import { Loaded } from '#web/components/loaded.tsx';
import type { WaitingHeight } from '#web/components/waiting.tsx';
import { formatDecimal, formatShare } from '#web/format.ts';
import { formulasQuery } from '#web/queries/formulas.ts';
import { Bars } from './bars.tsx';
import styles from './methodology-page.module.css';

type Formula = ResponseOf<'GET /scores/formulas'>['formulas'][number];

/** Signals with texts of the dashboard. New signals of the API are shown with its texts. */
const signals = {
  early: 'methodology.signal.early',
  rank: 'methodology.signal.rank',
  continuations: 'methodology.signal.continuations',
  length: 'methodology.signal.length',
  charts: 'methodology.signal.charts',
  serp: 'methodology.signal.serp',
  strength: 'methodology.signal.strength',
  leaders: 'methodology.signal.leaders',
  titles: 'methodology.signal.titles',
  quality: 'methodology.signal.quality',
  age: 'methodology.signal.age',
} as const;
const isKnown = (signal: string): signal is keyof typeof signals => Object.hasOwn(signals, signal);

function Weights({ formula }: { formula: Formula }) {
  const { t } = useTranslation();
  const label = formula.store
    ? t('methodology.weights', { store: profileOf(formula.store).name, id: formula.id })
    : formula.id;
  const bars = formula.weights
    .filter(({ weight }) => weight > 0)
    .toSorted((a, b) => b.weight - a.weight)
    .map(({ signal, weight, meaning }) =>
      isKnown(signal)
        ? { label: t(signals[signal]), share: weight, hint: t(`${signals[signal]}.hint`) }
        : { label: signal, share: weight, hint: meaning },
    );
  return <Bars label={label} bars={bars} show={formatShare} />;
}

/** All limits of the score, as the API returns them. */
function Details({ formula }: { formula: Formula }) {
  const { t } = useTranslation();
  return (
    <details className={styles.details}>
      <summary>{t('methodology.details', { id: formula.id })}</summary>
      <p lang="en">
        <code>{formula.expression}</code>
      </p>
      <div className="table-scroll" role="region" aria-label={formula.id} tabIndex={0}>
        <table className="plain-table">
          <thead>
            <tr>
              <th scope="col">{t('methodology.name')}</th>
              <th scope="col" className="end">
                {t('methodology.value')}
              </th>
              <th scope="col">{t('methodology.meaning')}</th>
            </tr>
          </thead>
          <tbody lang="en">
            {formula.normalisations.map(({ name, value, meaning }) => (
              <tr key={name}>
                <td>
                  <code>{name}</code>
                </td>
                <td className="end num">
                  {typeof value === 'number' ? formatDecimal(value, 2) : String(value)}
                </td>
                <td className={styles.meaning}>{meaning}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}

const heights: Record<Formula['score'], WaitingHeight> = {
  traffic: [419, 774],
  difficulty: [385, 723],
  opportunity: [40, 52],
};

/** The weights of a score in both stores, from the table the server computes with. */
export function FormulaWeights({ score }: { score: Formula['score'] }) {
  const query = useQuery(formulasQuery);
  return (
    <Loaded query={query} height={heights[score]}>
      {({ formulas }) => {
        const shown = formulas.filter((formula) => formula.score === score);
        return (
          <>
            <div className={styles.pair}>
              {shown
                .filter((formula) => formula.weights.length > 0)
                .map((formula) => (
                  <Weights key={formula.id} formula={formula} />
                ))}
            </div>
            {shown.map((formula) => (
              <Details key={formula.id} formula={formula} />
            ))}
          </>
        );
      }}
    </Loaded>
  );
}
