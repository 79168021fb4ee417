import { Outlet } from '@tanstack/react-router';
import type { MouseEvent } from 'react';
import { useTranslation } from 'react-i18next';

/** The address stays as it is, since its hash may be the secret of the page's link. */
function skip(event: MouseEvent) {
  event.preventDefault();
  document.getElementById('main')?.focus();
}

/** The root of every page, with the skip link. */
export function Root() {
  const { t } = useTranslation();
  return (
    <>
      <a className="skip-link" href="#main" onClick={skip}>
        {t('frame.skip')}
      </a>
      <Outlet />
    </>
  );
}
