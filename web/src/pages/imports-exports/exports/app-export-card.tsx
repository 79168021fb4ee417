import { Button, Radio, SegmentedControl, Select } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { Download, X } from 'lucide-react';
import { useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { utcDayOf } from '#lib/dates.ts';
import { profileOf } from '#stores/profiles.ts';
import { Card } from '#web/components/card.tsx';
import { DayField } from '#web/components/day-field.tsx';
import { ErrorNotice } from '#web/components/error-notice.tsx';
import { showSuccess } from '#web/components/toasts/toasts.tsx';
import { formatBytes } from '#web/format.ts';
import { useCurrentApp } from '#web/frame/current-app.ts';
import { appsQuery } from '#web/queries/apps.ts';
import { useSearchChoice, useSearchValue } from '#web/search-value.ts';
import { download } from '#web/download.ts';
import styles from '../imports-exports-page.module.css';

const kinds = [
  'rankings',
  'keywords',
  'serp',
  'reviews',
  'changes',
  'category-ranks',
  'scores',
  'listing-days',
] as const;
/** Has no period, because it exports the current state. */
const undated = 'keywords';
const formats = ['csv', 'json', 'ndjson'] as const;
const day = /^\d{4}-\d{2}-\d{2}$/;

/** Exports all data of one type for an app. The selection is kept in the address. */
export function AppExportCard() {
  const { t } = useTranslation();
  const formatLabel = useId();
  const router = useRouter();
  const current = useCurrentApp();
  const { data: apps } = useQuery(appsQuery);
  const [asked, setApp] = useSearchValue('app');
  const [kind, setKind] = useSearchChoice('kind', kinds);
  const [format, setFormat] = useSearchChoice('format', formats);
  const [from, setFrom] = useSearchValue('from');
  const [to, setTo] = useSearchValue('to');
  const [bytes, setBytes] = useState(0);
  const stop = useRef(new AbortController());
  const appId = asked ?? (current ? String(current.id) : null);
  const hasDays = kind !== undated;
  const fetching = useMutation({
    mutationFn: async () => {
      stop.current = new AbortController();
      setBytes(0);
      // The press of the button ends the typing of a day, too, before that day is rendered.
      const { search }: { search: Record<string, unknown> } = router.latestLocation;
      const range = ['from', 'to']
        .map((name) => [name, String(search[name])])
        .filter(([, value]) => hasDays && day.test(value!));
      await download(
        `/apps/${appId}/exports/${kind}?${new URLSearchParams([['format', format], ...range])}`,
        setBytes,
        stop.current.signal,
      );
    },
    onSuccess: () => showSuccess(t('importsExports.saved')),
  });
  const isAborted = fetching.error instanceof DOMException && fetching.error.name === 'AbortError';
  const today = utcDayOf(new Date());
  const isBackwards = Boolean(hasDays && from && to && from > to);
  return (
    <Card title={t('importsExports.oneApp')} lead={t('importsExports.oneAppLead')}>
      <div className={styles.form}>
        <Select
          className={styles.narrow}
          label={t('importsExports.app')}
          data={(apps?.items ?? []).map((app) => ({
            value: String(app.id),
            label: `${app.displayName ?? app.name} · ${profileOf(app.store).name}`,
          }))}
          value={appId}
          onChange={setApp}
          allowDeselect={false}
        />
        <Radio.Group
          label={t('importsExports.kind')}
          value={kind}
          onChange={(value) => setKind(kinds.find((name) => name === value) ?? 'rankings')}
        >
          <div className={styles.kinds}>
            {kinds.map((name) => (
              <Radio
                key={name}
                value={name}
                label={t(`importsExports.kind.${name}`)}
                description={t(`importsExports.kind.${name}.hint`)}
              />
            ))}
          </div>
        </Radio.Group>
        <div className={styles.inline}>
          <DayField
            label={t('importsExports.from')}
            day={from ?? ''}
            max={today}
            disabled={!hasDays}
            onChoose={setFrom}
            onClear={() => setFrom(null)}
          />
          <DayField
            label={t('importsExports.to')}
            day={to ?? ''}
            max={today}
            disabled={!hasDays}
            error={isBackwards ? t('importsExports.backwards') : undefined}
            onChoose={setTo}
            onClear={() => setTo(null)}
          />
          <div className={styles.field}>
            <span id={formatLabel}>{t('importsExports.format')}</span>
            <SegmentedControl
              aria-labelledby={formatLabel}
              value={format}
              onChange={(value) => setFormat(value)}
              data={formats.map((value) => ({ value, label: value.toUpperCase() }))}
            />
          </div>
        </div>
        <p className="muted">{t(`importsExports.format.${format}`)}</p>
        {fetching.error && !isAborted && (
          <ErrorNotice error={fetching.error} onRetry={() => fetching.mutate()} />
        )}
        <div className={styles.buttons}>
          <Button
            leftSection={<Download size={16} aria-hidden />}
            disabled={appId === null || isBackwards}
            loading={fetching.isPending}
            onClick={() => fetching.mutate()}
          >
            {t('importsExports.download')}
          </Button>
          {fetching.isPending && (
            <Button
              variant="default"
              leftSection={<X size={15} aria-hidden />}
              onClick={() => stop.current.abort()}
            >
              {t('common.cancel')}
            </Button>
          )}
          <span role="status" className="muted num">
            {fetching.isPending && t('importsExports.received', { size: formatBytes(bytes) })}
          </span>
        </div>
      </div>
    </Card>
  );
}
