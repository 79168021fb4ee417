import { Button, SegmentedControl, Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { profileOf } from '#stores/profiles.ts';
import type { App } from '#web/api.ts';
import { formatCount } from '#web/format.ts';
import { actionCountQuery, type ActionFilter } from '#web/queries/actions.ts';
import { actionStates, actionTypes, severities } from '#contract/choices.ts';
import styles from './actions-page.module.css';

interface Props {
  filter: ActionFilter;
  apps: readonly App[];
  onChange: (next: Record<string, string | number | undefined>) => void;
}

function StatusLabel({ status }: { status: ActionFilter['status'] }) {
  const { t } = useTranslation();
  const { data } = useQuery(actionCountQuery(status));
  return (
    <span className={styles.status}>
      {t(`actions.status.${status}`)}
      {typeof data === 'number' && <span className="num muted">{formatCount(data)}</span>}
    </span>
  );
}

export function ActionsToolbar({ filter, apps, onChange }: Props) {
  const { t } = useTranslation();
  const isFiltered = Boolean(filter.type || filter.severity || filter.appId);
  const pick = (
    label: string,
    name: string,
    value: string | undefined,
    any: string,
    choices: { value: string; label: string }[],
  ) => (
    <Select
      aria-label={label}
      className={styles.pick}
      value={value ?? ''}
      data={[{ value: '', label: any }, ...choices]}
      onChange={(next) => onChange({ [name]: next || undefined })}
      allowDeselect={false}
      comboboxProps={{ width: 'max-content', position: 'bottom-start', withinPortal: false }}
    />
  );
  return (
    <div className={styles.toolbar} role="search" aria-label={t('actions.filters')}>
      <SegmentedControl
        className={styles.statuses}
        aria-label={t('actions.statuses')}
        value={filter.status}
        onChange={(value) => onChange({ status: value === 'open' ? undefined : value })}
        data={actionStates.map((status) => ({
          value: status,
          label: <StatusLabel status={status} />,
        }))}
      />
      {pick(
        t('actions.severities'),
        'severity',
        filter.severity,
        t('actions.anySeverity'),
        severities.map((value) => ({ value, label: t(`actions.severity.${value}`) })),
      )}
      {pick(
        t('actions.types'),
        'type',
        filter.type,
        t('actions.anyType'),
        actionTypes.map((value) => ({ value, label: t(`actions.type.${value}`) })),
      )}
      {apps.length > 1 &&
        pick(
          t('actions.apps'),
          'app',
          filter.appId === undefined ? undefined : String(filter.appId),
          t('actions.anyApp'),
          apps.map((app) => ({
            value: String(app.id),
            label: `${app.displayName ?? app.name} · ${profileOf(app.store).name}`,
          })),
        )}
      {isFiltered && (
        <Button
          variant="subtle"
          className="touch"
          onClick={() => onChange({ type: undefined, severity: undefined, app: undefined })}
        >
          {t('actions.reset')}
        </Button>
      )}
    </div>
  );
}
