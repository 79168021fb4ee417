import { Button } from '@mantine/core';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';

/** Browsers of phones choose no folders. */
const isOffered = 'webkitdirectory' in HTMLInputElement.prototype;

interface Props {
  disabled: boolean;
  onPick: (files: readonly File[]) => void;
}

/** Chooses a folder instead of a zip of it. */
export function FolderButton({ disabled, onPick }: Props) {
  const { t } = useTranslation();
  const input = useRef<HTMLInputElement>(null);
  if (!isOffered) return null;
  return (
    <div>
      <input
        ref={input}
        type="file"
        hidden
        multiple
        {...{ webkitdirectory: '' }}
        aria-label={t('listingDrafts.zip.pickFolder')}
        onChange={({ currentTarget }) => {
          const files = [...(currentTarget.files ?? [])];
          // Allows choosing the same folder again after it was edited.
          currentTarget.value = '';
          if (files.length > 0) onPick(files);
        }}
      />
      <Button
        className="touch"
        size="xs"
        variant="default"
        disabled={disabled}
        onClick={() => input.current?.click()}
      >
        {t('listingDrafts.zip.pickFolder')}
      </Button>
    </div>
  );
}
