import { Button, NumberInput, Select } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { weekdays } from '#contract/choices.ts';
import { call, type Request } from '#web/api.ts';
import { Card } from '#web/components/card.tsx';
import { ErrorNotice } from '#web/components/error-notice.tsx';
import { Loaded } from '#web/components/loaded.tsx';
import { showSuccess } from '#web/components/toasts.tsx';
import { formatWeekday, setDisplayZone } from '#web/format.ts';
import { settingsQuery, type WorkspaceSettings } from '#web/queries/workspace.ts';
import { useWriteAccess } from '#web/queries/write-guard.ts';
import styles from './settings-page.module.css';
import { ZoneSelect } from './zone-select.tsx';

const hours = Array.from({ length: 24 }, (_, hour) => ({
  value: String(hour),
  label: `${String(hour).padStart(2, '0')}:00 UTC`,
}));

const toForm = ({ thresholds, ...settings }: WorkspaceSettings) => ({ ...settings, ...thresholds });
type Values = ReturnType<typeof toForm>;
/** Sends only changed fields, because someone else may have changed the others. */
function toChange(
  values: Values,
  isChanged: (name: string) => boolean,
): Request<'PATCH /settings'>['body'] {
  const changed: Partial<Values> = Object.fromEntries(
    Object.entries(values).filter(([name]) => isChanged(name)),
  );
  const { movePositions, highTraffic, highDifficulty, ...settings } = changed;
  return { ...settings, thresholds: { movePositions, highTraffic, highDifficulty } };
}
const range = (min: number, max: number, rule: string) => (value: unknown) =>
  typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max
    ? null
    : rule;

function Form({ settings }: { settings: WorkspaceSettings }) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const { canWrite, reason } = useWriteAccess();
  const wholeOf = (max: number) => range(1, max, t('settings.whole', { min: 1, max }));
  const form = useForm<Values>({
    initialValues: toForm(settings),
    validate: {
      defaultDepth: wholeOf(200),
      movePositions: wholeOf(200),
      highTraffic: wholeOf(100),
      highDifficulty: wholeOf(100),
    },
  });
  const save = useMutation({
    mutationFn: (values: Values) =>
      call('PATCH /settings', { body: toChange(values, form.isDirty) }),
    onSuccess(saved) {
      queryClient.setQueryData(settingsQuery.queryKey, saved);
      setDisplayZone(saved.timezoneForDisplay);
      form.setInitialValues(toForm(saved));
      form.reset();
      showSuccess(t('settings.saved'));
    },
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
