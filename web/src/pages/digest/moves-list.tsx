import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { MarketChip } from '#web/components/market-chip.tsx';
import { Move } from '#web/components/move.tsx';
import { PositionText } from '#web/components/position-text.tsx';
import type { DigestApp } from '#web/queries/digests.ts';
import styles from './digest-page.module.css';

type Kind = 'gained' | 'entered' | 'lost' | 'left';

/** The largest changes of one kind, with positions at the start and end of the week. */
export function MovesList({ kind, moves }: { kind: Kind; moves: DigestApp['gained'] }) {
  const { t } = useTranslation();
  return (
    <section className={styles.group}>
      <h3>{t(`digest.moves.${kind}`)}</h3>
      {moves.length === 0 && <p className="muted">{t('digest.noMoves')}</p>}
      <ul className={styles.rows}>
        {moves.map(({ keywordId, phrase, country, device, from, to, positionsGained }) => (
          <li key={keywordId}>
            <Link
              to="/keywords/$keywordId"
              params={{ keywordId: String(keywordId) }}
              className={styles.phrase}
            >
              <bdi>{phrase}</bdi>
            </Link>
            <MarketChip of={{ country, device }} />
            <span className={styles.path}>
              <PositionText cell={from} size="sm" />
              <span aria-hidden className="muted">
                →
              </span>
              <PositionText cell={to} size="sm" />
            </span>
            <span className={styles.move}>
              <Move change={{ kind, positionsGained, from }} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
