import { Switch, TagsInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { splitList } from '#web/components/phrase-rules.ts';
import type { AlertRule } from '#web/queries/alerts.ts';
import type { RuleOf } from './rule-draft.ts';
import styles from './rules.module.css';

const maxThresholds = 20;
const deepest = 200;

/** Thresholds and whether entering or leaving the results counts. */
export function RankFields({
  rule,
  onChange,
}: {
  rule: RuleOf<'rank.dropped'> | RuleOf<'rank.improved'>;
  onChange: (rule: AlertRule) => void;
}) {
  const { t } = useTranslation();
  const change = (texts: string[]) => {
    const positions = texts
      .flatMap(splitList)
      .map(Number)
      .filter((position) => Number.isInteger(position) && position >= 1 && position <= deepest);
    onChange({ ...rule, thresholds: [...new Set(positions)].toSorted((a, b) => a - b) });
  };
  return (
    <div className={styles.lines}>
      <TagsInput
        label={t('rules.thresholds')}
        description={t('rules.thresholdsHint')}
        value={rule.thresholds.map(String)}
        onChange={change}
        maxTags={maxThresholds}
        splitChars={[',', ' ', ';']}
        inputMode="numeric"
      />
      <Switch
        className={styles.switch}
        label={t('rules.depthEdge')}
        description={t('rules.depthEdgeHint')}
        checked={rule.depthEdge}
        onChange={(event) => onChange({ ...rule, depthEdge: event.currentTarget.checked })}
      />
    </div>
  );
}
