import { Badge, Button } from '@mantine/core';
import { Plus, RotateCcw } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { AlertRule, AlertRules } from '#web/queries/alerts.ts';
import { eventViews } from '../event-views.ts';
import { defaultOf, newRule, type RuleName } from './rule-draft.ts';
import { RuleFields } from './rule-fields.tsx';
import styles from './rules.module.css';

interface Props {
  event: RuleName;
  document: AlertRules;
  own: AlertRule[];
  canWrite: boolean;
  onChange: (own: AlertRule[]) => void;
}

/**
 * The rules of one event in order; the first rule with a matching scope applies. Without rules, the
 * default applies.
 */
export function EventRules({ event, document, own, canWrite, onChange }: Props) {
  const { t } = useTranslation();
  const { icon: Icon } = eventViews[event];
  const shown = own.length > 0 ? own : [newRule(document, event)];
  const replace = (index: number, next: AlertRule | null) =>
    onChange(shown.flatMap((rule, at) => (at === index ? (next ?? []) : [rule])));
  return (
    <section className={styles.event} aria-labelledby={`rules-${event}`}>
      <div className={styles.head}>
        <span className={styles.icon} aria-hidden>
          <Icon size={16} />
        </span>
        <div className={styles.names}>
          <h2 id={`rules-${event}`}>{t(`event.${event}.title`)}</h2>
          <p className="muted">{t(`event.${event}.about`)}</p>
        </div>
        {own.length === 0 ? (
          <Badge variant="light" color="gray">
            {t('rules.default')}
          </Badge>
        ) : (
          <Button
            size="xs"
            variant="subtle"
            className="touch"
            disabled={!canWrite}
            leftSection={<RotateCcw size={13} aria-hidden />}
            onClick={() => onChange([])}
          >
            {t('rules.toDefault')}
          </Button>
        )}
      </div>
      {shown.map((rule, index) => (
        <RuleFields
          key={index}
          rule={rule}
          fallback={defaultOf(document, event)}
          number={shown.length > 1 ? index + 1 : null}
          canWrite={canWrite}
          onChange={(next) => replace(index, next)}
          onRemove={shown.length > 1 ? () => replace(index, null) : undefined}
        />
      ))}
      {event !== 'digest.weekly' && (
        <Button
          size="xs"
          variant="default"
          className={`${styles.add} touch`}
          disabled={!canWrite}
          leftSection={<Plus size={13} aria-hidden />}
          onClick={() => onChange([newRule(document, event), ...shown])}
        >
          {t('rules.add')}
        </Button>
      )}
    </section>
  );
}
