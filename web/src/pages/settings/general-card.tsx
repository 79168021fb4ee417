import { Button, NumberInput, Select } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { weekdays } from '#contract/choices.ts';
import { callVersioned, type Request, type Versioned } from '#web/api.ts';
import { Card } from '#web/components/card.tsx';
import { ErrorNotice } from '#web/components/error-notice.tsx';
import { Loaded } from '#web/components/loaded.tsx';
import { mergeFields } from '#web/conflict/merge-fields.ts';
import { saveVersioned } from '#web/conflict/save-versioned.ts';
import { showSuccess } from '#web/components/toasts/toasts.tsx';
import { formatWeekday, setDisplayZone } from '#web/format.ts';
import { settingsQuery, type WorkspaceSettings } from '#web/queries/workspace.ts';
import { useWriteAccess } from '#web/queries/write-guard.ts';
import { useErrorAfterLeaving } from '#web/use-error-after-leaving.ts';
import styles from './settings-page.module.css';
import { ZoneSelect } from './zone-select.tsx';

const hours = Array.from({ length: 24 }, (_, hour) => ({
  value: String(hour),
  label: `${String(hour).padStart(2, '0')}:00 UTC`,
}));

const toForm = ({ thresholds, ...settings }: Versioned<WorkspaceSettings>) => ({
  ...settings,
  ...thresholds,
});
type Values = Omit<ReturnType<typeof toForm>, 'etag'>;
const toState = (settings: Versioned<WorkspaceSettings>) => {
  const { etag, ...fields } = toForm(settings);
  return { fields, etag };
};
/** Sends only changed fields. */
function toChange(
  values: Values,
  changed: readonly (keyof Values)[],
): Request<'PATCH /settings'>['body'] {
  const sent: Partial<Values> = Object.fromEntries(changed.map((name) => [name, values[name]]));
  const { movePositions, highTraffic, highDifficulty, ...settings } = sent;
  return { ...settings, thresholds: { movePositions, highTraffic, highDifficulty } };
}
const labels = {
  defaultDepth: 'settings.defaultDepth',
  timezoneForDisplay: 'settings.zone',
  movePositions: 'settings.movePositions',
  highTraffic: 'settings.highTraffic',
  highDifficulty: 'settings.highDifficulty',
  reviewNegativeMaxRating: 'settings.negative',
  digestDay: 'settings.digestDay',
  digestHour: 'settings.digestHour',
} as const satisfies Record<keyof Values, string>;

function describeValue(name: keyof Values, values: Values): string {
  if (name === 'digestDay') return formatWeekday(weekdays.indexOf(values.digestDay));
  if (name === 'digestHour') return hours[values.digestHour]!.label;
  return String(values[name]).replaceAll('_', ' ');
}

const range = (min: number, max: number, rule: string) => (value: unknown) =>
  typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max
    ? null
    : rule;

function Form({ settings }: { settings: Versioned<WorkspaceSettings> }) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const { canWrite, reason } = useWriteAccess();
  const wholeOf = (max: number) => range(1, max, t('settings.whole', { min: 1, max }));
  const [base, setBase] = useState(() => toState(settings));
  const form = useForm<Values>({
    initialValues: base.fields,
    validate: {
      defaultDepth: wholeOf(200),
      movePositions: wholeOf(200),
      highTraffic: wholeOf(100),
      highDifficulty: wholeOf(100),
    },
  });
  const save = useMutation({
    mutationFn: (values: Values) =>
      saveVersioned({
        base,
        mine: values,
        read: async () => toState(await queryClient.fetchQuery({ ...settingsQuery, staleTime: 0 })),
        write: (fields, { ifMatch, changed }) =>
          callVersioned('PATCH /settings', { body: toChange(fields, changed), ifMatch }),
        describe: (name, theirs, mine) => ({
          label: t(labels[name]),
          theirs: describeValue(name, theirs),
          mine: describeValue(name, mine),
        }),
      }),
    onSuccess(outcome, sent) {
      if (outcome.kind === 'cancelled') return;
      if (outcome.kind === 'saved') queryClient.setQueryData(settingsQuery.queryKey, outcome.saved);
      const state = outcome.kind === 'saved' ? toState(outcome.saved) : outcome.theirs;
      setBase(state);
      setDisplayZone(state.fields.timezoneForDisplay);
      // A field that was changed during the save keeps its change.
      const { merged } = mergeFields(sent, form.getValues(), state.fields);
      form.setInitialValues(state.fields);
      form.reset();
      form.setValues(merged);
      if (outcome.kind === 'saved') showSuccess(t('settings.saved'));
    },
    onError: useErrorAfterLeaving(),
  });
  const whole = (
    name: 'defaultDepth' | 'movePositions' | 'highTraffic' | 'highDifficulty',
    max: number,
  ) => (
    <NumberInput
      label={t(`settings.${name}`)}
      description={t(`settings.${name}Hint`)}
      min={1}
      max={max}
      allowDecimal={false}
      clampBehavior="blur"
      {...form.getInputProps(name)}
    />
  );
  return (
    <form className={styles.form} onSubmit={form.onSubmit((values) => save.mutate(values))}>
      <fieldset disabled={!canWrite} className={styles.fields}>
        <legend>{t('settings.checks')}</legend>
        {whole('defaultDepth', 200)}
        <ZoneSelect {...form.getInputProps('timezoneForDisplay')} />
      </fieldset>
      <fieldset disabled={!canWrite} className={styles.fields}>
        <legend>{t('settings.attention')}</legend>
        {whole('movePositions', 200)}
        {whole('highTraffic', 100)}
        {whole('highDifficulty', 100)}
        <Select
          label={t('settings.negative')}
          description={t('settings.negativeHint')}
          data={[1, 2, 3, 4, 5].map((stars) => ({
            value: String(stars),
            label: t('settings.stars', { count: stars }),
          }))}
          allowDeselect={false}
          {...form.getInputProps('reviewNegativeMaxRating')}
          value={String(form.values.reviewNegativeMaxRating)}
          onChange={(value) => form.setFieldValue('reviewNegativeMaxRating', Number(value))}
        />
      </fieldset>
      <fieldset disabled={!canWrite} className={styles.fields}>
        <legend>{t('nav.digest')}</legend>
        <Select
          label={t('settings.digestDay')}
          description={t('settings.digestHint')}
          data={weekdays.map((day, index) => ({ value: day, label: formatWeekday(index) }))}
          allowDeselect={false}
          {...form.getInputProps('digestDay')}
        />
        <Select
          label={t('settings.digestHour')}
          description={t('settings.digestHourHint')}
          data={hours}
          allowDeselect={false}
          {...form.getInputProps('digestHour')}
          value={String(form.values.digestHour)}
          onChange={(value) => form.setFieldValue('digestHour', Number(value))}
        />
      </fieldset>
      {save.error && <ErrorNotice error={save.error} />}
      <div className={styles.dialogActions}>
        {reason && <p className="muted">{reason}</p>}
        <Button variant="default" disabled={!form.isDirty()} onClick={form.reset}>
          {t('settings.discard')}
        </Button>
        <Button type="submit" disabled={!canWrite || !form.isDirty()} loading={save.isPending}>
          {t('settings.save')}
        </Button>
      </div>
    </form>
  );
}

export function GeneralCard() {
  const { t } = useTranslation();
  const query = useQuery(settingsQuery);
  return (
    <Card title={t('settings.tab.general')} lead={t('settings.generalLead')}>
      <Loaded query={query} height={560}>
        {(settings) => <Form settings={settings} />}
      </Loaded>
    </Card>
  );
}
