import type { Message } from './message.ts';

const escape = (text: string): string => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;');

/** HTML of at most 4,096 characters for the chat that the address names. */
export function toTelegram(message: Message, chatId: string): object {
  const room = 3_800;
  const lines = [`<b>${escape(message.title)}</b>`];
  let length = lines[0]!.length;
  let more = message.more;
  for (const { text, link } of message.lines) {
    const line = link ? `<a href="${escape(link)}">${escape(text)}</a>` : escape(text);
    if (length + line.length > room) more += 1;
    else lines.push(line);
    length += line.length + 1;
  }
  if (more > 0) lines.push(`and ${more} more`);
  return { chat_id: chatId, text: lines.join('\n'), parse_mode: 'HTML', link_preview_options: { is_disabled: true } };
}
