import type { CSSProperties } from 'react';
import { profileOf, storeNames } from '#stores/profiles.ts';
import type { Store } from '../api.ts';
import styles from './app-avatar.module.css';

/**
 * A letter on a colour derived from the name. Icons are on the stores' hosts, and this page loads
 * nothing from other hosts.
 */
export function AppAvatar({
  name,
  store,
  size = 36,
}: {
  name: string;
  /** The store determines the corner shape; the first store's shape is used until it is known. */
  store: Store | undefined;
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
    <span className={styles.avatar} style={style} aria-hidden>
      {initial}
    </span>
  );
}
