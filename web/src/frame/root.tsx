import { Outlet } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';

/** Around every page: the link past the navigation for keyboards and screen readers. */
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
