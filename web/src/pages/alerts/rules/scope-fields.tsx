import { MultiSelect, NumberInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { keywordAlertTypes } from '#contract/choices.ts';
import { profileOf } from '#stores/profiles.ts';
import { tagsQuery, type AlertRule } from '#web/queries/alerts.ts';
import { appsQuery } from '#web/queries/apps.ts';
import type { Scoped } from './rule-draft.ts';
import styles from './rules.module.css';

interface Scope {
  appIds?: number[] | undefined;
  tags?: string[] | undefined;
  minTraffic?: number | undefined;
}

const keywordEvents: ReadonlySet<AlertRule['event']> = new Set(keywordAlertTypes);

/** The scope of a rule. An empty selection means everything. */
export function ScopeFields({
  rule,
  onChange,
}: {
  rule: Scoped;
  onChange: (rule: AlertRule) => void;
}) {
  const { t } = useTranslation();
  const { data: apps } = useQuery(appsQuery);
  const { data: tags } = useQuery(tagsQuery);
  const scope: Scope = rule.scope;
  const appIds = [...new Set(scope.appIds)];
  const known = new Set(apps?.items.map(({ id }) => id));
  const goneApps = apps?.nextCursor === null ? appIds.filter((id) => !known.has(id)) : [];
  const ofKeywords = keywordEvents.has(rule.event);
  const change = (next: Scope) => {
    const { appIds: picked, tags: chosen, minTraffic } = { ...scope, ...next };
    const whole = {
      ...(picked?.length && { appIds: picked }),
      ...(chosen?.length && { tags: chosen }),
      ...(minTraffic && { minTraffic }),
    };
    onChange({ ...rule, scope: whole });
  };
  const common = {
    clearable: true,
    hidePickedOptions: true,
    searchable: true,
    comboboxProps: { withinPortal: false },
  };
  return (
    <div className={styles.grid}>
      <MultiSelect
        label={t('rules.scopeApps')}
        description={goneApps.length > 0 && t('rules.goneAppHint')}
        placeholder={scope.appIds ? undefined : t('rules.allApps')}
        data={[
          ...(apps?.items ?? []).map(({ id, displayName, name, store }) => ({
            value: String(id),
            label: `${displayName ?? name} · ${profileOf(store).name}`,
          })),
          ...goneApps.map((id) => ({ value: String(id), label: t('rules.goneApp') })),
        ]}
        value={appIds.map(String)}
        onChange={(values) => change({ appIds: values.map(Number) })}
        clearButtonProps={{ 'aria-label': t('rules.clearApps') }}
        {...common}
      />
      <MultiSelect
        label={t('rules.scopeTags')}
        placeholder={scope.tags ? undefined : t('rules.anyTag')}
        data={[...new Set([...(tags?.items ?? []).map(({ name }) => name), ...(scope.tags ?? [])])]}
        value={scope.tags ?? []}
        onChange={(values) => change({ tags: values })}
        clearButtonProps={{ 'aria-label': t('rules.clearTags') }}
        {...common}
      />
      {ofKeywords && (
        <NumberInput
          label={t('rules.minTraffic')}
          description={t('rules.minTrafficHint')}
          placeholder={t('rules.anyTraffic')}
          min={1}
          max={100}
          allowDecimal={false}
          clampBehavior="blur"
          value={scope.minTraffic ?? ''}
          onChange={(value) => {
            const next = typeof value === 'number' ? value : undefined;
            if (next !== scope.minTraffic) change({ minTraffic: next });
          }}
        />
      )}
    </div>
  );
}
