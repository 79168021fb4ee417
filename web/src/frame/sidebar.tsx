import { Link, type LinkProps } from '@tanstack/react-router';
import {
  ArrowUpDown,
  BellRing,
  BookOpenText,
  ChartNoAxesColumn,
  Gauge,
  History,
  Inbox,
  LayoutDashboard,
  Lightbulb,
  ListOrdered,
  MessageSquareText,
  Newspaper,
  Ruler,
  Settings,
  Swords,
  TextCursorInput,
  Trophy,
  UsersRound,
  type LucideIcon,
} from 'lucide-react';
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
          <ul aria-label={t('nav.thisApp')}>
            <Item icon={LayoutDashboard} label={t('nav.overview')} link={{ to: '/apps/$appId', params }} />
            <Item icon={ListOrdered} label={t('nav.keywords')} link={{ to: '/apps/$appId/keywords', params }} />
            <Item icon={ChartNoAxesColumn} label={t('nav.distribution')} link={{ to: '/apps/$appId/distribution', params }} />
            <Item icon={Lightbulb} label={t('nav.discover')} link={{ to: '/apps/$appId/discover', params }} />
            <Item icon={TextCursorInput} label={t('nav.keywordField')} link={{ to: '/apps/$appId/keyword-field', params }} />
            <Item icon={Swords} label={t('nav.competitors')} link={{ to: '/apps/$appId/competitors', params }} />
            <Item icon={History} label={t('nav.timeline')} link={{ to: '/apps/$appId/timeline', params }} />
            <Item icon={MessageSquareText} label={t('nav.reviews')} link={{ to: '/apps/$appId/reviews', params }} />
            <Item icon={Trophy} label={t('nav.categoryRanks')} link={{ to: '/apps/$appId/category-ranks', params }} />
          </ul>
        )}
        <p className={styles.section} aria-hidden>
          {t('nav.workspace')}
        </p>
        <ul aria-label={t('nav.workspace')}>
          <Item icon={Inbox} label={t('nav.actions')} link={{ to: '/actions' }} />
          <Item icon={BellRing} label={t('nav.alerts')} link={{ to: '/alerts' }} />
          <Item icon={Newspaper} label={t('nav.digest')} link={{ to: '/digest' }} />
          <Item icon={Gauge} label={t('nav.capacity')} link={{ to: '/capacity' }} />
          <Item icon={UsersRound} label={t('members.title')} link={{ to: '/members' }} />
          <Item icon={ArrowUpDown} label={t('nav.data')} link={{ to: '/data' }} />
          <Item icon={Ruler} label={t('nav.methodology')} link={{ to: '/methodology' }} />
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
