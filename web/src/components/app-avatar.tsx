import type { CSSProperties } from 'react';
import type { Store } from '../api.ts';
import styles from './app-avatar.module.css';

/** A letter in a colour of the name: icons live on the stores' hosts, and this page asks no host but its own. */
export function AppAvatar({
  name,
  store,
  size = 36,
}: {
  name: string;
  store: Store;
  size?: number;
}) {
  const hue = [...name].reduce((sum, letter) => (sum * 31 + letter.codePointAt(0)!) % 360, 7);
  const letter = [...name.trim()][0]?.toUpperCase() ?? '?';
  const style = { '--hue': hue, width: size, height: size, fontSize: size * 0.44 } as CSSProperties;
  return (
    <span className={styles.avatar} data-store={store} style={style} aria-hidden>
      {letter}
    </span>
  );
}
