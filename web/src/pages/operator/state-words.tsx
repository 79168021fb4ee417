import { useTranslation } from 'react-i18next';
import { State, type Tone } from '../../components/state.tsx';
import { formatInstant } from '../../format.ts';
import type { OperatedWorkspace } from '../../queries/operator.ts';
import styles from './operator-page.module.css';

const tones: Record<OperatedWorkspace['state'], Tone> = {
  trial: 'busy',
  live: 'good',
  lapsed: 'idle',
  suspended: 'warn',
};

/** The state, and what makes it what it is. */
export function StateWords({ workspace }: { workspace: OperatedWorkspace }) {
  const { t } = useTranslation();
  const { state, standing, trialEndsAt, suspendedAt, suspendedReason, deleteAt, overLimitSince } =
    workspace;
  const notes = [
    suspendedAt &&
      `${t('operator.since', { at: formatInstant(suspendedAt) })}${suspendedReason ? `: ${suspendedReason}` : ''}`,
    deleteAt && t('operator.deleted', { at: formatInstant(deleteAt) }),
    state === 'suspended' && t('operator.beneath', { state: t(`operator.state.${standing}`) }),
    standing === 'trial' && trialEndsAt && t('operator.until', { at: formatInstant(trialEndsAt) }),
    overLimitSince && t('operator.overSince', { at: formatInstant(overLimitSince) }),
  ].filter((note) => typeof note === 'string');
  return (
    <div className={styles.reason}>
      <State tone={tones[state]}>{t(`operator.state.${state}`)}</State>
      {notes.map((note) => (
        <span key={note} className={styles.small}>
          {note}
        </span>
      ))}
    </div>
  );
}
