import { useDebouncedCallback } from '@mantine/hooks';
import { useEffect, useRef, useState } from 'react';

interface SearchText {
  text: string;
  type: (text: string) => void;
  clear: () => void;
}

/**
 * A search field whose text is kept in the address after typing pauses. Values that come back do
 * not overwrite newer typing.
 */
export function useSearchText(
  kept: string,
  onSend: (text: string) => void,
  restMs: number,
): SearchText {
  const [text, setText] = useState(kept);
  const sent = useRef(kept);
  const send = (next: string) => {
    sent.current = next;
    onSend(next);
  };
  const sendLater = useDebouncedCallback(send, restMs);
  useEffect(() => {
    if (kept === sent.current || sendLater.isPending()) return;
    sent.current = kept;
    setText(kept);
  }, [kept, sendLater]);
  return {
    text,
    type(next) {
      setText(next);
      sendLater(next);
    },
    clear() {
      sendLater.cancel();
      setText('');
      send('');
    },
  };
}
