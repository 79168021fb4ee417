import { FileUp } from 'lucide-react';
import { useState, type DragEvent } from 'react';
import styles from './file-picker.module.css';

interface Props {
  label: string;
  hint: string;
  /** As in the `accept` attribute. */
  accept: string;
  /** Name of the chosen file. */
  chosen?: string | undefined;
  disabled?: boolean;
  onPick: (file: File) => void;
}

export function FilePicker({ label, hint, accept, chosen, disabled, onPick }: Props) {
  const [isOver, setOver] = useState(false);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const file = event.dataTransfer.files[0];
    if (file && !disabled) onPick(file);
  };
  return (
    <label
      className={styles.picker}
      data-over={isOver || undefined}
      data-disabled={disabled || undefined}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <input
        type="file"
        accept={accept}
        className="sr-only"
        disabled={disabled}
        onChange={(event) => {
          const file = event.currentTarget.files?.[0];
          // Allows choosing the same file again after it was edited.
          event.currentTarget.value = '';
          if (file) onPick(file);
        }}
      />
      <FileUp size={20} strokeWidth={1.7} aria-hidden />
      <span className={styles.words}>
        <span className={styles.label}>{chosen ?? label}</span>
        <span className="muted">{hint}</span>
      </span>
    </label>
  );
}
