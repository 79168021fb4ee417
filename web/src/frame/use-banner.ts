import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { formatCount, formatInstant } from '../format.ts';
import type { Answer } from '../api.ts';
import { countDaysLeft, useNewsOfPlan } from '../queries/billing.ts';
import { workspaceQuery } from '../queries/workspace.ts';

type Session = Answer<'GET /auth/session'>;

interface Banner {
  title: string;
  text: string;
  /** What the way to the plan is called, where that helps. */
  action?: 'banner.lapsed.action' | 'banner.trial.action' | 'banner.over.action';
  /** An owner can take back what it says. */
  canKeep?: boolean;
  isCalm?: true;
}

/** From here on the end of a trial is no longer said in passing. */
const soonDays = 5;

/** The one thing to know: what may not be changed at all, then what is left out, then what ends soon. */
export function useBanner(session: Session | undefined): Banner | null {
  const { t } = useTranslation();
  const state = session?.workspace.state;
  const billing = useNewsOfPlan(state);
  const { suspension, deleteAt } =
    useQuery({ ...workspaceQuery, enabled: state === 'suspended' }).data ?? {};
  if (state === 'suspended' && deleteAt) {
    const canKeep = session?.role === 'owner';
    return {
      title: t('banner.deleted.title', { at: formatInstant(deleteAt) }),
      text: t(canKeep ? 'banner.deleted.owner' : 'banner.deleted.member'),
      canKeep,
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
  // Keywords may have been removed since it was written down.
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
  // Its place is kept until the days are known, so that nothing jumps.
  const days = billing?.trialEndsAt ? countDaysLeft(billing.trialEndsAt) : null;
  const left = days === null ? '' : t('banner.trial.left', { count: days });
  if (days === null || days > soonDays)
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
