import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { CountryChip } from '../../components/country-chip.tsx';
import { Move } from '../../components/move.tsx';
import { PositionText } from '../../components/position-text.tsx';
import type { DigestApp } from '../../queries/digests.ts';
import styles from './digest-page.module.css';

type Kind = 'gained' | 'entered' | 'lost' | 'left';

/** The largest moves of a kind: where each keyword stood at the week's beginning and where at its end. */
export function MovesList({ kind, moves }: { kind: Kind; moves: DigestApp['gained'] }) {
  const { t } = useTranslation();
  return (
    <section className={styles.group}>
      <h3>{t(`digest.moves.${kind}`)}</h3>
      {moves.length === 0 && <p className="muted">{t('digest.noMoves')}</p>}
      <ul className={styles.rows}>
        {moves.map(({ keywordId, phrase, country, from, to, places }) => (
          <li key={keywordId}>
            <Link
              to="/keywords/$keywordId"
              params={{ keywordId: String(keywordId) }}
              className={styles.phrase}
            >
              <bdi>{phrase}</bdi>
            </Link>
            <CountryChip code={country} />
            <span className={styles.path}>
              <PositionText cell={from} size="sm" />
              <span aria-hidden className="muted">
                →
              </span>
              <PositionText cell={to} size="sm" />
            </span>
            <span className={styles.move}>
              <Move change={{ kind, places, from }} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
