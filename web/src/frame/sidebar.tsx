import { Link, type LinkProps } from '@tanstack/react-router';
import { BookOpenText, Gauge, LayoutDashboard, ListOrdered, Settings, type LucideIcon } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { App } from '../api.ts';
import { AppSwitcher } from './app-switcher.tsx';
import { Brand } from '../components/brand.tsx';
import styles from './sidebar.module.css';
import { UserMenu } from './user-menu.tsx';

interface ItemProps {
  icon: LucideIcon;
  label: string;
  link: LinkProps;
}

function Item({ icon: Icon, label, link }: ItemProps) {
  return (
    <li>
      <Link {...link} className={styles.link} activeOptions={{ exact: true, includeSearch: false }} activeProps={{ 'aria-current': 'page' }}>
        <Icon size={17} strokeWidth={1.8} aria-hidden />
        {label}
      </Link>
    </li>
  );
}

export function Sidebar({ app }: { app: App | undefined }) {
  const { t } = useTranslation();
  const params = { appId: String(app?.id ?? 0) };
  return (
    <div className={styles.inside}>
      <Link to="/" className={styles.brand} aria-label={t('frame.home')}>
        <Brand />
      </Link>
      <AppSwitcher app={app} />
      <nav aria-label={t('frame.navigation')} className={styles.nav}>
        {app && (
          <ul>
            <Item icon={ListOrdered} label={t('nav.keywords')} link={{ to: '/apps/$appId/keywords', params }} />
            <Item icon={LayoutDashboard} label={t('nav.overview')} link={{ to: '/apps/$appId', params }} />
          </ul>
        )}
        <p className={styles.section} aria-hidden>
          {t('nav.workspace')}
        </p>
        <ul aria-label={t('nav.workspace')}>
          <Item icon={Gauge} label={t('nav.capacity')} link={{ to: '/capacity' }} />
          <Item icon={Settings} label={t('nav.settings')} link={{ to: '/settings' }} />
          <li>
            <a className={styles.link} href="/api/backend/docs" target="_blank" rel="noreferrer">
              <BookOpenText size={17} strokeWidth={1.8} aria-hidden />
              {t('nav.reference')}
              <span className="sr-only">{t('common.newTab')}</span>
            </a>
          </li>
        </ul>
      </nav>
      <UserMenu />
    </div>
  );
}
