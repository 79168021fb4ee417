import { Button, PasswordInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Printer } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '#web/api.ts';
import { ErrorNotice } from '#web/components/error-notice.tsx';
import { useTitle } from '#web/components/use-title.ts';
import { Waiting } from '#web/components/waiting.tsx';
import { isApiError } from '#web/describe-error.ts';
import { LanguageMenu } from '#web/frame/language-menu.tsx';
import { ThemeToggle } from '#web/frame/theme-toggle.tsx';
import { useLinkSecret } from '#web/link-secret.ts';
import { ReportHead } from './report-head.tsx';
import { ReportBody } from './report-body.tsx';
import styles from './report-page.module.css';

/** A shared report, for whoever has its link. */
export function ReportPage() {
  const { t } = useTranslation();
  const token = useLinkSecret();
  const [password, setPassword] = useState('');
  const open = useMutation({
    mutationFn: (entered?: string) =>
      call('POST /reports/open', {
        body: { token: token!, ...(entered && { password: entered }) },
      }),
  });
  const { mutate, reset } = open;
  useEffect(() => {
    if (token === null) reset();
    else mutate(undefined);
  }, [token, mutate, reset]);
  const report = open.data;
  useTitle(report?.name ?? t('report.title'));
  const isClosed = isApiError(open.error, 'unauthenticated') || (open.isPending && open.variables);
  const isGone = token === null || isApiError(open.error, 'not_found');
  return (
    <main id="main" tabIndex={-1} className={styles.page}>
      <div className={styles.top} data-print="hidden">
        {report && (
          <Button
            variant="default"
            size="xs"
            className="touch"
            leftSection={<Printer size={14} aria-hidden />}
            onClick={() => print()}
          >
            {t('report.print')}
          </Button>
        )}
        <LanguageMenu />
        <ThemeToggle />
      </div>
      {report ? (
        <>
          <ReportHead report={report} />
          <ReportBody report={report} />
        </>
      ) : isGone ? (
        <div className={styles.form}>
          <h1>{t('report.goneTitle')}</h1>
          <p className="muted">{t('report.gone')}</p>
        </div>
      ) : isApiError(open.error, 'workspace_suspended') ? (
        <div className={styles.form}>
          <h1>{t('report.awayTitle')}</h1>
          <p className="muted">{t('report.away')}</p>
        </div>
      ) : isClosed ? (
        <form
          className={styles.form}
          onSubmit={(event) => {
            event.preventDefault();
            open.mutate(password);
          }}
        >
          <h1>{t('report.passwordTitle')}</h1>
          <p className="muted">{t('report.passwordLead')}</p>
          <PasswordInput
            label={t('report.password')}
            autoComplete="off"
            required
            maxLength={512}
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
            visibilityToggleButtonProps={{ 'aria-label': t('report.showPassword') }}
          />
          {open.error && open.variables && (
            <ErrorNotice
              error={open.error}
              title={t('report.wrongPassword')}
              remedy={t('report.wrongPasswordRemedy')}
            />
          )}
          <Button type="submit" size="md" loading={open.isPending}>
            {t('report.open')}
          </Button>
        </form>
      ) : open.error ? (
        <div className={styles.form}>
          <h1>{t('report.title')}</h1>
          <ErrorNotice error={open.error} onRetry={() => open.mutate(password)} />
        </div>
      ) : (
        <>
          <h1 className="sr-only">{t('report.title')}</h1>
          <Waiting height={[640, 900]} />
        </>
      )}
    </main>
  );
}
