import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Card } from '#web/components/card.tsx';
import { Loaded } from '#web/components/loaded.tsx';
import { formatDay } from '#web/format.ts';
import { serpDiffQuery, type SerpMove } from '#web/queries/serp.ts';
import { Positions } from './position-move.tsx';
import styles from './serp-page.module.css';

interface Props {
  keywordId: number;
  a: string;
  b: string;
}

const groups = ['entered', 'left', 'moved'] as const;

export function DiffCard({ keywordId, a, b }: Props) {
  const { t } = useTranslation();
  const query = useQuery(serpDiffQuery(keywordId, a, b));
  const title = t('serp.diff', { a: formatDay(a), b: formatDay(b, true) });
  return (
    <Loaded query={query} height={420}>
      {(diff) =>
        diff.isComparable ? (
          <Card
            title={title}
            lead={t('serp.diffLead', { count: diff.top, unchanged: diff.unchanged })}
          >
            <div className={styles.groups}>
              {groups.map((group) => (
                <section key={group} aria-labelledby={`diff-${group}`}>
                  <h3 id={`diff-${group}`}>
                    {t(`serp.group.${group}`, { count: diff[group].length })}
                  </h3>
                  {diff[group].length === 0 ? (
                    <p className="muted">{t('serp.none')}</p>
                  ) : (
                    <Moves moves={sortMoves(diff[group])} />
                  )}
                </section>
              ))}
            </div>
          </Card>
        ) : (
          <Card title={title}>
            <p className="muted">{t('serp.provider')}</p>
          </Card>
        )
      }
    </Loaded>
  );
}

/** Largest changes first, then by position. */
function sortMoves(moves: readonly SerpMove[]): SerpMove[] {
  const step = ({ from, to }: SerpMove) => (from === null || to === null ? 0 : Math.abs(from - to));
  return moves.toSorted(
    (x, y) => step(y) - step(x) || (x.to ?? x.from ?? 0) - (y.to ?? y.from ?? 0),
  );
}

function Moves({ moves }: { moves: SerpMove[] }) {
  return (
    <ul className={styles.moves}>
      {moves.map((move) => (
        <li key={move.storeAppId} data-own={move.isOwn || undefined}>
          <Positions move={move} />
          <bdi className={styles.name}>{move.name ?? move.storeAppId}</bdi>
          <span className="num muted">
            {move.from ?? '–'} → {move.to ?? '–'}
          </span>
        </li>
      ))}
    </ul>
  );
}
