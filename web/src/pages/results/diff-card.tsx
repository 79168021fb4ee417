import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Card } from '../../components/card.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { formatDay } from '../../format.ts';
import { resultsDiffQuery, type ResultsMove } from '../../queries/results.ts';
import { Places } from './places.tsx';
import styles from './results-page.module.css';

interface Props {
  keywordId: number;
  a: string;
  b: string;
}

const groups = ['entered', 'left', 'moved'] as const;

/** Who came, who went and who moved between two days. */
export function DiffCard({ keywordId, a, b }: Props) {
  const { t } = useTranslation();
  const query = useQuery(resultsDiffQuery(keywordId, a, b));
  return (
    <Loaded query={query} height={420}>
      {(diff) => (
        <Card
          title={t('results.diff', { a: formatDay(a), b: formatDay(b, true) })}
          lead={t('results.diffLead', { count: diff.top, unchanged: diff.unchanged })}
        >
          <div className={styles.groups}>
            {groups.map((group) => (
              <section key={group} aria-labelledby={`diff-${group}`}>
                <h3 id={`diff-${group}`}>
                  {t(`results.group.${group}`, { count: diff[group].length })}
                </h3>
                {diff[group].length === 0 ? (
                  <p className="muted">{t('results.nobody')}</p>
                ) : (
                  <Moves moves={sortMoves(diff[group])} />
                )}
              </section>
            ))}
          </div>
        </Card>
      )}
    </Loaded>
  );
}

/** The largest steps first, then by place. */
function sortMoves(moves: readonly ResultsMove[]): ResultsMove[] {
  const step = ({ from, to }: ResultsMove) =>
    from === null || to === null ? 0 : Math.abs(from - to);
  return moves.toSorted(
    (x, y) => step(y) - step(x) || (x.to ?? x.from ?? 0) - (y.to ?? y.from ?? 0),
  );
}

function Moves({ moves }: { moves: ResultsMove[] }) {
  return (
    <ul className={styles.moves}>
      {moves.map((move) => (
        <li key={move.storeAppId} data-own={move.isOwn || undefined}>
          <Places move={move} />
          <bdi className={styles.name}>{move.name ?? move.storeAppId}</bdi>
          <span className="num muted">
            {move.from ?? '–'} → {move.to ?? '–'}
          </span>
        </li>
      ))}
    </ul>
  );
}
