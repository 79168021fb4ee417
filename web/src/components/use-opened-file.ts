import { useRef, useState } from 'react';

interface Reading<Opened> {
  opened: Opened | null;
  isReading: boolean;
}

/** The file that was chosen last: one that was chosen before may take longer to read. */
export function useOpenedFile<Opened>(open: (file: File) => Promise<Opened>) {
  const newest = useRef<File>(undefined);
  const [reading, setReading] = useState<Reading<Opened>>({ opened: null, isReading: false });
  const pick = async (file: File) => {
    newest.current = file;
    setReading({ opened: null, isReading: true });
    const opened = await open(file);
    if (newest.current === file) setReading({ opened, isReading: false });
  };
  return { ...reading, pick: (file: File) => void pick(file) };
}
