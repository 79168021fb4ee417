import { Outlet } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';

/** The root of every page, with the skip link. */
export function Root() {
  const { t } = useTranslation();
  return (
    <>
      <a className="skip-link" href="#main">
        {t('frame.skip')}
      </a>
      <Outlet />
    </>
  );
}
