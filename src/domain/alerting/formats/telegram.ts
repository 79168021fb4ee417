import { fitLines, type Message } from './message.ts';

const escape = (text: string): string =>
  text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;');

/** HTML of at most 4,096 characters for the chat that the address names. */
export function toTelegram({ title, lines, more }: Message, chatId: string): object {
  const written = lines.map(({ text, link }) =>
    link ? `<a href="${escape(link)}">${escape(text)}</a>` : escape(text),
  );
  const text = fitLines([`<b>${escape(title)}</b>`, ...written], more, 4_000).join('\n');
  return { chat_id: chatId, text, parse_mode: 'HTML', link_preview_options: { is_disabled: true } };
}
