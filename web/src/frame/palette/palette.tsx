import { Kbd, Modal } from '@mantine/core';
import { Search } from 'lucide-react';
import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import type { App } from '../../api.ts';
import { isComposing } from '../../keys/is-composing.ts';
import { PaletteOption } from './palette-option.tsx';
import styles from './palette.module.css';
import { rememberEntry, useRecent } from './recent.ts';
import type { Entry } from './use-entries.ts';
import { useFound } from './use-found.ts';

interface Props {
  app: App | undefined;
  withAppsAlone: boolean;
  onClose: () => void;
}

const groupOrder: readonly Entry['group'][] = [
  'recent',
  'keywords',
  'app',
  'views',
  'apps',
  'workspace',
  'actions',
];

/** Searches pages, apps, keywords, saved views and actions. */
export function Palette({ app, withAppsAlone, onClose }: Props) {
  const { t } = useTranslation();
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const [typed, setTyped] = useState('');
  /** The entry to which somebody moved: it stays marked when others come before it. */
  const [chosen, setChosen] = useState<string | null>(null);
  const recent = useRecent();
  const { found, isWaiting } = useFound(app, typed, withAppsAlone);
  const groups = groupOrder.flatMap((group) => {
    const members = found.filter((entry) => entry.group === group);
    return members.length > 0 ? [{ group, members }] : [];
  });
  const entries = groups.flatMap(({ members }) => members);
  const chosenAt = entries.findIndex((entry) => entry.id === chosen);
  const active = chosenAt < 0 ? Math.min(0, entries.length - 1) : chosenAt;
  const placeholder = withAppsAlone ? t('palette.apps') : t('palette.placeholder');

  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  }, [active]);

  const choose = (entry: Entry | undefined) => {
    if (!entry) return;
    rememberEntry(recent, entry);
    onClose();
    entry.run();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposing(event.nativeEvent)) return;
    const last = entries.length - 1;
    const next = {
      ArrowDown: active === last ? 0 : active + 1,
      ArrowUp: active <= 0 ? last : active - 1,
      Home: 0,
      End: last,
    }[event.key];
    if (next !== undefined && !(typed && (event.key === 'Home' || event.key === 'End'))) {
      event.preventDefault();
      setChosen(entries[next]?.id ?? null);
    } else if (event.key === 'Enter') {
      event.preventDefault();
      choose(entries[active]);
    }
  };
  return (
    <Modal
      opened
      onClose={onClose}
      withCloseButton={false}
      centered={false}
      yOffset="10vh"
      size={600}
      padding={0}
      attributes={{
        content: { 'aria-label': withAppsAlone ? t('keys.apps') : t('palette.title') },
      }}
    >
      <div className={styles.field}>
        <Search size={17} aria-hidden />
        <input
          role="combobox"
          aria-label={placeholder}
          aria-expanded
          aria-autocomplete="list"
          aria-controls={`${id}-list`}
          aria-activedescendant={active >= 0 ? `${id}-${active}` : undefined}
          placeholder={placeholder}
          autoComplete="off"
          spellCheck={false}
          // The dialog sets the focus a moment later, and the keys of that moment would be lost.
          autoFocus
          data-autofocus
          value={typed}
          onChange={(event) => {
            setTyped(event.currentTarget.value);
            setChosen(null);
          }}
          onKeyDown={onKeyDown}
        />
        <Kbd size="xs">Esc</Kbd>
      </div>
      <div
        ref={list}
        id={`${id}-list`}
        role="listbox"
        aria-label={placeholder}
        className={styles.list}
      >
        {groups.map(({ group, members }) => (
          <div key={group} role="group" aria-labelledby={`${id}-${group}`}>
            <p id={`${id}-${group}`} className={styles.group} role="presentation">
              {group === 'app' && app ? (app.displayName ?? app.name) : t(`palette.group.${group}`)}
            </p>
            {members.map((entry) => {
              const index = entries.indexOf(entry);
              return (
                <PaletteOption
                  key={entry.id}
                  id={`${id}-${index}`}
                  entry={entry}
                  isActive={index === active}
                  onPoint={() => setChosen(entry.id)}
                  onChoose={choose}
                />
              );
            })}
          </div>
        ))}
      </div>
      <p className={entries.length === 0 ? styles.none : 'sr-only'} role="status">
        {isWaiting
          ? t('common.loading')
          : entries.length === 0
            ? t('palette.none')
            : t('palette.count', { count: entries.length })}
      </p>
    </Modal>
  );
}
