import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { formatCount, formatInstant } from '../format.ts';
import type { ResponseOf } from '../api.ts';
import { awayQuery } from '../queries/away.ts';
import { countDaysLeft, useBillingRefresh } from '../queries/billing.ts';
import { workspaceQuery } from '../queries/workspace.ts';

type Session = ResponseOf<'GET /auth/session'>;

interface Banner {
  title: string;
  text: string;
  /** Label of the link to the plans. */
  action?: 'banner.lapsed.action' | 'banner.trial.action' | 'banner.over.action';
  /** Set if an owner can undo the deletion. */
  canRestore?: boolean;
  isCalm?: true;
}

/** Below this number of days, the end of the trial is shown as a warning. */
const trialWarningDays = 5;

/**
 * The most important message: first a server that does not respond, then a read-only state, then
 * skipped keywords, then the end of the trial.
 */
export function useBanner(session: Session | undefined): Banner | null {
  const { t } = useTranslation();
  const { data: away } = useQuery(awayQuery);
  const state = session?.workspace.state;
  const billing = useBillingRefresh(state);
  const { suspension, deleteAt } =
    useQuery({ ...workspaceQuery, enabled: state === 'suspended' }).data ?? {};
  if (away) return away;
  if (state === 'suspended' && deleteAt) {
    const canRestore = session?.role === 'owner';
    return {
      title: t('banner.deleted.title', { at: formatInstant(deleteAt) }),
      text: t(canRestore ? 'banner.deleted.owner' : 'banner.deleted.member'),
      canRestore,
    };
  }
  if (state === 'suspended') {
    const why = suspension?.reason
      ? `${t('banner.suspended.because', { reason: suspension.reason })} `
      : '';
    return { title: t('banner.suspended.title'), text: `${why}${t('banner.suspended.remedy')}` };
  }
  if (state === 'lapsed')
    return {
      title: t('banner.lapsed.title'),
      text: t('banner.lapsed.remedy'),
      action: 'banner.lapsed.action',
    };
  // The count may be outdated because keywords were removed since.
  const { used = 0, limit = 0 } = billing?.usage.keywordMarkets ?? {};
  if (billing?.overLimitSince && used > limit) {
    const over = {
      count: used - limit,
      shown: formatCount(used - limit),
      at: formatInstant(billing.overLimitSince),
    };
    const text = t(billing.checkedMarkets === null ? 'banner.over.still' : 'banner.over.checked', {
      limit: formatCount(limit),
    });
    return { title: t('banner.over.title', over), text, action: 'banner.over.action' };
  }
  if (state !== 'trial') return null;
  // Reserves the space until the number of days is known, so that the layout does not shift.
  const days = billing?.trialEndsAt ? countDaysLeft(billing.trialEndsAt) : null;
  const left = days === null ? '' : t('banner.trial.left', { count: days });
  if (days === null || days > trialWarningDays)
    return {
      title: t('banner.trial.title'),
      text: left,
      action: 'banner.trial.action',
      isCalm: true,
    };
  return {
    title: `${t('banner.trial.title')} ${left}`,
    text: t('banner.trial.soon'),
    action: 'banner.trial.action',
  };
}
