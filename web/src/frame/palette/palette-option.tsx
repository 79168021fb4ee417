import { Kbd } from '@mantine/core';
import { splitKeys } from '../../keys/key-text.ts';
import styles from './palette.module.css';
import type { Entry } from './use-entries.ts';

interface Props {
  id: string;
  entry: Entry;
  isActive: boolean;
  onPoint: () => void;
  onChoose: (entry: Entry) => void;
}

/** The keyboard reaches options through the search field. */
export function PaletteOption({ id, entry, isActive, onPoint, onChoose }: Props) {
  const { icon: Icon, label, detail, keys } = entry;
  return (
    <div
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={isActive}
      className={styles.option}
      onMouseMove={onPoint}
      onClick={() => onChoose(entry)}
    >
      <Icon size={16} strokeWidth={1.8} aria-hidden />
      <span className={styles.label}>{label}</span>
      <span className={styles.detail}>{detail}</span>
      {keys && (
        <span className={styles.keys} aria-hidden>
          {splitKeys(keys).map((key) => (
            <Kbd key={key} size="xs">
              {key}
            </Kbd>
          ))}
        </span>
      )}
    </div>
  );
}
