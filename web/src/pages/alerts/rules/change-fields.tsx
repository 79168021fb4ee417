import { Checkbox, MultiSelect } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { changedFields } from '#contract/choices.ts';
import type { AlertRule } from '#web/queries/alerts.ts';
import type { RuleOf } from './rule-draft.ts';
import styles from './rules.module.css';

type ListingChangeRule = RuleOf<'metadata.changed'>;

const subjects = ['app', 'competitor'] as const;

/** The listings and fields of a change rule. */
export function ChangeFields({
  rule,
  onChange,
}: {
  rule: ListingChangeRule;
  onChange: (rule: AlertRule) => void;
}) {
  const { t } = useTranslation();
  const toggle = (subject: (typeof subjects)[number], isOn: boolean) => {
    const chosen = subjects.filter((name) =>
      name === subject ? isOn : rule.subjects.includes(name),
    );
    if (chosen.length > 0) onChange({ ...rule, subjects: chosen });
  };
  return (
    <div className={styles.grid}>
      <div className={styles.boxes} role="group" aria-label={t('rules.subjects')}>
        <span className={styles.label}>{t('rules.subjects')}</span>
        {subjects.map((subject) => (
          <Checkbox
            key={subject}
            label={t(`rules.subject.${subject}`)}
            checked={rule.subjects.includes(subject)}
            onChange={(event) => toggle(subject, event.currentTarget.checked)}
          />
        ))}
      </div>
      <MultiSelect
        label={t('rules.fields')}
        description={t('rules.fieldsHint')}
        placeholder={rule.fields ? undefined : t('rules.allFields')}
        data={changedFields.map((value) => ({ value, label: t(`alerts.field.${value}`) }))}
        value={rule.fields ?? []}
        onChange={(values) => {
          const { fields: _, ...rest } = rule;
          const chosen = changedFields.filter((field) => values.includes(field));
          onChange(chosen.length > 0 ? { ...rest, fields: chosen } : rest);
        }}
        searchable
        clearable
        hidePickedOptions
        clearButtonProps={{ 'aria-label': t('rules.clearFields') }}
        comboboxProps={{ withinPortal: false }}
      />
    </div>
  );
}
