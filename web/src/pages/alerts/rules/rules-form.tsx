import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ruledTypes } from '../../../../../src/contract/choices.ts';
import { call } from '../../../api.ts';
import { Ago } from '../../../components/ago.tsx';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { showDone } from '../../../components/toasts.tsx';
import { rulesQuery, type AlertRule, type AlertRules } from '../../../queries/alerts.ts';
import { useWriteGuard } from '../../../queries/write-guard.ts';
import { BacktestCard } from './backtest-card.tsx';
import { EventRules } from './event-rules.tsx';
import { isSame, rulesOf, withRulesOf } from './rule-draft.ts';
import styles from './rules.module.css';

/** All rules as a draft that is tried on the past while it is written, and saved at once. */
export function RulesForm({ document }: { document: AlertRules }) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const { canWrite, reason } = useWriteGuard();
  const [rules, setRules] = useState<AlertRule[]>(document.rules);
  const isChanged = !isSame(rules, document.rules);
  const save = useMutation({
    mutationFn: () => call('PUT /alerts/rules', { body: { rules } }),
    onSuccess(saved) {
      queryClient.setQueryData(rulesQuery.queryKey, saved);
      showDone(t('rules.saved'));
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
        {ruledTypes.map((event) => (
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
