import { Button, Modal, PasswordInput, SegmentedControl, Select, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { profileOf } from '#stores/profiles.ts';
import { call } from '#web/api.ts';
import { publicUrl } from '#web/base-path.ts';
import { CopyButton } from '#web/components/copy-button.tsx';
import { ErrorNotice } from '#web/components/error-notice.tsx';
import { showSuccess } from '#web/components/toasts/toasts.tsx';
import { useErrorAfterLeaving } from '#web/use-error-after-leaving.ts';
import { FocusReturn } from '#web/use-focus-return.ts';
import { useIsMounted } from '#web/use-is-mounted.ts';
import { formatCountry } from '#web/format.ts';
import { useCurrentApp } from '#web/frame/current-app.ts';
import { appsQuery, marketsQuery } from '#web/queries/apps.ts';
import { reportsQuery, type CreatedReport } from '#web/queries/reports.ts';
import { useSearchValue } from '#web/search-value.ts';
import styles from '../imports-exports-page.module.css';

const periods = ['7', '30', '90'] as const;
/** Days until the link ends. */
const ends = ['never', '7', '30', '90'] as const;
const dayMs = 86_400_000;

interface Props {
  opened: boolean;
  onClose: () => void;
}

/** It stays open while the link is created, because nobody could see the link later. */
export function ReportDialog({ opened, onClose }: Props) {
  const { t } = useTranslation();
  const create = useCreation();
  const made = create.data;
  const isClosable = !create.isPending && !made;
  const close = () => {
    onClose();
    create.reset();
  };
  return (
    <Modal
      opened={opened}
      onClose={close}
      title={made ? t('reports.ready') : t('reports.create')}
      size="lg"
      closeOnClickOutside={isClosable}
      closeOnEscape={isClosable}
      closeButtonProps={{ 'aria-label': t('common.close'), disabled: create.isPending }}
    >
      <FocusReturn />
      {made ? <Made report={made} onClose={close} /> : <Form create={create} onClose={close} />}
    </Modal>
  );
}

/** The link can be shown only now, because only its hash is stored. */
function Made({ report, onClose }: { report: CreatedReport; onClose: () => void }) {
  const { t } = useTranslation();
  // If the instance does not know its own address, the link contains only a path.
  const link = report.url!.startsWith('/') ? `${publicUrl}${report.url!}` : report.url!;
  return (
    <div className={styles.form}>
      <p>{t(report.hasPassword ? 'reports.readyWithPassword' : 'reports.readyForAll')}</p>
      <div className={styles.secret}>
        <code data-testid="report-link">{link}</code>
        <CopyButton text={link} label={t('reports.link')} />
      </div>
      <p className="muted">{t('reports.once')}</p>
      <div className={styles.buttons}>
        <Button
          variant="default"
          renderRoot={(props) => <a href={link} target="_blank" rel="noreferrer" {...props} />}
        >
          {t('reports.look')}
        </Button>
        <Button onClick={onClose}>{t('reports.done')}</Button>
      </div>
    </div>
  );
}

interface Values {
  appId: string;
  name: string;
  country: string;
  days: (typeof periods)[number];
  end: (typeof ends)[number];
  password: string;
}

function useCreation() {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const isMounted = useIsMounted();
  return useMutation({
    mutationFn: ({ appId, name, country, days, end, password }: Values) =>
      call('POST /reports', {
        body: {
          appId: Number(appId),
          name: name.trim(),
          country: country || null,
          days: Number(days),
          expiresAt:
            end === 'never' ? null : new Date(Date.now() + Number(end) * dayMs).toISOString(),
          password: password || null,
        },
      }),
    onSuccess() {
      void queryClient.invalidateQueries({ queryKey: reportsQuery.queryKey });
      if (!isMounted()) showSuccess(t('reports.ready'));
    },
    onError: useErrorAfterLeaving(),
  });
}

interface FormProps {
  create: ReturnType<typeof useCreation>;
  onClose: () => void;
}

function Form({ create, onClose }: FormProps) {
  const { t } = useTranslation();
  const [periodLabel, endLabel] = [useId(), useId()];
  const current = useCurrentApp();
  const [asked] = useSearchValue('app');
  const { data: apps } = useQuery(appsQuery);
  const first = asked ?? (current ? String(current.id) : String(apps?.items[0]?.id ?? ''));
  const form = useForm<Values>({
    initialValues: { appId: first, name: '', country: '', days: '30', end: 'never', password: '' },
  });
  const { appId } = form.values;
  const { data: markets } = useQuery({ ...marketsQuery(Number(appId)), enabled: appId !== '' });
  return (
    <form className={styles.form} onSubmit={form.onSubmit((values) => create.mutate(values))}>
      <Select
        label={t('importsExports.app')}
        data={(apps?.items ?? []).map((app) => ({
          value: String(app.id),
          label: `${app.displayName ?? app.name} · ${profileOf(app.store).name}`,
        }))}
        allowDeselect={false}
        required
        {...form.getInputProps('appId')}
        onChange={(value) => form.setValues({ appId: value ?? '', country: '' })}
      />
      <TextInput
        label={t('reports.name')}
        description={t('reports.nameHint')}
        required
        maxLength={80}
        data-autofocus
        {...form.getInputProps('name')}
      />
      <Select
        label={t('column.country')}
        data={[
          { value: '', label: t('report.allCountries') },
          ...(markets?.items ?? []).map(({ country }) => ({
            value: country,
            label: formatCountry(country),
          })),
        ]}
        allowDeselect={false}
        searchable
        {...form.getInputProps('country')}
      />
      <div className={styles.inline}>
        <div className={styles.field}>
          <span id={periodLabel}>{t('reports.period')}</span>
          <SegmentedControl
            aria-labelledby={periodLabel}
            data={periods.map((value) => ({
              value,
              label: t('reports.days', { count: Number(value) }),
            }))}
            {...form.getInputProps('days')}
          />
        </div>
        <div className={styles.field}>
          <span id={endLabel}>{t('reports.end')}</span>
          <SegmentedControl
            aria-labelledby={endLabel}
            data={ends.map((value) => ({
              value,
              label:
                value === 'never'
                  ? t('reports.never')
                  : t('reports.inDays', { count: Number(value) }),
            }))}
            {...form.getInputProps('end')}
          />
        </div>
      </div>
      <PasswordInput
        label={t('reports.password')}
        description={t('reports.passwordHint')}
        autoComplete="new-password"
        minLength={8}
        maxLength={128}
        visibilityToggleButtonProps={{ 'aria-label': t('report.showPassword') }}
        {...form.getInputProps('password')}
      />
      {create.error && <ErrorNotice error={create.error} />}
      <div className={styles.buttons}>
        <Button variant="default" disabled={create.isPending} onClick={onClose}>
          {t('common.cancel')}
        </Button>
        <Button type="submit" loading={create.isPending} disabled={appId === ''}>
          {t('reports.share')}
        </Button>
      </div>
    </form>
  );
}
