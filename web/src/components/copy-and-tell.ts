import { i18next } from '../i18n.ts';
import { copyText } from './copy-text.ts';
import { showDone, showNotDone } from './toasts.tsx';

export async function copyAndTell(text: string, done: string): Promise<void> {
  if (await copyText(text)) showDone(done);
  else showNotDone(i18next.t('common.notCopied'));
}
