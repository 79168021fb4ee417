import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { sessionQuery } from './session.ts';

interface Guard {
  canWrite: boolean;
  /** The words for a control that is switched off. */
  reason: string | undefined;
}

function useGuard(readOnly: readonly ('suspended' | 'lapsed')[]): Guard {
  const { t } = useTranslation();
  const { data } = useQuery(sessionQuery);
  const state = readOnly.find((name) => name === data?.workspace.state);
  return state
    ? { canWrite: false, reason: t(`write.${state}`) }
    : { canWrite: true, reason: undefined };
}

/** Whether this workspace may be changed. */
export const useWriteGuard = (): Guard => useGuard(['suspended', 'lapsed']);

/** Whether people may look after their own password and sessions and take access away, which they may longer: when the plan has ended too. */
export const useCredentialGuard = (): Guard => useGuard(['suspended']);
