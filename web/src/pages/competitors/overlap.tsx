import { useTranslation } from 'react-i18next';
import type { ComparedCompetitor } from '#web/queries/competitors.ts';
import styles from './competitors-page.module.css';

const parts = ['wins', 'losses', 'onlyOwn', 'onlyCompetitor'] as const;

/** For how many comparable keywords the app is ahead, behind, alone or missing. */
export function Overlap({ overlap }: { overlap: ComparedCompetitor['overlap'] }) {
  const { t } = useTranslation();
  if (overlap.compared === 0) return <span className="muted">{t('competitors.notCompared')}</span>;
  const words = parts
    .map((part) => t(`competitors.part.${part}`, { count: overlap[part] }))
    .join(', ');
  return (
    <span className={styles.overlap} title={words}>
      <span className={styles.overlapBar} role="img" aria-label={words}>
        {parts.map((part) =>
          overlap[part] === 0 ? null : (
            <span key={part} data-part={part} style={{ flexGrow: overlap[part] }} />
          ),
        )}
      </span>
      <span className="muted num">
        {t('competitors.both', { both: overlap.both, compared: overlap.compared })}
      </span>
    </span>
  );
}

export function OverlapLegend() {
  const { t } = useTranslation();
  return (
    <ul className={styles.overlapLegend} aria-label={t('competitors.legend')}>
      {parts.map((part) => (
        <li key={part}>
          <span className={styles.overlapBar} aria-hidden>
            <span data-part={part} />
          </span>
          {t(`competitors.legend.${part}`)}
        </li>
      ))}
    </ul>
  );
}
