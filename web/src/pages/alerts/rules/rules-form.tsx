import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { configurableEventTypes } from '#contract/choices.ts';
import { callVersioned, type Versioned } from '#web/api.ts';
import { Ago } from '#web/components/ago.tsx';
import { ErrorNotice } from '#web/components/error-notice.tsx';
import { showSuccess, showUndo } from '#web/components/toasts/toasts.tsx';
import { saveVersioned } from '#web/conflict/save-versioned.ts';
import { appsQuery } from '#web/queries/apps.ts';
import { rulesQuery, type AlertRules } from '#web/queries/alerts.ts';
import { useWriteAccess } from '#web/queries/write-guard.ts';
import { useDraft } from '#web/use-draft.ts';
import { useErrorAfterLeaving } from '#web/use-error-after-leaving.ts';
import { BacktestCard } from './backtest-card.tsx';
import { EventRules } from './event-rules.tsx';
import { FirstWebhook } from './first-webhook.tsx';
import { describeRules } from './describe-rules.ts';
import {
  groupByEvent,
  listRules,
  readRules,
  rulesOf,
  withRulesOf,
  writeRules,
} from './rule-draft.ts';
import styles from './rules.module.css';

type Document = Versioned<AlertRules>;

const toState = (document: Document) => ({
  fields: groupByEvent(document.rules),
  etag: document.etag,
});

/**
 * All rules as one draft with a live preview, saved together. A draft stays when the page is left
 * and when somebody else saves rules; both are compared when it is saved.
 */
export function RulesForm({ document }: { document: Document }) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const { canWrite, reason } = useWriteAccess();
  const listed = useQuery(appsQuery).data;
  const apps = listed?.items ?? [];
  const context = { apps, isComplete: listed?.nextCursor === null, t };
  const draft = useDraft('alert-rules', writeRules(document.rules), document.etag);
  const { text, isChanged } = draft;
  // The backtest is computed again when the array is another one.
  const rules = useMemo(
    () => (isChanged ? readRules(text) : document.rules),
    [isChanged, text, document.rules],
  );
  const save = useMutation({
    mutationFn: (sent: string) =>
      saveVersioned({
        base: { fields: groupByEvent(readRules(draft.base.text)), etag: draft.base.etag },
        mine: groupByEvent(readRules(sent)),
        read: async () => toState(await queryClient.fetchQuery({ ...rulesQuery, staleTime: 0 })),
        write: (fields, { ifMatch }) =>
          callVersioned('PUT /alerts/rules', { body: { rules: listRules(fields) }, ifMatch }),
        describe: (event, theirs, mine) => ({
          label: t(`event.${event}.title`),
          theirs: describeRules(theirs[event], mine[event], context),
          mine: describeRules(mine[event], theirs[event], context),
        }),
      }),
    onSuccess(outcome, sent) {
      if (outcome.kind === 'cancelled') return;
      if (outcome.kind === 'taken') {
        draft.forget();
        return;
      }
      queryClient.setQueryData(rulesQuery.queryKey, outcome.saved);
      draft.forget(sent, outcome.isMerged);
      showSuccess(t('rules.saved'));
    },
    onError: useErrorAfterLeaving(),
  });
  const discard = () => {
    draft.forget();
    showUndo(t('rules.discarded'), () => draft.change(text));
  };
  return (
    <div className={styles.columns}>
      <form
        className={styles.rules}
        aria-label={t('alerts.tab.rules')}
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate(text);
        }}
      >
        <p className="muted">
          {document.savedAt ? (
            <>
              {t('rules.savedAt')} <Ago instant={document.savedAt} />
            </>
          ) : (
            t('rules.neverSaved')
          )}{' '}
          <FirstWebhook />
        </p>
        {configurableEventTypes.map((event) => (
          <EventRules
            key={event}
            event={event}
            document={document}
            own={rulesOf(rules, event)}
            canWrite={canWrite}
            onChange={(own) => draft.change(writeRules(withRulesOf(rules, event, own)))}
          />
        ))}
        {save.error && <ErrorNotice error={save.error} />}
        {reason && <p className="muted">{reason}</p>}
        {isChanged && (
          <div className={styles.saveBar} role="status">
            <span>{t('rules.unsaved')}</span>
            <Button variant="default" className="touch" onClick={discard}>
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
