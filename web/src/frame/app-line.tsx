import { profileOf } from '#stores/profiles.ts';
import type { App } from '../api.ts';
import { AppIcon } from '../components/app-icon.tsx';
import styles from './app-switcher.module.css';

/** An app with its icon and its store. */
export function AppLine({ app }: { app: App }) {
  return (
    <span className={styles.line}>
      <AppIcon
        name={app.displayName ?? app.name}
        store={app.store}
        iconUrl={app.iconUrl}
        size={30}
      />
      <span className={styles.names}>
        <bdi className={styles.name}>{app.displayName ?? app.name}</bdi>
        <span className={styles.store}>{profileOf(app.store).name}</span>
      </span>
    </span>
  );
}
