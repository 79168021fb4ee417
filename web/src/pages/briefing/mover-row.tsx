import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { MarketChip } from '#web/components/market-chip.tsx';
import { Move } from '#web/components/move.tsx';
import { drawDescription, drawWords } from '#web/components/phrase-words.tsx';
import { PositionText } from '#web/components/position-text.tsx';
import type { BriefingMover } from '#web/queries/briefing.ts';
import styles from './briefing-page.module.css';
import { formatCause } from './format-cause.ts';

/** A keyword's move, its likely cause, and a link to the results of both days. */
export function MoverRow({ mover, appId }: { mover: BriefingMover; appId: number }) {
  const { t } = useTranslation();
  const { keywordId, from, to, change, cause, hasResults } = mover;
  const keyword = { keywordId: String(keywordId) };
  const isOwn = cause?.kind === 'own_change' || cause?.kind === 'competitor_change';
  return (
    <li className={styles.row} data-cause={cause?.kind ?? 'none'}>
      <Link to="/keywords/$keywordId" params={keyword} className={styles.phrase}>
        <bdi>{drawWords(mover.phrase, mover.words, t)}</bdi>
      </Link>
      {drawDescription(mover.words, t)}
      <MarketChip of={mover} />
      <span className={styles.path}>
        <PositionText cell={from} size="sm" />
        <span aria-hidden className="muted">
          {' '}
          →{' '}
        </span>
        <PositionText cell={to} size="sm" />
      </span>
      <span className={styles.move}>
        <Move change={{ kind: kindOf(mover), positionsGained: change, from }} />
      </span>
      <p className={styles.cause}>
        <span className={cause ? undefined : 'muted'}>{formatCause(mover, t)}</span>{' '}
        {isOwn && (
          <Link to="/apps/$appId/timeline" params={{ appId: String(appId) }}>
            {t('briefing.toTimeline')}
          </Link>
        )}{' '}
        {hasResults && (
          <Link
            to="/keywords/$keywordId/serp"
            params={keyword}
            search={(before) => ({
              ...before,
              // The page lists the days of the scope.
              days: undefined,
              from: from.date,
              to: to.date,
              day: to.date,
              with: from.date,
            })}
          >
            {t('briefing.toResults')}
          </Link>
        )}
      </p>
    </li>
  );
}

function kindOf({ from, to }: BriefingMover): 'gained' | 'lost' | 'entered' | 'left' {
  if (from.position === null) return 'entered';
  if (to.position === null) return 'left';
  return to.position < from.position ? 'gained' : 'lost';
}
