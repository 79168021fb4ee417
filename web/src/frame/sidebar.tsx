import { apiPath } from '#web/base-path.ts';
import { Kbd, UnstyledButton } from '@mantine/core';
import { Link, type LinkProps } from '@tanstack/react-router';
import { BookOpenText, BookmarkPlus, Search, type LucideIcon } from 'lucide-react';
import { Fragment } from 'react';
import { useTranslation } from 'react-i18next';
import type { App } from '../api.ts';
import { Brand } from '../components/brand.tsx';
import { splitKeys } from '../keys/key-text.ts';
import { useHasDocs } from '../queries/session.ts';
import { useViews } from '../views/use-views.ts';
import { ViewList } from '../views/view-list.tsx';
import { AppSwitcher } from './app-switcher.tsx';
import { openFrameDialog } from '#web/frame-dialog.ts';
import { appGroups, appPages } from './pages.ts';
import { useIsSettings } from './settings-links.tsx';
import styles from './sidebar.module.css';
import { useCurrentInView } from '../components/use-current-in-view.ts';
import { useWorkspacePages } from './use-workspace-pages.ts';
import { UserMenu } from './user-menu.tsx';

interface ItemProps {
  icon: LucideIcon;
  label: string;
  link: LinkProps;
  /** A page below this entry is open. */
  isWithin?: boolean;
}

function Item({ icon: Icon, label, link, isWithin = false }: ItemProps) {
  return (
    <li>
      <Link
        {...link}
        className={styles.link}
        aria-current={isWithin ? 'true' : undefined}
        activeOptions={{ exact: true, includeSearch: false }}
        activeProps={{ 'aria-current': 'page' }}
      >
        <Icon size={17} strokeWidth={1.8} aria-hidden />
        {label}
      </Link>
    </li>
  );
}

function ReferenceLink() {
  const { t } = useTranslation();
  return (
    <li>
      <a className={styles.link} href={`${apiPath}/docs`} target="_blank" rel="noreferrer">
        <BookOpenText size={17} strokeWidth={1.8} aria-hidden />
        {t('nav.reference')}
        <span className="sr-only">{t('common.newTab')}</span>
      </a>
    </li>
  );
}

function SearchButton({ onOpen }: { onOpen: (() => void) | undefined }) {
  const { t } = useTranslation();
  const open = () => {
    onOpen?.();
    openFrameDialog('palette');
  };
  return (
    <UnstyledButton
      className={styles.search}
      onClick={open}
      aria-haspopup="dialog"
      aria-keyshortcuts="Control+K Meta+K"
    >
      <Search size={15} aria-hidden />
      <span className={styles.searchLabel}>{t('palette.open')}</span>
      <span className={styles.searchKeys} aria-hidden>
        {splitKeys('mod+k').map((key) => (
          <Kbd key={key} size="xs">
            {key}
          </Kbd>
        ))}
      </span>
    </UnstyledButton>
  );
}

function SaveView({ onOpen }: { onOpen: (() => void) | undefined }) {
  const { t } = useTranslation();
  const open = () => {
    onOpen?.();
    openFrameDialog('view');
  };
  return (
    <UnstyledButton className={styles.save} onClick={open}>
      <BookmarkPlus size={15} strokeWidth={1.8} aria-hidden />
      {t('views.add')}
    </UnstyledButton>
  );
}

/** `onLeave` is called when something opens above the drawer that contains the sidebar. */
export function Sidebar({ app, onLeave }: { app: App | undefined; onLeave?: () => void }) {
  const { t } = useTranslation();
  const saved = useViews(app?.id);
  const workspacePages = useWorkspacePages().filter(({ group }) => group === 'workspace');
  const isSettings = useIsSettings();
  const nav = useCurrentInView();
  const hasDocs = useHasDocs();
  const params = { appId: String(app?.id ?? 0) };
  const ofApp = app ? saved.views.filter((view) => view.appId === app.id) : [];
  const ofWorkspace = saved.views.filter((view) => view.appId === null);
  return (
    <div className={styles.inside}>
      <Link to="/" className={styles.brand} aria-label={t('frame.home')}>
        <Brand />
      </Link>
      <AppSwitcher app={app} />
      <SearchButton onOpen={onLeave} />
      <nav ref={nav} aria-label={t('frame.navigation')} className={styles.nav}>
        {app && (
          <>
            {appGroups.map((group) => (
              <Fragment key={group}>
                <p className={styles.section} aria-hidden>
                  {t(`nav.group.${group}`)}
                </p>
                <ul aria-label={t(`nav.group.${group}`)}>
                  {appPages
                    .filter((page) => page.group === group)
                    .map(({ id, icon, label, to }) => (
                      <Item key={id} icon={icon} label={t(label)} link={{ to, params }} />
                    ))}
                </ul>
              </Fragment>
            ))}
            <ViewList label={t('views.ofApp')} saved={saved} views={ofApp} />
            {saved.appId !== null && <SaveView onOpen={onLeave} />}
          </>
        )}
        <p className={styles.section} aria-hidden>
          {t('nav.workspace')}
        </p>
        <ul aria-label={t('nav.workspace')}>
          {workspacePages.map(({ id, icon, label, to }) => (
            <Item
              key={id}
              icon={icon}
              label={t(label)}
              link={{ to }}
              isWithin={id === 'settings' && isSettings}
            />
          ))}
          {hasDocs && <ReferenceLink />}
        </ul>
        <ViewList label={t('views.ofWorkspace')} saved={saved} views={ofWorkspace} />
        {saved.appId === null && <SaveView onOpen={onLeave} />}
      </nav>
      <UserMenu />
    </div>
  );
}
