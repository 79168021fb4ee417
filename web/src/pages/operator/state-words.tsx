import { useTranslation } from 'react-i18next';
import { formatInstant } from '../../format.ts';
import type { OperatedWorkspace } from '../../queries/operator.ts';
import styles from './operator-page.module.css';

/** The state, and what makes it what it is. */
export function StateWords({ workspace }: { workspace: OperatedWorkspace }) {
  const { t } = useTranslation();
  const { state, standing, trialEndsAt, suspendedAt, suspendedReason, overLimitSince } = workspace;
  const notes = [
    suspendedAt && `${t('operator.since', { at: formatInstant(suspendedAt) })}${suspendedReason ? `: ${suspendedReason}` : ''}`,
    state === 'suspended' && t('operator.beneath', { state: t(`operator.state.${standing}`) }),
    standing === 'trial' && trialEndsAt && t('operator.until', { at: formatInstant(trialEndsAt) }),
    overLimitSince && t('operator.overSince', { at: formatInstant(overLimitSince) }),
  ].filter((note) => typeof note === 'string');
  return (
    <div className={styles.reason}>
      <span className={styles.state} data-state={state}>
        <span className={styles.dot} aria-hidden />
        {t(`operator.state.${state}`)}
      </span>
      {notes.map((note) => (
        <span key={note} className={styles.small}>
          {note}
        </span>
      ))}
    </div>
  );
}
