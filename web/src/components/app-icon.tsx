import type { CSSProperties } from 'react';
import { profileOf, storeNames } from '#stores/profiles.ts';
import type { Store } from '../api.ts';
import styles from './app-icon.module.css';
import { StoreImage } from './store-image.tsx';

/**
 * The icon of an app, from our own origin. Until it has loaded, and where there is none, the
 * initial on a colour derived from the name is shown.
 */
export function AppIcon({
  name,
  store,
  iconUrl,
  size = 36,
}: {
  name: string;
  /** The store determines the corner shape; the first store's shape is used until it is known. */
  store: Store | undefined;
  /** As the API has it: the address in the store. */
  iconUrl: string | null | undefined;
  size?: number;
}) {
  const hue = [...name].reduce((sum, character) => (sum * 31 + character.codePointAt(0)!) % 360, 7);
  const initial = [...name.trim()][0]?.toUpperCase() ?? '?';
  const { iconRadiusPercent } = profileOf(store ?? storeNames[0]);
  const style = {
    '--hue': hue,
    width: size,
    height: size,
    fontSize: size * 0.44,
    borderRadius: `${iconRadiusPercent}%`,
  } as CSSProperties;
  return (
    <span className={styles.icon} style={style} aria-hidden>
      {initial}
      {store && iconUrl && <StoreImage store={store} kind="icon" url={iconUrl} />}
    </span>
  );
}
