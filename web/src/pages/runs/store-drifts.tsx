import { useTranslation } from 'react-i18next';
import { profileOf } from '#stores/profiles.ts';
import type { Run } from '#web/api.ts';
import { formatFieldSource } from '#web/components/format-field-source.ts';
import { State } from '#web/components/state.tsx';
import { formatInstant, formatShare } from '#web/format.ts';
import styles from './runs.module.css';

/** The fields that a store did not send as before on the day. */
export function StoreDrifts({ health: { store, drifts } }: { health: Run['storeHealth'][number] }) {
  const { t } = useTranslation();
  if (drifts.length === 0) return null;
  return (
    <ul
      className={styles.providers}
      aria-label={t('runs.drifts', { store: profileOf(store).name })}
    >
      {drifts.map(({ field, beganAt, endedAt, lostShare, ...of }) => (
        <li key={`${of.source} ${of.provider} ${field} ${beganAt}`}>
          <State tone={endedAt === null ? 'warn' : 'off'}>
            <code>{field}</code>
          </State>
          <span>{formatFieldSource(store, of, t)}</span>
          {lostShare !== null && (
            <span className="num">{t('runs.driftLost', { share: formatShare(lostShare) })}</span>
          )}
          <span className="muted">
            {endedAt === null
              ? t('runs.driftSince', { at: formatInstant(beganAt) })
              : t('runs.driftUntil', { at: formatInstant(endedAt) })}
          </span>
        </li>
      ))}
      <li className="muted">{t('runs.driftWhat')}</li>
    </ul>
  );
}
