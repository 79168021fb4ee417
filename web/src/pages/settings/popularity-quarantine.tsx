import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '#web/api.ts';
import { Card } from '#web/components/card.tsx';
import { ConfirmButton } from '#web/components/confirm-button.tsx';
import { formatPeriod } from '#web/components/format-period.ts';
import { Loaded } from '#web/components/loaded.tsx';
import { showError } from '#web/components/toasts/toasts.tsx';
import { formatCount, formatCountry, formatDecimal, formatList } from '#web/format.ts';
import { quarantineQuery, type QuarantinedWeek } from '#web/queries/popularity-sync.ts';
import { useWriteAccess } from '#web/queries/write-guard.ts';
import styles from './settings-page.module.css';

/** Implausible weeks with the reasons, which an operator accepts or discards. */
export function PopularityQuarantine() {
  const { t } = useTranslation();
  const query = useQuery(quarantineQuery);
  return (
    <Card title={t('popularitySync.quarantine')} lead={t('popularitySync.quarantineLead')}>
      <Loaded query={query} height={160}>
        {({ items }) => (
          <ul className={styles.rows}>
            {items.map((week) => (
              <Week key={week.id} week={week} />
            ))}
          </ul>
        )}
      </Loaded>
    </Card>
  );
}

function Week({ week }: { week: QuarantinedWeek }) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const { canWrite, reason } = useWriteAccess();
  const request = { params: { setId: week.id } };
  const onSuccess = () => queryClient.invalidateQueries({ queryKey: ['popularity'] });
  const accept = useMutation({
    mutationFn: () => call('POST /popularity/quarantine/{setId}/accept', request),
    onSuccess,
    onError: showError,
  });
  const discard = useMutation({
    mutationFn: () => call('POST /popularity/quarantine/{setId}/discard', request),
    onSuccess,
    onError: showError,
  });
  const period = formatPeriod({ granularity: 'week', period: week.week });
  const name = t('popularitySync.weekOf', { country: formatCountry(week.country), week: period });
  const terms = formatCount(week.terms);
  return (
    <li>
      <span className={styles.grow}>
        <b>{name}</b>
        <span className="muted">
          {week.termsBefore === null
            ? t('popularitySync.termsOnly', { terms })
            : t('popularitySync.termsBefore', { terms, before: formatCount(week.termsBefore) })}
        </span>
        {week.reasons.map(({ reason: why, percent, limit }) => (
          <span key={why}>
            {t(`popularitySync.reason.${why}`, { percent: formatDecimal(percent), limit })}
          </span>
        ))}
        <span className="muted" dir="auto">
          {t('popularitySync.first', { terms: formatList(week.first.map(({ term }) => term)) })}
        </span>
      </span>
      <span className={styles.buttons}>
        <Button
          size="xs"
          className="touch"
          aria-label={t('popularitySync.acceptOf', { name })}
          title={reason}
          disabled={!canWrite}
          loading={accept.isPending}
          onClick={() => accept.mutate()}
        >
          {t('popularitySync.accept')}
        </Button>
        <ConfirmButton
          question={t('popularitySync.discardOf', { name })}
          sure={t('popularitySync.discard')}
          disabled={!canWrite}
          why={reason}
          loading={discard.isPending}
          onConfirm={() => discard.mutate()}
        >
          {t('popularitySync.discard')}
        </ConfirmButton>
      </span>
    </li>
  );
}
