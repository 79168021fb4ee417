import { withBasePath } from '#web/base-path.ts';
import { useTranslation } from 'react-i18next';

/** Toasts are outside the router, so the link is a plain one. */
export function JobRunningNotice() {
  const { t } = useTranslation();
  return (
    <>
      {t('job.stillAtWork')} <a href={withBasePath('/runs?tab=jobs')}>{t('job.seeJobs')}</a>
    </>
  );
}
