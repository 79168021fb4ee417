import { Button, NumberInput, Select, Switch } from '@mantine/core';
import { Trash2 } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { AlertRule } from '#web/queries/alerts.ts';
import { ChangeFields } from './change-fields.tsx';
import { RankFields } from './rank-fields.tsx';
import { listNumberFields, numberFields, type NumberField } from './rule-draft.ts';
import styles from './rules.module.css';
import { ScopeFields } from './scope-fields.tsx';

interface Props {
  rule: AlertRule;
  /** The default rule, used for empty fields. */
  fallback: AlertRule;
  /** The position among several rules of the same event. */
  number: number | null;
  canWrite: boolean;
  onChange: (rule: AlertRule) => void;
  onRemove: (() => void) | undefined;
}

const readNumber = (rule: AlertRule, field: NumberField): number | undefined =>
  (rule as Partial<Record<NumberField, number>>)[field];
const mailTargets = ['owners', 'everyone', 'nobody'] as const;

export function RuleFields({ rule, fallback, number, canWrite, onChange, onRemove }: Props) {
  const { t } = useTranslation();
  return (
    <fieldset className={styles.rule} disabled={!canWrite}>
      <legend className={number === null ? 'sr-only' : styles.legend}>
        {t('rules.number', { number: number ?? 1 })}
      </legend>
      <div className={styles.first}>
        <Switch
          label={rule.enabled ? t('rules.on') : t('rules.off')}
          checked={rule.enabled}
          onChange={(event) => onChange({ ...rule, enabled: event.currentTarget.checked })}
        />
        {onRemove && (
          <Button
            size="xs"
            variant="subtle"
            color="red"
            className="touch"
            leftSection={<Trash2 size={13} aria-hidden />}
            onClick={onRemove}
          >
            {t('rules.remove')}
          </Button>
        )}
      </div>
      {rule.enabled && (
        <>
          <div className={styles.grid}>
            {listNumberFields(fallback).map((field) => (
              <NumberInput
                key={field}
                label={t(`rules.field.${field}`)}
                description={t(`rules.hint.${field}`)}
                {...numberFields[field]}
                allowDecimal={false}
                clampBehavior="blur"
                value={readNumber(rule, field) ?? readNumber(fallback, field) ?? ''}
                onChange={(value) =>
                  typeof value === 'number' &&
                  value !== readNumber(rule, field) &&
                  onChange({ ...rule, [field]: value })
                }
              />
            ))}
          </div>
          {(rule.event === 'rank.dropped' || rule.event === 'rank.improved') && (
            <RankFields rule={rule} onChange={onChange} />
          )}
          {rule.event === 'review.negative' && (
            <Switch
              className={styles.switch}
              label={t('rules.everyReview')}
              description={t('rules.everyReviewHint')}
              checked={rule.everyReview}
              onChange={(event) => onChange({ ...rule, everyReview: event.currentTarget.checked })}
            />
          )}
          {rule.event === 'metadata.changed' && <ChangeFields rule={rule} onChange={onChange} />}
          {rule.event === 'digest.weekly' ? (
            <Select
              className={styles.narrow}
              label={t('rules.mailTo')}
              description={t('rules.mailToHint')}
              value={rule.mailTo}
              data={mailTargets.map((value) => ({ value, label: t(`rules.mail.${value}`) }))}
              onChange={(value) =>
                onChange({
                  ...rule,
                  mailTo: mailTargets.find((target) => target === value) ?? 'owners',
                })
              }
              allowDeselect={false}
            />
          ) : (
            <ScopeFields rule={rule} onChange={onChange} />
          )}
        </>
      )}
    </fieldset>
  );
}
