import { Badge, Button } from '@mantine/core';
import { Plus, RotateCcw } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { AlertRule, AlertRules } from '../../../queries/alerts.ts';
import { eventIcons } from '../event-names.ts';
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

/** The rules of one event in their order: the first whose scope fits decides. Without any its default holds. */
export function EventRules({ event, document, own, canWrite, onChange }: Props) {
  const { t } = useTranslation();
  const Icon = eventIcons[event];
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
          <h2 id={`rules-${event}`}>{t(`alerts.event.${event}`)}</h2>
          <p className="muted">{t(`rules.about.${event}`)}</p>
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
