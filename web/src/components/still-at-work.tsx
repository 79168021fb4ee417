import { useTranslation } from 'react-i18next';

/** Toasts stand outside the router: the way is a plain link. */
export function StillAtWork() {
  const { t } = useTranslation();
  return (
    <>
      {t('job.stillAtWork')} <a href="/runs?tab=jobs">{t('job.seeJobs')}</a>
    </>
  );
}
