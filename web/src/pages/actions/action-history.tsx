import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { formatInstant } from '#web/format.ts';
import type { Action } from '#web/queries/actions.ts';
import { membersQuery } from '#web/queries/member-names.ts';
import styles from './action-detail.module.css';

/** The person who closed the action, by name if the member still exists. */
function useResolverName(resolvedBy: string | null): string {
  const { t } = useTranslation();
  const isPerson = resolvedBy?.startsWith('user:') === true;
  const { data } = useQuery({ ...membersQuery, enabled: isPerson });
  if (!isPerson) return t('actions.by.gone');
  const member = data?.items.find(({ id }) => `user:${id}` === resolvedBy);
  return member?.you ? t('actions.by.you') : (member?.name ?? t('actions.by.member'));
}

export function ActionHistory({ action }: { action: Action }) {
  const { t } = useTranslation();
  const by = useResolverName(action.resolvedBy);
  const steps: [string, string][] = [[action.openedAt, t('actions.step.opened')]];
  if (action.seenAt !== action.openedAt) steps.push([action.seenAt, t('actions.step.seen')]);
  if (action.state === 'resolved' && action.resolvedAt) {
    steps.push([
      action.resolvedAt,
      action.resolvedBy === 'gone' ? t('actions.step.gone') : t('actions.step.resolved', { by }),
    ]);
  }
  if (action.state === 'dismissed' && action.resolvedAt) {
    const { dismissReason } = action;
    steps.push([
      action.resolvedAt,
      dismissReason
        ? t('actions.step.dismissedFor', { by, reason: dismissReason })
        : t('actions.step.dismissed', { by }),
    ]);
  }
  return (
    <section className={styles.part} aria-label={t('actions.history')}>
      <h3>{t('actions.history')}</h3>
      <ol className={styles.history}>
        {steps.map(([at, text]) => (
          <li key={text}>
            <time dateTime={at} className="muted num">
              {formatInstant(at)}
            </time>
            <span>{text}</span>
          </li>
        ))}
        {action.state === 'snoozed' && action.snoozedUntil && (
          <li>
            <time dateTime={action.snoozedUntil} className="muted num">
              {formatInstant(action.snoozedUntil)}
            </time>
            <span>{t('actions.step.wakes')}</span>
          </li>
        )}
      </ol>
    </section>
  );
}
