import { Button, Menu, TextInput } from '@mantine/core';
import { ClipboardCopy, Pause, Play, Star, Tag, Trash2, X } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Keyword } from '../../api.ts';
import { copyText } from '../../components/copy-text.ts';
import { showDone } from '../../components/toasts.tsx';
import styles from './bulk-bar.module.css';
import type { useKeywordActions } from './keyword-actions.ts';
import { fieldLength, toKeywordField } from './keyword-field.ts';

interface Props {
  selected: Keyword[];
  tags: string[];
  actions: ReturnType<typeof useKeywordActions>;
  onClear: () => void;
}

function TagMenu({ selected, tags, actions }: Omit<Props, 'onClear'>) {
  const { t } = useTranslation();
  const [opened, setOpened] = useState(false);
  const [text, setText] = useState('');
  const present = [...new Set(selected.flatMap((keyword) => keyword.tags))];
  const add = (tag: string) => {
    if (!tag.trim()) return;
    actions.update.mutate({ keywords: selected, set: { addTags: [tag.trim()] } });
    setText('');
    setOpened(false);
  };
  return (
    <Menu opened={opened} onChange={setOpened} position="top" width={220} trapFocus>
      <Menu.Target>
        <Button size="xs" variant="subtle" leftSection={<Tag size={14} aria-hidden />}>
          {t('bulk.tag')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <form
          className={styles.tagForm}
          onSubmit={(event) => {
            event.preventDefault();
            add(text);
          }}
        >
          <TextInput
            size="xs"
            aria-label={t('bulk.newTag')}
            placeholder={t('bulk.newTag')}
            maxLength={40}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
            data-autofocus
          />
        </form>
        {tags
          .filter((tag) => !present.includes(tag))
          .slice(0, 8)
          .map((tag) => (
            <Menu.Item key={tag} onClick={() => add(tag)}>
              {t('bulk.addTag', { tag })}
            </Menu.Item>
          ))}
        {present.length > 0 && <Menu.Divider />}
        {present.slice(0, 8).map((tag) => (
          <Menu.Item key={tag} color="red" onClick={() => actions.update.mutate({ keywords: selected, set: { removeTags: [tag] } })}>
            {t('bulk.removeTag', { tag })}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

/** What can be done with the ticked rows. */
export function BulkBar({ selected, tags, actions, onClear }: Props) {
  const { t } = useTranslation();
  const allPaused = selected.every((keyword) => keyword.paused);
  const allFavorite = selected.every((keyword) => keyword.favorite);
  const copyField = async () => {
    const field = toKeywordField(selected.map((keyword) => keyword.phrase));
    if (await copyText(field.text)) showDone(t('bulk.copied', { length: field.length, limit: fieldLength, count: field.left.length }));
  };
  const remove = () => {
    actions.remove.mutate(selected);
    onClear();
  };
  return (
    <div className={styles.bar} role="toolbar" aria-label={t('bulk.label')}>
      <span className={styles.count} role="status">
        {t('bulk.count', { count: selected.length })}
      </span>
      <Button
        size="xs"
        variant="subtle"
        leftSection={<Star size={14} aria-hidden />}
        onClick={() => actions.update.mutate({ keywords: selected, set: { favorite: !allFavorite } })}
      >
        {allFavorite ? t('bulk.unfavorite') : t('bulk.favorite')}
      </Button>
      <TagMenu selected={selected} tags={tags} actions={actions} />
      <Button
        size="xs"
        variant="subtle"
        leftSection={allPaused ? <Play size={14} aria-hidden /> : <Pause size={14} aria-hidden />}
        onClick={() => actions.update.mutate({ keywords: selected, set: { paused: !allPaused } })}
      >
        {allPaused ? t('bulk.resume') : t('bulk.pause')}
      </Button>
      <Button size="xs" variant="subtle" leftSection={<ClipboardCopy size={14} aria-hidden />} onClick={() => void copyField()}>
        {t('bulk.copy')}
      </Button>
      <Button size="xs" variant="subtle" color="red" leftSection={<Trash2 size={14} aria-hidden />} onClick={remove}>
        {t('bulk.remove')}
      </Button>
      <Button size="xs" variant="subtle" color="gray" aria-label={t('bulk.clear')} onClick={onClear}>
        <X size={15} aria-hidden />
      </Button>
    </div>
  );
}
