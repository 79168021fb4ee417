import { useTranslation } from 'react-i18next';
import { State, type Tone } from '#web/components/state.tsx';
import { formatInstant } from '#web/format.ts';
import type { AdminWorkspace } from '#web/queries/admin.ts';
import styles from './admin-page.module.css';

const tones: Record<AdminWorkspace['state'], Tone> = {
  trial: 'busy',
  live: 'good',
  lapsed: 'idle',
  suspended: 'warn',
};

/** The status of a workspace with its reasons. */
export function WorkspaceStateDetails({ workspace }: { workspace: AdminWorkspace }) {
  const { t } = useTranslation();
  const { state, planStatus, trialEndsAt, suspendedAt, suspendedReason, deleteAt, overLimitSince } =
    workspace;
  const notes = [
    suspendedAt &&
      t('admin.since', { at: formatInstant(suspendedAt) }) +
        (suspendedReason ? `: ${suspendedReason}` : ''),
    deleteAt && t('admin.deleted', { at: formatInstant(deleteAt) }),
    state === 'suspended' && t('admin.underlyingStatus', { state: t(`admin.state.${planStatus}`) }),
    planStatus === 'trial' && trialEndsAt && t('admin.until', { at: formatInstant(trialEndsAt) }),
    overLimitSince && t('admin.overSince', { at: formatInstant(overLimitSince) }),
  ].filter((note) => typeof note === 'string');
  return (
    <div className={styles.reason}>
      <State tone={tones[state]}>{t(`admin.state.${state}`)}</State>
      {notes.map((note) => (
        <span key={note} className={styles.small}>
          {note}
        </span>
      ))}
    </div>
  );
}
