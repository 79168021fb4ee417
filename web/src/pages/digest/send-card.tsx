import { Button, Select, Switch } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { weekdays } from '#contract/choices.ts';
import { callVersioned } from '#web/api.ts';
import { Card } from '#web/components/card.tsx';
import { Loaded } from '#web/components/loaded.tsx';
import { showSuccess, showError } from '#web/components/toasts/toasts.tsx';
import { isApiError } from '#web/describe-error.ts';
import { formatWeekday } from '#web/format.ts';
import { rulesQuery, type AlertRules } from '#web/queries/alerts.ts';
import { settingsQuery } from '#web/queries/workspace.ts';
import { useWriteAccess } from '#web/queries/write-guard.ts';
import type { RuleOf } from '../alerts/rules/rule-draft.ts';
import styles from './digest-page.module.css';

const targets = ['owners', 'everyone', 'nobody'] as const;

type DigestRule = RuleOf<'digest.weekly'>;
const ruleOf = ({ rules, defaults }: AlertRules): DigestRule =>
  [...rules, ...defaults].find((rule): rule is DigestRule => rule.event === 'digest.weekly')!;

const maxAttempts = 5;

/** Changes only the digest rule; all other rules are sent unchanged. */
function useDigestRule() {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  return useMutation({
    async mutationFn(set: Partial<DigestRule>) {
      const read = () => queryClient.fetchQuery({ ...rulesQuery, staleTime: 0 });
      // Somebody may save other rules at the same time.
      for (let attempt = 1; ; attempt += 1) {
        const document = await read();
        const others = document.rules.filter(({ event }) => event !== 'digest.weekly');
        const rules = [...others, { ...ruleOf(document), ...set }];
        try {
          return await callVersioned('PUT /alerts/rules', {
            body: { rules },
            ifMatch: document.etag,
          });
        } catch (error) {
          if (!isApiError(error, 'precondition_failed') || attempt === maxAttempts) throw error;
        }
      }
    },
    onSuccess(saved) {
      queryClient.setQueryData(rulesQuery.queryKey, saved);
      showSuccess(t('digest.saved'));
    },
    onError: showError,
  });
}

export function SendCard() {
  const { t } = useTranslation();
  const rules = useQuery(rulesQuery);
  const { data: settings } = useQuery(settingsQuery);
  const { canWrite, reason } = useWriteAccess();
  const change = useDigestRule();
  return (
    <Card title={t('digest.sending')} lead={reason ?? t('digest.sendingLead')}>
      <Loaded query={rules} height={170}>
        {(document) => {
          const rule = ruleOf(document);
          return (
            <div className={styles.form}>
              <Switch
                label={t('digest.enabled')}
                checked={rule.enabled}
                disabled={!canWrite || change.isPending}
                onChange={(event) => change.mutate({ enabled: event.currentTarget.checked })}
              />
              <Select
                label={t('rules.mailTo')}
                description={t('rules.mailToHint')}
                value={rule.mailTo}
                data={targets.map((value) => ({ value, label: t(`rules.mail.${value}`) }))}
                disabled={!canWrite || !rule.enabled || change.isPending}
                onChange={(value) =>
                  change.mutate({ mailTo: targets.find((target) => target === value) ?? 'owners' })
                }
                allowDeselect={false}
              />
              {settings && (
                <p>
                  {t('digest.when', {
                    day: formatWeekday(weekdays.indexOf(settings.digestDay)),
                    hour: `${String(settings.digestHour).padStart(2, '0')}:00`,
                  })}
                </p>
              )}
              <Button
                variant="default"
                className={`${styles.toSettings} touch`}
                renderRoot={(props: Record<string, unknown>) => <Link to="/settings" {...props} />}
              >
                {t('digest.toSettings')}
              </Button>
            </div>
          );
        }}
      </Loaded>
    </Card>
  );
}
