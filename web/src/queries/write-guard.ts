import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { awayQuery } from './away.ts';
import { sessionQuery } from './session.ts';

interface Guard {
  canWrite: boolean;
  /** Why a control is disabled. */
  reason: string | undefined;
}

function useWriteAccessFor(readOnly: readonly ('suspended' | 'lapsed')[]): Guard {
  const { t } = useTranslation();
  const { data } = useQuery(sessionQuery);
  const { data: away } = useQuery(awayQuery);
  if (away) return { canWrite: false, reason: away.title };
  const state = readOnly.find((name) => name === data?.workspace.state);
  return state
    ? { canWrite: false, reason: t(`write.${state}`) }
    : { canWrite: true, reason: undefined };
}

/** Whether this workspace can be changed now. */
export const useWriteAccess = (): Guard => useWriteAccessFor(['suspended', 'lapsed']);

/**
 * Whether people can change their password, end sessions and revoke access, which is possible even
 * after the plan has ended.
 */
export const useCredentialAccess = (): Guard => useWriteAccessFor(['suspended']);
