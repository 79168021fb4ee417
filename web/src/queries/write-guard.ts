import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { sessionQuery } from './session.ts';

/** Whether this workspace may be changed, and the words for a control that is switched off when it may not. */
export function useWriteGuard(): { canWrite: boolean; reason: string | undefined } {
  const { t } = useTranslation();
  const { data } = useQuery(sessionQuery);
  const state = data?.workspace.state;
  if (state === 'suspended' || state === 'lapsed') return { canWrite: false, reason: t(`write.${state}`) };
  return { canWrite: true, reason: undefined };
}
