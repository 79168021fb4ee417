import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { configurableEventTypes } from '#contract/choices.ts';
import { call } from '#web/api.ts';
import { Ago } from '#web/components/ago.tsx';
import { ErrorNotice } from '#web/components/error-notice.tsx';
import { showSuccess } from '#web/components/toasts.tsx';
import { rulesQuery, type AlertRule, type AlertRules } from '#web/queries/alerts.ts';
import { useWriteAccess } from '#web/queries/write-guard.ts';
import { BacktestCard } from './backtest-card.tsx';
import { EventRules } from './event-rules.tsx';
import { isSame, rulesOf, withRulesOf } from './rule-draft.ts';
import styles from './rules.module.css';

/** All rules as one draft with a live preview, saved together. */
export function RulesForm({ document }: { document: AlertRules }) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const { canWrite, reason } = useWriteAccess();
  const [rules, setRules] = useState<AlertRule[]>(document.rules);
  const isChanged = !isSame(rules, document.rules);
  const save = useMutation({
    mutationFn: () => call('PUT /alerts/rules', { body: { rules } }),
    onSuccess(saved) {
      queryClient.setQueryData(rulesQuery.queryKey, saved);
      showSuccess(t('rules.saved'));
    },
  });
  return (
    <div className={styles.columns}>
      <form
        className={styles.rules}
        aria-label={t('alerts.tab.rules')}
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate();
        }}
      >
        <p className="muted">
          {document.savedAt ? (
            <>
              {t('rules.savedAt')} <Ago instant={document.savedAt} />
            </>
          ) : (
            t('rules.neverSaved')
          )}
        </p>
        {configurableEventTypes.map((event) => (
          <EventRules
            key={event}
            event={event}
            document={document}
            own={rulesOf(rules, event)}
            canWrite={canWrite}
            onChange={(own) => setRules((before) => withRulesOf(before, event, own))}
          />
        ))}
        {save.error && <ErrorNotice error={save.error} />}
        {reason && <p className="muted">{reason}</p>}
        {isChanged && (
          <div className={styles.saveBar} role="status">
            <span>{t('rules.unsaved')}</span>
            <Button variant="default" className="touch" onClick={() => setRules(document.rules)}>
              {t('rules.discard')}
            </Button>
            <Button type="submit" className="touch" loading={save.isPending} disabled={!canWrite}>
              {t('rules.save')}
            </Button>
          </div>
        )}
      </form>
      <BacktestCard rules={rules} />
    </div>
  );
}
